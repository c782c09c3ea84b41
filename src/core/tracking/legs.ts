import type { Eta, LegWay, Trip, TripDestination, TripLeg, TripStatus } from "./types/trip.ts";

/**
 * The legs of a trip are traveled in order:
 *
 *     leg 1  completed | leg 2  arrived | leg 3  pending | leg 4  pending
 *                        └ the current one: the first that has not ended
 *
 * Each leg goes pending → started → approaching → arrived → completed, or is canceled. The trip itself stays started until
 * its last leg is approaching or arrived.
 */

/** Distance within which a point counts as reached, unless its leg specifies one [m]. */
export const ARRIVAL_RADIUS = 100;
/** Maximum legs of a trip: each event of a trip contains them all. */
export const MAX_LEGS = 25;

export function isOver(status: TripStatus): boolean {
  return status === "completed" || status === "canceled" || status === "expired";
}

export function openLegs({ legs = [] }: Pick<Trip, "legs">): TripLeg[] {
  return legs.filter(({ status }) => !isOver(status));
}

export function currentLeg({ legs }: Pick<Trip, "legs">): TripLeg | undefined {
  return legs?.find(({ status }) => !isOver(status));
}

/** The leg with another status and the time of the change. */
export function legIn(leg: TripLeg, status: TripStatus, at: number): TripLeg {
  const next: TripLeg = { ...leg, status, updatedAt: at };
  if (status === "pending") return { ...next, startedAt: undefined, approachingAt: undefined, arrivedAt: undefined };
  if (isOver(status)) return { ...next, endedAt: at, eta: undefined };
  next.startedAt ??= at;
  if (status === "approaching") next.approachingAt = at;
  if (status === "arrived") next.arrivedAt = at;
  return next;
}

export function withLeg(trip: Trip, leg: TripLeg): Trip {
  return { ...trip, legs: trip.legs?.map((one) => (one._id === leg._id ? leg : one)) };
}

/**
 * The trip with consistent legs: the current one is active if the trip is, and later ones are pending. Also updates the
 * trip's fields that depend on them.
 */
export function settled(trip: Trip, at: number): Trip {
  const current = currentLeg(trip);
  if (!trip.legs || !current) return trip;
  const legs = trip.legs.map((leg) => {
    if (leg._id === current._id)
      return leg.status === "pending" && trip.status !== "pending" ? legIn(leg, "started", at) : leg;
    return isOver(leg.status) || leg.status === "pending" ? leg : legIn(leg, "pending", at);
  });
  return shown({ ...trip, legs });
}

/** The trip's fields for its current leg: the destination, and the approach if it is the last one. */
function shown(trip: Trip): Trip {
  const leg = currentLeg(trip) as TripLeg;
  const last = openLegs(trip).length === 1;
  const near = last && (leg.status === "approaching" || leg.status === "arrived");
  return {
    ...trip,
    status: trip.status === "pending" ? "pending" : near ? leg.status : "started",
    approachingAt: near ? leg.approachingAt : undefined,
    arrivedAt: last ? leg.arrivedAt : undefined,
    destination: goalOf(leg),
  };
}

function goalOf({ destination: { fence, tag, externalId, location } }: TripLeg): TripDestination | undefined {
  if (fence === undefined || tag === undefined || externalId === undefined) return undefined;
  return { fence, tag, externalId, location };
}

/** The legs with newly computed routes between them. */
export function withWays(trip: Trip, ways: Readonly<Record<string, LegWay>>): Trip {
  return {
    ...trip,
    legs: trip.legs?.map((leg) => (Object.hasOwn(ways, leg._id) ? { ...leg, way: ways[leg._id] } : leg)),
  };
}

/**
 * The trip with its ETAs: to the current leg as measured, to each later one from the previous stop and the route
 * between. If a route is unknown, so are all later ETAs. A trip whose legs have all ended keeps its ETA.
 */
export function withLegEtas(trip: Trip, measured: Readonly<Record<string, Eta>>, at: number): Trip {
  let before: { leg: TripLeg; eta: Eta | undefined } | undefined;
  const legs = trip.legs?.map((leg) => {
    if (isOver(leg.status)) return leg;
    const eta = before
      ? measured[leg._id]
        ? later(before.leg, measured[leg._id], at)
        : behind(before, leg, at)
      : (measured[leg._id] ?? leg.eta);
    before = { leg, eta };
    return { ...leg, eta };
  });
  const computedAt = Object.keys(measured).length > 0 ? at : trip.eta?.at;
  return { ...trip, legs, eta: before ? before.eta && { ...before.eta, at: computedAt } : trip.eta };
}

/** The remaining stop time at a leg [min]. */
function stopLeft({ stopDuration = 0, status, arrivedAt }: TripLeg, at: number): number {
  const spent = status === "arrived" && arrivedAt !== undefined ? (at - arrivedAt) / 60_000 : 0;
  return Math.max(0, stopDuration - spent);
}

function later(before: TripLeg, { duration, distance }: Eta, at: number): Eta {
  return { duration: duration + stopLeft(before, at), distance };
}

function behind({ leg, eta }: { leg: TripLeg; eta: Eta | undefined }, { way }: TripLeg, at: number): Eta | undefined {
  if (!eta || way?.from !== leg._id) return undefined;
  return later(leg, { duration: eta.duration + way.duration, distance: eta.distance + way.distance }, at);
}

/** The legs of a trip that ends: active ones get the trip's status, pending ones are canceled. */
export function endedLegs({ legs }: Trip, status: TripStatus, at: number): readonly TripLeg[] | undefined {
  return legs?.map((leg) => {
    if (isOver(leg.status)) return leg;
    return legIn(leg, status === "completed" && leg.status === "pending" ? "canceled" : status, at);
  });
}
