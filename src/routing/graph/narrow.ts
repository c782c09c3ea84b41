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
  const packed = (values: Int32Array, most: number): Numbers =>
    most <= NONE ? Uint16Array.from(values.subarray(0, entries)) : values.slice(0, entries);
  if (isNarrow) for (let at = 0; at < entries; at++) if (weight[at] === UNREACHABLE) weight[at] = NONE;
  const own = packed(weight, isNarrow ? NONE : UNREACHABLE);
  return {
    weight: own,
    none: isNarrow ? NONE : UNREACHABLE,
    duration: same ? own : packed(duration, latest),
    distance: packed(distance, longest),
  };
}

/** The memory of its numbers [bytes]. */
export function tableBytes({ weight, duration, distance, hours }: NarrowTable): number {
  const times = duration === weight ? 0 : duration.byteLength;
  return weight.byteLength + times + distance.byteLength + (hours?.byteLength ?? 0);
}
