import type { Climb } from "../../../src/core/elevation/profile.ts";
import type { GuidedLeg } from "../../../src/core/routing/route/guided-leg.ts";
import { type DirectionsWire, RouteWriter } from "../../../src/worker/wire/directions.ts";

/** A route of legs that are all known, as directions serialize it. */
export function wireRoute(legs: Iterable<GuidedLeg>, wire: DirectionsWire, climb?: Climb) {
  const writer = new RouteWriter(wire);
  for (const leg of legs) writer.add(leg, climb);
  return writer.finish();
}
