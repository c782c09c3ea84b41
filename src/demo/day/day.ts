import type { Coordinate } from "../../core/geo/coordinate.ts";
import { bearing, destination, distance, lengthOfLine } from "../../core/geo/distance.ts";
import type { Random } from "../world/random.ts";

/** A way between two stops, as the platform routes it. */
export interface Way {
  line: readonly Coordinate[];
  /** [s] */
  duration: number;
}

/** A geofence that someone travels to as a trip. */
interface Goal {
  tag: string;
  externalId: string;
}

/** A way, and how long the person stays at its end. */
export interface Journey {
  way: Way;
  stayMinutes: number;
  /** Driven too fast, and with a detour. */
  isHurried?: boolean;
  goal?: Goal;
  /** Signals that are heard during the stay. */
  beacons?: readonly object[];
}

/** A position of the day; times are before the day is set to the clock [ms from its beginning]. */
export interface Position {
  at: number;
  location: Coordinate;
  moving: boolean;
  speed: number;
  course: number;
  journey: number;
  /** Of the journey's way, 1 at its end. */
  share: number;
  /** How many updates of a phone it stands for, in place of 1. */
  standsFor?: number;
}

const MINUTE = 60_000;
/** A position this often on the way and while staying [ms]; phones do it alike. */
export const ON_THE_WAY = 30_000;
export const STAYING = 10 * MINUTE;
/** Who hurries is so many times faster, reports this often [ms], and is up to so far from the way in this part of it [m]. */
const HURRY = { speed: 2, every: 4_000, aside: 500, from: 0.55, to: 0.85 };
/** How far positions are from where the phone is, in its accuracies. */
const NOISE = 0.4;

/**
 * The positions of a day of journeys. With `underWay` it ends in the middle of the last way, so that someone is
 * travelling when the day is looked at.
 */
export function dayOf(
  journeys: readonly Journey[],
  { accuracy, underWay }: { accuracy: number; underWay: boolean },
  random: Random,
): Position[] {
  const day: Position[] = [];
  let at = 0;
  for (const [journey, { way, stayMinutes, isHurried }] of journeys.entries()) {
    const [every, duration] = isHurried ? [HURRY.every, way.duration / HURRY.speed] : [ON_THE_WAY, way.duration];
    const steps = Math.max(1, Math.ceil((duration * 1000) / every));
    const along = walker(way.line);
    const stopsAt = underWay && journey === journeys.length - 1 ? Math.ceil(steps * 0.55) : steps;
    const metres = lengthOfLine(way.line);
    for (let step = 0; step <= stopsAt; step++) {
      const share = step / steps;
      const ahead = along(Math.min(1, share + 0.01));
      const here = isHurried ? aside(along(share), ahead, share) : along(share);
      const moving = step < steps;
      day.push({
        at: at + step * every,
        location: near(here, accuracy, random),
        journey,
        share,
        moving,
        speed: moving ? round(metres / Math.max(1, duration), 1) : 0,
        course: moving ? round(bearing(here, ahead), 0) : -1,
      });
    }
    at += steps * every;
    if (stopsAt < steps) break;
    const until = at + stayMinutes * MINUTE;
    while (at + STAYING <= until) {
      at += STAYING;
      const location = near(way.line[way.line.length - 1], accuracy, random);
      day.push({ at, location, journey, share: 1, moving: false, speed: 0, course: -1 });
    }
    at = until + ON_THE_WAY;
  }
  return day;
}

function aside(here: Coordinate, ahead: Coordinate, share: number): Coordinate {
  const { from, to } = HURRY;
  if (share < from || share > to) return here;
  const metres = HURRY.aside * Math.sin((Math.PI * (share - from)) / (to - from));
  return destination(here, bearing(here, ahead) + 90, metres);
}

/** The point at a share of a line's length. */
export function walker(line: readonly Coordinate[]): (share: number) => Coordinate {
  const ends = [0];
  for (let i = 1; i < line.length; i++) ends.push(ends[i - 1] + distance(line[i - 1], line[i]));
  const total = ends[ends.length - 1];
  return (share) => {
    const wanted = Math.max(0, Math.min(1, share)) * total;
    const i = Math.max(
      1,
      ends.findIndex((end) => end >= wanted),
    );
    if (line.length < 2) return line[0];
    const part = (wanted - ends[i - 1]) / Math.max(1e-9, ends[i] - ends[i - 1]);
    const [a, b] = [line[i - 1], line[i]];
    return {
      latitude: a.latitude + (b.latitude - a.latitude) * part,
      longitude: a.longitude + (b.longitude - a.longitude) * part,
    };
  };
}

function near(point: Coordinate, accuracy: number, random: Random): Coordinate {
  const { latitude, longitude } = destination(point, random.between(0, 360), random.between(0, accuracy * NOISE));
  return { latitude: round(latitude, 6), longitude: round(longitude, 6) };
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
