import { type Arcs, buildArcs } from "../../routing/arcs.ts";
import { MODES } from "../../routing/modes.ts";
import { MANIFEST_KEY, tileKey } from "../../routing/pack.ts";
import { Overlay } from "./customise.ts";
import { smallIslands } from "./islands.ts";
import { LEVEL_SIZES, partition } from "./partition.ts";
import type { RoadGraph } from "./road-graph.ts";
import { layOutTiles, type TileLayout } from "./tile-layout.ts";
import { type PackBits, writeManifest, writePacks } from "./write-overlay.ts";
import { exceptionsByTile, writeTile } from "./write-tile.ts";

export type WriteObject = (key: string, bytes: Uint8Array) => Promise<void> | void;

/** Everything made of a graph, for those who want to look inside (tests compare the engine with it). */
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
): Promise<RoadsBuild> {
  step("dividing", 0, 1);
  const cells = partition(graph.nodeLatitude, graph.nodeLongitude, graph.pieceStart, graph.pieceEnd, levelSizes);
  const layout = layOutTiles(graph, cells);
  const arcs = MODES.map((_, mode) => buildArcs(layout.topology, mode));
  const islands = arcs.map(smallIslands);
  const exceptions = exceptionsByTile(layout);
  for (let tile = 0; tile < layout.tileCount; tile++) {
    step("tiles", tile, layout.tileCount);
    await write(tileKey(tile), writeTile(layout, tile, islands, exceptions[tile]));
  }
  const bits: PackBits[] = [];
  for (let mode = 0; mode < MODES.length; mode++) {
    step("overlay", mode, MODES.length);
    const overlay = new Overlay(layout, arcs[mode]);
    bits[mode] = { avoid: [], traffic: [] };
    for (const [key, bytes] of writePacks(layout, overlay, mode, bits[mode])) await write(key, bytes);
  }
  await write(MANIFEST_KEY, writeManifest(layout, bits));
  return { layout, arcs };
}
