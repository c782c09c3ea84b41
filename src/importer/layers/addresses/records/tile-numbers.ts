import { byWeight } from "../../../../core/geocoding/index/tile-groups.ts";

/** A tile whose number is further from its rank by weight than this share of all tiles is out of place. */
const FAR = 1 / 8;
/** Where more than this share of the tiles is new, or out of place, all are numbered again. */
const MAX_MOVED_SHARE = 1 / 4;

/** How an import numbered its tiles, for the update that follows: the cell of each, by number. */
export function encodeNumbers(cells: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(cells).buffer);
}

/**
 * Tiles by number: those with most in them first. An update keeps the numbers of the previous import, as words are listed with the
 * numbers of their tiles: one house more would else change numbers in all lists. A new tile takes a number that is free, the last
 * ones take those of tiles that are gone, so that numbers go from 0 without a gap.
 *
 * @param rows cell and weight of each tile, each cell once
 * @param before what `encodeNumbers` made
 */
export function tilesByNumber(rows: readonly { cell: number; weight: number }[], before?: Uint8Array): Uint32Array {
  const byRank = Uint32Array.from(rows.keys()).sort((a, b) => byWeight(rows[a], rows[b]));
  return (before && previousNumbers(rows, byRank, before)) ?? byRank;
}

/** Undefined where too little would stay as it is, or too much in an order that weights no longer have. */
function previousNumbers(
  rows: readonly { cell: number }[],
  byRank: Uint32Array,
  before: Uint8Array,
): Uint32Array | undefined {
  const numbers = new Map(Array.from(new Float64Array(before.slice().buffer), (cell, number) => [cell, number]));
  const tiles = new Int32Array(rows.length).fill(-1);
  const loose: number[] = [];
  let wrong = 0;
  for (const [rank, tile] of byRank.entries()) {
    const number = numbers.get(rows[tile].cell);
    if (number === undefined || number >= rows.length) loose.push(tile);
    else tiles[number] = tile;
    if (number === undefined || Math.abs(number - rank) > FAR * rows.length) wrong++;
  }
  if (wrong > MAX_MOVED_SHARE * rows.length) return undefined;
  let next = 0;
  return Uint32Array.from(tiles, (tile) => (tile < 0 ? loose[next++] : tile));
}
