import { minutes, Pill, Time, type Tone } from "../../parts/values/format.tsx";
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

/** When a trip arrived, or how long it still takes. */
export function Arrival({
  of: { arrivedAt, endedAt, status, eta },
}: {
  of: Pick<Trip, "arrivedAt" | "endedAt" | "status" | "eta">;
}) {
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
  return eta ? <>in {minutes(eta.duration)}</> : <span class="muted">–</span>;
}

/** Behind schedule in amber, ahead of it in green, each in words. */
export function DelayMark({ delay }: { delay: { delayed: boolean; scheduledArrivalTimeDelay: number } | undefined }) {
  if (!delay) return <span class="muted">–</span>;
  const { scheduledArrivalTimeDelay: behind } = delay;
  if (delay.delayed) return <Pill tone="warn">{minutes(behind)} late</Pill>;
  return <Pill tone="good">{Math.abs(behind) < 1 ? "on time" : `${minutes(-behind)} early`}</Pill>;
}
