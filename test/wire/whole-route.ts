import type { Climb } from "../../src/elevation/profile.ts";
import type { GuidedLeg } from "../../src/routing/route/guided-leg.ts";
import { type DirectionsWire, RouteWriter } from "../../src/wire/directions.ts";

/** A route of legs that are all known, as directions serialize it. */
export function wireRoute(legs: Iterable<GuidedLeg>, wire: DirectionsWire, climb?: Climb) {
  const writer = new RouteWriter(wire);
  for (const leg of legs) writer.add(leg, climb);
  return writer.finish();
}
