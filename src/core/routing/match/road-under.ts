import type { Coordinate } from "../../geo/coordinate.ts";
import { bearing, distance } from "../../geo/distance.ts";
import { MODES } from "../graph/modes.ts";
import type { Tile } from "../graph/tile.ts";
import type { Router } from "../route/router.ts";
import { OverlayWindow } from "../search/overlay.ts";
import { edgeGeometry } from "../search/path.ts";
import { candidatesFor } from "./candidates.ts";
import type { Stretch } from "./course.ts";
import { match } from "./match.ts";
import type { TracePoint } from "./trace.ts";

/** The road on which a device is, by its last points. */
export interface RoadUnder {
  /** Absent if the road has no name, or no known limit. */
  name?: string;
  limitKmh?: number;
  /**
   * How much more likely the points are on this road than on one with a limit that would allow the speed: the logarithm of the ratio
   * of their likelihoods. Absent: no other such road is near.
   */
  sureness?: number;
  /** Since when the points are on roads whose limits do not allow the speed [ms]; absent if one does. */
  since?: number;
}

/** Maximum distance of a point from another road that is considered [m]. */
const MAX_REACH = 60;
/** Roads at a larger angle to the movement are crossed, not driven on [degrees]. */
const MAX_ANGLE = 35;
/** Classes that are fast enough to be driven on at any speed, if their limit is not known. */
const FAST: readonly string[] = ["motorway", "trunk", "primary", "secondary", "tertiary"];
/** The error of a fix lasts: those within this time count as one [s]. */
const MEMORY_SECONDS = 10;

/**
 * The road under a device, matched over a window of points and not by nearest road: a service road beside a motorway is another road.
 * @param points of the last half minute, with times and accuracies; the last is the current one
 * @param allows limits from which on the current speed is no excess [km/h]
 * @returns undefined if no road fits the window up to its last point
 */
export async function roadUnder(
  router: Router,
  points: readonly TracePoint[],
  allows: (limitKmh: number) => boolean,
): Promise<RoadUnder | undefined> {
  const { courses, points: matched } = await match(router, points, { mode: "car" });
  const course = courses[courses.length - 1];
  const last = points.length - 1;
  const stretch = course?.stretches[course.stretches.length - 1];
  if (!stretch?.points.some(({ index }) => index === last)) return undefined;
  const road = describe(stretch.tile, stretch.edge);
  if (road.limitKmh === undefined || allows(road.limitKmh)) return road;
  const on = new Map(matched.map(({ index, location }) => [index, location]));
  const window = new OverlayWindow(router.store, { mode: MODES.indexOf("car"), avoid: 0 });
  let [sum, nearLast, time] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const [i, point] of points.entries()) {
    const location = on.get(i);
    const before = on.get(i - 1);
    if (!location || !before) continue;
    const other: number | undefined = await nearestOther(router, window, point, bearing(before, location), allows);
    const sigma = Math.max(5, (point.accuracy ?? 15) / 1.51);
    const weight = Math.min(1, ((point.time ?? 0) - time) / MEMORY_SECONDS);
    time = point.time ?? time;
    if (i === last && other !== undefined) nearLast = 1;
    sum += (weight * ((other ?? MAX_REACH) ** 2 - distance(point, location) ** 2)) / (2 * sigma * sigma);
  }
  // Another road that is not near the last point is not the one under the device.
  const since = sinceOf(course.stretches, points, allows);
  const known = { ...road, ...(since !== undefined && { since }) };
  return nearLast > 0 ? { ...known, sureness: Math.round(sum * 10) / 10 } : known;
}

/** The time of the first point from which on all are on roads whose limits do not allow the speed [ms]. */
function sinceOf(
  stretches: readonly Stretch[],
  points: readonly TracePoint[],
  allows: (limitKmh: number) => boolean,
): number | undefined {
  let since: number | undefined;
  for (let i = stretches.length - 1; i >= 0; i--) {
    const { limitKmh } = describe(stretches[i].tile, stretches[i].edge);
    if (limitKmh === undefined || allows(limitKmh)) break;
    const first = stretches[i].points[0];
    if (first) since = (points[first.index].time ?? 0) * 1000;
  }
  return since;
}

/** Distance to the nearest road along the movement whose limit allows the speed [m]. */
async function nearestOther(
  { store }: Router,
  window: OverlayWindow,
  point: Coordinate,
  course: number,
  allows: (limitKmh: number) => boolean,
): Promise<number | undefined> {
  const tiles = [...store.districts.tilesAround(point, MAX_REACH)];
  for (const index of tiles) {
    const tile = store.tileAtHand(index) ?? (await store.tile(index));
    if (tile && !window.viewOfTile.has(index)) window.open(tile);
  }
  for (const { tile, edge, share, location } of candidatesFor(window, tiles, point, 10, MAX_REACH, 12)) {
    const { limitKmh } = describe(tile, edge);
    const isFaster = limitKmh === undefined ? FAST.includes(tile.recordOf(tile.pieceOf(edge)).class) : allows(limitKmh);
    if (!isFaster) continue;
    const line = edgeGeometry(tile, edge, Math.max(0, share - 0.1), Math.min(1, share + 0.1));
    const angle = Math.abs(((bearing(line[0], line[line.length - 1]) - course + 540) % 360) - 180);
    if (angle <= MAX_ANGLE) return distance(point, location);
  }
  return undefined;
}

function describe(tile: Tile, edge: number): { name?: string; limitKmh?: number } {
  const record = tile.recordOf(tile.pieceOf(edge));
  const limitKmh = (tile.isAlong(edge) ? record.forward : record.backward)?.speedLimit;
  const name = record.name?.trim() || record.ref?.split(";")[0].trim();
  return { ...(name && { name }), ...(limitKmh !== undefined && { limitKmh }) };
}
