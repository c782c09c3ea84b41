import lookUp from "@photostructure/tz-lookup";
import type { Coordinate } from "../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";
import type { PointRegions } from "./region.ts";
import { zonesOf } from "./zones-of-countries.ts";

/** A time zone at a moment, as addresses show it. Offsets in seconds. */
export interface TimeZone {
  /** IANA name, "America/New_York". */
  id: string;
  /** "Eastern Daylight Time" */
  name: string;
  /** "EDT"; "GMT+3" where no short name is in use. */
  code: string;
  /** Local time with its offset, "2026-07-04T08:30:00-04:00". */
  currentTime: string;
  /** East of Greenwich, daylight saving included: −14400. */
  utcOffset: number;
  /** The part of it that is daylight saving: 3600, or 0. */
  dstOffset: number;
}

/**
 * The distances from a point at which its country's or state's time zone is searched for [m], and the number of
 * directions at each.
 */
const RINGS = [1, 2, 4, 8, 16, 32, 64, 100].map((km) => km * 1000);
const DIRECTIONS = 16;

/** Countries that have outposts in other time zones than their own (Akrotiri, Clipperton). */
const WITH_OUTPOSTS = new Set(["FR", "GB"]);

/**
 * Returns the IANA time zone at a point, nautical zones ("Etc/GMT+5") on the open sea. The outlines are coarse
 * (@photostructure/tz-lookup, CC0: at 49° N off by 11 km), so the country and state from the regions decide: a zone
 * that is not one of theirs is replaced by the nearest that is.
 */
export function timeZoneAt(
  point: Coordinate,
  { country, state }: Pick<PointRegions, "country" | "state"> = {},
): string {
  const found = lookUp(point.latitude, point.longitude);
  const own = country && ((state && zonesOf(`${country.code} ${state.code}`)) ?? zonesOf(country.code));
  if (!own || own.has(found)) return found;
  if (own.size === 1 && !WITH_OUTPOSTS.has(country.code)) return [...own][0];
  return nearestZone(point, own) ?? found;
}

function nearestZone({ latitude, longitude }: Coordinate, wanted: ReadonlySet<string>): string | undefined {
  for (const radius of RINGS) {
    const north = radius / METRES_PER_DEGREE;
    const east = north / Math.max(0.01, Math.cos(latitude * RADIANS));
    const votes = new Map<string, number>();
    for (let i = 0; i < DIRECTIONS; i++) {
      const angle = (2 * Math.PI * i) / DIRECTIONS;
      const y = Math.max(-90, Math.min(90, latitude + north * Math.cos(angle)));
      const x = ((((longitude + east * Math.sin(angle) + 180) % 360) + 360) % 360) - 180;
      const zone = lookUp(y, x);
      if (wanted.has(zone)) votes.set(zone, (votes.get(zone) ?? 0) + 1);
    }
    const [best] = [...votes].sort(([, a], [, b]) => b - a);
    if (best) return best[0];
  }
  return undefined;
}

/** UTC offsets change on the quarter hour, so within a quarter hour only the time itself changes. */
const QUARTER_MS = 900_000;

/** Properties of a zone at a time [ms since 1970]. Throws a RangeError for a zone that the runtime does not know. */
export function describeTimeZone(id: string, nowMs: number): TimeZone {
  const clock = clockOf(id);
  const utcOffset = quarterlyOffset(clock, nowMs);
  const quarter = quarterOf(nowMs);
  if (clock.known?.quarter !== quarter)
    clock.known = { quarter, ...readClock(clock, id, quarter * QUARTER_MS, utcOffset) };
  const { name, code, dstOffset } = clock.known;
  const local = new Date(Math.floor(nowMs / 1000) * 1000 + utcOffset * 1000).toISOString();
  return { id, name, code, currentTime: local.slice(0, 19) + sign(utcOffset), utcOffset, dstOffset };
}

/** Its offset from UTC alone [s]: names need formatters of several languages, each of which takes a millisecond to create. */
export const utcOffsetAt = (id: string, ms: number): number => quarterlyOffset(clockOf(id), ms);

const quarterOf = (ms: number): number => Math.floor(ms / QUARTER_MS);

function quarterlyOffset(clock: Clock, ms: number): number {
  const quarter = quarterOf(ms);
  if (clock.offset?.quarter !== quarter) clock.offset = { quarter, utcOffset: offsetAt(clock, quarter * QUARTER_MS) };
  return clock.offset.utcOffset;
}

function readClock(
  clock: Clock,
  timeZone: string,
  ms: number,
  utcOffset: number,
): Pick<TimeZone, "name" | "code" | "dstOffset"> {
  const year = new Date(ms).getUTCFullYear();
  const standard = Math.min(offsetAt(clock, Date.UTC(year, 0, 1)), offsetAt(clock, Date.UTC(year, 6, 1)));
  clock.long ??= new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "long" });
  const dstOffset = Math.max(0, utcOffset - standard);
  return { name: namePart(clock.long, ms), code: shortName(clock.short, timeZone, ms), dstOffset };
}

/**
 * English locales in which the short names are in use: the Unicode CLDR returns "EST" only for American English and
 * "CET" only for European English. The first locale that returns more than "GMT+…" is used.
 */
const ENGLISHES = ["en-US", "en-GB", "en-IE", "en-AU", "en-NZ", "en-IN", "en-ZA", "ja"];

interface Clock {
  fields: Intl.DateTimeFormat;
  long?: Intl.DateTimeFormat;
  /** By number of the locale, those that were needed. */
  short: Intl.DateTimeFormat[];
  /** Its last answers. */
  offset?: Pick<TimeZone, "utcOffset"> & { quarter: number };
  known?: Pick<TimeZone, "name" | "code" | "dstOffset"> & { quarter: number };
}

/** Formatters are slow to create and there are few zones, so they are cached. */
const clocks = new Map<string, Clock>();

function clockOf(timeZone: string): Clock {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = {
      fields: new Intl.DateTimeFormat("en-US", {
        timeZone,
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      }),
      short: [],
    };
    clocks.set(timeZone, clock);
  }
  return clock;
}

/** Offset from UTC [s]: the zone's local time, read as if it were UTC, minus the time itself. */
function offsetAt({ fields }: Clock, ms: number): number {
  const part = Object.fromEntries(fields.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  return shown / 1000 - Math.floor(ms / 1000);
}

function namePart(format: Intl.DateTimeFormat, ms: number): string {
  return format.formatToParts(ms).find((part) => part.type === "timeZoneName")?.value ?? "";
}

function shortName(formats: Intl.DateTimeFormat[], timeZone: string, ms: number): string {
  let first: string | undefined;
  for (const [i, language] of ENGLISHES.entries()) {
    formats[i] ??= new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "short" });
    const name = namePart(formats[i], ms);
    if (/^[A-Z]{3,5}$/.test(name)) return name;
    first ??= name;
  }
  return first ?? "";
}

/** −14400 → "-04:00" */
function sign(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
