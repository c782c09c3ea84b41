import type { EdgeKey } from "./edge-key.ts";
import type { EdgeSums } from "./edge-sums.ts";

/** An edge with fewer traversals in a week says nothing by being empty. */
const MIN_WEEKLY = 50;
/** Traversals in all weeks before. */
const MIN_BEFORE = 1000;
/** Weeks before the latest complete one that are compared. */
const MIN_WEEKS_BEFORE = 2;

/**
 * Edges that may be closed: many devices used them in each of the weeks before, and none in the latest complete week. They are
 * only reported: a map, not a count, says whether a road is closed. `weeks`: in order of time, the latest complete week last.
 */
export function quietEdges(weeks: readonly EdgeSums[]): EdgeKey[] {
  if (weeks.length <= MIN_WEEKS_BEFORE) return [];
  const before = weeks.slice(0, -1);
  const latest = weeks[weeks.length - 1];
  // Without any data the devices were away, not the road.
  if (latest.size === 0) return [];
  const countIn = (sums: EdgeSums, key: EdgeKey) => (sums.get(key) ?? []).reduce((sum, { count }) => sum + count, 0);
  const quiet: EdgeKey[] = [];
  for (const key of before[before.length - 1].keys()) {
    if (latest.has(key)) continue;
    const counts = before.map((sums) => countIn(sums, key));
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total >= MIN_BEFORE && counts.slice(-MIN_WEEKS_BEFORE).every((count) => count >= MIN_WEEKLY)) quiet.push(key);
  }
  return quiet;
}
