import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { Vehicle } from "../../../core/routing/graph/vehicle.ts";
import { contours, TooFar } from "../../../core/routing/reach/contours.ts";
import type { Asker } from "../../platform/call.ts";
import { invalid } from "../../platform/errors.ts";
import { profileOf, type TravelMode } from "../../wire/routes/route-fields.ts";
import { type AreasAsker, type AskedAreas, areasOf } from "./areas-of.ts";
import { departureFrom, roadsUnreadable, routerFor } from "./road-router.ts";
import { type AskedAvoidance, avoidanceOf } from "./zones-of.ts";

/** A question for the areas that can be reached, whatever the form in which it was asked. */
interface ReachQuestion extends AskedAvoidance, AskedAreas {
  origin: Coordinate;
  mode: TravelMode;
  vehicle?: Vehicle | undefined;
  departureTime?: number | undefined;
  byLength: boolean;
  /** [s], or by length [m] */
  limits: readonly number[];
  denoise: number;
  generalise?: number | undefined;
}

/**
 * The areas within each limit, the largest first; none without a road near the origin.
 * @param param the name of the limits, for errors
 * @throws ApiError 400 for an area that is too large, 503 if roads are unreadable
 */
export async function reachableAreas(call: Asker & AreasAsker, question: ReachQuestion, param: string) {
  const { origin, vehicle, byLength, limits, denoise, generalise } = question;
  let isDamaged = false;
  const router = await routerFor(call, [origin], () => {
    isDamaged = true;
  });
  if (!router && isDamaged) throw roadsUnreadable();
  if (!router) return [];
  try {
    const departure = departureFrom(router, origin, question.departureTime);
    const areas = await areasOf(call, router, question);
    const largestFirst = [...limits].sort((a, b) => b - a);
    const options = {
      mode: profileOf(question.mode),
      ...(await avoidanceOf(router, question)),
      ...{ areas, departure, vehicle, byLength, limits: largestFirst, denoise, generalise },
    };
    const found = await contours(router, origin, options);
    if (isDamaged) throw roadsUnreadable();
    return found ?? [];
  } catch (error) {
    if (!(error instanceof TooFar)) throw error;
    throw invalid(param, "The area is too large; use a smaller limit.");
  }
}
