import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { NoRoad, Router } from "../../../core/routing/route/router.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { areApart, type PairsOfBuild, pairsByBuild, roadsAround } from "../../geodata/roads.ts";
import type { Asker } from "../../platform/call.ts";
import { ApiError } from "../../platform/errors.ts";

export { departureFrom } from "../../geodata/roads.ts";

/** The roads for a request. */
interface Roads {
  router: Router | undefined;
  /** The points are in several imports without a connection. */
  isApart: boolean;
  /** Why a route may exist although none was found; can be set during the search. */
  trouble: string | undefined;
}

/**
 * The roads around some points, if any are live and readable. Work with them yields to other requests. Parts that
 * cannot be read are reported in the response and to `onDamage`.
 */
export async function roadsFor(call: Asker, points: readonly Coordinate[], onDamage?: () => void): Promise<Roads> {
  return roadsIn(await openGeodata(call.env.GEODATA, call), call, points, onDamage);
}

async function roadsIn(
  geodata: Geodata,
  call: Asker,
  points: readonly Coordinate[],
  onDamage?: () => void,
): Promise<Roads> {
  const isApart = areApart(geodata, points);
  if (isApart) call.leftOut?.(BETWEEN_IMPORTS);
  const roads: Roads = { router: undefined, isApart, trouble: isApart ? APART : undefined };
  const missed = () => {
    call.leftOut?.("roads");
    roads.trouble ??= UNREADABLE;
    onDamage?.();
  };
  roads.router = await roadsAround(geodata, points, { pace: call.pace, missed });
  return roads;
}

export type PairRoads = Roads & PairsOfBuild;

/** The roads for the pairs of a matrix, as `roadsFor` chooses them for the two points. Pairs in no part are apart, for the reason `APART`. */
export async function roadsForPairs(
  call: Asker,
  origins: readonly Coordinate[],
  destinations: readonly Coordinate[],
): Promise<PairRoads[]> {
  const geodata = await openGeodata(call.env.GEODATA, call);
  const found: PairRoads[] = [];
  let count = 0;
  for (const pairs of pairsByBuild(geodata, origins, destinations)) {
    const [i] = pairs.origins;
    const j = pairs.destinations.find((other) => pairs.has(i, other))!;
    // The same object, because a search may set its `trouble`.
    found.push(Object.assign(await roadsIn(geodata, call, [origins[i], destinations[j]]), pairs));
    count += pairs.origins.reduce((sum, a) => sum + pairs.destinations.filter((b) => pairs.has(a, b)).length, 0);
  }
  if (count < origins.length * destinations.length) call.leftOut?.(BETWEEN_IMPORTS);
  return found;
}

export const routerFor = async (call: Asker, points: readonly Coordinate[], onDamage?: () => void) =>
  (await roadsFor(call, points, onDamage)).router;

/** 503, for results that must not be computed or stored from incomplete roads. */
export function roadsUnreadable(): ApiError {
  return new ApiError(503, "Some of the roads are temporarily unavailable. Try again later.", {
    headers: { "Retry-After": "10" },
  });
}

/** Missing data of a response if its points are in separately imported roads. */
const BETWEEN_IMPORTS = "roads-between-imports";

/** Reason why there is no route between them. */
export const APART =
  "The roads at these points were imported separately, so there is no route between them. Import them together.";

/** Reason why there is no route; `trouble` from `roadsFor` takes precedence. */
export const NO_ROAD_DATA = "No road data is imported around these locations.";
export const NOT_CONNECTED = "The roads do not connect these locations.";
export const noRoadNear = ({ index }: NoRoad) => `No road is within reach of location ${index}.`;

/** Reason why there is no route if roads could not be read. */
export const UNREADABLE = "Some of the roads are temporarily unavailable.";
