import type { Mode } from "../graph/modes.ts";
import type { LocalTime } from "../graph/traffic.ts";
import type { Router } from "../route/router.ts";
import type { TimedPoint } from "./clean.ts";
import { type Features, featuresOf } from "./features.ts";

/** A journey that was made, and what the engine would have predicted at its start. */
export interface Drive {
  /** UTC day since 1970. */
  day: number;
  mode: Mode;
  /** Local hour of the start. */
  hour: number;
  /** By the profile alone, with the speeds that were live, and in truth [s]. */
  profile: number;
  learned: number;
  actual: number;
  features: Features;
}

/** Shorter journeys say little about arrival times. */
const MIN_SECONDS = 180;
const MIN_METERS = 1000;
/** Those who made a detour arrived late for another reason. */
const MAX_DETOUR = 1.15;
/** How far the ends may be from a road [m]. */
const REACH = 100;

/**
 * Compares a journey with the engine. `meters`: length of the roads that it was matched to. Undefined where nothing can be compared:
 * too short, another way than the engine's, or no route.
 */
export async function compareDrive(
  router: Router,
  points: readonly TimedPoint[],
  { mode, meters, departure }: { mode: Mode; meters: number; departure: LocalTime },
): Promise<Drive | undefined> {
  const [first, last] = [points[0], points[points.length - 1]];
  const actual = last.time - first.time;
  if (actual < MIN_SECONDS || meters < MIN_METERS) return undefined;
  const options = { mode, reach: REACH };
  const learned = await router.route([first, last], { ...options, departure }).catch(() => undefined);
  if (!learned || meters > learned.distance * MAX_DETOUR || learned.distance > meters * MAX_DETOUR) return undefined;
  const profile = await router.route([first, last], options).catch(() => undefined);
  if (!profile) return undefined;
  return {
    ...{ day: Math.floor(first.time / 86_400), mode, hour: Math.floor(departure.minute / 60), actual },
    ...{ profile: profile.duration, learned: learned.duration, features: featuresOf(learned.legs, departure) },
  };
}
