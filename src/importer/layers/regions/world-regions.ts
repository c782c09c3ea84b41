import { buildTiles } from "../../../core/regions/build-tiles.ts";
import { WORLD_TILES } from "../../../core/regions/region-index.ts";
import { REGION_TILE_VERSION } from "../../../core/regions/tile-format.ts";
import type { Layer } from "../../frame/layer.ts";
import { BASE_SOURCES, baseShapes } from "../../world/base.ts";
import { readDmaTable, withDma } from "./dma.ts";
import { writeTiles } from "./write-tiles.ts";

/** The regions of the world build: no extract, the same for everyone but for the operator's market areas. */
export const worldRegions: Layer = {
  name: "regions",
  formatVersion: REGION_TILE_VERSION,
  summary: "countries and their states, US counties",
  reads: {},
  checks: { dma: readDmaTable },
  async build({ files }, out, progress) {
    let shapes = baseShapes();
    if (files.dma) shapes = withDma(shapes, readDmaTable(files.dma));
    for (const { kind } of shapes.filter(({ rank }) => rank === "base")) out.count(kind);
    for (const source of BASE_SOURCES) out.source(source);
    await writeTiles(buildTiles(shapes, WORLD_TILES), out, progress);
  },
};
