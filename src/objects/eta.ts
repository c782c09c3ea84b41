import type { Env } from "../env.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { openGeodata } from "../geodata/live.ts";
import { departureFrom, roadsAround } from "../geodata/roads.ts";
import { estimate } from "../routing/estimate.ts";
import { MODES, type Mode } from "../routing/modes.ts";
import type { Eta } from "../tracking/types/trip.ts";

/** A Durable Object goes on with what it has begun after it has answered. */
const GOES_ON = () => undefined;

/**
 * Time and way to a destination by road; from the straight line, 1.3 times as long at an even speed, where no roads are
 * known, none leads there, or they cannot be read now: a trip always has an ETA.
 */
export async function etaTo(env: Env, from: Coordinate, to: Coordinate, travelMode: string): Promise<Eta> {
  const mode = MODES.includes(travelMode as Mode) ? (travelMode as Mode) : "car";
  let found: { duration: number; distance: number } | undefined;
  try {
    const router = await roadsAround(await openGeodata(env.GEODATA, { now: Date.now(), waitUntil: GOES_ON }), [
      from,
      to,
    ]);
    if (router) found = await router.distance(from, to, { mode, departure: departureFrom(router, from, undefined) });
  } catch {
    // No road within reach of one of the two, or no geodata to be had: the guess stands in.
  }
  const { duration, distance } = found ?? estimate(from, to, mode);
  return { duration: duration / 60, distance };
}
