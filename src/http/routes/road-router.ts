import type { Coordinate } from "../../geo/coordinate.ts";
import { roadsAround } from "../../geodata/road-router.ts";
import type { Router } from "../../routing/router.ts";
import type { Asker } from "../serve/endpoint.ts";

export { departureFrom } from "../../geodata/road-router.ts";

/** The roads around some points, if any are live there. */
export function routerFor(call: Asker, points: readonly Coordinate[]): Promise<Router | undefined> {
  return roadsAround(call.env.GEODATA, points, call);
}
