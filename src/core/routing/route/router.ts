import { BoundedCache } from "../../geo/bounded-cache.ts";
import type { TileSource } from "../../geo/builds/tile-source.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import type { Area } from "../areas/area.ts";
import { AvoidedAreas, MAX_AREA_TILES } from "../areas/avoided-areas.ts";
import { type Avoid, avoidBits, FOOT, MODES, type Mode } from "../graph/modes.ts";
import { bucketAt, type LocalTime, later, minuteOf } from "../graph/traffic.ts";
import { type AvoidedZones, type Vehicle, variantOf } from "../graph/vehicle.ts";
import type { LegPath, RoadNetwork } from "../guidance/types.ts";
import type { MatrixCell } from "../matrix/matrix.ts";
import type { Path } from "../search/path.ts";
import type { QueryContext } from "../store/query-context.ts";
import { type Metric, RoadStore } from "../store/road-store.ts";
import { isElsewhere, nearestRoads, type Snap, type SnapAvoid, type Snaps, snap } from "../store/snap.ts";
import { alternativePaths } from "./alternative-paths.ts";
import { atFactor, type GuidedLeg, guidedLeg, type Snapped, type Telling } from "./guided-leg.ts";
import { legView } from "./leg-view.ts";
import { matrixByAreas } from "./matrix-by-areas.ts";
import { endsToTry, findPath, measurePath, type PathOptions } from "./path-search.ts";

/** A location, and how it may be approached; each replaces what the options say for all. */
export interface RoutePoint extends Coordinate {
  approach?: {
    /** Maximum distance to a road [m]. */
    reach?: number | undefined;
    /** Direction of travel, and how far the road may differ from it [degrees]; without such a road, there is none. */
    heading?: number | undefined;
    range?: number | undefined;
    curbside?: boolean | undefined;
  };
}

export interface RouteOptions {
  mode: Mode;
  avoid?: readonly Avoid[];
  /** Closed areas; see `Router.areas`. */
  areas?: AvoidedAreas;
  /** Initial bearing of the traveler [degrees, clockwise from north]: roads within ±60° of it are started on. */
  heading?: number;
  /** By location: the direction of travel there; undefined for any. The first one replaces `heading`. */
  headings?: readonly (number | undefined)[];
  /** Maximum distance from a point to a road [m]; SNAP_REACH if absent. */
  reach?: number;
  /** By location: its own maximum distance to a road [m]; undefined for `reach`. */
  reaches?: readonly (number | undefined)[];
  /** Kinds of roads on which no location is, if another road is near; not where a direction of travel is known. */
  snapAvoid?: readonly SnapAvoid[] | undefined;
  /** Every location after the first is reached on its side of the road, where two directions can be traveled and lead there. */
  curbside?: boolean;
  /** Each leg begins in the direction in which the previous one ended, wherever the roads allow it. */
  straightOn?: boolean;
  /** The vehicle; properties that are absent are those of the default vehicle of the mode. For cars and trucks. */
  vehicle?: Vehicle | undefined;
  /** Low-emission zones to avoid, for cars and trucks; see `Router.zones`. */
  zones?: AvoidedZones | undefined;
  /**
   * Local departure time: speeds known for that time are used, and conditional restrictions apply at the time when they are
   * reached. Absent: default speeds, and what is open at some hour is open.
   */
  departure?: LocalTime;
}

/** Time and length between two points, without the route itself. */
export interface Connection {
  /** [s] */
  duration: number;
  /** [m] */
  distance: number;
}

/** A connection with the positions on roads where it begins and ends. */
export interface SnappedConnection extends Connection {
  start: Snapped;
  end: Snapped;
}

export interface Leg extends Path {
  start: Snap;
  end: Snap;
}

export interface Route {
  legs: Leg[];
  duration: number;
  distance: number;
}

/** A point with no road within reach. */
export class NoRoad extends Error {
  /** Which of the points. */
  readonly index: number;
  constructor(index: number) {
    super(`no road within reach of point ${index}`);
    this.index = index;
  }
}

/**
 * Executes queries on the road network of one build. It first reads the missing objects, then computes without waiting.
 */
export class Router {
  readonly store: RoadStore;

  /** The router of a build, or undefined if the build has no roads. `prefix` distinguishes builds in a shared cache. */
  static async open(
    source: TileSource,
    cache: BoundedCache = new BoundedCache(48 * 1024 * 1024),
    prefix = "",
  ): Promise<Router | undefined> {
    const store = await RoadStore.open(source, cache, prefix);
    return store && new Router(store);
  }

  constructor(store: RoadStore) {
    this.store = store;
  }

  /** The same roads for one query: its work yields to others, and it collects the objects that could not be read. */
  forQuery(query: QueryContext): Router {
    return new Router(this.store.forQuery(query));
  }

  /** Whether this query had to continue without an object that could not be read. */
  get isDamaged(): boolean {
    return this.store.isDamaged;
  }

  /** `after`: how long one has travelled already [s]. */
  metric({ mode, avoid, departure, vehicle, zones }: RouteOptions, after = 0): Metric {
    const bucket = bucketAt(this.store.manifest.windows, departure && later(departure, after));
    const number = MODES.indexOf(mode);
    return { mode: number, avoid: avoidBits(avoid), bucket, variant: variantOf(number, vehicle, zones) };
  }

  #pathOptions(options: RouteOptions, after = 0): PathOptions {
    const { areas, departure } = options;
    return { metric: this.metric(options, after), areas, departure: departure && later(departure, after) };
  }

  /** Areas to avoid, for queries to this router. @throws AreasTooLarge */
  areas(areas: readonly Area[], mostTiles = MAX_AREA_TILES): Promise<AvoidedAreas> {
    return AvoidedAreas.find(this.store, areas, mostTiles);
  }

  /** The names of the low-emission zones of the build, in the order of their numbers, which begin at 1. */
  zones(): Promise<readonly string[]> {
    return this.store.zones();
  }

  /** Whether the departure time makes a difference. */
  get dependsOnTime(): boolean {
    const { windows, hourly } = this.store.manifest;
    return windows.length > 0 || hourly.size > 0;
  }

  /** The minutes at which roads must be open for a journey to begin or end on them. */
  minutesFor({ departure }: Pick<RouteOptions, "departure">): readonly number[] | undefined {
    return departure && this.store.manifest.hourly.size > 0 ? [minuteOf(departure)] : undefined;
  }

  /**
   * The best route through the locations in order (two or more), or undefined when the network does not connect them.
   * Throws NoRoad when a location has no road within reach.
   */
  async route(locations: readonly RoutePoint[], options: RouteOptions): Promise<Route | undefined> {
    return collect(this.legs(locations, options));
  }

  /** The same through points whose roads are already known, from `snapAll`. */
  async routeThrough(snaps: readonly Snaps[], options: RouteOptions): Promise<Route | undefined> {
    return collect(this.#legsThrough(snaps, options));
  }

  /**
   * The legs of `route`, each computed on demand. A leg references its tiles, cached or not: callers that drop a leg
   * before the next need the memory of only one. Ends with undefined if the network does not connect two locations.
   * Throws NoRoad before the first.
   */
  async *legs(locations: readonly RoutePoint[], options: RouteOptions): AsyncGenerator<Leg | undefined, void> {
    const snaps = await this.#snapAll(locations, options, this.metric(options));
    if (!snaps) {
      yield undefined;
      return;
    }
    yield* this.#legsThrough(snaps, options);
  }

  async *#legsThrough(snaps: readonly Snaps[], options: RouteOptions): AsyncGenerator<Leg | undefined, void> {
    let duration = 0;
    let last: Leg | undefined;
    let from = snaps[0];
    for (let i = 1; i < snaps.length; i++) {
      // Each leg sees the traffic when it begins.
      const path = this.#pathOptions(options, duration);
      const to: Snaps = i + 1 < snaps.length ? await this.#via(path, from, snaps[i], snaps[i + 1]) : snaps[i];
      const ahead: Snaps | undefined = last && options.straightOn ? onward(from, last) : undefined;
      const straight = ahead && (await this.#leg(path, ahead, to));
      const leg: Leg | undefined = straight ?? (await this.#leg(path, from, to));
      last = leg;
      from = to;
      if (leg) duration += leg.duration;
      yield leg;
      if (!leg) return;
    }
  }

  /**
   * Where both legs of a location between others meet: on the nearest roads, if these can be reached from the location before and be left
   * for the next, else on the mainland.
   */
  async #via(path: PathOptions, from: Snaps, via: Snaps, to: Snaps): Promise<Snaps> {
    if (!via.nearest[0]?.island || via.mainland.length === 0) return via;
    const near = only(via.nearest);
    const isPassed = (await this.#connection(path, from, near)) && (await this.#connection(path, near, to));
    return isPassed ? near : only(via.mainland);
  }

  /**
   * `legs` with their steps: the guidance of each leg is returned before the next leg is searched. `factorOf`: the factor of the
   * time of a leg that begins after so many seconds.
   */
  async *guidedLegs(
    locations: readonly RoutePoint[],
    options: RouteOptions,
    telling: Telling | undefined,
    factorOf?: (leg: Leg, after: number) => Promise<number>,
  ): AsyncGenerator<GuidedLeg | undefined, void> {
    let index = 0;
    let duration = 0;
    for await (const leg of this.legs(locations, options)) {
      const guided = leg && guidedLeg(this.store, leg, locations, index++, telling);
      const turn = this.store.spend(leg ? leg.edges.length * GUIDANCE_COST : 0);
      if (turn) await turn;
      yield guided && factorOf ? atFactor(guided, await factorOf(leg, duration)) : guided;
      duration += leg?.duration ?? 0;
    }
  }

  /**
   * Time and length between points whose roads are known, for a journey that begins so many seconds after the departure.
   * Undefined if there is none.
   */
  async connection(
    from: Snaps,
    to: Snaps,
    options: RouteOptions,
    after: number,
  ): Promise<SnappedConnection | undefined> {
    return this.#connection(this.#pathOptions(options, after), from, to);
  }

  async #connection(path: PathOptions, from: Snaps, to: Snaps): Promise<SnappedConnection | undefined> {
    for (const [fromSnaps, toSnaps] of endsToTry(from, to)) {
      const found = await measurePath(this.store, path, fromSnaps, toSnaps);
      if (!found) continue;
      const { duration, distance } = found;
      return { duration, distance, start: placeOf(fromSnaps[0]), end: placeOf(toSnaps[0]) };
    }
    return undefined;
  }

  /** The legs of a known route, with their steps. */
  guide(route: Route, locations: readonly Coordinate[], telling: Telling | undefined): GuidedLeg[] {
    return route.legs.map((leg, index) => guidedLeg(this.store, leg, locations, index, telling));
  }

  /**
   * The best route between two locations, and up to `most` reasonable alternatives: not much longer, sufficiently
   * different, and locally optimal. Empty if the network does not connect them. Throws NoRoad.
   */
  async routeWithAlternatives(
    origin: RoutePoint,
    destination: RoutePoint,
    options: RouteOptions,
    most = 2,
  ): Promise<Route[]> {
    const path = this.#pathOptions(options);
    const snaps = await this.#snapAll([origin, destination], options, path.metric);
    for (const [fromSnaps, toSnaps] of snaps ? endsToTry(snaps[0], snaps[1]) : []) {
      const found = await alternativePaths(this.store, path, fromSnaps, toSnaps, most);
      if (found.length === 0) continue;
      const [start, end] = [fromSnaps[0], toSnaps[0]];
      return found.map((one) => ({ legs: [{ ...one, start, end }], duration: one.duration, distance: one.distance }));
    }
    return [];
  }

  /** Duration and distance of the best route; undefined if there is none. Throws NoRoad. */
  async distance(
    origin: Coordinate,
    destination: Coordinate,
    options: RouteOptions,
  ): Promise<SnappedConnection | undefined> {
    const path = this.#pathOptions(options);
    const snaps = await this.#snapAll([origin, destination], options, path.metric);
    return snaps && this.#connection(path, snaps[0], snaps[1]);
  }

  /**
   * Duration and distance from every origin to every destination, row by row; undefined where there is no path, or no
   * road near one of the points.
   */
  async matrix(
    origins: readonly RoutePoint[],
    destinations: readonly RoutePoint[],
    options: RouteOptions,
  ): Promise<(MatrixCell | undefined)[][]> {
    // A search holds the tiles of all its ends: many distant ends are processed in batches, so that memory stays
    // bounded.
    if (destinations.length > MATRIX_SIDE) {
      const left = await this.matrix(origins, destinations.slice(0, MATRIX_SIDE), options);
      const right = await this.matrix(origins, destinations.slice(MATRIX_SIDE), options);
      return left.map((row, i) => [...row, ...right[i]]);
    }
    if (origins.length > MATRIX_SIDE) {
      const top = await this.matrix(origins.slice(0, MATRIX_SIDE), destinations, options);
      return [...top, ...(await this.matrix(origins.slice(MATRIX_SIDE), destinations, options))];
    }
    const metric = this.metric(options);
    const [from, others] = await Promise.all([
      this.#findAll(origins, options, metric),
      destinations === origins ? [] : this.#findAll(destinations, options, metric),
    ]);
    return this.#matrixBetween(this.#pathOptions(options), from, destinations === origins ? from : others);
  }

  /** Between the nearest roads; where there is no path and one is on an island, between those of the mainland, as `endsToTry`. */
  async #matrixBetween(path: PathOptions, from: readonly Snaps[], to: readonly Snaps[]) {
    const nearestOf = (side: readonly Snaps[]) => side.map(({ nearest }) => nearest);
    const starts = nearestOf(from);
    const cells = await matrixByAreas(this.store, path, starts, from === to ? starts : nearestOf(to));
    const isLost = (i: number, j: number) =>
      !cells[i][j] && mayBeElsewhere(from[i], to[j]) && from[i].mainland.length > 0 && to[j].mainland.length > 0;
    const rows = [...from.keys()].filter((i) => to.some((_, j) => isLost(i, j)));
    const columns = [...to.keys()].filter((j) => rows.some((i) => isLost(i, j)));
    if (rows.length === 0) return cells;
    const [origins, destinations] = [rows.map((i) => from[i].mainland), columns.map((j) => to[j].mainland)];
    const others = await matrixByAreas(this.store, path, origins, destinations);
    for (const [row, i] of rows.entries()) {
      for (const [column, j] of columns.entries()) {
        const cell = others[row][column];
        if (!cell || !isLost(i, j)) continue;
        const isFar = isElsewhere(origins[row][0]) || isElsewhere(destinations[column][0]);
        cells[i][j] = isFar ? { ...cell, isElsewhere: true } : cell;
      }
    }
    return cells;
  }

  /** The roads near some points that journeys may start or end on. */
  snapAll(points: readonly RoutePoint[], options: RouteOptions): Promise<Snaps[]> {
    return this.#findAll(points, options, this.metric(options));
  }

  /** The matrix of some points, 80 at most, from each to each, all on their nearest roads. */
  squareMatrix(snaps: readonly Snaps[], options: RouteOptions): Promise<(MatrixCell | undefined)[][]> {
    const roads = snaps.map(({ nearest }) => nearest);
    return matrixByAreas(this.store, this.#pathOptions(options), roads, roads);
  }

  #findAll(points: readonly RoutePoint[], options: RouteOptions, metric: Metric): Promise<Snaps[]> {
    const { reach, snapAvoid } = options;
    const snapOptions = { mode: metric.mode, reach, metric, minutes: this.minutesFor(options), avoid: snapAvoid };
    return Promise.all(
      points.map((point) =>
        snap(this.store, point, point.approach ? { ...snapOptions, ...point.approach } : snapOptions),
      ),
    );
  }

  /** The nearest roads to a point, at most `count`. */
  nearest(point: RoutePoint, options: RouteOptions, count: number): Promise<Snap[]> {
    const metric = this.metric(options);
    const wishes = { mode: metric.mode, metric, minutes: this.minutesFor(options), ...point.approach };
    return nearestRoads(this.store, point, wishes, count);
  }

  /** Where a matrix begins or ends at some points; undefined without a road within reach. */
  async stops(points: readonly RoutePoint[], options: RouteOptions): Promise<(Stop | undefined)[]> {
    const found: (Stop | undefined)[] = [];
    // Roads hold their tiles: those of many points are never held together.
    for (let i = 0; i < points.length; i += MATRIX_SIDE) {
      const some = await this.snapAll(points.slice(i, i + MATRIX_SIDE), options);
      found.push(...some.map((snaps) => (snaps.nearest.length > 0 ? stopOf(usable(snaps)[0]) : undefined)));
    }
    return found;
  }

  /** Undefined where the roads at one of them cannot be read. No promise is returned if everything is loaded. */
  #snapAll(
    locations: readonly RoutePoint[],
    options: RouteOptions,
    metric: Metric,
  ): Snaps[] | undefined | Promise<Snaps[] | undefined> {
    const minutes = this.minutesFor(options);
    const snaps = locations.map((location, i) => this.#snap(location, i, options, metric, minutes));
    return isLoaded(snaps) ? reachable(snaps) : Promise.all(snaps).then(reachable);
  }

  #snap(
    location: RoutePoint,
    i: number,
    options: RouteOptions,
    metric: Metric,
    minutes: readonly number[] | undefined,
  ): Snaps | Promise<Snaps> {
    const own = location.approach ?? {};
    const wish: boolean | "preferred" = own.curbside ?? (options.curbside === true && i > 0 && "preferred");
    const curbside = metric.mode !== FOOT && wish;
    const reach = own.reach ?? options.reaches?.[i] ?? options.reach;
    const heading = own.heading ?? (options.headings ? options.headings[i] : i === 0 ? options.heading : undefined);
    const { range } = own;
    const avoid = heading === undefined ? options.snapAvoid : undefined;
    const wishes = { mode: metric.mode, reach, metric, curbside, minutes, avoid };
    const found = snap(this.store, location, { ...wishes, heading, range });
    if (heading === undefined || range !== undefined) return found;
    // Where no road nearby fits the heading, the heading is left out.
    const fits = ({ nearest, hidden }: Snaps) => hidden || (nearest.length > 0 && nearest[0].distance <= HEADING_REACH);
    const anywhere = () => snap(this.store, location, wishes);
    return Promise.resolve(found).then((snaps) => (fits(snaps) ? snaps : anywhere()));
  }

  async #leg(options: PathOptions, from: Snaps, to: Snaps): Promise<Leg | undefined> {
    for (const [fromSnaps, toSnaps] of endsToTry(from, to)) {
      const path = await findPath(this.store, options, fromSnaps, toSnaps);
      if (path) return { ...path, start: fromSnaps[0], end: toSnaps[0] };
    }
    return undefined;
  }

  /** A leg in the input format of guidance. `destination`: the caller's requested destination. */
  view(leg: Leg, destination?: Coordinate): { path: LegPath; network: RoadNetwork } {
    return legView(this.store, leg, destination);
  }
}

const placeOf = ({ location, distance, nearer }: Snap): Snapped => ({
  location,
  distance,
  ...(nearer !== undefined && { nearer }),
});

/** A position on a road, with the road's name ("" without one). */
export interface Stop extends Snapped {
  name: string;
}

/** Without the tile, which is large. */
export const stopOf = (snap: Snap): Stop => ({
  ...placeOf(snap),
  name: snap.tile.recordOf(snap.piece).name ?? "",
});

/** The roads at the end of a leg, in its direction of travel only; undefined if it does not end on one of them. */
function onward({ nearest, mainland }: Snaps, { edges }: Leg): Snaps | undefined {
  const { view, edge } = edges[edges.length - 1];
  const { tile } = view;
  const piece = tile.pieceOf(edge);
  const along = tile.isAlong(edge);
  const ahead = (snaps: readonly Snap[]) =>
    snaps
      .filter((one) => one.tile === tile && one.piece === piece && (along ? one.forward : one.backward))
      .map((one) => ({ ...one, forward: along, backward: !along }));
  const roads = ahead([...nearest, ...mainland]).slice(0, 1);
  return roads.length > 0 ? { nearest: roads, mainland: roads } : undefined;
}

const isLoaded = (snaps: readonly (Snaps | Promise<Snaps>)[]): snaps is Snaps[] =>
  !snaps.some((one) => one instanceof Promise);

/** Undefined if the roads at one of the points cannot be read. @throws NoRoad */
function reachable(snaps: Snaps[]): Snaps[] | undefined {
  const lost = snaps.findIndex(({ nearest, hidden }) => nearest.length === 0 && !hidden);
  if (lost >= 0) throw new NoRoad(lost);
  return snaps.some(({ hidden }) => hidden) ? undefined : snaps;
}

/** The legs of a route as one; undefined where one of them is missing. */
async function collect(found: AsyncIterable<Leg | undefined>): Promise<Route | undefined> {
  const legs: Leg[] = [];
  for await (const leg of found) {
    if (!leg) return undefined;
    legs.push(leg);
  }
  const sum = (of: (leg: Leg) => number) => legs.reduce((total, leg) => total + of(leg), 0);
  return { legs, duration: sum(({ duration }) => duration), distance: sum(({ distance }) => distance) };
}

/** Cost of guidance and line for an edge of a leg, including roads that it reads for the first time [µs]. */
const GUIDANCE_COST = 25;

/** A road that fits the heading but is farther than this is not the road of the traveler [m]. */
const HEADING_REACH = 200;

/** Most origins, and most destinations, of one bucket search. */
const MATRIX_SIDE = 80;

const only = (snaps: Snap[]): Snaps => ({ nearest: snaps, mainland: snaps });

/** Whether a route between two points may lead between other roads than the nearest. */
const mayBeElsewhere = (from: Snaps, to: Snaps) => [from, to].some(({ nearest }) => nearest[0]?.island);

/** Roads of the mainland, if there are any within reach. */
const usable = ({ mainland, nearest }: Snaps): Snap[] => (mainland.length > 0 ? mainland : nearest);
