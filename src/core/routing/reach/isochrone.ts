import type { Coordinate } from "../../geo/coordinate.ts";
import { RADIANS } from "../../geo/distance.ts";
import type { Router } from "../route/router.ts";
import { contours, MAX_TILES } from "./contours.ts";
import type { ReachOptions } from "./reach.ts";

/** Directions in which the edge of the area is looked for. */
const RAYS = 48;
/** Cost of comparing a line with a ray [units of a pace]. */
const RAY_COST = 0.02;
/** An area is never smaller than this, wherever the roads begin [degrees of latitude]: about 25 m. */
const MIN_RADIUS = 225e-6;

/**
 * The area that is reached from a point within a time, as a closed ring of [longitude, latitude] around it,
 * counter-clockwise: in each of 48 directions the farthest position inside its outline (`contours`). Nearer positions in the
 * same direction are inside, even if no road reaches them in time. The area of a longer time contains that of a shorter one.
 * Undefined if no road is near the point. Throws TooFar if its edge crosses more than `maxTiles` tiles.
 */
export async function isochrone(
  router: Router,
  center: Coordinate,
  { mode, within }: Pick<ReachOptions, "mode" | "within">,
  maxTiles = MAX_TILES,
): Promise<[longitude: number, latitude: number][] | undefined> {
  const [area] = (await contours(router, center, { mode, limits: [within], denoise: 1, maxTiles })) ?? [];
  if (!area) return undefined;
  const { latitude, longitude } = center;
  // A plane in degrees of latitude around the center: a straight line in it is one in degrees, too.
  const perDegree = Math.max(0.02, Math.cos(latitude * RADIANS));
  const radii = new Float64Array(RAYS).fill(MIN_RADIUS);
  for (const [outline] of area.polygons) {
    const points = outline.map(([x, y]) => [wrapped(x - longitude) * perDegree, y - latitude] as const);
    for (let i = 1; i < points.length; i++) {
      widenRays(radii, points[i - 1], points[i]);
      const turn = router.store.spend(RAYS * RAY_COST);
      if (turn) await turn;
    }
  }
  const ring = Array.from(radii, (radius, ray): [number, number] => {
    const [east, north] = directionOf(ray);
    return [wrapped(longitude + (radius * east) / perDegree), Math.max(-90, Math.min(90, latitude + radius * north))];
  });
  return [...ring, ring[0]];
}

/** Counter-clockwise from north. */
function directionOf(ray: number): readonly [east: number, north: number] {
  const angle = (ray / RAYS) * 2 * Math.PI;
  return [-Math.sin(angle), Math.cos(angle)];
}

/** Makes the rays that a line crosses at least as long as to the line. */
function widenRays(
  radii: Float64Array,
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): void {
  for (let ray = 0; ray < RAYS; ray++) {
    const [east, north] = directionOf(ray);
    const [sideA, sideB] = [east * ay - north * ax, east * by - north * bx];
    if (sideA > 0 === sideB > 0) continue;
    const share = sideA / (sideA - sideB);
    const [x, y] = [ax + share * (bx - ax), ay + share * (by - ay)];
    radii[ray] = Math.max(radii[ray], east * x + north * y);
  }
}

const wrapped = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);
