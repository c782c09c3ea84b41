import type { Coordinate } from "../../geo/coordinate.ts";
import { openGeodata } from "../../geodata/live.ts";
import { areApart, roadsAround } from "../../geodata/roads.ts";
import type { NoRoad, Router } from "../../routing/route/router.ts";
import type { Asker } from "../serve/endpoint.ts";
import { ApiError } from "../serve/errors.ts";
import { requestPace } from "../serve/pace.ts";

export { departureFrom } from "../../geodata/roads.ts";

/** The roads that a request asks for. */
export interface Roads {
  router: Router | undefined;
  /** The points lie in several imports, between which there is no way. */
  isApart: boolean;
  /** Why a way that is not found may be there all the same; may come to light while it is searched. */
  trouble: string | undefined;
}

/**
 * The roads around some points, if any are live there and can be read. Work with them gives way to other requests. What
 * cannot be read is named in the answer, and `onDamage` hears of it.
 */
export async function roadsFor(call: Asker, points: readonly Coordinate[], onDamage?: () => void): Promise<Roads> {
  const geodata = await openGeodata(call.env.GEODATA, call);
  const isApart = areApart(geodata, points);
  if (isApart) call.leftOut?.(BETWEEN_IMPORTS);
  const roads: Roads = { router: undefined, isApart, trouble: isApart ? APART : undefined };
  const missed = () => {
    call.leftOut?.("roads");
    roads.trouble ??= UNREADABLE;
    onDamage?.();
  };
  roads.router = await roadsAround(geodata, points, { pace: requestPace(), missed });
  return roads;
}

export const routerFor = async (call: Asker, points: readonly Coordinate[], onDamage?: () => void) =>
  (await roadsFor(call, points, onDamage)).router;

/** 503, for what must not be answered, or even kept, from a part of the roads. */
export function roadsUnreadable(): ApiError {
  return new ApiError(503, "Some of the roads are temporarily unavailable. Try again later.", {
    headers: { "Retry-After": "10" },
  });
}

/** What an answer does without where its points lie in roads that were imported apart. */
const BETWEEN_IMPORTS = "roads-between-imports";

/** Why there is no route between them. */
const APART =
  "The roads at these points were imported separately, so there is no route between them. Import them together.";

/** Why there is no route, with `trouble` from `roadsFor` before these. */
export const NO_ROAD_DATA = "No road data is imported around these locations.";
export const NOT_CONNECTED = "The roads do not connect these locations.";
export const noRoadNear = ({ index }: NoRoad) => `No road is within reach of location ${index}.`;

/** Why there is no route, where roads could not be read. */
export const UNREADABLE = "Some of the roads are temporarily unavailable.";
