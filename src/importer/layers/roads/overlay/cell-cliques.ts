import { type Clique, type PackCell, packKey } from "../../../../core/routing/graph/pack.ts";
import { MAX_WINDOWS } from "../../../../core/routing/graph/traffic.ts";

/** A cell as seen from outside by a mode: its cliques, for every avoid set and window that changes them. */
export interface CellCliques {
  /** Avoid bits on the edges that begin in it: only these can change its clique. */
  avoid: number;
  /** Windows of time (bit n − 1: the n-th) in which its clique is another. */
  traffic: number;
  /** Ids of the edges in and out, in the order of rows and columns. */
  ins: Int32Array;
  outs: Int32Array;
  /** By `metricKey`. */
  cliques: Map<number, Clique>;
  /** Of the edges that begin in it (`limitCodes`). */
  codes: Int32Array;
}

/** Avoid bits and a bucket as one number. */
const metricKey = (avoid: number, bucket: number) => bucket * 16 + avoid;

/** The clique of a cell for an avoid set and a bucket, whichever of them it shares. */
export function cliqueOf({ cliques, avoid: bits, traffic }: CellCliques, avoid: number, bucket: number): Clique {
  const own = bucket > 0 && (traffic >> (bucket - 1)) & 1 ? bucket : 0;
  return cliques.get(metricKey(avoid & bits, own))!;
}

/**
 * Computes the cliques of a cell for each avoid set that differs; those of a window only where it touches the cell, and kept
 * only where they differ from what they are at other times. Returns the windows that differ.
 */
export function makeAll(
  cell: Pick<CellCliques, "avoid" | "cliques">,
  windows: number,
  isTouched: (bucket: number) => boolean,
  make: (avoid: number, bucket: number) => Clique,
): number {
  let traffic = 0;
  for (let bucket = 0; bucket <= windows; bucket++) {
    if (bucket > 0 && !isTouched(bucket)) continue;
    const made: [bits: number, clique: Clique][] = [];
    for (let bits = 0; bits < 16; bits++) if ((bits & ~cell.avoid) === 0) made.push([bits, make(bits, bucket)]);
    const differs = made.some(([bits, clique]) => !isSame(clique, cell.cliques.get(metricKey(bits, 0))));
    if (bucket > 0 && !differs) continue;
    if (bucket > 0) traffic |= 1 << (bucket - 1);
    for (const [bits, clique] of made) cell.cliques.set(metricKey(bits, bucket), clique);
  }
  return traffic;
}

function isSame(a: Clique, b: Clique | undefined): boolean {
  const equal = (x: Int32Array | Uint8Array, y: Int32Array | Uint8Array) => x.every((value, i) => value === y[i]);
  if (!b || (a.hours === undefined) !== (b.hours === undefined)) return false;
  if (a.hours && b.hours && !equal(a.hours, b.hours)) return false;
  return equal(a.weight, b.weight) && equal(a.duration, b.duration) && equal(a.distance, b.distance);
}

/** The column `hours` of a clique, which has none if no way depends on the hour. */
export const hoursIfAny = (hours: Uint8Array | undefined): Pick<Clique, "hours"> =>
  hours?.some((bits) => bits !== 0) ? { hours } : {};

const HEADER = 6;
/** Added to the key of a clique with `hours`; no key is as large. */
const HAS_HOURS = 65_536;

/** A cell as numbers, to be handed from thread to thread or laid aside in a file. */
export function flatten({ avoid, traffic, ins, outs, cliques, codes }: CellCliques): Int32Array {
  const entries = ins.length * outs.length;
  const withHours = [...cliques.values()].filter(({ hours }) => hours).length;
  const planes = 3 * cliques.size + withHours;
  const edges = ins.length + outs.length;
  const flat = new Int32Array(HEADER + edges + codes.length + cliques.size + planes * entries);
  flat.set([avoid, traffic, ins.length, outs.length, cliques.size, codes.length]);
  let at = HEADER;
  const put = (column: Int32Array | Uint8Array) => {
    flat.set(column, at);
    at += column.length;
  };
  put(ins);
  put(outs);
  put(codes);
  for (const [key, { weight, duration, distance, hours }] of cliques) {
    flat[at++] = hours ? key + HAS_HOURS : key;
    for (const plane of [weight, duration, distance]) put(plane);
    if (hours) put(hours);
  }
  return flat;
}

export function unflatten(flat: Int32Array): CellCliques {
  const [avoid, traffic, rows, columns, count, codeCount] = flat;
  let at = HEADER;
  const take = (length: number) => {
    at += length;
    return flat.subarray(at - length, at);
  };
  const ins = take(rows);
  const outs = take(columns);
  const codes = take(codeCount);
  const cliques = new Map<number, Clique>();
  for (let i = 0; i < count; i++) {
    const key = flat[at++];
    const [weight, duration, distance] = [take(rows * columns), take(rows * columns), take(rows * columns)];
    const hours = key >= HAS_HOURS ? { hours: Uint8Array.from(take(rows * columns)) } : {};
    cliques.set(key % HAS_HOURS, { ins, outs, weight, duration, distance, ...hours });
  }
  return { avoid, traffic, ins, outs, cliques, codes };
}

/** The parts of a metric that change a pack: for the manifest. */
export interface PackBits {
  avoid: number;
  /** Bit n − 1: the n-th window of time. */
  traffic: number;
}

/** By level from 1, and by parent cell: the parts of a metric that change the packs of a mode. */
export type BitsOfMode = PackBits[][];

/** The packs of the cells of `level` in one cell of the next. */
export function* packsOf(
  cells: readonly CellCliques[],
  { mode, level, parent }: { mode: number; level: number; parent: number },
): Generator<[key: string, cells: PackCell[]]> {
  for (const { avoid, bucket } of metricsOf(bitsOf(cells))) {
    const own = cells.map((cell) => ({ ...cliqueOf(cell, avoid, bucket), codes: cell.codes }));
    yield [packKey({ mode, avoid, bucket }, level, parent), own];
  }
}

/** The avoid sets and windows that differ where these bits make a difference. */
export function* metricsOf({ avoid, traffic }: PackBits): Generator<{ avoid: number; bucket: number }> {
  for (let key = 0; key < 16 * (MAX_WINDOWS + 1); key++) {
    const [set, bucket] = [key & 15, key >> 4];
    if ((set & ~avoid) === 0 && (bucket === 0 || ((traffic >> (bucket - 1)) & 1) === 1)) yield { avoid: set, bucket };
  }
}

export const bitsOf = (cells: readonly CellCliques[]): PackBits => ({
  avoid: cells.reduce((sum, { avoid }) => sum | avoid, 0),
  traffic: cells.reduce((sum, { traffic }) => sum | traffic, 0),
});
