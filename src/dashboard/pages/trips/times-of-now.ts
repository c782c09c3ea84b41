import type { Trip } from "./trip.ts";

/** Trips that have not ended. */
export const OPEN_STATUSES: readonly string[] = ["pending", "started", "approaching", "arrived"];

/** How long a trip under way still takes from now, by its latest ETA [min]; negative: overdue. */
export const minutesLeft = ({ eta, updatedAt }: Pick<Trip, "eta" | "updatedAt">, now: number): number | undefined =>
  eta && (Date.parse(eta.updatedAt ?? updatedAt) - now) / 60_000 + eta.duration;

type Scheduled = Pick<Trip, "delay" | "scheduledArrivalAt" | "arrivedAt" | "status">;

/** Minutes behind schedule now, as the API would compute them now; negative: ahead. */
export function delayNow({ delay, scheduledArrivalAt, arrivedAt, status }: Scheduled, now: number): number | undefined {
  const known = delay?.scheduledArrivalTimeDelay;
  if (scheduledArrivalAt === undefined || arrivedAt !== undefined || !OPEN_STATUSES.includes(status)) return known;
  const behind = (now - Date.parse(scheduledArrivalAt)) / 60_000;
  return known === undefined && behind <= 0 ? undefined : Math.max(known ?? 0, behind);
}
