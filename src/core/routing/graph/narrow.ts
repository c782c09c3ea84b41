import type { Numbers } from "./topology.ts";

/** No way through. Sums of two still fit 32 bits. */
export const UNREACHABLE = 0x3fffffff;

/**
 * The columns of a clique in the smallest integer types: cliques of cells, of tiles in use and of packs, are most of an
 * isolate's memory, and nearly all of their numbers are small.
 */
export interface NarrowTable {
  weight: Numbers;
  /** The weight where there is no way through; time and length are 0 there. */
  none: number;
  /** The same array as `weight` if time is minimized. */
  duration: Numbers;
  distance: Numbers;
  /** Of cliques that packs contain: see `Clique`. */
  hours?: Uint8Array | undefined;
}

/**
 * Scratch memory, for one table at a time: fill it, with UNREACHABLE in `weight` if there is no route, then call
 * `narrowed`.
 */
interface Scratch {
  weight: Int32Array;
  duration: Int32Array;
  distance: Int32Array;
}

const scratch: Scratch = { weight: new Int32Array(0), duration: new Int32Array(0), distance: new Int32Array(0) };
/**
 * A top level's clique has 20,000 entries, and a search cell's several hundred: larger buffers are released with their
 * pack.
 */
const KEPT_ENTRIES = 32_768;

export function scratchFor(entries: number): Scratch {
  if (scratch.weight.length >= entries) return scratch;
  const made = {
    weight: new Int32Array(entries),
    duration: new Int32Array(entries),
    distance: new Int32Array(entries),
  };
  return entries <= KEPT_ENTRIES ? Object.assign(scratch, made) : made;
}

/** In 16 bits: no way. */
const NONE = 65_535;

/** Copies the first entries out of the scratch memory, whose content is then undefined. */
export function narrowed({ weight, duration, distance }: Scratch, entries: number): NarrowTable {
  let heaviest = 0;
  let latest = 0;
  let longest = 0;
  let same = true;
  for (let at = 0; at < entries; at++) {
    if (weight[at] === UNREACHABLE) {
      duration[at] = distance[at] = 0;
      continue;
    }
    if (weight[at] > heaviest) heaviest = weight[at];
    if (duration[at] > latest) latest = duration[at];
    if (distance[at] > longest) longest = distance[at];
    if (weight[at] !== duration[at]) same = false;
  }
  const isNarrow = heaviest < NONE;
  if (isNarrow) for (let at = 0; at < entries; at++) if (weight[at] === UNREACHABLE) weight[at] = NONE;
  const none = isNarrow ? NONE : UNREACHABLE;
  const columns = [weight, distance];
  const most = [none, longest];
  if (!same) {
    columns.push(duration);
    most.push(latest);
  }
  const [ownWeight, ownDistance, ownDuration = ownWeight] = packed(columns, most, entries);
  return { weight: ownWeight, none, duration: ownDuration, distance: ownDistance };
}

/** The first entries of each column, in 16 bits where its largest number fits. Those share a buffer, as one takes 200 bytes. */
function packed(columns: readonly Int32Array[], most: readonly number[], entries: number): Numbers[] {
  const isNarrow = (i: number) => most[i] <= NONE;
  let buffer = new Uint16Array(columns.filter((_, i) => isNarrow(i)).length * entries);
  return columns.map((column, i) => {
    if (!isNarrow(i)) return column.slice(0, entries);
    const own = buffer.subarray(0, entries);
    own.set(column.subarray(0, entries));
    buffer = buffer.subarray(entries);
    return own;
  });
}

/** The memory of its numbers [bytes]. */
export function tableBytes({ weight, duration, distance, hours }: NarrowTable): number {
  const times = duration === weight ? 0 : duration.byteLength;
  return weight.byteLength + times + distance.byteLength + (hours?.byteLength ?? 0);
}
