import type { Coordinate } from "../../geo/coordinate.ts";
import { distance, METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import type { Metric, Mode } from "../graph/modes.ts";
import { boxDistance2, mayComeWithin, nearest, PIECE_GROUP, pieceBoxes, project, startable } from "../graph/pieces.ts";
import type { RouteOptions, Router } from "../route/router.ts";
import { type EndPoint, startsOf } from "../search/end-points.ts";
import { OverlayWindow } from "../search/overlay.ts";
import { takeWork } from "../store/search-labels.ts";
import { snap } from "../store/snap.ts";
import { hoursAround } from "./reach-hours.ts";
import { reachSearch, tilesReached } from "./reach-search.ts";

export interface ReachOptions extends Pick<RouteOptions, "avoid" | "areas" | "departure" | "vehicle" | "zones"> {
  mode: Mode;
  /** The longest travel time [s]; with `byLength` the longest way [m]. */
  within: number;
  /** Return the lengths of the routes [m] instead of their times [s]. */
  byLength?: boolean;
  /** Maximum distance from a point to a road [m]; 500 if absent. */
  offRoad?: number;
  /** Once so many are reached, points that can only be farther than all of them are left out. */
  most?: number;
}

/** No mode is faster than this on average, measured along the straight line [m/s]. */
export const TOP_SPEED: Record<Mode, number> = { car: 38, truck: 26, foot: 2, bike: 9 };

const OFF_ROAD = 500;
/** Points are looked for this near first [m]. */
const FIRST_LOOK = 80;
/** A road as near as this is the one that is meant [m]. */
const SURELY_MEANT = 30;
/** Maximum number of tiles loaded in full per search; farther tiles get a separate search. */
const MAX_TILES = 48;
const FIRST_TILES = 12;
/** Points whose surroundings are requested together. */
const AHEAD = 1000;
/** Cost of finding the roads near a point [µs]. */
const POINT_COST = 15;

/**
 * Travel time from a point to each of many [s], or distance along the fastest route [m]; Infinity if it takes longer
 * than `within`, or no road is near. It is the time of the route that directions would return, and if that takes too
 * long, of one that arrives in time. One search runs from the origin over the overlay and down into the cells that
 * contain a point, whatever their number.
 */
export async function reach(
  router: Router,
  origin: Coordinate,
  points: readonly Coordinate[],
  { mode, within, byLength = false, offRoad = OFF_ROAD, most = points.length, areas, ...travel }: ReachOptions,
): Promise<Float64Array> {
  const { store } = router;
  const metric = router.metric({ mode, ...travel });
  const topSpeed = byLength ? 1 : TOP_SPEED[mode];
  const times = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY);
  const open: Metric = { ...metric, minutes: router.minutesFor(travel) };
  const { mainland, nearest: near } = await snap(store, origin, {
    mode: metric.mode,
    metric,
    minutes: open.minutes,
  });
  const origins = mainland.length > 0 ? mainland : near;
  const starts = await startsOf(store, origins);
  const closure = areas?.closure(areas.around(origins));
  if (starts.length === 0 || most === 0) return times;
  const hours = await hoursAround(store, origin, metric.mode, travel.departure, {
    radius: within * topSpeed,
    within: byLength ? 0 : within,
  });
  const asked: Asked = { store, metric, open, closure, hours, starts, points, offRoad, byLength, times };
  const straight = points.map((point) => distance(origin, point));
  let order = straight
    .map((_, i) => i)
    .filter((i) => straight[i] <= within * topSpeed + offRoad)
    .sort((a, b) => straight[a] - straight[b]);
  const reached: number[] = [];
  let bound = within;
  let isNarrowed = false;
  for (let next = 0; next < order.length && straight[order[next]] <= bound * topSpeed + offRoad; ) {
    const first = next;
    // A few tiles first: they often contain as many as requested.
    const maxTiles = first === 0 ? FIRST_TILES : MAX_TILES;
    const ahead = order.slice(first, first + AHEAD);
    await openAround(ahead, asked);
    const tiles = new Set<number>();
    while (next < first + ahead.length && (tiles.size < maxTiles || next === first)) {
      for (const tile of store.districts.tilesAround(points[order[next]], offRoad)) tiles.add(tile);
      next++;
    }
    await searchTiles(asked, tiles, order.slice(first, next), Math.min(within, bound * DETOUR));
    for (const i of order.slice(first, next)) if (times[i] <= within) reached.push(times[i]);
    if (reached.length >= most) bound = reached.sort((a, b) => a - b)[most - 1];
    if (isNarrowed || reached.length < most) continue;
    isNarrowed = true;
    const rest = order.slice(next).filter((i) => straight[i] <= bound * topSpeed + offRoad);
    order = await inTilesReached(asked, rest, Math.min(within, bound * DETOUR));
    next = 0;
  }
  return times;
}

/** A question of reach: where it starts, the points, and their times so far. */
interface Asked {
  store: Router["store"];
  metric: Metric;
  /** `metric` with the minutes of the departure. */
  open: Metric;
  closure: ConstructorParameters<typeof OverlayWindow>[2];
  hours: Awaited<ReturnType<typeof hoursAround>>;
  starts: readonly EndPoint[];
  points: readonly Coordinate[];
  offRoad: number;
  byLength: boolean;
  times: Float64Array;
}

/** Loads the data that determines which tiles are near some points. */
async function openAround(some: readonly number[], { store, points, offRoad }: Asked): Promise<void> {
  const opening = store.districts.openAround(
    some.map((i) => points[i]),
    offRoad,
  );
  if (opening) await opening;
}

/** The times of some points in these tiles. */
async function searchTiles(
  { store, metric, open, closure, hours, starts, points, offRoad, byLength, times }: Asked,
  tiles: ReadonlySet<number>,
  some: readonly number[],
  limit: number,
): Promise<void> {
  const window = new OverlayWindow(store, metric, closure, hours?.minutes, hours?.segments);
  // Points whose roads cannot be read are not reached.
  const seen = await Promise.all([...tiles].map((index) => store.tileAtHand(index) ?? store.tile(index)));
  await window.load([...starts.map(({ tile }) => tile), ...seen.filter((tile) => tile !== undefined)]);
  const ends: EndPoint[] = [];
  for (const i of some) {
    endsNear(window, open, points[i], offRoad, i, ends);
    const turn = store.spend(POINT_COST);
    if (turn) await turn;
  }
  // Times above that of the farthest relevant road are useless, though a route with a lower weight may take slightly
  // longer.
  reachSearch(window, starts, ends, limit, times, byLength);
  while (window.isLacking) {
    await window.complete();
    for (const i of some) times[i] = Number.POSITIVE_INFINITY;
    reachSearch(window, starts, ends, limit, times, byLength);
  }
  const turn = store.spend(takeWork());
  if (turn) await turn;
}

/**
 * Of some points, returns those near a tile that is reached soon enough: finding the roads near the others would be
 * most of the work.
 */
async function inTilesReached(asked: Asked, among: readonly number[], limit: number): Promise<number[]> {
  const { store, metric, closure, hours, starts, points, offRoad, byLength } = asked;
  const near = new Map<number, Set<number>>();
  const all = new Set<number>();
  await openAround(among, asked);
  for (const i of among) {
    const tiles = store.districts.tilesAround(points[i], offRoad);
    near.set(i, tiles);
    for (const tile of tiles) all.add(tile);
  }
  if (all.size === 0 || all.size > MAX_CLIQUES) return [...among];
  const window = new OverlayWindow(store, metric, closure, hours?.minutes, hours?.segments);
  await window.load(starts.map(({ tile }) => tile));
  await window.readPacks([...all]);
  let open = tilesReached(window, starts, all, limit, byLength);
  while (window.isLacking) {
    await window.complete();
    open = tilesReached(window, starts, all, limit, byLength);
  }
  const turn = store.spend(takeWork());
  if (turn) await turn;
  return among.filter((i) => [...(near.get(i) as Set<number>)].some((tile) => open.has(tile)));
}

/** Factor by which a route may take longer than the longest relevant one and still be the lightest to some point. */
const DETOUR = 1.25;
/** Tiles whose cliques are examined to find those that are reached. */
const MAX_CLIQUES = 400;

/** Roads this much farther than the nearest are the same place: the ends of several roads at a junction [m]. */
const SAME_PLACE = 0.05;

/**
 * Adds the ends of journeys to the roads nearest to a point, islands only if no other road is near; none if there is no
 * road. `open`: the metric by which journeys may end on them, with the minutes of the departure.
 */
function endsNear(
  window: OverlayWindow,
  open: Metric,
  point: Coordinate,
  offRoad: number,
  owner: number,
  ends: EndPoint[],
): void {
  for (const [radius, islands] of [
    [Math.min(FIRST_LOOK, offRoad), false],
    [offRoad, false],
    [offRoad, true],
  ] as const) {
    const views: number[] = [];
    let isWhole = true;
    for (const index of window.store.districts.tilesAround(point, radius)) {
      const view = window.viewAt(index);
      if (view >= 0) views.push(view);
      else isWhole = false;
    }
    const found: Nearby[] = [];
    let within = radius;
    for (const view of views) within = look(window, open, view, point, islands, within, found);
    if (found.length === 0) continue;
    // The road that is meant may be one that cannot be read: then no end is better than a wrong one.
    if (!isWhole && within > SURELY_MEANT) return;
    for (const { view, piece, share, metres } of found) {
      if (metres < within) addEnds(window, open, view, piece, share, owner, ends);
    }
    return;
  }
}

/** An open piece of road near a point. */
interface Nearby {
  view: number;
  piece: number;
  share: number;
  metres: number;
}

/**
 * Adds to `found` the open pieces nearer than `within` [m], except those far away compared with the nearest; returns
 * the current maximum distance.
 */
function look(
  window: OverlayWindow,
  metric: Metric,
  index: number,
  point: Coordinate,
  islands: boolean,
  within: number,
  found: Nearby[],
): number {
  const { tile, arcs } = window.views[index];
  const { groups, quarters } = pieceBoxes(tile);
  const open = startable(tile, metric);
  const y = point.latitude * 1e6;
  const x = point.longitude * 1e6;
  const ky = METRES_PER_DEGREE / 1e6;
  const kx = ky * Math.cos(point.latitude * RADIANS);
  const islandMark = islands ? 0 : 16 << arcs.mode;
  let reach = within;
  let bound = within * within;
  const lookAt = (group: number) => {
    const first = group * PIECE_GROUP;
    const last = Math.min(tile.pieceCount, first + PIECE_GROUP);
    for (let piece = first; piece < last; piece++) {
      if (open[piece] === 0 || (tile.pieceMarks[piece] & islandMark) !== 0) continue;
      if (!mayComeWithin(tile, piece, y, x, ky, kx, reach) || project(tile, piece, y, x, ky, kx) >= bound) continue;
      const metres = Math.sqrt(nearest.distance2);
      found.push({ view: index, piece, share: nearest.share, metres });
      reach = Math.min(reach, metres + SAME_PLACE);
      bound = reach * reach;
    }
  };
  for (let group = 0; group * 4 < groups.length; group++) {
    if (group % PIECE_GROUP === 0 && boxDistance2(quarters, (group / PIECE_GROUP) * 4, y, x, ky, kx) >= bound) {
      group += PIECE_GROUP - 1;
    } else if (boxDistance2(groups, group * 4, y, x, ky, kx) < bound) lookAt(group);
  }
  return reach;
}

function addEnds(
  window: OverlayWindow,
  metric: Metric,
  view: number,
  piece: number,
  shareThere: number,
  owner: number,
  ends: EndPoint[],
): void {
  const { tile } = window.views[view];
  const open = startable(tile, metric)[piece];
  for (const there of [true, false]) {
    const edge = there ? tile.forwardEdge(piece) : tile.backwardEdge(piece);
    if ((open & (there ? 1 : 2)) === 0) continue;
    const share = there ? shareThere : 1 - shareThere;
    // Restrictions created copies of some edges: arriving on a copy also counts.
    for (const copy of tile.withCopies(edge)) addEnd(window, view, copy, share, owner, ends);
  }
}

/** An end is found by the tile in which its edge begins. */
function addEnd(
  window: OverlayWindow,
  view: number,
  edge: number,
  share: number,
  owner: number,
  ends: EndPoint[],
): void {
  const { tile } = window.views[view];
  const node = tile.tailOf(edge);
  if (node < tile.insideCount) {
    ends.push({ tile, edge, share, owner });
    return;
  }
  const other = window.viewOfTile.get(tile.outsideTile[node - tile.insideCount]);
  if (other === undefined) return;
  const own = window.views[other].tile.leaving.get(tile.crossingOf(edge));
  if (own !== undefined) ends.push({ tile: window.views[other].tile, edge: own, share, owner });
}
