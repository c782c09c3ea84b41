import type { OperatingHours, Weekday } from "./fence.ts";

const DAYS: readonly Weekday[] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const clocks = new Map<string, Intl.DateTimeFormat>();

export interface LocalTime {
  /** 0 = Monday */
  day: number;
  /** Minutes since midnight. */
  minute: number;
}

/** Converts a time [ms] to local time in an IANA time zone; an unknown zone is treated as UTC. */
export function localTime(at: number, timeZone: string): LocalTime {
  let day = 0;
  let hour = 0;
  let minute = 0;
  for (const { type, value } of clockOf(timeZone).formatToParts(at)) {
    if (type === "weekday") day = DAYS.indexOf(value as Weekday);
    else if (type === "hour") hour = Number(value);
    else if (type === "minute") minute = Number(value);
  }
  return { day, minute: hour * 60 + minute };
}

/** Creating a formatter takes about 50 µs, so one is cached per zone; there are about 600. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  try {
    const clock = new Intl.DateTimeFormat("en-US", {
      timeZone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    clocks.set(timeZone, clock);
    return clock;
  } catch {
    return clockOf("UTC");
  }
}

/** Is there such a time zone (IANA)? */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Is it open? A span includes its start but not its end; one that ends at or before its start continues into the next
 * day.
 */
export function isOpen(hours: OperatingHours, { day, minute }: LocalTime): boolean {
  for (const [from, to] of hours[DAYS[day]] ?? []) {
    const start = minuteOf(from);
    const end = minuteOf(to);
    if (minute >= start && (minute < end || end <= start)) return true;
  }
  for (const [from, to] of hours[DAYS[(day + 6) % 7]] ?? []) {
    const end = minuteOf(to);
    if (end <= minuteOf(from) && minute < end) return true;
  }
  return false;
}

/** "HH:MM" → minutes since midnight. */
function minuteOf(text: string): number {
  const colon = text.indexOf(":");
  return Number(text.slice(0, colon)) * 60 + Number(text.slice(colon + 1));
}
