import { type Arcs, buildArcs } from "../../routing/arcs.ts";
import { MANIFEST_MAGIC, MANIFEST_VERSION } from "../../routing/manifest.ts";
import { MODES } from "../../routing/modes.ts";
import { MANIFEST_KEY, PACK_MAGIC, PACK_VERSION, tileKey } from "../../routing/pack.ts";
import { TILE_MAGIC, TILE_VERSION } from "../../routing/tile.ts";
import { writeManifest } from "../../routing/write-manifest.ts";
import { writePack } from "../../routing/write-pack.ts";
import { writeTile } from "../../routing/write-tile.ts";
import { Overlay } from "./customise.ts";
import { deflatedObject } from "./deflated-object.ts";
import { smallIslands } from "./islands.ts";
import { manifestContent, type PackBits, packsOf } from "./overlay-content.ts";
import { LEVEL_SIZES, partition } from "./partition.ts";
import type { RoadGraph } from "./road-graph.ts";
import { exceptionsByTile, tileContent } from "./tile-content.ts";
import { layOutTiles, type TileLayout } from "./tile-layout.ts";

export type WriteObject = (key: string, bytes: Uint8Array) => Promise<void> | void;

/** Everything made of a graph, for a look inside (tests compare the engine with it). */
export interface RoadsBuild {
  layout: TileLayout;
  arcs: Arcs[];
}

/** Divides a graph into tiles, weighs the overlay for every mode and avoid set, and writes it all as objects. */
export async function writeRoads(
  graph: RoadGraph,
  write: WriteObject,
  step: (what: string, done: number, of: number) => void = () => {},
  levelSizes: readonly number[] = LEVEL_SIZES,
  threads = 0,
): Promise<RoadsBuild> {
  step("dividing", 0, 1);
  const { nodeLatitude, nodeLongitude, pieceStart, pieceEnd } = graph;
  const cells = await partition(nodeLatitude, nodeLongitude, pieceStart, pieceEnd, { sizes: levelSizes, threads });
  const cellOf = cells.cellOf.map((own) => cells.searchCellOf.map((cell) => own[cell]));
  const layout = layOutTiles(graph, { ...cells, cellOf });
  const arcs = MODES.map((_, mode) => buildArcs(layout.topology, mode));
  const islands = arcs.map(smallIslands);
  const exceptions = exceptionsByTile(layout);
  for (let tile = 0; tile < layout.tileCount; tile++) {
    step("tiles", tile, layout.tileCount);
    const payload = writeTile(tileContent(layout, tile, islands, exceptions[tile]));
    await write(tileKey(tile), deflatedObject(TILE_MAGIC, TILE_VERSION, payload));
  }
  const bits: PackBits[] = [];
  for (let mode = 0; mode < MODES.length; mode++) {
    step("overlay", mode, MODES.length);
    const overlay = new Overlay(layout, arcs[mode]);
    bits[mode] = { avoid: [], traffic: [] };
    for (const [key, cells] of packsOf(layout, overlay, mode, bits[mode])) {
      await write(key, deflatedObject(PACK_MAGIC, PACK_VERSION, writePack(cells)));
    }
  }
  const manifest = writeManifest(manifestContent(layout, bits));
  await write(MANIFEST_KEY, deflatedObject(MANIFEST_MAGIC, MANIFEST_VERSION, manifest));
  return { layout, arcs };
}
