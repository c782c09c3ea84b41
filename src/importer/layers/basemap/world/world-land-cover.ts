import { inRing } from "../../../../core/geo/shapes/in-ring.ts";
import { ringArea } from "../../../../core/maps/tiles/mvt.ts";
import { WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import { landCoverAreas } from "../../../world/lists.ts";
import { readAtlas } from "../../../world/package-file.ts";
import { type Corner, decodeArcs } from "../../../world/topojson.ts";
import { polygonsOf } from "../../../world/topology-shapes.ts";
import { type BasemapFeature, POLYGON, walk } from "../features/feature.ts";
import { turned } from "./world-shapes.ts";

/** Forest, grass, scrub and bare ground, as a tint of the continents. Water is above: areas reach a little into the sea. */
export function* landCover(): Generator<BasemapFeature> {
  // Glaciers have finer outlines (world-waters.ts).
  const areas = landCoverAreas().filter(({ kind }) => kind !== "glacier");
  for (const { kind, rings } of areas) yield coverOf(kind, rings);
  yield* bareIslands(areas.map(({ rings: [outline] }) => outline));
}

const coverOf = (kind: string, rings: readonly Corner[][]): BasemapFeature => ({
  layer: "landcover",
  type: POLYGON,
  parts: rings.map((ring, i) => turned(walk(ring, ring.length), i === 0 ? 1 : -1)),
  minZoom: 0,
  maxZoom: LATEST,
  properties: { kind, coarse: true },
  order: ORDER.indexOf(kind),
});

/** Islands farther from the equator are bare [degrees]. */
const GREEN = 60;
const CORNERS_TRIED = 4;

/** Islands that are too small for the land cover's pixels, or are at the edge of its picture: they would be white next to green ones. */
function* bareIslands(outlines: readonly (readonly Corner[])[]): Generator<BasemapFeature> {
  const known = outlines.map((ring) => ({ ring, box: boxOf(ring) }));
  const isKnown = ([x, y]: Corner) =>
    known.some(
      ({ ring, box: [west, south, east, north] }) =>
        x >= west && x <= east && y >= south && y <= north && inRing(ring, x, y),
    );
  /** By some corners of its coast: areas of land cover reach a little into the sea. */
  const isCovered = (coast: readonly Corner[]) => {
    const some = coast.filter((_, i) => i % Math.ceil(coast.length / CORNERS_TRIED) === 0);
    return 2 * some.filter(isKnown).length > some.length;
  };
  const atlas = readAtlas("world-atlas/land-10m.json");
  const arcs = decodeArcs(atlas);
  for (const geometry of atlas.objects.land.geometries)
    for (const [coast] of polygonsOf(geometry, arcs)) {
      const isBare = coast.some((corner) => Math.abs(corner[1]) >= GREEN);
      if (isBare || isCovered(coast)) continue;
      const cover = coverOf("grassland", [coast]);
      const [outline] = cover.parts;
      if (ringArea(outline) === 0) continue;
      // The atlas walks across the 180th meridian; the square ends there.
      for (const shift of [-WORLD_SIZE, 0, WORLD_SIZE]) {
        const moved = Array.from(outline, (value, i) => (i % 2 === 0 ? value + shift : value));
        if (moved.some((x, i) => i % 2 === 0 && x > 0 && x < WORLD_SIZE)) yield { ...cover, parts: [moved] };
      }
    }
}

function boxOf(ring: readonly Corner[]): [west: number, south: number, east: number, north: number] {
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const [x, y] of ring) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

const ORDER = ["grassland", "scrub", "barren", "forest", "glacier"];
/** The finest tiles have it, too: maps fade it slowly, as nearer one would see that it was created from pixels of 20 km. */
const LATEST = 6;
