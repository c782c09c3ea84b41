import type { Drive } from "../../core/routing/learn/drives.ts";
import type { Random } from "../world/random.ts";
import { type Journey, ON_THE_WAY, type Position, STAYING } from "./day.ts";
import type { Person } from "./people.ts";

/** Days before today that the demo data has. */
export const DAYS_BEFORE = 29;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Days whose updates are kept, and can be replayed: before them, arrivals make the events. */
const REPLAYED_DAYS = 7;
/** Every so many days, a courier's first delivery is a trip. */
const TRIP_EVERY = 3;

/** A day of the past: the positions of its journeys [ms since 1970], and whether the first delivery is a trip. */
export interface PastDay {
  start: number;
  positions: readonly Position[];
  hasTrip: boolean;
}

/**
 * The days of a person before today, oldest first: today's journeys, or the first of them, at other hours. Each journey has the
 * positions that make its events: on the way, at the goal, and at the end of the stay; long ago the goal alone.
 */
export function monthOf(person: Person, journeys: readonly Journey[], today: number, draw: Random): PastDay[] {
  const days: PastDay[] = [];
  for (let ago = DAYS_BEFORE; ago >= 1; ago--) {
    const start = today - ago * DAY_MS;
    if (!isOut(person, new Date(start).getUTCDay(), ago, draw)) continue;
    const some = journeys.slice(0, Math.max(2, journeys.length - draw.below(3)));
    const positions: Position[] = [];
    const hasTrip = person.role === "courier" && ago % TRIP_EVERY === 0;
    const goalOfTrip = hasTrip ? journeys.findIndex(({ goal }) => goal) : -1;
    let at = draw.below(60) * MINUTE_MS;
    for (const [journey, { way, stayMinutes }] of some.entries()) {
      const { line, duration } = way;
      const ms = duration * 1000;
      const middle = line[Math.floor(line.length / 2)];
      const base = { journey, speed: 0, course: -1 };
      const isWhole = ago <= REPLAYED_DAYS || journey === goalOfTrip;
      // As many updates as the phone of today sends on the way and while it stays.
      const [onTheWay, staying] = [Math.ceil(ms / ON_THE_WAY), 1 + Math.floor((stayMinutes * MINUTE_MS) / STAYING)];
      if (isWhole) {
        const here = { at: at + ms / 2, location: middle, moving: true, speed: 8, share: 0.5 };
        positions.push({ ...base, ...here, standsFor: onTheWay });
      }
      at += ms;
      const goal = line[line.length - 1];
      const stay = stayMinutes * MINUTE_MS * draw.between(0.7, 1.2);
      const there = { ...base, location: goal, moving: false, share: 1 };
      positions.push({ ...there, at, standsFor: isWhole ? staying : onTheWay + staying });
      if (isWhole) positions.push({ ...there, at: at + stay });
      at += stay + MINUTE_MS;
    }
    days.push({ start, positions, hasTrip });
  }
  return days;
}

/** Couriers rest on Sundays, staff on weekends; visitors come about every third day. The town grows: fewer came a month ago. */
function isOut({ role }: Person, weekday: number, ago: number, draw: Random): boolean {
  if (role === "visitor") return draw.between(0, 1) < 0.45 - ago / 100;
  if (weekday === 0 || (role === "staff" && weekday === 6)) return false;
  return draw.between(0, 1) > ago / 150;
}

/**
 * The drives of two months, as learning compares them: by the speeds of the map alone, and by the learned ones. At rush hours the
 * map is too fast, and learning has found most of it.
 */
export function drivesOf(ways: readonly Journey["way"][], now: number, draw: Random): Omit<Drive, "features">[] {
  const [today, drives] = [Math.floor(now / DAY_MS), [] as Omit<Drive, "features">[]];
  const usual = ways.filter(({ duration }) => duration >= 180);
  for (let ago = usual.length > 0 ? 60 : 0; ago >= 1; ago--) {
    for (let i = 0; i < 6; i++) {
      const { duration: profile } = draw.pick(usual);
      const hour = 6 + draw.below(14);
      const rush = hour === 8 || hour === 9 || hour === 17 || hour === 18 ? 1.3 : 1.08;
      const actual = Math.round(profile * rush * draw.between(0.9, 1.15));
      const learned = Math.round(profile * (1 + (rush - 1) * 0.9) * draw.between(0.97, 1.03));
      drives.push({ day: today - ago, mode: "car", hour, profile, learned, actual });
    }
  }
  return drives;
}
