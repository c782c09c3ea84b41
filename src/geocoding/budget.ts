/**
 * The most that one request may cost, per index: tiles opened around a point, by words, regions' blocks, tiles of house
 * numbers; each at most 50 KB or so. A test checks these bounds.
 */
export const BUDGET = { near: 7, words: 6, rounds: 4, heads: 4, houses: 8 } as const;
