import { ByteWriter } from "../../routing/bytes.ts";
import { MANIFEST_MAGIC, MANIFEST_VERSION } from "../../routing/manifest.ts";
import { PACK_MAGIC, PACK_VERSION, packKey, planeDifferences, UNREACHABLE } from "../../routing/pack.ts";
import { MOST_WINDOWS } from "../../routing/traffic.ts";
import type { Overlay } from "./customise.ts";
import type { TileLayout } from "./tile-layout.ts";
import { sealed } from "./write-tile.ts";

/** Cells of `level` that lie in cell `parent` of the next level. */
function childrenOf({ partition }: TileLayout, level: number, parent: number): number[] {
  const cells = Array.from({ length: partition.cellCounts[level] }, (_, cell) => cell);
  return level + 1 < partition.levels ? cells.filter((cell) => partition.parentOf[level][cell] === parent) : cells;
}

const parentCount = ({ partition }: TileLayout, level: number) =>
  level + 1 < partition.levels ? partition.cellCounts[level + 1] : 1;

/** What of a metric makes a difference to the packs of one mode, by level and parent cell: for the manifest. */
export interface PackBits {
  avoid: number[][];
  /** Bit n − 1: the n-th window of time. */
  traffic: number[][];
}

/** All packs of one mode, as keys and bytes; fills in `packBits`. */
export function* writePacks(
  layout: TileLayout,
  overlay: Overlay,
  mode: number,
  packBits: PackBits,
): Generator<[key: string, bytes: Uint8Array]> {
  const { topology, tileOf } = layout;
  for (let level = 1; level < layout.partition.levels; level++) {
    const { outs, avoid, traffic, cliques, cellOf } = overlay.levels[level];
    const firstTile = new Int32Array(cliques.length).fill(layout.tileCount);
    tileOf.forEach((tile, node) => {
      firstTile[cellOf[node]] = Math.min(firstTile[cellOf[node]], tile);
    });
    packBits.avoid[level] = [];
    packBits.traffic[level] = [];
    for (let parent = 0; parent < parentCount(layout, level); parent++) {
      const children = childrenOf(layout, level, parent);
      const bits = children.reduce((sum, cell) => sum | avoid[cell], 0);
      const windows = children.reduce((sum, cell) => sum | traffic[cell], 0);
      packBits.avoid[level][parent] = bits;
      packBits.traffic[level][parent] = windows;
      for (let key = 0; key < 16 * (MOST_WINDOWS + 1); key++) {
        const [set, bucket] = [key & 15, key >> 4];
        if ((set & ~bits) !== 0 || (bucket > 0 && ((windows >> (bucket - 1)) & 1) === 0)) continue;
        const out = new ByteWriter();
        out.number(children.length);
        for (const cell of children) {
          const clique = overlay.cliqueOf(level, cell, set, bucket);
          out.number(clique.ins.length);
          out.number(clique.outs.length);
          clique.ins.forEach((id, i) => {
            out.number(id - (i > 0 ? clique.ins[i - 1] : 0));
          });
          clique.outs.forEach((id, i) => {
            out.signed(id - (i > 0 ? clique.outs[i - 1] : 0));
          });
          for (const edge of outs[cell]) out.number(tileOf[topology.tail[edge]] - firstTile[cell]);
          const width = clique.outs.length;
          const planes: ((weight: number, i: number) => number)[] = [
            (weight) => weight + 1,
            (weight, i) => weight - clique.duration[i],
            (_, i) => clique.distance[i],
          ];
          for (const value of planes) {
            const plane = clique.weight.map((weight, i) => (weight < UNREACHABLE ? value(weight, i) : 0));
            for (const difference of planeDifferences(plane, width)) out.signed(difference);
          }
        }
        yield [packKey({ mode, avoid: set, bucket }, level, parent), sealed(PACK_MAGIC, PACK_VERSION, out)];
      }
    }
  }
}

/** The manifest; `bits`: per mode what `writePacks` found. */
export function writeManifest(layout: TileLayout, bits: readonly PackBits[]): Uint8Array {
  const { partition, tiles, crossingCount } = layout;
  const out = new ByteWriter();
  out.number(partition.levels);
  for (let level = 1; level < partition.levels; level++) out.number(partition.cellCounts[level]);
  for (let level = 1; level + 1 < partition.levels; level++) {
    const counts = new Int32Array(partition.cellCounts[level + 1]);
    for (const parent of partition.parentOf[level]) counts[parent]++;
    for (const count of counts) out.number(count);
  }
  tiles.forEach(({ firstEntering }, tile) => {
    out.number((tile + 1 < tiles.length ? tiles[tile + 1].firstEntering : crossingCount) - firstEntering);
  });
  const perPack = (kind: keyof PackBits) => {
    for (const mode of bits) for (const level of mode[kind].slice(1)) for (const own of level) out.number(own);
  };
  perPack("avoid");
  const windows = layout.graph.traffic?.windows ?? [];
  out.number(windows.length);
  for (const { days, from, until } of windows) for (const value of [days, from, until]) out.number(value);
  if (windows.length > 0) perPack("traffic");
  writeGrid(out, layout);
  return sealed(MANIFEST_MAGIC, MANIFEST_VERSION, out);
}

/** Size of a cell of the grid that finds tiles [1e-6 degrees]: about 100 m. */
const GRID_STEP = 1000;

/** Which tiles have roads in which cell of the grid, as runs along its rows. */
function writeGrid(out: ByteWriter, layout: TileLayout): void {
  const cells = new Map<number, Map<number, Set<number>>>();
  const touch = (row: number, column: number, tile: number) => {
    let columns = cells.get(row);
    if (!columns) {
      columns = new Map();
      cells.set(row, columns);
    }
    const tiles = columns.get(column);
    if (tiles) tiles.add(tile);
    else columns.set(column, new Set([tile]));
  };
  layout.tiles.forEach((plan, tile) => {
    for (const piece of plan.pieces) {
      forEachSegment(layout, piece, (latA, lonA, latB, lonB) => {
        const bottom = Math.floor(Math.min(latA, latB) / GRID_STEP);
        const top = Math.floor(Math.max(latA, latB) / GRID_STEP);
        const left = Math.floor(Math.min(lonA, lonB) / GRID_STEP);
        const right = Math.floor(Math.max(lonA, lonB) / GRID_STEP);
        // A long ferry fills its box only along its line: step along rows, cross the columns that the row meets.
        for (let row = bottom; row <= top; row++) {
          const share = (edge: number) =>
            latA === latB ? 0 : Math.max(0, Math.min(1, (edge * GRID_STEP - latA) / (latB - latA)));
          const low = latA === latB ? lonA : lonA + (lonB - lonA) * share(row);
          const high = latA === latB ? lonB : lonA + (lonB - lonA) * share(row + 1);
          const from = Math.max(left, Math.floor(Math.min(low, high) / GRID_STEP));
          const to = Math.min(right, Math.floor(Math.max(low, high) / GRID_STEP));
          for (let column = from; column <= to; column++) touch(row, column, tile);
        }
      });
    }
  });
  const rows = [...cells.keys()].sort((a, b) => a - b);
  const firstRow = rows[0] ?? 0;
  let firstColumn = Number.POSITIVE_INFINITY;
  for (const columns of cells.values())
    for (const column of columns.keys()) firstColumn = Math.min(firstColumn, column);
  if (rows.length === 0) firstColumn = 0;
  const lists = new Map<string, number>();
  const rowRuns: [length: number, list: number][][] = [];
  for (let row = firstRow; row <= (rows[rows.length - 1] ?? -1); row++) {
    const columns = cells.get(row);
    const runs: [number, number][] = [];
    let end = firstColumn;
    for (const column of [...(columns?.keys() ?? [])].sort((a, b) => a - b)) {
      const key = [...columns!.get(column)!].sort((a, b) => a - b).join();
      let list = lists.get(key);
      if (list === undefined) {
        list = lists.size;
        lists.set(key, list);
      }
      const last = runs[runs.length - 1];
      if (last && last[1] === list) last[0] += column + 1 - end;
      else runs.push([column + 1 - end, list]);
      end = column + 1;
    }
    rowRuns.push(runs);
  }
  out.number(GRID_STEP);
  out.signed(firstRow);
  out.signed(firstColumn);
  out.number(rowRuns.length);
  out.number(lists.size);
  for (const key of lists.keys()) {
    const tiles = key.split(",").map(Number);
    out.number(tiles.length);
    for (const tile of tiles) out.number(tile);
  }
  for (const runs of rowRuns) {
    out.number(runs.length);
    for (const [length, list] of runs) {
      out.number(length);
      out.number(list);
    }
  }
}

function forEachSegment(
  { graph }: TileLayout,
  piece: number,
  visit: (latA: number, lonA: number, latB: number, lonB: number) => void,
): void {
  let lat = graph.nodeLatitude[graph.pieceStart[piece]];
  let lon = graph.nodeLongitude[graph.pieceStart[piece]];
  for (let i = graph.shapeFirst[piece]; i < graph.shapeFirst[piece + 1]; i++) {
    visit(lat, lon, graph.shapeLatitude[i], graph.shapeLongitude[i]);
    lat = graph.shapeLatitude[i];
    lon = graph.shapeLongitude[i];
  }
  const end = graph.pieceEnd[piece];
  visit(lat, lon, graph.nodeLatitude[end], graph.nodeLongitude[end]);
}
