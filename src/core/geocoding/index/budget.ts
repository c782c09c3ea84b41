/**
 * The most that one request may cost, per index: tiles opened around a point, by words, regions' blocks, those of similar
 * words where a region may be misspelled, tiles of house numbers; each at most 50 KB or so. A test checks these bounds.
 */
export const BUDGET = { near: 7, words: 6, rounds: 4, heads: 6, addressHeads: 4, similar: 64, houses: 8 } as const;
