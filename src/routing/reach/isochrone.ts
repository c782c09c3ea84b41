import type { Coordinate } from "../../geo/coordinate.ts";
import { destination } from "../../geo/distance.ts";
import type { Router } from "../route/router.ts";
import { CellReach } from "./cell-reach.ts";
import type { ReachOptions } from "./reach.ts";
import { reach, TileBudget, TOP_SPEED } from "./reach.ts";

/** Directions in which the edge of the area is looked for. */
const RAYS = 48;
/** Positions queried along a ray, first up to the maximum distance, then up to the farthest found. */
const COARSE = 12;
const FINE = 16;
/** Then the edge is closed in upon by halves. */
const HALVINGS = 4;
/** An area is never smaller than this, wherever the roads begin [m]. */
const MIN_RADIUS = 25;
/** Maximum distance off the road of a reached position, as a share of the step between positions. */
const OFF_ROAD_SHARE = 0.7;
const MAX_OFF_ROAD = 400;
/**
 * A request may read several thousand objects; an area is rejected if more tiles than this must be examined
 * (`CellReach` resolves most).
 */
export const MAX_TILES = 800;

/**
 * The area that is reached from a point within a time, as a closed ring of [longitude, latitude] around it,
 * counter-clockwise: in each of 48 directions the farthest place near a road that is reached. Nearer positions in the
 * same direction are inside, even if no road reaches them in time. Undefined if no road is near the point. Throws
 * TooFar if the roads within reach are on more than `mostTiles` tiles.
 */
export async function isochrone(
  router: Router,
  center: Coordinate,
  { mode, within }: Pick<ReachOptions, "mode" | "within">,
  mostTiles = MAX_TILES,
): Promise<[longitude: number, latitude: number][] | undefined> {
  const budget = new TileBudget(mostTiles);
  let cells: CellReach | undefined;
  const at = (ray: number, radius: number) => destination(center, 360 - (ray * 360) / RAYS, radius);
  const ask = async (places: readonly { ray: number; radius: number }[], step: number) => {
    const offRoad = Math.min(MAX_OFF_ROAD, Math.max(MIN_RADIUS, step * OFF_ROAD_SHARE));
    const points = places.map(({ ray, radius }) => at(ray, radius));
    const times = await reach(router, center, points, { mode, within, offRoad, budget, cells });
    return places.map((place, i) => ({ ...place, isReached: times[i] <= within }));
  };
  const alongRays = (farthest: number, count: number) =>
    ask(
      Array.from({ length: RAYS * count }, (_, i) => ({
        ray: i % RAYS,
        radius: (farthest * (Math.floor(i / RAYS) + 1)) / count,
      })),
      farthest / count,
    );

  const [here] = await ask([{ ray: 0, radius: 0 }], MAX_OFF_ROAD);
  if (!here.isReached) return undefined;
  let farthest = within * TOP_SPEED[mode];
  cells = await CellReach.around(router, center, { mode, limits: [within], radius: farthest });
  let step = farthest / COARSE;
  const reachedWithin = (found: readonly { radius: number; isReached: boolean }[]) =>
    found.reduce((most, { radius, isReached }) => (isReached ? Math.max(most, radius) : most), 0);
  farthest = Math.min(farthest, reachedWithin(await alongRays(farthest, COARSE)) + step);
  step = farthest / FINE;
  const edge = new Float64Array(RAYS);
  for (const { ray, radius, isReached } of await alongRays(farthest, FINE)) {
    if (isReached) edge[ray] = Math.max(edge[ray], radius);
  }
  for (let half = 0; half < HALVINGS; half++) {
    step /= 2;
    const places = Array.from(edge, (radius, ray) => ({ ray, radius: radius + step }));
    for (const { ray, radius, isReached } of await ask(places, step)) if (isReached) edge[ray] = radius;
  }
  const ring = Array.from(edge, (radius, ray): [number, number] => {
    const { latitude, longitude } = at(ray, Math.max(MIN_RADIUS, radius));
    return [longitude, latitude];
  });
  return [...ring, ring[0]];
}
