import { localTime } from "../../../core/tracking/types/operating-hours.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One span of a series. */
export interface TimeStep {
  /** Start [ms]. */
  at: number;
  /** The hours it covers: [from, to), since 1970. */
  from: number;
  to: number;
}

/**
 * The hours or days that overlap [from, to), including complete first and last ones. Days begin at midnight in
 * the time zone and have 23 to 25 hours. Statistics are counted by UTC hour, so if midnight is within a UTC hour
 * (India, Nepal), that hour belongs to the previous day.
 */
export function timeSteps(from: number, to: number, step: "hour" | "day", timeZone: string): TimeStep[] {
  const steps: TimeStep[] = [];
  for (let at = startOf(from, step, timeZone); at < to; ) {
    const next = step === "hour" ? at + HOUR : startOfDay(at + 36 * HOUR, timeZone);
    steps.push({ at, from: Math.ceil(at / HOUR), to: Math.ceil(next / HOUR) });
    at = next;
  }
  return steps;
}

/**
 * Steps joined into runs of the same length, so that the database can sum each run: between two changes of
 * the clock all days have 24 hours. `first`: number of the run's first step.
 */
export function runsOf(steps: readonly TimeStep[]): { first: number; from: number; to: number; length: number }[] {
  const runs: { first: number; from: number; to: number; length: number }[] = [];
  for (const [first, { from, to }] of steps.entries()) {
    const last = runs.at(-1);
    if (last?.length === to - from) last.to = to;
    else runs.push({ first, from, to, length: to - from });
  }
  return runs;
}

function startOf(time: number, step: "hour" | "day", timeZone: string): number {
  return step === "hour" ? Math.floor(time / HOUR) * HOUR : startOfDay(time, timeZone);
}

/** The start of a time's day. The clock may have changed since. */
function startOfDay(time: number, timeZone: string): number {
  const full = Math.floor(time / MINUTE) * MINUTE;
  const guess = full - localTime(full, timeZone).minute * MINUTE;
  const off = localTime(guess, timeZone).minute;
  // If the clock skips midnight, the day starts at 1:00.
  if (off === 0) return guess;
  const near = guess - (off < 720 ? off : off - 1440) * MINUTE;
  return localTime(near, timeZone).minute > 720 ? guess : near;
}
