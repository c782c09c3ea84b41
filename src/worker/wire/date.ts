import { z } from "zod";

/**
 * Milliseconds → "2026-01-31T09:30:00.000Z", the only form the iOS SDK reads.
 * @throws Unwritable for the time is outside of the years 0 to 9999
 */
export function wireDate(ms: number): string {
  if (!isWritableTime(ms)) throw new Unwritable("the time is outside of the years 0 to 9999");
  return new Date(ms).toISOString();
}

/** An optional date: omitted if it can't be serialized. */
export function optionalDate(ms: number | undefined): string | undefined {
  return ms === undefined || !isWritableTime(ms) ? undefined : wireDate(ms);
}

const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** Is a time [ms] in the years 0 to 9999, which are written with four digits? */
function isWritableTime(ms: number): boolean {
  return ms > FIRST - 1 && ms < LAST + 1;
}

/**
 * A value that can't be serialized on the wire. Endpoints reject such values; older rows with one are omitted, see
 * `writeRows`.
 */
export class Unwritable extends Error {}

export const dateShape = () => z.string().meta({ format: "date-time", example: "2026-01-31T09:30:00.000Z" });
