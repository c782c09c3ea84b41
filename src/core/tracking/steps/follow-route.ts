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

/** Compares the user of a trip with its planned route, if the project or the trip has a tolerance. */
export function followRoute(context: UpdateContext): void {
  const { before, state, surroundings, update, at, settings, trace } = context;
  const { trip } = state;
  const tolerance = trip?.routeTolerance ?? settings.routeTolerance ?? 0;
  if (!trip || trip.status === "arrived" || tolerance === 0) return;
  const key = routeKey(trip);
  const computed = surroundings.trip?.route?.trip === key ? surroundings.trip.route : undefined;
  const known = before?.route && isRouteOf(before.route, trip) ? before.route : undefined;
  const route = known ?? (computed?.line && !computed.isDetour ? begun(key, computed.line, trip) : undefined);
  if (!route) return;
  if (known || !route.isGiven) state.route = route;
  if (update.accuracy > settings.accuracyLimit) return;
  const reach = tolerance + SURELY * update.accuracy;
  const { far, along } = nearestOnRest(decodeLine(route.line, 5), update.location, route.along, reach);
  const isOutside = far > reach;
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

/** Identifies the route of a trip. */
export function routeKey({ _id, legs }: Trip): string {
  return [_id, ...(legs ?? []).map((leg) => leg._id)].join(" ");
}

function begun(trip: string, line: string, { plannedRoute }: Trip): PlannedRoute {
  return { trip, line, along: 0, far: 0, growing: 0, ...(plannedRoute && { isGiven: true as const }) };
}
