/** Weeks of learning begin on Mondays, UTC; numbered since 1970. */

const DAY_MS = 86_400_000;
/** A day is collected so long after its end [ms]. What arrives later, from devices that were offline, is collected with the next day. */
export const LATE_MS = 6 * 3600_000;
export const LATE_DAYS = 1;
/** 1970-01-01 was a Thursday. */
const MONDAY_SHIFT = 3;

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

export const startOfDay = (day: number): number => day * DAY_MS;

export const weekOfDay = (day: number): number => Math.floor((day + MONDAY_SHIFT) / 7);

/** 0 Monday … 6 Sunday. */
export const weekday = (day: number): number => (((day + MONDAY_SHIFT) % 7) + 7) % 7;

/** Whether an update of `at`, received at `receivedAt` [ms since 1970], is collected with this day. */
export function isCollectedWith(day: number, at: number, receivedAt: number): boolean {
  const [begin, end] = [startOfDay(day), startOfDay(day + 1)];
  return receivedAt <= end + LATE_MS && (at >= begin || receivedAt > begin + LATE_MS);
}
