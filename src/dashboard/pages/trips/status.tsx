import { metres, minutes, Pill, Time, type Tone } from "../../parts/values/format.tsx";
import { useNow } from "../../parts/values/now.ts";
import { delayNow, minutesLeft, OPEN_STATUSES, type TimedTrip } from "./times-of-now.ts";
import type { Trip } from "./trip.ts";

export const STATUSES = ["pending", "started", "approaching", "arrived", "completed", "canceled", "expired"] as const;

const TONES: Record<string, Tone> = {
  started: "accent",
  approaching: "accent",
  arrived: "good",
  completed: "good",
  canceled: "plain",
  expired: "warn",
};

export const StatusMark = ({ status }: { status: string }) => <Pill tone={TONES[status] ?? "plain"}>{status}</Pill>;

/** How long a trip has had no update. */
const silence = ({ updatedAt }: Pick<Trip, "updatedAt">, now: number) =>
  `no update for ${minutes(Math.floor((now - Date.parse(updatedAt)) / 60_000))}`;

/** When a trip arrived, how long it still takes from now, or how long it has been overdue. `inList`: its `DelayMark` says since when. */
export function Arrival({
  of: { arrivedAt, endedAt, status, eta, updatedAt },
  inList = false,
}: {
  of: Pick<Trip, "arrivedAt" | "endedAt" | "status" | "eta" | "updatedAt">;
  inList?: boolean;
}) {
  const now = useNow();
  if (arrivedAt)
    return (
      <>
        arrived <Time at={arrivedAt} />
      </>
    );
  if (!OPEN_STATUSES.includes(status))
    return endedAt ? (
      <>
        ended <Time at={endedAt} />
      </>
    ) : (
      <>not arrived</>
    );
  const left = minutesLeft({ eta, updatedAt }, now);
  if (left === undefined) return <span class="muted">–</span>;
  if (left >= 0) return <>in {minutes(Math.ceil(left))}</>;
  return (
    <Pill tone="warn">
      {minutes(Math.ceil(-left))} overdue{!inList && `, ${silence({ updatedAt }, now)}`}
    </Pill>
  );
}

/** The distance left; of a trip that is overdue, as of its last update. */
export function ToGo({ of: trip, metersLeft }: { of: TimedTrip; metersLeft: number }) {
  const isOverdue = (minutesLeft(trip, useNow()) ?? 0) < 0;
  return (
    <span>
      {metres(metersLeft)} to go{isOverdue && " at the last update"}
    </span>
  );
}

/** Behind schedule in amber, ahead of it in green, each in words. A trip that is overdue by its ETA is not ahead of its schedule. */
export function DelayMark({ of: trip, inList = false }: { of: TimedTrip; inList?: boolean }) {
  const now = useNow();
  const behind = delayNow(trip, now);
  const isOverdue = OPEN_STATUSES.includes(trip.status) && !trip.arrivedAt && (minutesLeft(trip, now) ?? 0) < 0;
  if (isOverdue && inList) return <Pill tone="warn">{silence(trip, now)}</Pill>;
  if (behind === undefined) return null;
  if (behind > 0) return <Pill tone="warn">{minutes(Math.max(1, behind))} late</Pill>;
  if (isOverdue) return null;
  return <Pill tone="good">{behind > -1 ? "on time" : `${minutes(-behind)} early`}</Pill>;
}
