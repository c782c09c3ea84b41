import type { FenceLabel } from "../types/fence.ts";
import type { Place } from "../types/surroundings.ts";
import type { TimedFix } from "./fixes.ts";
import { findJourneys, type Journey, type Stop } from "./journeys.ts";
import type { Visit } from "./past-reader.ts";

/** A stop, and where it was. */
export interface VisitedStop extends Stop {
  kind: "stop";
  geofences: FenceLabel[];
  places: Place[];
}

/** A journey, and what it passed through. */
export interface VisitedJourney extends Journey {
  kind: "journey";
  geofences: FenceLabel[];
}

export type TimelinePart = VisitedStop | VisitedJourney;

export interface TimelineQuery {
  /** [ms] */
  from: number;
  to: number;
  minStopSeconds: number;
}

/** Fixes around a range that are read as well, so that a stop or journey at its limits is known from its beginning to its end [ms]. */
export const TIMELINE_MARGIN_MS = 6 * 3600_000;

/**
 * A user's time in a range, in order. A stop is cut at the limits of the range, so that the days of a month add up; a journey belongs
 * complete to the range in which it begins.
 */
export function timelineOf(fixes: readonly TimedFix[], visits: readonly Visit[], query: TimelineQuery): TimelinePart[] {
  const { from, to, minStopSeconds } = query;
  const { stops, journeys } = findJourneys(fixes, minStopSeconds);
  const parts: TimelinePart[] = [];
  for (const stop of stops) {
    const cut = { ...stop, from: Math.max(from, stop.from), to: Math.min(to, stop.to) };
    if (cut.to <= cut.from) continue;
    if (cut.to < stop.to) delete cut.isLast;
    const there = visits.filter((visit) => visit.from < stop.to && visit.to > stop.from);
    const at = visits.filter((visit) => visit.place && visit.from <= stop.to && visit.to >= stop.from);
    parts.push({
      ...cut,
      kind: "stop",
      geofences: geofencesOf(there),
      places: unique(at.flatMap(({ place }) => place ?? [])),
    });
  }
  for (const journey of journeys) {
    if (journey.from < from || journey.from > to) continue;
    // Those that it left at its start, or entered at its end, are of the stops.
    const through = visits.filter((visit) => visit.from > journey.from && visit.to < journey.to);
    parts.push({ ...journey, kind: "journey", geofences: geofencesOf(through) });
  }
  return parts.sort((a, b) => a.from - b.from || a.to - b.to);
}

function geofencesOf(visits: readonly Visit[]): FenceLabel[] {
  return unique(visits.flatMap(({ geofence }) => geofence ?? []));
}

function unique<T extends { _id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one._id, one])).values()];
}

export interface TimelineTotals {
  stops: number;
  journeys: number;
  /** [m] */
  distance: number;
  /** [ms] */
  moving: number;
  standing: number;
  /** [m/s] */
  topSpeed: number;
}

export function totalsOf(parts: readonly TimelinePart[]): TimelineTotals {
  const totals: TimelineTotals = { stops: 0, journeys: 0, distance: 0, moving: 0, standing: 0, topSpeed: 0 };
  for (const part of parts) {
    if (part.kind === "stop") {
      totals.stops++;
      totals.standing += part.to - part.from;
    } else {
      totals.journeys++;
      totals.distance += part.distance;
      totals.moving += part.to - part.from;
      totals.topSpeed = Math.max(totals.topSpeed, part.topSpeed);
    }
  }
  return totals;
}
