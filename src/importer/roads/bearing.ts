import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { BEARING_STEPS } from "../../routing/turn-cost.ts";
import { MICRO } from "./micro.ts";

/** How far along a road its direction at a junction is measured [m]: the last metre alone is often drawn askew. */
const BEARING_REACH = 10;

/** Bearing [1/256 turn] from the first node of a run towards the point some metres along it. */
export function bearingAlong(
  run: readonly number[],
  latitude: readonly number[],
  longitude: readonly number[],
): number {
  const originLat = latitude[run[0]] / MICRO;
  const originLon = longitude[run[0]] / MICRO;
  const kx = METRES_PER_DEGREE * Math.cos(originLat * RADIANS);
  let x = 0;
  let y = 0;
  let walked = 0;
  for (let i = 1; i < run.length && walked < BEARING_REACH; i++) {
    const nextX = (longitude[run[i]] / MICRO - originLon) * kx;
    const nextY = (latitude[run[i]] / MICRO - originLat) * METRES_PER_DEGREE;
    const step = Math.hypot(nextX - x, nextY - y);
    const share = step > 0 ? Math.min(1, (BEARING_REACH - walked) / step) : 1;
    x += (nextX - x) * share;
    y += (nextY - y) * share;
    walked += step;
  }
  const turn = Math.atan2(x, y) / (2 * Math.PI);
  return Math.round((turn + 1) * BEARING_STEPS) % BEARING_STEPS;
}
