import { BASEMAP_VERSION } from "../../../core/maps/tiles/archive-writer.ts";
import { MAX_LATITUDE } from "../../../core/maps/tiles/plane.ts";
import type { Layer } from "../../frame/layer.ts";
import { addUnits, listUnits, type UnitUse } from "../../glyphs/name-units.ts";
import { writeGlyphsOf } from "../../glyphs/write-glyphs.ts";
import { BASE_SOURCES } from "../../world/base.ts";
import { GEONAMES } from "../../world/cities.ts";
import { basemapPool, STEP_BYTES } from "./basemap-layer.ts";
import { writeBasemap } from "./steps/archive-of-runs.ts";
import { Drawer } from "./steps/drawer.ts";
import { addSea } from "./steps/sea-tiles.ts";
import { PieceSpool } from "./tiles/spool.ts";
import { WORLD_MAX_ZOOM, worldFeatures, worldSea } from "./world/world-features.ts";

/** The map below all imports: coarse land and water, borders and names, the same for everyone. */
export const worldBasemap: Layer = {
  name: "basemap",
  formatVersion: BASEMAP_VERSION,
  summary: "land, water, borders and names of the whole Earth, coarse",
  reads: {},
  files: [],
  async build({ resources }, out) {
    const pool = basemapPool(0);
    try {
      const zooms = { minZoom: 0, maxZoom: WORLD_MAX_ZOOM, isMagnified: true };
      const { runs, units } = await resources.step("drawing", async () => {
        for (const source of [...BASE_SOURCES, GEONAMES]) out.source(source);
        const spool = new PieceSpool((run) => resources.path(`pieces-${run}`), resources.memory / 8);
        const drawer = new Drawer(spool, { bounds: [], ...zooms });
        for (const feature of worldFeatures()) drawer.feature(feature);
        for (const what in drawer.counts) out.count(what, drawer.counts[what]);
        addSea(worldSea(), spool, zooms);
        return { runs: spool.finish(), units: listUnits(drawer.names.counts) };
      });
      const options = {
        bounds: [-180, -MAX_LATITUDE, 180, MAX_LATITUDE] as const,
        attribution: "Made with Natural Earth · GeoNames",
        ...zooms,
      };
      await writeBasemap(runs, options, { resources, out, pool, stepBytes: STEP_BYTES });
      const uses = new Map<string, UnitUse>();
      addUnits(uses, units);
      await writeGlyphsOf(uses, { resources, out });
    } finally {
      await pool.close();
    }
  },
};
