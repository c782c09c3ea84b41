import type { TileSet } from "./tile-set.ts";

/** A tile that the word index names, and how much of the query it matches. */
export interface WordTile {
  tile: number;
  weight: number;
}

/**
 * The tiles that have most of some words, where a word that few tiles have counts up to twice as much; among equals the
 * ones that are the least `away`, then those with the lowest numbers.
 */
export function bestTiles(
  words: readonly { tiles: TileSet; worth: number }[],
  most: number,
  away: (tile: number) => number,
): WordTile[] {
  const weights = new Float64Array(words.reduce((end, { tiles }) => Math.max(end, tiles.end), 0));
  for (const { tiles, worth } of words) tiles.addWeight(weights, worth * (1 + 1 / Math.sqrt(tiles.size)));
  const best: (WordTile & { away: number })[] = [];
  for (let tile = 0; tile < weights.length; tile++) {
    const weight = weights[tile];
    if (weight === 0 || (best.length === most && weight < best[most - 1].weight)) continue;
    const one = { tile, weight, away: away(tile) };
    let at = best.length;
    // One that is equal in all stays behind those with lower numbers.
    while (at > 0 && (best[at - 1].weight < weight || (best[at - 1].weight === weight && best[at - 1].away > one.away)))
      at--;
    if (at === most) continue;
    best.splice(at, 0, one);
    if (best.length > most) best.pop();
  }
  return best;
}
