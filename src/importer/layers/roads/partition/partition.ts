import { ThreadPool } from "../../../threads/thread-pool.ts";
import { CELL_COLUMNS, CellList } from "./cell-list.ts";
import type { DivideJob, DivideResult } from "./divide-job.ts";
import { type DivideState, divideState, SMALL_CELL } from "./divide-state.ts";

/**
 * The most junctions a cell of each level holds. Search cells of 48 instead of 128 halve the edges that a search settles around its
 * ends. Tiles of 512 instead of 1,024 would be a little faster, but one in a hundred cold requests would need a third round trip.
 */
export const LEVEL_SIZES: readonly number[] = [48, 1024, 4096, 65536, 524288, 4194304];

/**
 * A nested partition. Cells of a level are numbered so that the cells inside one cell of the next level follow one
 * another. Levels 0 (search cell) and 1 (tile) always exist; higher ones only where they still divide something.
 */
export interface Partition {
  levels: number;
  /** Search cell of each node. */
  searchCellOf: Int32Array;
  /** cellOf[level][search cell]. */
  cellOf: Int32Array[];
  /** parentOf[level][cell]: the cell of level + 1 that holds it. */
  parentOf: Int32Array[];
  cellCounts: number[];
}

interface PartitionOptions {
  sizes?: readonly number[];
  /** 0: in place. */
  threads?: number;
  /** Told how many junctions have come into their search cells. */
  step?: (done: number, of: number) => void;
}

/** A level of fewer cells than this is skipped: it shortens searches less than its objects cost cold ones. */
const MIN_CELLS = 5;

/** Fewer junctions are divided before threads have started. */
const MIN_JUNCTIONS_FOR_THREADS = 2 * SMALL_CELL;

/** Cells on the way to the threads: enough that none waits. */
const AHEAD_PER_THREAD = 2;

/**
 * Recursive bisection by inertial flow (Schild & Sommer 2015): order the junctions along a direction, join the first
 * and the last quarter to a source and a sink, cut where the fewest roads cross; the best of eight directions, weighed
 * by balance. The orders are created once and split with their cell. Cells that are cut apart are divided side by side;
 * a smallest cut is one whatever finds it, so the threads make no difference to the cells.
 */
export async function partition(
  latitude: Int32Array,
  longitude: Int32Array,
  roadsFrom: Int32Array,
  roadsTo: Int32Array,
  { sizes = LEVEL_SIZES, threads = 0, step = () => {} }: PartitionOptions = {},
): Promise<Partition> {
  const count = latitude.length;
  const state = divideState(latitude, longitude, roadsFrom, roadsTo);
  const cells = await divide(state, count, sizes[0], threads, step);
  return levelsOf(
    cells,
    state.orders[0].map((node) => state.nodeOf[node]),
    count,
    sizes,
  );
}

async function divide(
  state: DivideState,
  count: number,
  most: number,
  threads: number,
  step: (done: number, of: number) => void,
): Promise<Int32Array> {
  const cells = new CellList();
  cells.add(0, count, 2 ** 31 - 1);
  const pool = new ThreadPool<DivideJob, DivideResult>(
    count > MIN_JUNCTIONS_FOR_THREADS ? threads : 0,
    new URL("./divide-job.ts", import.meta.url),
  );
  // The largest first: what comes last decides how long the last thread works alone.
  const waiting: [low: number, high: number][] = count > most ? [[0, count]] : [];
  const underWay = new Set<Promise<void>>();
  let done = 0;
  const work = async (low: number, high: number) => {
    const result = await pool.run({ state, low, high, most, wide: high - low > SMALL_CELL });
    if ("cells" in result) {
      cells.addAll(result.cells);
      done += high - low;
      step(done, count);
      return;
    }
    for (const [from, to] of [
      [low, result.middle],
      [result.middle, high],
    ]) {
      cells.add(from, to, high - low);
      if (to - from > most) waiting.push([from, to]);
    }
    waiting.sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
  };
  try {
    while (waiting.length > 0 || underWay.size > 0) {
      while (waiting.length > 0 && underWay.size < Math.max(1, pool.size * AHEAD_PER_THREAD)) {
        const [low, high] = waiting.pop()!;
        const job = work(low, high).finally(() => underWay.delete(job));
        underWay.add(job);
      }
      await Promise.race(underWay);
    }
  } finally {
    await Promise.allSettled(underWay);
    await pool.close();
  }
  return cells.columns();
}

/** @param cells all cells of the division, with their sizes; @param order nodes by cell */
function levelsOf(cells: Int32Array, order: Int32Array, count: number, sizes: readonly number[]): Partition {
  // The cells of a level are the largest that are small enough; in the order of their nodes.
  const starts = sizes.map((most) => {
    const found: number[] = [];
    for (let i = 0; i < cells.length; i += CELL_COLUMNS) {
      const [low, high, around] = [cells[i], cells[i + 1], cells[i + 2]];
      if (high - low <= most && (around > most || high - low === count)) found.push(low);
    }
    return Int32Array.from(found).sort();
  });
  let levels = 2;
  while (levels < starts.length && starts[levels].length >= MIN_CELLS) levels++;
  const [search] = starts;
  const searchCellOf = new Int32Array(count);
  for (let cell = 0; cell < search.length; cell++) {
    const end = cell + 1 < search.length ? search[cell + 1] : count;
    for (let at = search[cell]; at < end; at++) searchCellOf[order[at]] = cell;
  }
  const cellOf: Int32Array[] = [];
  const parentOf: Int32Array[] = [];
  for (let level = 0; level < levels; level++) {
    cellOf.push(cellsAt(search, starts[level]));
    parentOf.push(
      level + 1 < levels ? cellsAt(starts[level], starts[level + 1]) : new Int32Array(starts[level].length),
    );
  }
  return {
    levels,
    searchCellOf,
    cellOf,
    parentOf,
    cellCounts: starts.slice(0, levels).map(({ length }) => length),
  };
}

/** For each of these starts the number of the last of the coarser cells' that is not after it. */
function cellsAt(starts: Int32Array, coarser: Int32Array): Int32Array {
  let cell = 0;
  return starts.map((start) => {
    while (cell + 1 < coarser.length && coarser[cell + 1] <= start) cell++;
    return cell;
  });
}
