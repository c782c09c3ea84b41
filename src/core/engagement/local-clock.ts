import type { OperatingHours } from "../tracking/types/fence.ts";
import { isOpen, type LocalTime, localTime } from "../tracking/types/operating-hours.ts";
import { type Schedule, WEEKDAYS } from "./campaign.ts";

const clocks = new Map<string, Intl.DateTimeFormat>();

/** "2026-12-24T08:00:00.000": the wall clock at a time [ms] in an IANA time zone; an unknown zone is treated as UTC. */
export function wallClock(at: number, timeZone: string): string {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of clockOf(timeZone).formatToParts(at)) parts[type] = value;
  const { year = "", month, day, hour, minute, second } = parts;
  const millis = String(((at % 1000) + 1000) % 1000).padStart(3, "0");
  return `${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}.${millis}`;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const two = "2-digit";
  const fields = { year: "numeric", month: two, day: two, hour: two, minute: two, second: two } as const;
  try {
    const clock = new Intl.DateTimeFormat("en-US", { timeZone, ...fields, hourCycle: "h23", calendar: "gregory" });
    clocks.set(timeZone, clock);
    return clock;
  } catch {
    return clockOf("UTC");
  }
}

/** Is a time of a schedule, absolute or local, at or before a time [ms]? */
function isReached(text: string, at: number, timeZone: string): boolean {
  return text.endsWith("Z") ? Date.parse(text) <= at : text <= wallClock(at, timeZone);
}

export type ScheduleProblem = "not started" | "ended" | "wrong day" | "wrong hour" | "geofence closed";

/**
 * Why a schedule does not allow a message at a time [ms]; undefined: it does.
 * @param userZone the user's time zone
 * @param openHours of the event's geofence
 */
export function scheduleProblem(
  schedule: Schedule,
  at: number,
  userZone: string | undefined,
  openHours: OperatingHours | undefined,
): ScheduleProblem | undefined {
  const zone = schedule.timeZone ?? userZone ?? "UTC";
  const { startsAt, endsAt, daysOfWeek, hours, operatingHours } = schedule;
  if (startsAt !== undefined && !isReached(startsAt, at, zone)) return "not started";
  if (endsAt !== undefined && isReached(endsAt, at, zone)) return "ended";
  if (daysOfWeek || hours) {
    const now = localTime(at, zone);
    if (!hours) {
      if (!daysOfWeek?.includes(WEEKDAYS[now.day])) return "wrong day";
    } else {
      // A span after midnight belongs to the day on which it begins.
      const days = daysOfWeek ?? WEEKDAYS;
      if (!isOpen(Object.fromEntries(days.map((day) => [day, hours])), now))
        return isAmong(days, now) ? "wrong hour" : "wrong day";
    }
  }
  if (operatingHours && openHours && !isOpen(openHours, localTime(at, userZone ?? "UTC"))) return "geofence closed";
  return undefined;
}

const isAmong = (days: readonly string[], { day }: LocalTime) => days.includes(WEEKDAYS[day]);
