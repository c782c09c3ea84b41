import { decodeLine } from "../../geo/shapes/polyline.ts";
import { emit } from "../emit.ts";
import { nearestOnRest } from "../follow-line.ts";
import { routeRule } from "../trace/driving-rules.ts";
import type { PlannedRoute } from "../types/planned-route.ts";
import type { Trip } from "../types/trip.ts";
import type { UpdateContext } from "../update-context.ts";

/** A user has left its route after so many updates in a row that are farther and farther from it. */
const MIN_GROWING = 2;
/** An accuracy contains the device two times out of three; twice that, 99 of 100. */
const SURELY = 2;

/**
 * Compares the user of a trip with its planned route, if the project or the trip has a tolerance. Where the plan changes while the user is
 * off it, the user is off the new one until it is there; where it is not watched any more, that is the return.
 */
export function followRoute(context: UpdateContext): void {
  const { before, state, surroundings, update, at, settings, trace } = context;
  const { trip } = state;
  if (!trip || trip.status === "arrived") return;
  const tolerance = trip.routeTolerance ?? settings.routeTolerance ?? 0;
  const last = before?.route && isOfTrip(before.route, trip) ? before.route : undefined;
  const known = last && isRouteOf(last, trip) ? last : undefined;
  const off = last?.off;
  const computed = surroundings.trip?.route?.trip === routeKey(trip) ? surroundings.trip.route : undefined;
  if (tolerance === 0 || (!known && computed && !computed.line)) {
    if (off !== undefined) emit(context, "user.returned_to_route", { trip, enteredAt: off, confidence: 3 });
    return;
  }
  const route = known ?? (computed?.line && !computed.isDetour ? begun(computed.line, trip, off) : undefined);
  if (last) state.route = route ?? last;
  if (!route || update.accuracy > settings.accuracyLimit) return;
  const reach = tolerance + SURELY * update.accuracy;
  const { far, along, isPast } = nearestOnRest(decodeLine(route.line, 5), update.location, route.along, reach);
  // Past the end of a line that leads to no destination there is nothing to follow.
  const isOver = isPast && !trip.destination && !trip.legs;
  const isOutside = far > reach && !isOver;
  // A user begins to follow a given route where it reaches it.
  if (!known && isOutside && route.isGiven) return;
  const growing = isOutside && far > route.far ? route.growing + 1 : 0;
  const next: PlannedRoute = { ...route, far, growing, along: isOutside ? route.along : Math.max(route.along, along) };
  if (route.off !== undefined && computed?.isDetour && computed.line) next.detour = computed.line;
  const leaves = route.off === undefined && growing >= MIN_GROWING;
  const returns = route.off !== undefined && far <= tolerance;
  trace?.(routeRule(far, tolerance, update.accuracy, growing, leaves || returns));
  const driving = { distanceFromRoute: Math.round(far) };
  if (leaves) {
    next.off = at;
    emit(context, "user.left_route", { trip, driving, confidence: 3 });
  } else if (returns) {
    delete next.off;
    delete next.detour;
    emit(context, "user.returned_to_route", { trip, driving, enteredAt: route.off as number, confidence: 3 });
  }
  state.route = next;
}

/** Is this the route of a trip as it is now? */
export function isRouteOf({ trip: key, line, isGiven }: PlannedRoute, trip: Trip): boolean {
  return key === routeKey(trip) && (trip.plannedRoute ? trip.plannedRoute === line : !isGiven);
}

/** Is it a route of this trip, as it is or as it was? */
const isOfTrip = (route: PlannedRoute, trip: Trip): boolean => route.trip.split(" ", 1)[0] === trip._id;

/** Identifies the route of a trip. */
export function routeKey({ _id, legs }: Trip): string {
  return [_id, ...(legs ?? []).map((leg) => leg._id)].join(" ");
}

function begun(line: string, trip: Trip, off: number | undefined): PlannedRoute {
  return {
    ...{ trip: routeKey(trip), line, along: 0, far: 0, growing: 0 },
    ...(trip.plannedRoute && { isGiven: true as const }),
    ...(off !== undefined && { off }),
  };
}
