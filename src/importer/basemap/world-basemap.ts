import { BASEMAP_VERSION } from "../../maps/tiles/archive-writer.ts";
import { MAX_LATITUDE } from "../../maps/tiles/plane.ts";
import type { Layer } from "../layer.ts";
import { BASE_SOURCES } from "../world/base.ts";
import { GEONAMES } from "../world/cities.ts";
import { writeBasemap } from "./archive-of-spool.ts";
import { addSea } from "./sea-tiles.ts";
import { TileSpool } from "./spool.ts";
import { Tiler } from "./tiler.ts";
import { WORLD_MAX_ZOOM, worldFeatures, worldSea } from "./world-features.ts";

/** The map below all imports: coarse land and water, borders and names, the same for everybody. */
export const worldBasemap: Layer = {
  name: "basemap",
  formatVersion: BASEMAP_VERSION,
  summary: "land, water, borders and names of the whole Earth, coarse",
  reads: {},
  files: [],
  async build(_input, out, progress) {
    const spool = new TileSpool();
    try {
      for (const source of [...BASE_SOURCES, GEONAMES]) out.source(source);
      const tiler = new Tiler(spool, { minZoom: 0, maxZoom: WORLD_MAX_ZOOM });
      progress.expect(0, "tiles");
      for (const feature of worldFeatures()) {
        tiler.add(feature);
        out.count(feature.layer);
      }
      addSea(worldSea(), spool, 0, WORLD_MAX_ZOOM);
      await writeBasemap(
        spool,
        {
          bounds: [-180, -MAX_LATITUDE, 180, MAX_LATITUDE],
          minZoom: 0,
          maxZoom: WORLD_MAX_ZOOM,
          attribution: "Made with Natural Earth · GeoNames",
        },
        out,
        progress,
      );
    } finally {
      spool.close();
    }
  },
};
