import { ByteReader, ByteWriter } from "../geo/bytes/bytes.ts";
import { internedTexts } from "../geo/bytes/interned.ts";
import { childAt } from "../geo/cells/cell-tree.ts";
import { cellRange, type PackedCell } from "../geo/cells/cells.ts";
import { REGION_KINDS, REGION_RANKS, type Region } from "./region.ts";

/**
 * Region tile, version 1: all regions of one H3 cell, in one object.
 *
 * All integers are LEB128 (`geo/bytes/bytes.ts`), s marks zigzag. Coordinates are grid units of 10⁻⁵ degrees (1.1 m).
 *
 *     magic    4 bytes "GRRG", version 1 byte
 *     strings  count, texts (length, UTF-8); the first is ""
 *     regions  count, of each: kind, rank (bytes, indexes of REGION_KINDS and REGION_RANKS), then string numbers of code,
 *              name, country, state, dma code, dma name. Smaller areas come before larger ones of the same kind and rank.
 *     sets     count, of each: size, region numbers ascending as differences. The first is empty.
 *     cell     the tile's cell, packed
 *     tree     in preorder: 0 nothing here; 1 the seven children follow by digit (a pentagon's missing one is nothing);
 *              2 + 2·set: the entire cell is in the regions of that set;
 *              3 + 2·set: edges pass near, and the set is that of the cell's center.
 *     chains   count, of each: set, number of edges, s x, s y of the first corner, then s dx, s dy of each next one.
 *              To cross an edge is to leave or enter each region of the chain's set.
 *
 * A border two regions share is one chain with both in its set, so it is stored once.
 */
const MAGIC = [0x47, 0x52, 0x52, 0x47];
export const REGION_TILE_VERSION = 1;

export const NOTHING = 0;
export const SPLIT = 1;

/** The contents of a tile. Sets are lists of region numbers; set 0 is empty. */
interface TileContent {
  cell: PackedCell;
  regions: readonly Region[];
  sets: readonly (readonly number[])[];
  /** The tree's values in preorder. */
  tree: readonly number[];
  chains: readonly Chain[];
}

/** Corners [grid units] of edges that bound the regions of one set. Longitudes may go past ±180°. */
export interface Chain {
  set: number;
  xs: readonly number[];
  ys: readonly number[];
}

export function encodeTile({ cell, regions, sets, tree, chains }: TileContent): Uint8Array {
  const out = new ByteWriter();
  for (const byte of [...MAGIC, REGION_TILE_VERSION]) out.byte(byte);
  const strings = internedTexts();
  const rows = regions.map(({ kind, rank, code, name, country, state, dma }) => ({
    kind: REGION_KINDS.indexOf(kind),
    rank: REGION_RANKS.indexOf(rank),
    texts: [code, name, country, state, dma?.code, dma?.name].map((text = "") => strings.add(text)),
  }));
  out.unsigned(strings.values.length);
  for (const text of strings.values) out.text(text);
  out.unsigned(rows.length);
  for (const row of rows) {
    out.byte(row.kind);
    out.byte(row.rank);
    for (const text of row.texts) out.unsigned(text);
  }
  out.unsigned(sets.length);
  for (const set of sets) {
    out.unsigned(set.length);
    set.forEach((region, i) => {
      out.unsigned(i === 0 ? region : region - set[i - 1]);
    });
  }
  out.unsigned(cell);
  for (const value of tree) out.unsigned(value);
  out.unsigned(chains.length);
  for (const { set, xs, ys } of chains) {
    out.unsigned(set);
    out.unsigned(xs.length - 1);
    out.signed(xs[0]);
    out.signed(ys[0]);
    for (let i = 1; i < xs.length; i++) {
      out.signed(xs[i] - xs[i - 1]);
      out.signed(ys[i] - ys[i - 1]);
    }
  }
  return out.finish();
}

/** A tile ready for lookups. Leaves are the tree's non-empty cells, by key; `values` are their tree values. */
export interface DecodedTile {
  regions: Region[];
  sets: number[][];
  leafCells: Float64Array;
  leafLows: Float64Array;
  leafHighs: Float64Array;
  values: Int32Array;
  /** Offset of the chains: they are decoded for the first point near a border. */
  chainsAt: number;
}

/** Throws when the bytes are not a region tile, or one of another version. */
export function decodeTile(bytes: Uint8Array): DecodedTile {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new Error("region tile: wrong magic");
  if (bytes[4] !== REGION_TILE_VERSION) {
    throw new Error(`region tile: version ${bytes[4]}, this reader knows ${REGION_TILE_VERSION}`);
  }
  const input = new ByteReader(bytes, 5);
  const strings = Array.from({ length: input.unsigned() }, () => input.text());
  const regions = Array.from({ length: input.unsigned() }, () => readRegion(input, strings));
  const sets = Array.from({ length: input.unsigned() }, () => readSet(input));
  const cells: number[] = [];
  const values: number[] = [];
  const walk = (cell: PackedCell) => {
    const value = input.unsigned();
    if (value === NOTHING) return;
    if (value === SPLIT) {
      for (let digit = 0; digit < 7; digit++) walk(childAt(cell, digit));
    } else {
      cells.push(cell);
      values.push(value);
    }
  };
  walk(input.unsigned());
  const ranges = cells.map(cellRange);
  return {
    regions,
    sets,
    leafCells: Float64Array.from(cells),
    leafLows: Float64Array.from(ranges, ([low]) => low),
    leafHighs: Float64Array.from(ranges, ([, high]) => high),
    values: Int32Array.from(values),
    chainsAt: input.at,
  };
}

function readRegion(input: ByteReader, strings: readonly string[]): Region {
  const kind = REGION_KINDS[input.byte()];
  const rank = REGION_RANKS[input.byte()];
  if (!kind || !rank) throw new Error("region tile: unknown kind or rank");
  const [code, name, country, state, dmaCode, dmaName] = Array.from({ length: 6 }, () => strings[input.unsigned()]);
  return { kind, rank, code, name, country, state, ...(dmaCode ? { dma: { code: dmaCode, name: dmaName } } : {}) };
}

function readSet(input: ByteReader): number[] {
  let region = 0;
  return Array.from({ length: input.unsigned() }, () => {
    region += input.unsigned();
    return region;
  });
}

/** All edges of a tile, one after the other: corner, step to the next corner, set of regions. */
export interface TileEdges {
  x: Int32Array;
  y: Int32Array;
  dx: Int32Array;
  dy: Int32Array;
  set: Int32Array;
}

export function decodeEdges(bytes: Uint8Array, chainsAt: number): TileEdges {
  const input = new ByteReader(bytes, chainsAt);
  const rows: number[] = [];
  for (let chains = input.unsigned(); chains > 0; chains--) {
    const set = input.unsigned();
    const edges = input.unsigned();
    let x = input.signed();
    let y = input.signed();
    for (let i = 0; i < edges; i++) {
      const dx = input.signed();
      const dy = input.signed();
      rows.push(x, y, dx, dy, set);
      x += dx;
      y += dy;
    }
  }
  const column = (at: number) => Int32Array.from({ length: rows.length / 5 }, (_, i) => rows[i * 5 + at]);
  return { x: column(0), y: column(1), dx: column(2), dy: column(3), set: column(4) };
}
