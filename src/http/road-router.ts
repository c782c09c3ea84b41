import type { Env } from "../env.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { openGeodata } from "../geodata/live.ts";
import type { BuildSource } from "../geodata/r2-source.ts";
import { BoundedCache } from "../routing/cache.ts";
import { Router } from "../routing/router.ts";

/** What this isolate keeps of decoded roads [bytes]; it has 128 MB for everything. */
const ROAD_CACHE_BYTES = 44 * 1024 * 1024;
/** Routers kept: a build's tables weigh some megabytes. */
const MAX_ROUTERS = 4;

const cache = new BoundedCache(ROAD_CACHE_BYTES);
const routers = new Map<string, Router>();

/** The roads around some points: of the smallest live build that holds them all; undefined when there is none. */
export async function routerFor(env: Env, points: readonly Coordinate[]): Promise<Router | undefined> {
  const geodata = await openGeodata(env.GEODATA);
  const [first, ...rest] = points;
  const holding = rest.map((point) => new Set(geodata.at(point, "roads")));
  const source = geodata.at(first, "roads").find((build) => holding.every((builds) => builds.has(build)));
  return source && routerOf(source);
}

async function routerOf(source: BuildSource): Promise<Router | undefined> {
  const { id } = source.build;
  let router = routers.get(id);
  if (!router) {
    router = await Router.open(source.fresh(), cache, `${id}/`);
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
