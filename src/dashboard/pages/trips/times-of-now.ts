/** The fields of a trip that say when it arrives. */
export interface TimedTrip {
  status: string;
  updatedAt: string;
  eta?: { duration: number; updatedAt?: string };
  delay?: { scheduledArrivalTimeDelay: number };
  scheduledArrivalAt?: string;
  arrivedAt?: string;
}

/** Trips that have not ended. */
export const OPEN_STATUSES: readonly string[] = ["pending", "started", "approaching", "arrived"];

/** How long a trip under way still takes from now, by its latest ETA [min]; negative: it was expected so long ago. */
export const minutesLeft = (
  { eta, updatedAt }: Pick<TimedTrip, "eta" | "updatedAt">,
  now: number,
): number | undefined => eta && (Date.parse(eta.updatedAt ?? updatedAt) - now) / 60_000 + eta.duration;

/**
 * Minutes since a trip was due: by its schedule if it has one, else by when it was expected. Not before both are past: who is expected later
 * is late, and who was expected before has time left.
 */
export function overdueBy(
  { expectedAt, scheduledAt }: { expectedAt: number | undefined; scheduledAt: number | undefined },
  now: number,
): number | undefined {
  if (expectedAt === undefined || now <= expectedAt || now <= (scheduledAt ?? expectedAt)) return undefined;
  return (now - (scheduledAt ?? expectedAt)) / 60_000;
}

/** The same of an open trip that has not arrived. */
export function tripOverdueBy(trip: TimedTrip, now: number): number | undefined {
  const left = minutesLeft(trip, now);
  if (left === undefined || trip.arrivedAt !== undefined || !OPEN_STATUSES.includes(trip.status)) return undefined;
  const scheduledAt = trip.scheduledArrivalAt === undefined ? undefined : Date.parse(trip.scheduledArrivalAt);
  return overdueBy({ expectedAt: now + left * 60_000, scheduledAt }, now);
}

/** Minutes behind schedule now, as the API would compute them now; negative: ahead. */
export function delayNow({ delay, scheduledArrivalAt, arrivedAt, status }: TimedTrip, now: number): number | undefined {
  const known = delay?.scheduledArrivalTimeDelay;
  if (scheduledArrivalAt === undefined || arrivedAt !== undefined || !OPEN_STATUSES.includes(status)) return known;
  const behind = (now - Date.parse(scheduledArrivalAt)) / 60_000;
  return known === undefined && behind <= 0 ? undefined : Math.max(known ?? 0, behind);
}
