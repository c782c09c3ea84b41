import { MODES } from "../../../../core/routing/graph/modes.ts";
import type { Progress } from "../../../common/progress.ts";
import { ExternalSort } from "../../../sort/external-sort.ts";
import { districtCount, districtOfTile } from "../overlay/districts.ts";
import { joinCrossings, type PartCrossings } from "../partition/crossings.ts";
import { surveysOfParts, tilesOfParts } from "./cached-parts.ts";
import { joinIslands, type OpenComponents } from "./part-islands.ts";
import type { RoadsWorld } from "./roads-job.ts";
import type { RoadsSite } from "./roads-site.ts";
import { GridsWriter, gridCell, gridColumn, gridTile, type RoadGrids } from "./tile-grid.ts";

/**
 * The second step: the tiles. First every part is surveyed, as a tile has the ids of edges that other parts number, and
 * islands may reach over parts; then each part's tiles are written.
 */
export async function writeTiles(site: RoadsSite, progress: Progress): Promise<void> {
  const world = await site.world(true);
  const { division, parts } = world;
  const islands = new Uint8Array(new SharedArrayBuffer(world.graph.columns.edgePiece.length));
  progress.expect(2 * division.cellCounts[1], "tiles");
  const tilesOf = (part: number) => parts.firstTile[part + 1] - parts.firstTile[part];
  const crossings: PartCrossings[] = [];
  const open: OpenComponents[][] = MODES.map(() => []);
  for await (const found of surveysOfParts(site, world, islands)) {
    progress.advance(tilesOf(crossings.length));
    crossings.push(found.crossings);
    for (const [mode, components] of found.open.entries()) open[mode].push(components);
  }
  for (const [mode, components] of open.entries()) joinIslands(components, mode, islands);
  site.crossings = joinCrossings(crossings, site.entering);
  site.grids = await writeParts(site, world, islands, (part) => progress.advance(tilesOf(part)));
  // The keys of the overlay are computed while the surveys of the parts are in memory.
  await site.digests(world);
}

async function writeParts(
  site: RoadsSite,
  world: RoadsWorld,
  islands: Uint8Array,
  done: (part: number) => void,
): Promise<RoadGrids> {
  const { parts, division } = world;
  const grid = new ExternalSort({ path: site.store.path("grid-sort") ?? "grid-sort", memory: site.memory / 16 });
  const payload = new Uint8Array(4);
  const view = new DataView(payload.buffer);
  const districtOf = (tile: number) => districtOfTile(division, tile);
  const west = new Float64Array(districtCount(division)).fill(Number.POSITIVE_INFINITY);
  let part = 0;
  try {
    for await (const made of tilesOfParts(site, world, islands)) {
      for (const { key, bytes } of made.objects) await site.write(key, bytes);
      for (const number of made.grid) {
        const tile = parts.firstTile[part] + gridTile(number);
        view.setUint32(0, tile);
        const cell = gridCell(number);
        const district = districtOf(tile);
        west[district] = Math.min(west[district], gridColumn(cell));
        grid.add(cell, payload);
      }
      done(part++);
    }
    return gridsOf(grid, new GridsWriter(west, districtOf));
  } finally {
    grid.close();
  }
}

function gridsOf(sorted: ExternalSort, writer: GridsWriter): RoadGrids {
  let cell = -1;
  let tiles: number[] = [];
  for (const { key, bytes, start } of sorted.sorted()) {
    if (key !== cell && cell >= 0) {
      writer.add(cell, tiles);
      tiles = [];
    }
    cell = key;
    tiles.push(new DataView(bytes.buffer, bytes.byteOffset + start).getUint32(0));
  }
  if (cell >= 0) writer.add(cell, tiles);
  return writer.finish();
}
