import type { Coordinate } from "../../geo/coordinate.ts";
import { openGeodata } from "../../geodata/live.ts";
import { roadsAround } from "../../geodata/roads.ts";
import type { Router } from "../../routing/router.ts";
import type { Asker } from "../serve/endpoint.ts";
import { ApiError } from "../serve/errors.ts";
import { requestPace } from "../serve/pace.ts";

export { departureFrom } from "../../geodata/roads.ts";

/**
 * The roads around some points, if any are live there and can be read. Work with them gives way to other requests. What
 * cannot be read is named in the answer, and `onDamage` hears of it.
 */
export async function routerFor(
  call: Asker,
  points: readonly Coordinate[],
  onDamage?: () => void,
): Promise<Router | undefined> {
  const missed = () => {
    call.leftOut?.("roads");
    onDamage?.();
  };
  return roadsAround(await openGeodata(call.env.GEODATA, call), points, { pace: requestPace(), missed });
}

/** 503, for what must not be answered, or even kept, from a part of the roads. */
export function roadsUnreadable(): ApiError {
  return new ApiError(503, "Some of the roads here cannot be read at present. Try again later.", {
    headers: { "Retry-After": "10" },
  });
}

/** Why there is no route, where roads could not be read. */
export const UNREADABLE = "Some of the roads here cannot be read at present.";
