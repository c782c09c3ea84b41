import type { Env } from "../env.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { roadsAround } from "../geodata/road-router.ts";
import type { Router } from "../routing/router.ts";

export { departureFrom } from "../geodata/road-router.ts";

/** The roads around some points, if any are live there. */
export function routerFor(env: Env, points: readonly Coordinate[]): Promise<Router | undefined> {
  return roadsAround(env.GEODATA, points);
}
