/** Weight of each aspect of a result; the sum of the first four is 1. */
const WEIGHTS = {
  /** How well the words fit. */
  text: 0.45,
  /** The share of the query's parts that are confirmed. */
  parts: 0.2,
  proximity: 0.25,
  importance: 0.1,
  /** For every country in the caller's list before its own. */
  countryRank: -0.04,
} as const;

/** Two ranges of proximity: the neighborhood, and the part of the country [m]. */
const NEAR = { share: 0.8, range: 30_000 };
const FAR = { share: 0.2, range: 300_000 };

export interface Sides {
  /** 0 … 1 */
  text: number;
  /** Number of parts confirmed. */
  confirmed: number;
  /** Share of the query that matches nothing, 0 … 1. */
  missing: number;
  /** [m]; undefined if no position is known. */
  distance?: number;
  /** 0 … 1 */
  importance: number;
  /** Position of its country in the caller's list, from 0. */
  countryRank: number;
}

/** 0 … 1, for sorting. */
export function scoreOf({ text, confirmed, missing, distance, importance, countryRank }: Sides): number {
  const parts = confirmed === 0 ? 0 : (confirmed / (confirmed + 1 + 4 * missing)) * 1.25;
  const proximity =
    distance === undefined
      ? 0
      : NEAR.share * Math.exp(-distance / NEAR.range) + FAR.share * Math.exp(-distance / FAR.range);
  return (
    WEIGHTS.text * text +
    WEIGHTS.parts * Math.min(1, parts) +
    WEIGHTS.proximity * proximity +
    WEIGHTS.importance * importance +
    WEIGHTS.countryRank * Math.max(0, countryRank)
  );
}
