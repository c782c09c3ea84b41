import { onUse } from "./on-use.ts";

/** Days in the viewer's zone, as fields of dates have them: "2026-11-22". */

const DAY_MS = 86_400_000;

export const dayOf = (ms: number) =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
export const today = () => dayOf(Date.now());
const midnight = (day: string) => new Date(`${day}T00:00:00`).getTime();

/** The day of an address, which anyone can type; `usual` if it is none. */
export const dayOr = (text: string | null | undefined, usual: string) =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(midnight(text)) ? text : usual;

/** The day so many days later. A day has 23 to 25 hours. */
export const dayAfter = (day: string, days = 1) => dayOf(midnight(day) + days * DAY_MS + DAY_MS / 2);

const words = onUse(
  () => new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" }),
);

/** "Thu, 26 Nov 2026". */
export const dayWords = (day: string) => words().format(midnight(day));

/** From midnight of the first day to midnight after the last. */
export const daysRange = (first: string, last = first) => ({
  from: new Date(midnight(first)).toISOString(),
  to: new Date(midnight(dayAfter(last))).toISOString(),
});
