import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import type { GuidedLeg, Telling } from "../../../../core/routing/route/guided-leg.ts";
import { joinedLegs } from "../../../../core/routing/route/joined-legs.ts";
import {
  type FoundRoutes,
  findRoutes,
  type GuidedLegs,
  type RoutesAsker,
  type RoutesQuestion,
} from "../../../answers/routes/find-routes.ts";
import { osrmError } from "./osrm.ts";
import { OsrmRouteWriter, type RouteForm } from "./write-route.ts";

/** Clients of OSRM write texts of their own. */
export const NO_TEXT: Telling = { lang: "en", units: "metric", isSilent: true };

/** A question for routes, and their form. */
export interface Asked extends RoutesQuestion {
  form: RouteForm;
  /** The numbers of the locations where a leg ends. */
  stops: readonly number[];
  /** Changes legs before they are written. */
  change?: (leg: GuidedLeg) => GuidedLeg;
}

/** The routes in OSRM's form, each with its waypoints. */
export function osrmRoutes(call: RoutesAsker, { form, stops, change, ...question }: Asked) {
  return findRoutes(call, question, async (legs) => {
    const writer = new OsrmRouteWriter(form);
    for await (const leg of betweenStops(legs, stops, question.telling)) {
      if (!leg) return undefined;
      writer.add(change ? change(leg) : leg);
    }
    return { route: writer.finish(), waypoints: writer.waypoints, segments: writer.segments };
  });
}

/** The legs from stop to stop: those between locations without a stop are joined. */
async function* betweenStops(
  legs: GuidedLegs,
  stops: readonly number[],
  telling: Telling | undefined,
): AsyncGenerator<GuidedLeg | undefined> {
  let parts: GuidedLeg[] = [];
  let at = 0;
  for await (const leg of legs) {
    if (!leg) {
      yield undefined;
      return;
    }
    parts.push(leg);
    if (!stops.includes(++at)) continue;
    yield joinedLegs(parts, telling);
    parts = [];
  }
}

/** The error of OSRM for a question without a route. `code`: what the service calls it. */
export function noRoute({ unavailable, lost }: FoundRoutes<unknown>, locations: readonly Coordinate[], code: string) {
  if (lost === undefined) return osrmError(code, unavailable ?? "Impossible route between points");
  const { longitude, latitude } = locations[lost];
  return osrmError("NoSegment", `Could not find a matching segment for coordinate ${lost}: ${longitude},${latitude}.`);
}
