import type { Tags } from "../../../osm/pbf/element.ts";
import { parseDuration } from "./tag-values.ts";

/** Speed of a boat whose map data has no `duration` [km/h]: one that carries cars, and any other. */
const LARGE_SPEED = 20;
const SMALL_SPEED = 10;

/** Time to drive or walk on board and to cast off [min]. */
const LARGE_BOARDING = 5;
const SMALL_BOARDING = 2;
/**
 * Without an `interval`, the wait is half of the crossing, within these bounds [min]: a single boat that shuttles leaves every two
 * crossings, and most lines have more than one.
 */
const MIN_WAIT = 5;
const MAX_WAIT = 30;
/** A turn costs at most 16 bits of tenths of a second [min]. */
const MAX_BOARDING = 60;

const DENIED = new Set(["no", "private"]);
/** Tags that only a line with a schedule has. */
const SCHEDULE = ["duration", "interval", "opening_hours", "network", "ref", "timetable"];
/** Who may be let in where the public is not. */
const ADMITTED = ["foot", "bicycle", "vehicle", "motor_vehicle", "motorcar", "hgv"];
const CRUISE =
  /\b(?:cruises?|sightseeing|excursions?|boat (?:tours?|trips?)|rundfahrt|hafenrundfahrt|rondvaart|cruceros?|crocier[ae]|cruzeiros?)\b|croisi[eè]re/i;

/**
 * Returns whether a ferry way is a trip for tourists instead of a line that carries people somewhere: tagged as one, called a cruise,
 * closed to everyone without any schedule, or a round trip that ends where it began.
 */
export function isTouristBoat({ tags, refs }: { tags: Tags; refs: ArrayLike<number> }): boolean {
  if (tags.route !== "ferry") return false;
  if (tags.ferry === "tourist" || tags.ferry === "tourism" || tags.tourism !== undefined) return true;
  if (CRUISE.test(tags.name ?? "") || refs[0] === refs[refs.length - 1]) return true;
  const admits = ADMITTED.some((key) => tags[key] !== undefined && !DENIED.has(tags[key]));
  return DENIED.has(tags.access) && !admits && SCHEDULE.every((key) => tags[key] === undefined);
}

const carriesCars = (tags: Tags): boolean =>
  !DENIED.has(tags.motorcar ?? tags.motor_vehicle ?? tags.vehicle ?? tags.access ?? "");

/** [km/h] */
export const ferrySpeed = (tags: Tags): number => (carriesCars(tags) ? LARGE_SPEED : SMALL_SPEED);

/** Time from arriving at the quay until the boat leaves, on average [min]. `length`: of the crossing [m]. */
export function ferryBoarding(tags: Tags, length: number): number {
  const crossing = (parseDuration(tags.duration) ?? (length / ferrySpeed(tags)) * 3.6) / 60;
  const interval = parseDuration(tags.interval);
  const wait = interval === undefined ? Math.min(MAX_WAIT, Math.max(MIN_WAIT, crossing / 2)) : interval / 120;
  return Math.min(MAX_BOARDING, Math.round(wait + (carriesCars(tags) ? LARGE_BOARDING : SMALL_BOARDING)));
}
