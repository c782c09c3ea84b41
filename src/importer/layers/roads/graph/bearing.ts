import { METRES_PER_DEGREE, RADIANS } from "../../../../core/geo/distance.ts";
import { BEARING_STEPS } from "../../../../core/routing/graph/turn-cost.ts";

/** Places of the graph are whole numbers: this many to a degree, about 11 cm apart. */
export const MICRO = 1e6;

/** How far along a road its direction at a junction is measured [m]: the last metre alone is often drawn askew. */
const BEARING_REACH = 10;

/**
 * Bearing [1/256 turn] from point `from` of a line towards the point some metres along it; `to` is the line's other
 * end, before or behind. Places in units of MICRO.
 */
export function bearingAlong(latitude: Int32Array, longitude: Int32Array, from: number, to: number): number {
  const originLat = latitude[from] / MICRO;
  const originLon = longitude[from] / MICRO;
  const kx = METRES_PER_DEGREE * Math.cos(originLat * RADIANS);
  const step = from < to ? 1 : -1;
  let x = 0;
  let y = 0;
  let walked = 0;
  for (let i = from; i !== to && walked < BEARING_REACH; ) {
    i += step;
    const nextX = (longitude[i] / MICRO - originLon) * kx;
    const nextY = (latitude[i] / MICRO - originLat) * METRES_PER_DEGREE;
    const metres = Math.hypot(nextX - x, nextY - y);
    const share = metres > 0 ? Math.min(1, (BEARING_REACH - walked) / metres) : 1;
    x += (nextX - x) * share;
    y += (nextY - y) * share;
    walked += metres;
  }
  const turn = Math.atan2(x, y) / (2 * Math.PI);
  return Math.round((turn + 1) * BEARING_STEPS) % BEARING_STEPS;
}
