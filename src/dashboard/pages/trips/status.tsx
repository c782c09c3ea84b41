import { minutes, Pill, Time, type Tone } from "../../parts/values/format.tsx";
import { useNow } from "../../parts/values/now.ts";
import type { Trip } from "./trip.ts";

/** Trips that have not ended. */
export const OPEN_STATUSES: readonly string[] = ["pending", "started", "approaching", "arrived"];

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

/** How long a trip under way still takes from now, by its latest ETA [min]; negative: overdue. */
const minutesLeft = ({ eta, updatedAt }: Pick<Trip, "eta" | "updatedAt">, now: number): number | undefined =>
  eta && (Date.parse(eta.updatedAt ?? updatedAt) - now) / 60_000 + eta.duration;

/** When a trip arrived, how long it still takes from now, or how long it has been overdue. */
export function Arrival({
  of: { arrivedAt, endedAt, status, eta, updatedAt },
}: {
  of: Pick<Trip, "arrivedAt" | "endedAt" | "status" | "eta" | "updatedAt">;
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
      {minutes(Math.ceil(-left))} overdue, no update for {minutes(Math.floor((now - Date.parse(updatedAt)) / 60_000))}
    </Pill>
  );
}

/** Behind schedule in amber, ahead of it in green, each in words. */
export function DelayMark({ delay }: { delay: { delayed: boolean; scheduledArrivalTimeDelay: number } | undefined }) {
  if (!delay) return <span class="muted">–</span>;
  const { scheduledArrivalTimeDelay: behind } = delay;
  if (delay.delayed) return <Pill tone="warn">{minutes(behind)} late</Pill>;
  return <Pill tone="good">{Math.abs(behind) < 1 ? "on time" : `${minutes(-behind)} early`}</Pill>;
}
