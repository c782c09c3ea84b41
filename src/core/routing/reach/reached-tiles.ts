import type { NarrowTable } from "../graph/narrow.ts";
import type { EndPoint } from "../search/end-points.ts";
import type { OverlayWindow } from "../search/overlay.ts";
import type { SearchLabels } from "../store/search-labels.ts";
import { spreadInto } from "./reach-search.ts";

/** Times and lengths of searches are tenths. */
const UNITS = 10;
/**
 * A cell is not divided if the longest way across it is at most this share of the time at which it is reached: then the mean applies
 * to all of it. It must not depend on the limit, or a longer one might not contain a shorter one.
 */
const WHOLE_SHARE = 0.05;

/** A cell of the network and a limit. */
export interface CellTimes {
  /** When the first road in it is reached; Infinity if that is beyond all limits. */
  first: number;
  /** From this limit on, all of it is reached. */
  whole: number;
  /** Whether limits between `first` and `whole` divide it; otherwise it is not reached within these. */
  isDivisible: boolean;
}

/** A cell of which nothing is known but that the search begins in it. */
export const UNKNOWN: CellTimes = { first: 0, whole: Number.POSITIVE_INFINITY, isDivisible: true };

export interface ReachedTiles {
  /** By limit: tiles that are reached as a whole. */
  whole: readonly Set<number>[];
  /** Tiles that a limit divides. */
  divided: number[];
}

/** Whether a limit lies between the first and the last road of a cell. */
export const isDivided = ({ first, whole, isDivisible }: CellTimes, limits: readonly number[]) =>
  isDivisible && limits.some((limit) => first <= limit && limit < whole);

/**
 * Finds the tiles that are reached within limits as a whole, and those that a limit divides. Searches use the cliques of the
 * largest cells, then of those inside the cells that a limit divides, and so on down to tiles. The window has loaded the starts.
 */
export async function reachedTiles(
  window: OverlayWindow,
  labels: SearchLabels,
  starts: readonly EndPoint[],
  limits: readonly number[],
  byLength: boolean,
): Promise<ReachedTiles> {
  const { store, numbering } = window;
  const within = Math.max(...limits);
  const whole = limits.map(() => new Set<number>());
  const opened: [level: number, cell: number][] = [];
  let parents = [0];
  for (let level = store.manifest.levels - 1; level >= 1; level--) {
    await Promise.all(
      parents.map(async (parent) => {
        const loaded =
          store.packAtHand(window.metric, level, parent) ?? (await store.pack(window.metric, level, parent));
        if (loaded) window.add(level, loaded);
      }),
    );
    await spreadInto(window, labels, starts, { opened, within, byLength });
    while (window.isLacking) {
      await window.complete();
      await spreadInto(window, labels, starts, { opened, within, byLength });
    }
    const unfolded = new Set(window.unfolded.filter(([lowest]) => lowest <= level).map(([, cells]) => cells[level]));
    const children = await Promise.all(parents.map((parent) => store.districts.childrenOf(level, parent)));
    const next: number[] = [];
    for (const [first, end] of children.filter((range) => range !== undefined)) {
      for (let cell = first; cell < end; cell++) {
        const holdsStart = starts.some(({ tile }) => tile.cells[level] === cell);
        const number = numbering.cellAt(level, cell);
        const clique = holdsStart || unfolded.has(cell) || number < 0 ? undefined : window.borderOf(number);
        const times = clique ? timesOf(labels, clique, clique.ins, clique.outs, byLength) : UNKNOWN;
        if (isDivided(times, limits)) next.push(cell);
        for (let i = 0; i < limits.length; i++) {
          if (times.whole <= limits[i]) await addTiles(whole[i], level, cell);
        }
      }
    }
    for (const cell of next) opened.push([level, cell]);
    parents = next;
  }
  return { whole, divided: parents };

  async function addTiles(tiles: Set<number>, level: number, cell: number): Promise<void> {
    if (level === 1) {
      tiles.add(cell);
      return;
    }
    const range =
      store.districts.childrenAtHand(level - 1, cell) ?? (await store.districts.childrenOf(level - 1, cell));
    for (let child = range?.[0] ?? 0; child < (range?.[1] ?? 0); child++) await addTiles(tiles, level - 1, child);
  }
}

/** What does not depend on the search: the longest way across, and by edge out whether any way leads to it. */
const factsOf = new WeakMap<object, { longest: number; isReachable: Uint8Array }>();

/** By the labels of the edges into a cell and out of it. */
export function timesOf(
  labels: SearchLabels,
  clique: NarrowTable,
  ins: ArrayLike<number>,
  outs: ArrayLike<number>,
  byLength: boolean,
): CellTimes {
  const { isFinal, spent } = reachedBy(labels);
  let first = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ins.length; i++) if (isFinal(ins[i])) first = Math.min(first, spent(ins[i]));
  if (first === Number.POSITIVE_INFINITY) return { first, whole: first, isDivisible: false };
  const across = byLength ? clique.distance : clique.duration;
  let facts = factsOf.get(across);
  if (!facts) {
    facts = { longest: 0, isReachable: new Uint8Array(outs.length) };
    for (let i = 0; i < clique.weight.length; i++) {
      if (clique.weight[i] === clique.none) continue;
      facts.longest = Math.max(facts.longest, across[i] / UNITS);
      facts.isReachable[i % outs.length] = 1;
    }
    factsOf.set(across, facts);
  }
  const { longest, isReachable } = facts;
  if (longest <= WHOLE_SHARE * first) return { first, whole: first + longest / 2, isDivisible: false };
  let last = first + longest;
  for (let i = 0; i < outs.length; i++) {
    if (isReachable[i] === 1) last = Math.max(last, isFinal(outs[i]) ? spent(outs[i]) : Number.POSITIVE_INFINITY);
  }
  return { first, whole: last, isDivisible: true };
}

/** What the last search with these labels found. */
export const reachedBy = (labels: SearchLabels) => ({
  /** Whether the time of a label is final: not if all ways to it lead from beyond the limit. */
  isFinal: (label: number) => labels.isReached(label) && labels.level[label] === 1,
  spent: (label: number) => labels.duration[label] / UNITS,
});
