import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { MODES, type Mode } from "../../../core/routing/graph/modes.ts";
import type { LocalTime } from "../../../core/routing/graph/traffic.ts";
import { estimate } from "../../../core/routing/matrix/estimate.ts";
import type { Router } from "../../../core/routing/route/router.ts";
import type { Eta } from "../../../core/tracking/types/trip.ts";
import { type EtaAsker, type EtaCorrector, etaCorrectorOf } from "../../answers/learn/eta-corrector.ts";
import { openGeodata } from "../../geodata/live.ts";
import { departureFrom, roadsAround } from "../../geodata/roads.ts";
import type { Env } from "../../platform/env.ts";

/** A Durable Object finishes its work after responding, so there is nothing to wait for. */
const GOES_ON = () => undefined;

/**
 * Time and distance to a destination by road. Without road data, without a route, or if the data can't be read, it is
 * estimated from the straight line (1.3 times its length at a constant speed), so a trip always has an ETA. `caller`: whose times of
 * cars are corrected, as in distance and directions; absent = typical times.
 */
export async function etaTo(
  env: Env,
  from: Coordinate,
  to: Coordinate,
  travelMode: string,
  caller?: EtaAsker["caller"],
): Promise<Eta> {
  const mode = MODES.includes(travelMode as Mode) ? (travelMode as Mode) : "car";
  let found: { duration: number; distance: number } | undefined;
  try {
    const router = await roadsAround(await openGeodata(env.GEODATA, { now: Date.now(), waitUntil: GOES_ON }), [
      from,
      to,
    ]);
    const departure = router && departureFrom(router, from, undefined);
    const asker = caller && mode === "car" ? { caller, env, now: Date.now() } : undefined;
    const corrector = router && asker && (await etaCorrectorOf(asker, from, { traffic: "live" }));
    if (corrector) found = await correctedRoute(router, from, to, departure, corrector);
    else if (router) found = await router.distance(from, to, { mode, departure });
  } catch {
    // No road near one of the two points, or no geodata: use the estimate.
  }
  const { duration, distance } = found ?? estimate(from, to, mode);
  return { duration: duration / 60, distance };
}

async function correctedRoute(
  router: Router,
  from: Coordinate,
  to: Coordinate,
  departure: LocalTime | undefined,
  factorOf: EtaCorrector,
): Promise<{ duration: number; distance: number } | undefined> {
  const route = await router.route([from, to], { mode: "car", ...(departure && { departure }) });
  return route && { duration: route.duration * (await factorOf(route.legs[0], 0)), distance: route.distance };
}
