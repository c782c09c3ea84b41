import { useEffect, useState } from "preact/hooks";

/** What `GET /v1/shares/:token` says of a trip. */
export interface SharedTrip {
  status: string;
  mode: string;
  show: string[];
  expiresAt: string;
  endedAt?: string;
  arrivedAt?: string;
  location?: { coordinates: number[] };
  locationAccuracy?: number;
  locatedAt?: string;
  /** Metres and minutes. */
  eta?: { distance: number; duration: number; arrivesAt: string };
  scheduledArrivalAt?: string;
  destination?: { location: { coordinates: number[] }; description?: string };
  route?: { coordinates: number[][] };
}

interface SeenShare {
  trip?: SharedTrip;
  problem?: { message: string };
  /** Unknown, expired or revoked: asking again is of no use. */
  isOver: boolean;
  /** Time of the response [ms]. */
  at?: number;
}

const EVERY_MS = 10_000;
const OVER = new Set([400, 402, 403, 404, 410, 451]);

/** Asks every ten seconds while the page is looked at, until the link or the trip has ended. */
export function useShare(token: string): SeenShare {
  const [seen, setSeen] = useState<SeenShare>({ isOver: false });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const ask = async () => {
      const next = document.visibilityState === "visible" ? await readShare(token) : undefined;
      if (isGone) return;
      if (next) setSeen((before) => ({ trip: before.trip, at: before.at, ...next }));
      if (!next?.isOver && !next?.trip?.endedAt) timer = setTimeout(() => void ask(), EVERY_MS);
    };
    const onSight = () => {
      if (document.visibilityState !== "visible") return;
      clearTimeout(timer);
      void ask();
    };
    void ask();
    document.addEventListener("visibilitychange", onSight);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onSight);
    };
  }, [token]);
  return seen;
}

async function readShare(token: string): Promise<SeenShare> {
  if (token === "") return { isOver: true, problem: { message: "The link is incomplete." } };
  try {
    const response = await fetch(`/v1/shares/${encodeURIComponent(token)}`, { credentials: "omit" });
    const answer = (await response.json()) as { share?: SharedTrip; meta?: { message?: string } };
    if (response.ok && answer.share) return { trip: answer.share, isOver: false, problem: undefined, at: Date.now() };
    const message = answer.meta?.message ?? `The server returned ${response.status}.`;
    return { isOver: OVER.has(response.status), problem: { message } };
  } catch {
    return { isOver: false, problem: { message: "There is no connection." } };
  }
}
