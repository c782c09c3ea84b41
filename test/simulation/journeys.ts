import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { distance } from "../../src/core/geo/distance.ts";
import { pathGeometry } from "../../src/core/routing/search/path.ts";
import { anywhereIn, type DrawnFence, drawFence, type Town } from "./town.ts";

/** What a device reports. */
export interface Report {
  /** [ms] */
  at: number;
  location: Coordinate;
  /** On the way, or standing where it stands. */
  moving: boolean;
  /** A trip that begins with this report. */
  begins?: DrawnFence;
}

const MINUTE = 60_000;
/** A report on the way every half minute, standing every ten. */
const DRIVING = MINUTE / 2;
const STANDING = 10 * MINUTE;

/** A device's day, and the geofences around the stops of its trips. */
export interface Day {
  reports: Report[];
  fences: DrawnFence[];
}

/**
 * Draws a device's day: along the roads from stop to stop, some of the ways as a trip to a geofence around the next stop. Days of other
 * devices make no difference to it.
 */
export async function dayOf(
  { router, bounds }: Town,
  device: number,
  midnight: number,
  random: () => number,
): Promise<Day> {
  const anywhere = () => anywhereIn(bounds, random);
  const [reports, fences]: [Report[], DrawnFence[]] = [[], []];
  let at = midnight + Math.floor(random() * 60) * MINUTE;
  let here: Coordinate | undefined;
  const evening = midnight + 24 * 60 * MINUTE;
  for (let tries = 0; at < evening && tries < 200; tries++) {
    const from = here ?? anywhere();
    const to = anywhere();
    const leg = await router.route([from, to], { mode: "car" }).then(
      (route) => route?.legs[0],
      () => undefined,
    );
    if (!leg || leg.duration < 60) continue;
    const line = pathGeometry(leg);
    const stop = line[line.length - 1];
    const begins =
      random() < 0.5 ? drawFence(random, `stop-${device}-${fences.length}`, stop, "stop", "circle") : undefined;
    if (begins) fences.push(begins);
    const first = reports.length;
    const steps = Math.ceil((leg.duration * 1000) / DRIVING);
    const along = walker(line);
    for (let i = 0; i <= steps; i++) reports.push({ at: at + i * DRIVING, location: along(i / steps), moving: true });
    reports[first].begins = begins;
    at += steps * DRIVING;
    const until = at + (10 + Math.floor(random() * 150)) * MINUTE;
    while (at + STANDING < until) {
      at += STANDING;
      reports.push({ at, location: stop, moving: false });
    }
    at = until;
    here = stop;
  }
  return { reports, fences };
}

/** The point at a share of a line's length. */
function walker(line: readonly Coordinate[]): (share: number) => Coordinate {
  const ends = [0];
  for (let i = 1; i < line.length; i++) ends.push(ends[i - 1] + distance(line[i - 1], line[i]));
  const total = ends[ends.length - 1];
  let i = 1;
  return (share) => {
    if (share >= 1) return line[line.length - 1];
    while (i < line.length - 1 && ends[i] < share * total) i++;
    const part = (share * total - ends[i - 1]) / Math.max(1e-9, ends[i] - ends[i - 1]);
    const [a, b] = [line[i - 1], line[i]];
    return {
      latitude: a.latitude + (b.latitude - a.latitude) * part,
      longitude: a.longitude + (b.longitude - a.longitude) * part,
    };
  };
}
