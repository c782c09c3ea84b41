import { Flag, MapPinOff } from "lucide";
import { useEffect, useMemo, useState } from "preact/hooks";
import { GoTo } from "../map/go-to.tsx";
import { LinesLayer, type Sign, SignsLayer } from "../map/layers/layers.tsx";
import { MapCanvas, type Padding } from "../map/map-view.tsx";
import { boundsOf } from "../map/position.ts";
import { overdueBy } from "../pages/trips/times-of-now.ts";
import { Empty } from "../parts/states.tsx";
import { metres, minutes, Time } from "../parts/values/format.tsx";
import { useNow } from "../parts/values/now.ts";
import { bothClocks } from "./both-clocks.ts";
import { type SharedTrip, useShare } from "./use-share.ts";
import "./share-page.css";

/**
 * The page of a share link: `/share/#<token>`. It needs no session and no key, and shows only the shared data. The
 * token is in the fragment, which browsers don't send, so it is never logged.
 */
export function SharePage() {
  const token = useToken();
  const { trip, problem, isOver, at } = useShare(token);
  if (isOver) {
    return (
      <main class="share-end">
        <Empty icon={MapPinOff} title={problem?.message ?? "This link is not valid."}>
          <p>Ask the sender for a new link.</p>
        </Empty>
      </main>
    );
  }
  if (!trip) return <main class="share-end">{problem && <Empty title={problem.message} />}</main>;
  return (
    <main class="share">
      <ShareMap token={token} trip={trip} />
      <section class="share-card" aria-label="Trip">
        <Words trip={trip} />
        <p class="small muted" role="status">
          {problem ? `${problem.message} Last known ` : "Checked "}
          <Time at={at} /> · this link expires <Time at={trip.expiresAt} as="exact" />
        </p>
      </section>
    </main>
  );
}

function useToken(): string {
  const read = () => decodeURIComponent(location.hash.replace(/^#\/?/, ""));
  const [token, setToken] = useState(read);
  useEffect(() => {
    const look = () => setToken(read());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return token;
}

const HEADLINES: Record<string, string> = {
  pending: "Not started yet",
  started: "On the way",
  approaching: "Almost there",
  arrived: "Arrived",
  completed: "Arrived",
  canceled: "The trip was canceled",
  expired: "The trip has ended",
};

function Words({ trip }: { trip: SharedTrip }) {
  const { status, eta, scheduledArrivalAt, destination, endedAt, arrivedAt, locatedAt } = trip;
  const now = useNow();
  const zone = useZone(destination?.location.coordinates);
  const isMoving = status === "started" || status === "approaching";
  const expected = eta && isMoving ? Date.parse(eta.arrivesAt) : undefined;
  const scheduledAt = scheduledArrivalAt ? Date.parse(scheduledArrivalAt) : undefined;
  const overdue = overdueBy({ expectedAt: expected, scheduledAt }, now);
  // Nobody is a minute away who should have been there before.
  const left = expected === undefined || expected <= now ? undefined : (expected - now) / 60_000;
  const age = locatedAt ? Math.max(0, now - Date.parse(locatedAt)) : 0;
  const isSilent = age >= OLD_MS;
  return (
    <>
      <h1>
        {overdue !== undefined
          ? `${minutes(Math.ceil(overdue))} overdue`
          : left === undefined
            ? (HEADLINES[status] ?? status)
            : `${minutes(Math.max(1, Math.round(left)))} away`}
      </h1>
      {isMoving && isSilent && <p class="share-old">no update for {minutes(Math.round(age / 60_000))}</p>}
      <p>
        {eta && isMoving && `${isSilent ? "Last seen with" : `${HEADLINES[status]},`} ${metres(eta.distance)} to go`}
        {destination?.description && `${eta && isMoving ? " to " : "To "}${destination.description}`}
      </p>
      {expected !== undefined && (
        <Moment label={expected <= now ? "Was expected at" : "Expected at"} at={expected} zone={zone} />
      )}
      {arrivedAt && <Moment label="Arrived at" at={Date.parse(arrivedAt)} zone={zone} />}
      {scheduledArrivalAt && <Moment label="Scheduled for" at={Date.parse(scheduledArrivalAt)} zone={zone} />}
      {endedAt && !arrivedAt && <Moment label="Ended at" at={Date.parse(endedAt)} zone={zone} />}
    </>
  );
}

/** Age from which a position is old [ms]. */
const OLD_MS = 2 * 60_000;

/** A time in the viewer's zone and, if its clocks differ, in the one of the destination. */
function Moment({ label, at, zone }: { label: string; at: number; zone: string | undefined }) {
  const { here, there } = bothClocks(at, zone);
  return (
    <p class="share-time">
      {label} <time dateTime={new Date(at).toISOString()}>{here}</time>
      {there && <span class="muted">, {there} at the destination</span>}
    </p>
  );
}

/** The IANA time zone of the destination, once its table is loaded. */
function useZone(coordinates: number[] | undefined): string | undefined {
  const [longitude, latitude] = coordinates ?? [];
  const [zone, setZone] = useState<string>();
  useEffect(() => {
    if (latitude === undefined || longitude === undefined) return;
    let isGone = false;
    void import("../../core/regions/time-zone.ts").then(({ timeZoneAt }) => {
      if (!isGone) setZone(timeZoneAt({ latitude, longitude }));
    });
    return () => {
      isGone = true;
    };
  }, [latitude, longitude]);
  return zone;
}

/** The edge of the map that the card covers: below on a phone, on the left elsewhere. */
function cardPadding(): Padding {
  const card = document.querySelector(".share-card")?.getBoundingClientRect();
  const [edge, isNarrow] = [48, innerWidth < 700];
  return {
    top: edge,
    right: edge,
    bottom: isNarrow && card ? innerHeight - card.top + 24 : edge,
    left: isNarrow || !card ? edge : card.right + 24,
  };
}

/** Map tiles are requested with the token too. */
function ShareMap({ token, trip }: { token: string; trip: SharedTrip }) {
  const { location: at, destination, route } = trip;
  const signs = useMemo(() => {
    const sign = (id: string, sign: string, name: string, [longitude, latitude]: number[]): Sign => {
      return { id, sign, name, location: { latitude, longitude } };
    };
    return [
      ...(destination
        ? [sign("to", "destination", destination.description ?? "", destination.location.coordinates)]
        : []),
      ...(at ? [sign("at", "user-trip", "", at.coordinates)] : []),
    ];
  }, [at, destination]);
  const lines = useMemo(() => (route ? [{ pairs: route.coordinates, look: "walked" as const }] : []), [route]);
  const bounds = useMemo(
    () =>
      boundsOf([
        ...signs.map(({ location: { longitude, latitude } }) => [longitude, latitude]),
        ...(route?.coordinates ?? []),
      ]),
    [signs, route],
  );
  if (signs.length === 0 && lines.length === 0)
    return (
      <div class="share-nothing">
        <Empty icon={Flag} title="This link does not share the position." />
      </div>
    );
  return (
    <MapCanvas
      label="Map of the shared trip"
      fit={bounds}
      styleUrl={(style) => `${location.origin}/v1/shares/${encodeURIComponent(token)}/map/styles/${style}`}
    >
      <LinesLayer source="share-route" lines={lines} />
      <SignsLayer source="share-signs" signs={signs} />
      <GoTo bounds={bounds} padding={cardPadding} />
    </MapCanvas>
  );
}
