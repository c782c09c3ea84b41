const MINUTE = 60;
const HOUR = 3600;

/**
 * Seconds to wait before each attempt, counted from the last failure: ten attempts in about three days (Standard
 * Webhooks, 2023).
 */
export const SCHEDULE: readonly number[] = [
  ...[0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
  ...[5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
];

/** The longest wait that a receiver may request [s]. */
const MAX_WAIT = 24 * HOUR;

/** Random extra wait, at most this share, so that messages that failed together are not all retried together. */
const JITTER = 0.2;

/**
 * Time of the next attempt after `attempts` attempts [ms]; undefined if none is left.
 * @param random in [0, 1)
 * @param retryAfter seconds to wait, as requested by the receiver
 */
export function nextAttempt(
  attempts: number,
  now: number,
  random: number,
  retryAfter = 0,
  schedule = SCHEDULE,
): number | undefined {
  if (attempts >= schedule.length) return undefined;
  const wait = schedule[attempts] * (1 + JITTER * random);
  return now + Math.ceil(Math.max(wait, Math.min(retryAfter, MAX_WAIT)) * 1000);
}

/**
 * The Retry-After header (RFC 9110 §10.2.3), seconds or a date, as seconds from now; undefined if it is absent or
 * unreadable.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1000));
}

/** Larger values are points in time, smaller ones periods [s]. */
const MAX_PERIOD_SECONDS = 1e9;

/** The X-RateLimit-Reset header as seconds from now: seconds since 1970 (Braze, GitHub), or a number of seconds. */
export function parseRateLimitReset(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (!/^\d{1,13}(\.\d{1,9})?$/.test(text)) return undefined;
  const value = Number(text);
  return Math.ceil(value > MAX_PERIOD_SECONDS ? Math.max(0, value - now / 1000) : value);
}

/**
 * Parses "0 5 300" → [0, 5, 300]: an operator's own schedule.
 * @throws Error if it is invalid
 */
export function parseSchedule(text: string | undefined): readonly number[] {
  if (!text) return SCHEDULE;
  const seconds = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (seconds.every((wait) => wait >= 0 && wait <= MAX_WAIT)) return seconds;
  throw new Error("WEBHOOK_SCHEDULE is a list of seconds between 0 and 86400, such as 0 5 300 1800.");
}
