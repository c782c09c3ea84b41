import { metres, minutes, Pill, Time, type Tone } from "../../parts/values/format.tsx";
import { useNow } from "../../parts/values/now.ts";
import { delayNow, minutesLeft, OPEN_STATUSES, type TimedTrip, tripOverdueBy } from "./times-of-now.ts";
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
export function Arrival({ of: trip, inList = false }: { of: TimedTrip & Pick<Trip, "endedAt">; inList?: boolean }) {
  const { arrivedAt, endedAt, status } = trip;
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
  const left = minutesLeft(trip, now);
  if (left === undefined) return <span class="muted">–</span>;
  if (left >= 0) return <>in {minutes(Math.ceil(left))}</>;
  const silent = !inList && `, ${silence(trip, now)}`;
  const overdue = tripOverdueBy(trip, now);
  if (overdue === undefined)
    return (
      <>
        expected {minutes(Math.ceil(-left))} ago{silent}
      </>
    );
  return (
    <Pill tone="warn">
      {minutes(Math.ceil(overdue))} overdue{silent}
    </Pill>
  );
}

/** The distance left; of a trip that was expected before now, as of its last update. */
export function ToGo({ of: trip, metersLeft }: { of: TimedTrip; metersLeft: number }) {
  const isPast = (minutesLeft(trip, useNow()) ?? 0) < 0;
  return (
    <span>
      {metres(metersLeft)} to go{isPast && " at the last update"}
    </span>
  );
}

/** Behind schedule in amber, ahead of it in green, each in words. Of a trip that is expected no more, `Arrival` says by how much. */
export function DelayMark({ of: trip, inList = false }: { of: TimedTrip; inList?: boolean }) {
  const now = useNow();
  const behind = delayNow(trip, now);
  if (OPEN_STATUSES.includes(trip.status) && !trip.arrivedAt && (minutesLeft(trip, now) ?? 0) < 0) {
    if (!inList) return null;
    return <Pill tone={tripOverdueBy(trip, now) === undefined ? "plain" : "warn"}>{silence(trip, now)}</Pill>;
  }
  if (behind === undefined) return null;
  if (behind > 0) return <Pill tone="warn">{minutes(Math.max(1, behind))} late</Pill>;
  return <Pill tone="good">{behind > -1 ? "on time" : `${minutes(-behind)} early`}</Pill>;
}
