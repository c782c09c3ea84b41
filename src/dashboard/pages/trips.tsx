import { Route } from "lucide";
import { useMemo } from "preact/hooks";
import type { getTrip, getTripRoute } from "../../worker/http/trips/trips.ts";
import type { getUser } from "../../worker/http/users/users.ts";
import { type Answer, useForget, usePages, useQuery } from "../api/hooks.ts";
import { useLive } from "../api/live.ts";
import { useAddress, useQueryValue, useRouter } from "../base/router.tsx";
import { FilterBar, SearchFilter, SelectFilter } from "../forms/filters.tsx";
import { viewOf } from "../map/clusters.ts";
import { MapView } from "../map/dashboard-map.tsx";
import { GoTo } from "../map/go-to.tsx";
import { toCoordinate } from "../map/layers/features.ts";
import { LinesLayer, type Sign, SignsLayer, UsersLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { boundsOf } from "../map/position.ts";
import { choices, sameWords } from "../parts/choices.ts";
import { DownloadButton } from "../parts/files/downloads.tsx";
import { Empty } from "../parts/states.tsx";
import { Code } from "../parts/values/code.tsx";
import { nameOfRecord } from "../parts/values/names.ts";
import { useNow } from "../parts/values/now.ts";
import { type Column, Table } from "../table/table.tsx";
import type { NamedUser } from "./events/event-words.ts";
import { useUserNames } from "./events/use-names.ts";
import { signsTogether } from "./trips/signs-together.ts";
import { Arrival, DelayMark, STATUSES, StatusMark } from "./trips/status.tsx";
import { OPEN_STATUSES } from "./trips/times-of-now.ts";
import { TRIP_BULK, type Trip } from "./trips/trip.ts";
import { TripDetail } from "./trips/trip-detail.tsx";
import { placeOf } from "./trips/trip-legs.tsx";

const columnsOf = (nameOf: (user: NamedUser) => string): readonly Column<Trip>[] => [
  { name: "Trip", cell: nameOfRecord },
  { name: "User", cell: ({ user }) => user && nameOf(user), line: "detail" },
  { name: "Arrival", cell: (trip) => <Arrival of={trip} inList />, line: "aside" },
  { name: "Status", cell: ({ status }) => <StatusMark status={status} />, line: "detail" },
  { name: "Delay", cell: (trip) => <DelayMark of={trip} inList />, line: "detail" },
];

const FILTERS = ["q", "status", "delayed"] as const;

const STATES = sameWords(STATUSES);
/** Refetch interval while a trip is open [ms]: ETAs change with each update of a device. */
const EVERY_MS = 15_000;

/** Trips by status and delay, with the track and share links of one trip. */
export default function Trips() {
  const { rest, to } = useAddress();
  const { go } = useRouter();
  const forget = useForget();
  const [status] = useQueryValue("status");
  const [delayed] = useQueryValue("delayed");
  const [search] = useQueryValue("q");
  const id = rest[0] ?? "";
  const pages = usePages<Trip>("/v1/trips", { limit: 500, status, delayed, externalId: search }, "trips");
  const { trip, problem, route, user } = useTrip(id, pages.rows);
  const live = useLive({
    kinds: "events",
    onEvent: ({ trip }) => {
      if (trip) forget("/v1/trips");
    },
  });

  const users = useMemo(() => pages.rows.flatMap(({ user }) => user ?? []), [pages.rows]);
  const nameOf = useUserNames(users);
  const columns = useMemo(() => columnsOf(nameOf), [nameOf]);
  const close = () => go(`${to("trips")}${location.search}`);

  return (
    <MapPage
      title="Trips"
      actions={
        <DownloadButton bare path="/v1/exports/trips" query={{ format: "csv", status }} label="Export as CSV">
          CSV
        </DownloadButton>
      }
      detail={id && <TripDetail key={id} {...{ trip, problem, live, walked: route?.distance.text, onClose: close }} />}
      map={<TripMap id={id} trip={trip} trips={pages.rows} route={route} user={user} />}
    >
      <FilterBar names={FILTERS}>
        <SearchFilter name="q" label="External id" />
        <SelectFilter name="status" label="Any status" options={STATES} />
        <SelectFilter name="delayed" label="Any delay" options={choices({ true: "Late", false: "On time" })} />
      </FilterBar>
      <Table
        label="Trips"
        columns={columns}
        hrefOf={({ _id }) => `${to("trips", _id)}${location.search}`}
        isSelected={({ _id }) => _id === id}
        pages={pages}
        bulk={TRIP_BULK}
        empty={status || delayed || search ? <Empty title="No matching trips" /> : <NoTripYet />}
      />
    </MapPage>
  );
}

/** The chosen trip with its track, and its user while it is in progress. */
function useTrip(id: string, trips: readonly Trip[]) {
  const one = useQuery<Answer<typeof getTrip>>(id ? `/v1/trips/${id}` : undefined, {}, { every: EVERY_MS });
  const route = useQuery<Answer<typeof getTripRoute>>(
    id ? `/v1/trips/${id}/route` : undefined,
    { units: "metric" },
    { every: EVERY_MS },
  );
  const trip = one.data?.trip ?? trips.find(({ _id }) => _id === id);
  const isUnderWay = trip !== undefined && OPEN_STATUSES.includes(trip.status);
  const userId = isUnderWay ? trip.user?._id : undefined;
  const user = useQuery<Answer<typeof getUser>>(userId ? `/v1/users/${userId}` : undefined, {}, { every: EVERY_MS });
  return { trip, problem: one.problem, route: route.data?.route, user: userId ? user.data?.user : undefined };
}

interface TripMapProps extends Pick<ReturnType<typeof useTrip>, "trip" | "route" | "user"> {
  id: string;
  trips: readonly Trip[];
}

function TripMap({ id, trip, trips, route, user }: TripMapProps) {
  const { to } = useAddress();
  const { go } = useRouter();
  const now = useNow();
  const destinations = useMemo(() => {
    const looked = id ? (trip ? [trip] : []) : trips.filter(({ status }) => OPEN_STATUSES.includes(status));
    const all = looked.flatMap(({ _id, externalId, destinationLocation: at, legs }): Sign[] => {
      if (id && legs) return legs.map(signOf);
      if (!at) return [];
      const location = toCoordinate(at.coordinates);
      return [{ id: _id, name: id ? "Destination" : nameOfRecord({ _id, externalId }), sign: "destination", location }];
    });
    return signsTogether(all);
  }, [id, trip, trips]);
  const line = route?.geometry?.coordinates;
  const lines = useMemo(() => (id && line ? [{ pairs: line, look: "walked" as const }] : []), [id, line]);
  const traveller = useMemo(() => (user ? [user] : []), [user]);
  const fit = useMemo(() => {
    const ends = destinations.map(({ location }) => [location.longitude, location.latitude]);
    return (id ? boundsOf : viewOf)([
      ...ends,
      ...(line ?? []),
      ...traveller.map(({ location }) => location.coordinates),
    ]);
  }, [destinations, line, traveller]);
  return (
    <MapView label="Map of trips" fit={fit}>
      <LinesLayer source="trip-route" lines={lines} />
      <SignsLayer source="destinations" signs={destinations} onPick={(trip) => id || go(to("trips", trip))} />
      <UsersLayer users={traveller} now={now} />
      <GoTo bounds={id ? fit : undefined} />
    </MapView>
  );
}

/** The stop of a leg on the map, with its place in the order. */
function signOf(leg: NonNullable<Trip["legs"]>[number], i: number): Sign {
  const location = toCoordinate(leg.destination.location.coordinates);
  return { id: leg._id, name: `${i + 1} ${placeOf(leg)}`, sign: "destination", location };
}

function NoTripYet() {
  const command = `curl ${location.origin}/v1/trips -H "Authorization: $PUBLISHABLE" -d externalId=order-1 -d userId=driver-1`;
  return (
    <Empty icon={Route} title="No trips yet">
      <p>A trip starts with the next update of its user. Create one:</p>
      <Code text={command} wrap />
    </Empty>
  );
}
