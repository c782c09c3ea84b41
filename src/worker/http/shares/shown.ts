import type { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { isUnderWay } from "../../../core/tracking/trips.ts";
import { lastPoint, type OpenedShare } from "../../db/customers/trip-shares.ts";
import { tripPoints } from "../../db/customers/trips.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { type SharedField, type sharedTripShape, wireSharedTrip } from "../../wire/share.ts";

/** Maximum points that are read for a trip's path. */
const MAX_POINTS = 50_000;

type SharedTrip = z.input<typeof sharedTripShape>;

/** What a link shows of its trip now. */
export async function shownOf(env: Env, { scope, trip, share }: OpenedShare): Promise<SharedTrip> {
  const shows = JSON.parse(share.shows) as SharedField[];
  const underWay = isUnderWay(trip.status);
  const { DB } = await envOf(env, scope);
  const [point, way] = await Promise.all([
    underWay && shows.includes("location") ? lastPoint(DB, scope, trip._id) : undefined,
    underWay && shows.includes("route") ? tripPoints(DB, scope, [trip._id], MAX_POINTS) : undefined,
  ]);
  return wireSharedTrip(trip, { shows, expiresAt: share.expiresAt, point, way });
}

/** The positions that a link shows: tiles around any other would reveal where the trip is. */
export function positionsOf({ location, destination, route }: SharedTrip): Coordinate[] {
  const shown = [location?.coordinates, destination?.location.coordinates, ...(route?.coordinates ?? [])];
  return shown.flatMap((pair) => (pair ? { longitude: pair[0], latitude: pair[1] } : []));
}
