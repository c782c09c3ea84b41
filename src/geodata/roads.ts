import type { Coordinate } from "../geo/coordinate.ts";
import { UnreadableObject } from "../geo/tile-source.ts";
import { describeTimeZone, timeZoneAt } from "../regions/time-zone.ts";
import { ownQuestion } from "../routing/question.ts";
import { Router } from "../routing/router.ts";
import type { LocalTime } from "../routing/traffic.ts";
import { isolateCache } from "./isolate-cache.ts";
import type { Geodata } from "./live.ts";
import type { BuildSource } from "./r2-source.ts";

/** Routers kept: a build's tables weigh some megabytes. */
const MAX_ROUTERS = 4;

export const ROADS_LAYER = "roads";

const routers = new Map<string, Router>();

/**
 * The roads around some points, for one question: of the live build that holds most of them, the smallest of several.
 * Undefined when none holds any, or when they cannot be read, which the question then hears of.
 */
export async function roadsAround(
  geodata: Geodata,
  points: readonly Coordinate[],
  question = ownQuestion(),
): Promise<Router | undefined> {
  const held = new Map<BuildSource, number>();
  for (const point of points)
    for (const build of geodata.at(point, ROADS_LAYER)) held.set(build, (held.get(build) ?? 0) + 1);
  // Builds come smallest first, and a Map keeps that order.
  let best: BuildSource | undefined;
  for (const [build, count] of held) if (!best || count > (held.get(best) ?? 0)) best = build;
  try {
    return best && (await routerOf(best))?.asking(question);
  } catch (error) {
    if (!(error instanceof UnreadableObject)) throw error;
    question.missed(error.key);
    return undefined;
  }
}

/** The local time at which one sets out from a point at `time` [ms since 1970], now when absent. Undefined where it makes no difference. */
export function departureFrom(router: Router, origin: Coordinate, time: number | undefined): LocalTime | undefined {
  if (!router.knowsTraffic) return undefined;
  const ms = time ?? Date.now();
  const { utcOffset } = describeTimeZone(timeZoneAt(origin), ms);
  const local = new Date(ms + utcOffset * 1000);
  return { day: (local.getUTCDay() + 6) % 7, minute: local.getUTCHours() * 60 + local.getUTCMinutes() };
}

async function routerOf(source: BuildSource): Promise<Router | undefined> {
  const { id } = source.build;
  let router = routers.get(id);
  if (!router) {
    router = await Router.open(source.fresh(), isolateCache, `roads/${id}/`);
    if (!router) return undefined;
    for (const oldest of routers.keys()) {
      if (routers.size < MAX_ROUTERS) break;
      routers.delete(oldest);
    }
  }
  // The youngest is the last.
  routers.delete(id);
  routers.set(id, router);
  return router;
}
