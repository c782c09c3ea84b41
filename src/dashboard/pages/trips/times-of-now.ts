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

/** How long a trip under way still takes from now, by its latest ETA [min]; negative: overdue. */
export const minutesLeft = (
  { eta, updatedAt }: Pick<TimedTrip, "eta" | "updatedAt">,
  now: number,
): number | undefined => eta && (Date.parse(eta.updatedAt ?? updatedAt) - now) / 60_000 + eta.duration;

/** Minutes behind schedule now, as the API would compute them now; negative: ahead. */
export function delayNow({ delay, scheduledArrivalAt, arrivedAt, status }: TimedTrip, now: number): number | undefined {
  const known = delay?.scheduledArrivalTimeDelay;
  if (scheduledArrivalAt === undefined || arrivedAt !== undefined || !OPEN_STATUSES.includes(status)) return known;
  const behind = (now - Date.parse(scheduledArrivalAt)) / 60_000;
  return known === undefined && behind <= 0 ? undefined : Math.max(known ?? 0, behind);
}
