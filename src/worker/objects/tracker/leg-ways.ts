import { openLegs, withWays } from "../../../core/tracking/legs.ts";
import type { LegWay, Trip } from "../../../core/tracking/types/trip.ts";
import type { Env } from "../../platform/env.ts";
import { etaTo } from "./eta.ts";

/**
 * The unknown routes between the open legs of a trip. Each is computed once, when the trip is created or its legs
 * change, so that an update of the device only computes its own route.
 */
export async function unknownWays(env: Env, trip: Pick<Trip, "legs" | "mode">): Promise<Record<string, LegWay>> {
  const legs = openLegs(trip);
  const found = await Promise.all(
    legs.slice(1).map(async (leg, i): Promise<[string, LegWay] | undefined> => {
      const before = legs[i];
      if (leg.way?.from === before._id) return undefined;
      const eta = await etaTo(env, before.destination.location, leg.destination.location, trip.mode);
      return [leg._id, { from: before._id, ...eta }];
    }),
  );
  return Object.fromEntries(found.filter((way) => way !== undefined));
}

export async function withEveryWay(env: Env, trip: Trip): Promise<Trip> {
  return withWays(trip, await unknownWays(env, trip));
}
