import { landCoverAreas } from "../../../world/lists.ts";
import { type BasemapFeature, POLYGON, walk } from "../features/feature.ts";
import { turned } from "./world-shapes.ts";

/** Forest, grass, scrub, bare ground and ice, as a tint of the continents. Water is above: areas reach a little into the sea. */
export function* landCover(): Generator<BasemapFeature> {
  for (const { kind, rings } of landCoverAreas()) {
    const parts = rings.map((ring, i) => turned(walk(ring, ring.length), i === 0 ? 1 : -1));
    yield {
      layer: "landcover",
      type: POLYGON,
      parts,
      minZoom: 0,
      maxZoom: LATEST,
      properties: { kind, coarse: true },
      order: ORDER.indexOf(kind),
    };
  }
}

const ORDER = ["grassland", "scrub", "barren", "forest", "glacier"];
/** The finest tiles have it, too: maps fade it slowly, as nearer one would see that it was created from pixels of 20 km. */
const LATEST = 6;
