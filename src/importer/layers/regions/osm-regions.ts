import { REGION_TILE_VERSION } from "../../../core/regions/tile-format.ts";
import type { Layer } from "../../frame/layer.ts";
import { BASE_SOURCES, baseShapes } from "../../world/base.ts";
import { withCountries } from "./country-of-shape.ts";
import { readDmaTable, withDma } from "./dma.ts";
import { baseCountries, drawnRegions } from "./import-shapes.ts";
import { importTiles } from "./import-tiles.ts";
import { minMemoryOfRegions } from "./min-memory.ts";
import { creditDivisions } from "./overture-regions.ts";
import { PLACE_TAGS, placeAreas } from "./place-areas.ts";
import { readPostalCodes } from "./postal-codes.ts";
import { writeTiles } from "./write-tiles.ts";

/**
 * Regions of an import: `boundary=administrative` and `boundary=postal_code` relations that the extract holds whole and
 * the operator's postal codes, on top of the world base; and the areas around points of boroughs and neighborhoods. Tiles cover the extracts' areas and hold both, so that where
 * an import has a tile nothing else need be read.
 */
export const osmRegions: Layer = {
  name: "regions",
  formatVersion: REGION_TILE_VERSION,
  summary: "administrative areas and postal codes, with the world base beneath",
  reads: { nodes: PLACE_TAGS, relations: ["boundary=administrative", "boundary=postal_code"] },
  files: ["postalCodes", "dma", "overtureDivisions"],
  checks: { postalCodes: readPostalCodes, dma: readDmaTable },
  minMemory: minMemoryOfRegions,
  async build(input, out, progress) {
    let base = baseShapes();
    const boxes = input.extracts.map(({ bounds }) => bounds);
    if (input.files.overtureDivisions !== undefined) {
      const bounds = await creditDivisions(input.files.overtureDivisions, out);
      boxes.push(...bounds);
      for (const box of boxes) out.area(box);
    }
    const skipped = () => out.count("skipped: no level, code or name in use");
    const drawn = await drawnRegions(input, base, boxes, skipped);
    let fresh = drawn.map(({ shape }) => shape);
    const around = await placeAreas(input, fresh, baseCountries(base, boxes));
    if (input.files.postalCodes) {
      const areas = await readPostalCodes(input.files.postalCodes);
      fresh = await withCountries([...fresh, ...areas], baseCountries(base, boxes));
    }
    if (input.files.dma) {
      const table = readDmaTable(input.files.dma);
      base = withDma(base, table);
      fresh = withDma(fresh, table);
    }
    for (const { kind } of fresh) out.count(kind);
    for (const { kind } of around) out.count(`${kind} around a point`);
    for (const source of BASE_SOURCES) out.source(source);
    await writeTiles(importTiles(base, [...fresh, ...around], boxes, input.resources.parts), out, progress);
  },
};
