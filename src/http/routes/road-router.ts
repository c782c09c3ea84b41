import type { Coordinate } from "../../geo/coordinate.ts";
import { openGeodata } from "../../geodata/live.ts";
import { roadsAround } from "../../geodata/roads.ts";
import type { Router } from "../../routing/router.ts";
import type { Asker } from "../serve/endpoint.ts";

export { departureFrom } from "../../geodata/roads.ts";

/** The roads around some points, if any are live there. */
export async function routerFor(call: Asker, points: readonly Coordinate[]): Promise<Router | undefined> {
  return roadsAround(await openGeodata(call.env.GEODATA, call), points);
}
