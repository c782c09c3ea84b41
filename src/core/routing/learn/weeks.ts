/** Weeks of learning begin on Mondays, UTC; numbered since 1970. */

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday. */
const MONDAY_SHIFT = 3;

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

export const startOfDay = (day: number): number => day * DAY_MS;

export const weekOfDay = (day: number): number => Math.floor((day + MONDAY_SHIFT) / 7);

/** 0 Monday … 6 Sunday. */
export const weekday = (day: number): number => (((day + MONDAY_SHIFT) % 7) + 7) % 7;
