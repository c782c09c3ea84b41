import { MapPinned, Radio } from "lucide";
import { useMemo } from "preact/hooks";
import { useQuery } from "../api/hooks.ts";
import { useAddress, useQueryValue, useQueryValues } from "../base/router.tsx";
import { SearchFilter } from "../forms/filters.tsx";
import { largestCluster } from "../map/clusters.ts";
import { MapView } from "../map/dashboard-map.tsx";
import { NeverEmpty } from "../map/go-to.tsx";
import type { MapFence } from "../map/layers/features.ts";
import { FencesLayer, UsersLayer } from "../map/layers/layers.tsx";
import { MapPage } from "../map/map-page.tsx";
import { StateMark, UserState } from "../map/marks/state-mark.tsx";
import { countStates, stateOf, USER_STATES, type UserMapState } from "../map/marks/user-states.ts";
import { boundsOf } from "../map/position.ts";
import { useWhereabouts, type WireUser } from "../map/users/whereabouts.ts";
import { Choice } from "../parts/button.tsx";
import { choices } from "../parts/choices.ts";
import { Icon } from "../parts/icon.tsx";
import { Empty, Note } from "../parts/states.tsx";
import { Code } from "../parts/values/code.tsx";
import { count, Time } from "../parts/values/format.tsx";
import { LiveSign } from "../parts/values/live-sign.tsx";
import { nameOfRecord } from "../parts/values/names.ts";
import { useNow } from "../parts/values/now.ts";
import { type Column, Table } from "../table/table.tsx";
import { BeaconsLayer } from "./live-map/beacons-layer.tsx";
import { EventStream } from "./live-map/event-stream.tsx";
import { FollowCamera } from "./live-map/follow-camera.tsx";
import { UserDetail } from "./live-map/user-detail.tsx";
import { USER_BULK } from "./users/user-bulk.ts";

/** Where users are now. A dispatcher keeps this open all day. */
export default function LiveMap() {
  const { users, events, loading, isCut, problem, live, again } = useWhereabouts();
  const now = useNow();
  const [query, setQuery] = useQueryValues();
  const [tab] = useQueryValue("show", "users");
  const id = query.get("user") ?? "";
  const isFollowed = query.get("follow") === "1";
  const showsBeacons = query.get("beacons") === "1";
  const { shown, listed } = useShownUsers(users, now, query);
  const chosen = id ? users.find(({ _id }) => _id === id) : undefined;
  const fences = useQuery<{ geofences: MapFence[] }>("/v1/geofences", { limit: 1000 });
  const fit = useMemo(() => (loading ? undefined : firstFit(users, id)), [loading, users, id]);
  const positions = useMemo(() => users.map(({ location }) => location.coordinates), [users]);
  const choose = (user: string) => setQuery({ user, follow: "" }, true);
  const hrefOf = useHref();

  return (
    <MapPage
      title="Live map"
      actions={<LiveSign state={live} />}
      detail={
        chosen && (
          <UserDetail
            user={chosen}
            events={events.filter(({ user }) => user._id === chosen._id)}
            isFollowed={isFollowed}
            onFollow={(follow) => setQuery({ follow: follow ? "1" : "" })}
            onClose={() => setQuery({ user: "", follow: "" })}
          />
        )
      }
      detailSheet={isFollowed ? "half" : "full"}
      map={
        <MapView label="Map of current users" fit={fit}>
          <FencesLayer fences={fences.data?.geofences ?? []} />
          <UsersLayer users={shown} now={now} selected={id} onPick={choose} />
          {showsBeacons && <BeaconsLayer />}
          {!id && <NeverEmpty pairs={positions} bounds={fit} />}
          {chosen && <FollowCamera key={id} location={chosen.location.coordinates} isFollowed={isFollowed} />}
        </MapView>
      }
    >
      <MapTools users={users} now={now} events={events.length} isCut={isCut} />
      {tab === "events" ? (
        <EventStream events={events} />
      ) : (
        <Table
          label="Current users"
          columns={COLUMNS}
          rows={listed}
          hrefOf={({ _id }) => hrefOf(_id)}
          isSelected={({ _id }) => _id === id}
          pages={{ hasMore: false, loading, problem, more: doNothing, again }}
          bulk={USER_BULK}
          empty={users.length > 0 ? <Empty title="No matching users" /> : <NobodyYet />}
        />
      )}
    </MapPage>
  );
}

interface MapToolsProps {
  users: readonly WireUser[];
  now: number;
  /** Number of live events. */
  events: number;
  isCut: boolean;
}

/** Filters of the users, and layers of the map. */
function MapTools({ users, now, events, isCut }: MapToolsProps) {
  const [query, setQuery] = useQueryValues();
  const [tab, setTab] = useQueryValue("show", "users");
  const counts = useMemo(() => countStates(users, now), [users, now]);
  const showsBeacons = query.get("beacons") === "1";
  return (
    <div class="map-tools stack tight">
      <StateFilter counts={counts} value={query.get("state") ?? ""} onChange={(next) => setQuery({ state: next })} />
      <div class="row wrap">
        <SearchFilter name="q" label="Name or id" />
        <Choice
          label="Show"
          options={choices({ users: "Users", events: events > 0 ? `Events ${events}` : "Events" })}
          value={tab}
          onChange={setTab}
        />
        <button
          type="button"
          class="chip"
          aria-pressed={showsBeacons}
          onClick={() => setQuery({ beacons: showsBeacons ? "" : "1" })}
        >
          <Icon of={Radio} /> Beacons
        </button>
      </div>
      {isCut && <Note tone="warn">Showing the 10,000 users seen most recently.</Note>}
    </div>
  );
}

/** The users that the filters leave, and the same by their last update. */
function useShownUsers(users: readonly WireUser[], now: number, query: URLSearchParams) {
  const state = query.get("state") ?? "";
  const search = (query.get("q") ?? "").toLowerCase();
  const shown = useMemo(
    () => users.filter((user) => (!state || stateOf(user, now) === state) && matchesSearch(user, search)),
    [users, now, state, search],
  );
  const listed = useMemo(() => [...shown].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)), [shown]);
  return { shown, listed };
}

const DAY_MS = 86_400_000;

/** The selected user, else the largest cluster of the last day. */
function firstFit(users: readonly WireUser[], selected: string) {
  const user = users.find(({ _id }) => _id === selected);
  if (user) return boundsOf([user.location.coordinates]);
  const recent = users.filter(({ updatedAt }) => Date.parse(updatedAt) > Date.now() - DAY_MS);
  return boundsOf(largestCluster((recent.length > 0 ? recent : users).map(({ location }) => location.coordinates)));
}

/** All users are already loaded. */
const doNothing = () => {};

const COLUMNS: readonly Column<WireUser>[] = [
  {
    name: "User",
    cell: (user) => (
      <span class="row">
        <UserState user={user} word={false} />
        <span>{nameOfRecord(user)}</span>
      </span>
    ),
  },
  { name: "Seen", width: "104px", right: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

function matchesSearch(user: WireUser, search: string): boolean {
  if (search === "") return true;
  return [user.description, user.userId, user.deviceId, user._id].some((text) => text?.toLowerCase().includes(search));
}

/** The address of this page with a user chosen, and everything else as it is. */
function useHref(): (user: string) => string {
  const { to } = useAddress();
  const [query] = useQueryValues();
  return (user) => {
    const next = new URLSearchParams(query);
    next.set("user", user);
    next.delete("follow");
    return `${to("map")}?${next}`;
  };
}

interface StateFilterProps {
  counts: Record<UserMapState, number>;
  value: string;
  onChange: (state: string) => void;
}

/** The legend is also the filter: each count links to its users. */
function StateFilter({ counts, value, onChange }: StateFilterProps) {
  return (
    <fieldset class="row wrap legend" aria-label="State">
      {USER_STATES.map((state) => (
        <button
          key={state}
          type="button"
          class="chip"
          aria-pressed={value === state}
          onClick={() => onChange(value === state ? "" : state)}
        >
          <StateMark state={state} />
          <span class="number">{count(counts[state])}</span>
        </button>
      ))}
    </fieldset>
  );
}

function NobodyYet() {
  const { to, environment } = useAddress();
  const command = `curl -X POST ${location.origin}/v1/track -H "Authorization: $PUBLISHABLE" -d deviceId=van-1 -d latitude=40.7039 -d longitude=-73.9867 -d accuracy=10`;
  return (
    <Empty icon={MapPinned} title="No users have been tracked yet">
      <p>Send the first position:</p>
      <Code text={command} wrap />
      {environment === "test" && <a href={to("simulator")}>Or simulate a device</a>}
    </Empty>
  );
}
