import { UnreadableObject } from "../../core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { timeZoneAt, utcOffsetAt } from "../../core/regions/time-zone.ts";
import { MANIFEST_KEY } from "../../core/routing/graph/pack.ts";
import { type LocalTime, localTimeOf } from "../../core/routing/graph/traffic.ts";
import { Router } from "../../core/routing/route/router.ts";
import { unpacedContext } from "../../core/routing/store/query-context.ts";
import { CountedCache } from "./cache-figures.ts";
import { isolateCache } from "./isolate-cache.ts";
import type { Geodata } from "./live.ts";
import type { BuildSource } from "./r2-source.ts";

/** Maximum number of cached routers: a build's tables take some megabytes. */
const MAX_ROUTERS = 4;

export const ROADS_LAYER = "roads";

const routers = new Map<string, Router>();

/**
 * The roads around some points, for one query: those of the live build that contains most of the points, the smallest
 * if several do; undefined if none contains any. A build with roads that can't be opened is skipped and reported, also
 * to `query`.
 */
export async function roadsAround(
  geodata: Geodata,
  points: readonly Coordinate[],
  query = unpacedContext(),
): Promise<Router | undefined> {
  for (const build of buildsAround(geodata, points)) {
    const router = routerAtHand(build) ?? (await routerOf(build).catch(unlessUnreadable));
    if (router) {
      geodata.credit(build, ROADS_LAYER);
      return router.forQuery(query);
    }
    geodata.leftOut(ROADS_LAYER);
    query.missed(MANIFEST_KEY);
  }
  return undefined;
}

/** Points just outside an import are often on its last roads, or were inside before their digits were cut [m]. */
const EDGE_REACH = 100;

/** Builds that contain some of the points: first the one with most of them, of several the smallest; if none, those next to them. */
function buildsAround(geodata: Geodata, points: readonly Coordinate[], reach = 0): BuildSource[] {
  const held = new Map<BuildSource, number>();
  for (const point of points)
    for (const build of geodata.at(point, ROADS_LAYER, reach)) held.set(build, (held.get(build) ?? 0) + 1);
  if (held.size === 0 && reach === 0) return buildsAround(geodata, points, EDGE_REACH);
  if (held.size < 2) return [...held.keys()];
  // Builds come smallest first, and both Map and sort keep that order.
  return [...held].sort(([, a], [, b]) => b - a).map(([build]) => build);
}

function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableObject)) throw error;
}

/**
 * Are the points on separately imported roads: each in some build, but all in no build? A route goes through only one
 * build, so there is none between them.
 */
export function areApart(geodata: Geodata, points: readonly Coordinate[]): boolean {
  if (geodata.with(ROADS_LAYER).length < 2) return false;
  const holding = points.map((point) => new Set(geodata.at(point, ROADS_LAYER)));
  const [first, ...others] = holding;
  if (!first || holding.some(({ size }) => size === 0)) return false;
  return ![...first].some((build) => others.every((builds) => builds.has(build)));
}

/** Pairs of a matrix that go through one build. */
export interface PairsOfBuild {
  /** Indices of those that some pair has. */
  origins: number[];
  destinations: number[];
  has(origin: number, destination: number): boolean;
}

/** The pairs of a matrix by the build that `roadsAround` chooses for the two points. Those that are apart are in no part. */
export function pairsByBuild(
  geodata: Geodata,
  origins: readonly Coordinate[],
  destinations: readonly Coordinate[],
): PairsOfBuild[] {
  const buildsAt = (point: Coordinate) => geodata.at(point, ROADS_LAYER).map(({ build }) => build.id);
  const [from, to] = [origins, destinations].map((points) => points.map((point) => buildsAt(point).join()));
  if (new Set([...from, ...to]).size === 1) {
    return [{ origins: [...origins.keys()], destinations: [...destinations.keys()], has: () => true }];
  }
  const parts = new Map<BuildSource | undefined, Set<number>>();
  /** By the builds of the two points; null: none, they are apart. Points in no build are each looked up. */
  const known = new Map<string, BuildSource | null>();
  for (const [i, origin] of origins.entries()) {
    for (const [j, destination] of destinations.entries()) {
      const key = `${from[i]} ${to[j]}`;
      const pair = [origin, destination];
      const find = () => (areApart(geodata, pair) ? null : buildsAround(geodata, pair)[0]);
      const build = known.has(key) ? known.get(key) : find();
      if (build !== undefined && key !== " ") known.set(key, build);
      if (build === null) continue;
      const pairs = parts.get(build) ?? new Set();
      parts.set(build, pairs.add(i * destinations.length + j));
    }
  }
  return [...parts.values()].map((pairs) => {
    const has = (i: number, j: number) => pairs.has(i * destinations.length + j);
    return {
      has,
      origins: [...origins.keys()].filter((i) => destinations.some((_, j) => has(i, j))),
      destinations: [...destinations.keys()].filter((j) => origins.some((_, i) => has(i, j))),
    };
  });
}

/**
 * The local time of a departure from a point at `time` [ms since 1970], default now. Undefined if the time makes no
 * difference.
 */
export function departureFrom(router: Router, origin: Coordinate, time: number | undefined): LocalTime | undefined {
  return router.dependsOnTime ? localTimeAt(origin, time ?? Date.now()) : undefined;
}

/** 5 January 1970, where local minutes begin. */
const FIRST_MONDAY = 4 * 86_400_000;

/** The local time at a position; `time` [ms since 1970]. */
export function localTimeAt(position: Coordinate, time: number): LocalTime {
  const utcOffset = utcOffsetAt(timeZoneAt(position), time);
  return localTimeOf(Math.floor((time + utcOffset * 1000 - FIRST_MONDAY) / 60_000));
}

/** When clocks at a position show a local time, which is as `Date.parse` reads it without a zone [ms since 1970]. */
export function momentAt(position: Coordinate, local: number): number {
  const zone = timeZoneAt(position);
  // The offset may change between the two.
  const near = local - utcOffsetAt(zone, local) * 1000;
  return local - utcOffsetAt(zone, near) * 1000;
}

/** The router that was used last: using it again does not change the order of `routers`. */
let newest: { id: string; router: Router } | undefined;

const routerAtHand = ({ build }: BuildSource): Router | undefined =>
  newest?.id === build.id ? newest.router : undefined;

/**
 * Undefined if the build has lost its roads.
 * @throws UnreadableObject
 */
async function routerOf(source: BuildSource): Promise<Router | undefined> {
  const { id } = source.build;
  let router = routers.get(id);
  if (!router) {
    router = await Router.open(source.fresh(), new CountedCache(ROADS_LAYER, isolateCache), `roads/${id}/`);
    if (!router) return undefined;
    for (const oldest of routers.keys()) {
      if (routers.size < MAX_ROUTERS) break;
      routers.get(oldest)?.store.close();
      routers.delete(oldest);
    }
  }
  // Re-insert: the newest is the last.
  routers.delete(id);
  routers.set(id, router);
  newest = { id, router };
  return router;
}
