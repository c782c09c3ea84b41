import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import type { Fence } from "../../../src/core/tracking/types/fence.ts";
import { circleShape } from "../../core/tracking/world.ts";
import type { Report } from "../bench.ts";
import { randomPoint } from "../support/fences.ts";
import type { MonthUser } from "../support/month.ts";
import { fencesOfAll } from "../support/neighbourhoods.ts";
import { seededRandom } from "../support/random.ts";
import { type Counts, simulate } from "./simulated-trackers.ts";

export const name = "moving";
export const summary =
  "What an update of a device in motion, and an event, adds in calls and rows, for src/core/costs/scale.";

const START = Date.UTC(2026, 10, 1, 8);
const USERS = Number(process.env.BENCH_USERS ?? 40);
const HOUR_S = 3600;
/** Speeds of a ride [m/s], and how long it goes straight on [s]. */
const [SLOWEST, FASTEST, STRAIGHT_S] = [4, 25, 120];
/** Geofences that a device crosses: one in so many metres of its way, so large [m]. */
const [FENCE_EVERY, FENCE_RADIUS] = [3_000, 150];
/** Updates of different users that a writer joins: the more updates, the larger its batches. */
const JOINED = 30;

/**
 *     npm run bench -- moving
 *     npm run bench -- moving seconds=5
 *
 * Rides of an hour with an update each 20 s, longer than the platform keeps an idle object in memory, in an area with 10,000 geofences
 * (BENCH_FENCES). Once without geofences of its own on the way, for what an update costs, and once with some, for what an event adds.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const seconds = Number(words.find((word) => word.startsWith("seconds="))?.slice("seconds=".length) ?? 20);
  const [quiet, crossing] = [await ride(seconds, false), await ride(seconds, true)];
  const per = (key: Figure) => quiet[key] / quiet.updates;
  const events = crossing.events / crossing.updates - per("events");
  for (const [key, metric] of Object.entries(FIGURES) as [Figure, string][]) {
    report({ case: "an update", metric, value: per(key), unit: "" });
    if (key === "events" || key === "stores" || key === "asked") continue;
    report({ case: "an event", metric, value: (crossing[key] / crossing.updates - per(key)) / events, unit: "" });
  }
}

const FIGURES = {
  events: "events",
  asked: "geofences asked for",
  stores: "calls of a writer",
  alarms: "alarms",
  trackerRows: "tracker rows",
  trackerReads: "tracker rows read, at least",
  databaseRows: "D1 rows",
  databaseReads: "D1 rows read",
} as const satisfies Partial<Record<keyof Counts, string>>;
type Figure = keyof typeof FIGURES;

function ride(seconds: number, isCrossing: boolean): Promise<Counts> {
  const random = seededRandom(59);
  const all = fencesOfAll(random);
  const users = Array.from({ length: USERS }, (_, n) => rider(n, seconds, isCrossing, random));
  const before = ({ updates }: MonthUser) => [{ at: START - HOUR_S * 1000, location: updates[0].location }];
  // Nobody is silent for days.
  return simulate({ users, all, joined: JOINED, before, end: START + HOUR_S * 1000 });
}

function rider(n: number, seconds: number, isCrossing: boolean, random: () => number): MonthUser {
  let at: Coordinate = randomPoint(random);
  const speed = SLOWEST + random() * (FASTEST - SLOWEST);
  let [bearing, way] = [random() * 360, 0];
  const fences: Fence[] = [];
  const begin = random() * seconds;
  const updates = Array.from({ length: Math.floor(HOUR_S / seconds) }, (_, i) => {
    if (i % Math.ceil(STRAIGHT_S / seconds) === 0) bearing += random() * 120 - 60;
    at = destination(at, bearing, speed * seconds);
    way += speed * seconds;
    if (isCrossing && way >= FENCE_EVERY) {
      way = 0;
      fences.push({ id: `${n}-${i}`, revision: 1, enabled: true, shape: circleShape(at, FENCE_RADIUS) });
    }
    return { at: Math.round(START + (begin + i * seconds) * 1000), location: at };
  });
  return { deviceId: `device-${n}`, fences, updates };
}
