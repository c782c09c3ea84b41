/** Where a backup of a moment has its manifest, next to backup.json, which is the newest. */
export const HISTORY = "history/";
/** Until when a server is kept at all moments, at one of each hour, of each day, of each week [ms of age]. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const PERIODS: readonly [until: number, every: number][] = [
  [2 * HOUR, 0],
  [2 * DAY, HOUR],
  [2 * WEEK, DAY],
  [8 * WEEK, WEEK],
];

/** The key of a moment [ms]: names sort by time, and contain no character that a file system rejects. */
export const historyKey = (at: number): string => `${HISTORY}${new Date(at).toISOString().replaceAll(":", "-")}.json`;

/** @returns the moment of a key of `historyKey` [ms], undefined for other keys */
export function momentOf(key: string): number | undefined {
  const [, day, hours, minutes, rest] =
    /^history\/(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.json$/.exec(key) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}${hours}:${minutes}:${rest}`);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Which moments are kept: all of the last two hours, the last one of each hour for two days, of each day (UTC) for two weeks,
 * of each week for eight weeks, and always the newest. A moment that is kept for a period stays until the period ends.
 */
export function keptMoments(moments: readonly number[], now: number): Set<number> {
  const newestFirst = [...moments].sort((a, b) => b - a);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [until, every] of PERIODS) {
    const taken = new Set<number>();
    for (const at of newestFirst) {
      if (now - at > until) break;
      const period = every === 0 ? at : Math.floor(at / every);
      if (taken.has(period)) continue;
      taken.add(period);
      kept.add(at);
    }
  }
  return kept;
}
