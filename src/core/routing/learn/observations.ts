import type { EdgeKey } from "./edge-key.ts";

/** The hours of a week; 0 is Monday 00:00. */
export const HOURS_OF_WEEK = 168;

/** What one device saw of an edge in one hour of the week. */
export interface HourSum {
  hour: number;
  /** Traversals. */
  count: number;
  /** Sum of the natural logarithms of the pace of driving [s/m], and of their squares. */
  logs: number;
  squares: number;
  /** Sum of the time standing at the end of the edge, besides driving, by meter of it [s/m]. */
  waits: number;
}

/** The traversals of one device in one week. */
export class Observations {
  readonly edges = new Map<EdgeKey, HourSum[]>();

  /** `pace` and `wait` [s/m] */
  add(key: EdgeKey, hour: number, pace: number, wait = 0): void {
    const log = Math.log(pace);
    this.addSum(key, { hour, count: 1, logs: log, squares: log * log, waits: wait });
  }

  addSum(key: EdgeKey, sum: HourSum): void {
    const own = this.edges.get(key);
    if (!own) {
      this.edges.set(key, [{ ...sum }]);
      return;
    }
    const same = own.find(({ hour }) => hour === sum.hour);
    if (!same) {
      own.push({ ...sum });
      return;
    }
    same.count += sum.count;
    same.logs += sum.logs;
    same.squares += sum.squares;
    same.waits += sum.waits;
  }

  get isEmpty(): boolean {
    return this.edges.size === 0;
  }
}
