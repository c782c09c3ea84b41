import { readdirSync, readFileSync } from "node:fs";
import { percentile } from "../bench/support/percentile.ts";
import { parentOf } from "../bench/support/process-cpu.ts";

/** A sum of the memory of processes, and when it was read [s since the start]. */
export interface Sample {
  second: number;
  megabytes: number;
}

/** Share of the time after which caches are full, and share at either end that is compared. */
const WARM = 0.1;
const END = 0.15;
/** A difference that says nothing: a collection that has not come yet. */
const SLACK_MB = 16;

export interface Judgment {
  /** Medians of the first part after the caches have filled, and of the last one [MB]. */
  first: number;
  last: number;
  grew: boolean;
}

/**
 * Does the memory end where it began? The samples of the first tenth are left out: caches fill, and code is compiled.
 * @param growth allowed share of the first median
 * @throws RangeError if there are fewer than 20 samples
 */
export function judgeMemory(samples: readonly Sample[], growth: number): Judgment {
  if (samples.length < 20) throw new RangeError(`${samples.length} samples of memory are too few to compare.`);
  const end = samples[samples.length - 1].second;
  const median = (from: number, to: number) => {
    const part = samples.filter(({ second }) => second >= from * end && second <= to * end);
    const sizes = part.map(({ megabytes }) => megabytes);
    return percentile(sizes, 0.5);
  };
  const [first, last] = [median(WARM, WARM + END), median(1 - END, 1)];
  return { first, last, grew: last - first > Math.max(SLACK_MB, growth * first) };
}

/**
 * Memory of a process and of all that it started, by its share of pages (PSS) [MB]. Linux only.
 * @throws Error if the process is gone
 */
export function treeMegabytes(root: number): number {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const parent = parentOf(Number(entry));
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // gone while we looked
    }
  }
  const own = shareOf(root);
  if (own === 0) throw new Error(`process ${root} is gone`);
  let sum = own;
  for (const queue = [...(children.get(root) ?? [])]; queue.length > 0; ) {
    const pid = queue.pop() as number;
    sum += shareOf(pid);
    queue.push(...(children.get(pid) ?? []));
  }
  return sum / 1024;
}

/** Kilobytes; 0 if it is gone. */
function shareOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
