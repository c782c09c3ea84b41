import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Surroundings } from "../../../core/tracking/types/surroundings.ts";
import { roadAround } from "../../answers/track/road-lookup.ts";
import type { Env } from "../../platform/env.ts";
import { findRangedBeacons } from "./beacon-lookup.ts";
import type { DeviceFences } from "./device-fences.ts";
import type { TrackRequest } from "./tracker-calls.ts";
import type { TripFinder } from "./trip-finder.ts";

/**
 * The surroundings of an update. Without beacons and trips, only the fences are awaited.
 * @param recordOf the user of the update, if known: it may change while something is awaited
 */
export async function surroundingsOf(
  env: Env,
  request: TrackRequest,
  recordOf: () => UserState | undefined,
  known: DeviceFences,
  trips: TripFinder,
  compared: () => number | undefined,
): Promise<Surroundings> {
  const fences = await known.around(request, () => recordOf()?.location, compared);
  const { update, settings, scope, beaconEpoch } = request;
  const around: Surroundings = { ...request.around, fences };
  if (beaconEpoch > 0) around.beaconsExist = true;
  if (update.beacons && settings.beacons) {
    const held = Object.keys(recordOf()?.beacons ?? {});
    around.beacons = await findRangedBeacons(env, scope, beaconEpoch, update.beacons, held);
  }
  if (settings.speedLimits) {
    const road = await roadAround(env, recordOf(), update, settings);
    if (road) around.road = road;
  }
  const before = recordOf();
  if (trips.concerns(request, before)) {
    around.trip = await trips.around(
      { ...request, accuracyLimit: settings.accuracyLimit, routeTolerance: settings.routeTolerance ?? 0 },
      before,
    );
  }
  return around;
}
