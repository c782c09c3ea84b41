import { roadUnder } from "../../../core/routing/match/road-under.ts";
import type { TracePoint } from "../../../core/routing/match/trace.ts";
import {
  allowedKmh,
  MAX_ROAD_ACCURACY,
  MIN_LIMIT_KMH,
  ROAD_POINTS,
  speedOf,
  withPoint,
} from "../../../core/tracking/driving.ts";
import type { RoadAround } from "../../../core/tracking/types/driving.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import { openGeodata } from "../../geodata/live.ts";
import { roadsAround } from "../../geodata/roads.ts";
import type { Env } from "../../platform/env.ts";

/** A Durable Object finishes its work after responding, so there is nothing to wait for. */
const GOES_ON = () => undefined;

/**
 * The road under an update, by the last positions; undefined if the speed exceeds no limit, no road is imported, or none fits. Never
 * throws: without roads nothing is compared.
 */
export async function roadAround(
  env: Env,
  before: UserState | undefined,
  update: LocationUpdate,
  settings: TrackingSettings,
): Promise<RoadAround | undefined> {
  if (update.accuracy > MAX_ROAD_ACCURACY) return undefined;
  const window = withPoint(before?.driving?.window ?? [], update, update.updatedAt ?? update.receivedAt);
  const speed = speedOf(window);
  if (!speed || speed.kmh < MIN_LIMIT_KMH || window.length < ROAD_POINTS) return undefined;
  const points = window.map(
    ({ at, latitude, longitude, accuracy }): TracePoint => ({
      ...{ latitude, longitude, time: at / 1000, accuracy },
    }),
  );
  try {
    const geodata = await openGeodata(env.GEODATA, { now: Date.now(), waitUntil: GOES_ON });
    const router = await roadsAround(geodata, [points[0], points[points.length - 1]]);
    return (
      router &&
      (await roadUnder(router, points, (limitKmh) => speed.kmh <= allowedKmh(limitKmh, speed.error, settings)))
    );
  } catch (error) {
    console.error(JSON.stringify({ what: "road", error: String(error) }));
    return undefined;
  }
}
