import { Play, Users as UsersIcon } from "lucide";
import type { listAllUsers } from "../../../worker/http/users/users.ts";
import { type Answer, usePages } from "../../api/hooks.ts";
import { useAddress, useQueryValue, useQueryValues, useRouter } from "../../base/router.tsx";
import { FilterBar, ListFilter, SearchFilter, SelectFilter } from "../../forms/filters.tsx";
import { useSegments } from "../../forms/pick-options.ts";
import { UserState } from "../../map/marks/state-mark.tsx";
import { Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { DownloadButton } from "../../parts/files/downloads.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty } from "../../parts/states.tsx";
import { Code } from "../../parts/values/code.tsx";
import { metres, Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { useMinute } from "../../parts/values/now.ts";
import { type Column, Table } from "../../table/table.tsx";
import { USER_BULK } from "./user-bulk.ts";

export type User = Answer<typeof listAllUsers>["users"][number];

const UsersMap = lazy(() => import("../../map/users/users-map.tsx"), "100%");

/** Names of the geofences and the place that the user is in. */
const whereaboutsOf = ({ geofences, place }: User): string[] =>
  [...geofences.map(nameOfRecord), place?.name].filter((name) => name !== undefined);

const COLUMNS: readonly Column<User>[] = [
  { name: "User", cell: nameOfRecord },
  { name: "Device", cell: ({ deviceId }) => <code>{deviceId}</code>, width: "14%", line: "none" },
  { name: "State", width: "152px", cell: (user) => <UserState user={user} /> },
  {
    name: "In",
    width: "16%",
    cell: (user) => whereaboutsOf(user).join(", "),
    short: (user) => {
      const [first, ...others] = whereaboutsOf(user);
      return others.length > 0 ? `${first} + ${others.length}` : first;
    },
  },
  { name: "Trip", width: "128px", cell: ({ trip }) => trip?.externalId },
  {
    name: "Accuracy",
    width: "88px",
    right: true,
    cell: ({ locationAccuracy }) => metres(locationAccuracy),
    line: "none",
  },
  { name: "Updated", width: "112px", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

/** How long ago a user may have been seen, and how long that is [ms]. */
const SEEN: readonly (readonly [name: string, title: string, ms: number])[] = [
  ["15m", "Seen in the last 15 minutes", 15 * 60_000],
  ["1d", "Seen in the last day", 86_400_000],
  ["7d", "Seen in the last 7 days", 7 * 86_400_000],
];

/** Users that one map can tell apart by their colors. */
const MAX_REPLAYED = 8;
const LIST_BULK = { ...USER_BULK, opens: { icon: Play, text: "Replay", name: "replay", most: MAX_REPLAYED } };

const FILTERS = ["q", "metadata", "segment", "seen"] as const;

export function UserList() {
  const { to } = useAddress();
  const [view, setView] = useQueryValue("view", "table");
  const filter = useFilter();
  const pages = usePages<User>("/v1/users", { ...filter, limit: 200 }, "users", "updatedAt");
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== "");
  return (
    <>
      <PageHead
        title="Users"
        actions={
          <>
            <Choice
              label="View"
              options={choices({ table: "Table", map: "Map" })}
              value={view as "table" | "map"}
              onChange={setView}
            />
            <DownloadButton path="/v1/exports/users" query={{ ...filter, format: "csv" }}>
              CSV
            </DownloadButton>
          </>
        }
      />
      <FilterBar names={FILTERS}>
        <SearchFilter name="q" label="Search users" placeholder="userId, deviceId or description" />
        <SearchFilter name="metadata" label="Metadata" placeholder="metadata: key=value" />
        <ListFilter name="segment" label="Segment" options={useSegments()} />
        <SelectFilter
          name="seen"
          label="Seen at any time"
          options={SEEN.map(([name, title]) => [name, title] as const)}
        />
      </FilterBar>
      {view === "map" ? (
        <UserPoints users={pages.rows} />
      ) : (
        <Table
          label="Users"
          columns={COLUMNS}
          hrefOf={({ _id }) => to("users", _id)}
          pages={pages}
          bulk={LIST_BULK}
          empty={isFiltered ? <Empty icon={UsersIcon} title="No matching users" /> : <NoUsers />}
        />
      )}
    </>
  );
}

function UserPoints({ users }: { users: readonly User[] }) {
  const { to } = useAddress();
  const { go } = useRouter();
  return (
    <div class="fill card-map">
      <UsersMap users={users} onPick={(id) => go(to("users", id))} />
    </div>
  );
}

function useFilter() {
  const [query] = useQueryValues();
  const now = useMinute();
  const seen = SEEN.find(([name]) => name === query.get("seen"))?.[2];
  const metadata = metadataOf(query.get("metadata") ?? "");
  return {
    search: query.get("q") ?? "",
    segment: query.get("segment") ?? "",
    ...metadata,
    updatedAfter: seen === undefined ? undefined : new Date(now - seen).toISOString(),
  };
}

/** "tier=gold floor=2" → {"metadata[tier]": "gold", "metadata[floor]": "2"} */
function metadataOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([^\s=]+)=("[^"]*"|\S+)/g)];
  return Object.fromEntries(pairs.map(([, key, value]) => [`metadata[${key}]`, value.replace(/^"|"$/g, "")]));
}

function NoUsers() {
  return (
    <Empty icon={UsersIcon} title="No user has been tracked yet">
      <p>The first location of a device creates a user:</p>
      <Code
        text={`curl ${location.origin}/v1/track -H "Authorization: $PUBLISHABLE" \\\n  -d deviceId=phone-1 -d userId=ada -d latitude=52.5163 -d longitude=13.3777 -d accuracy=10`}
      />
    </Empty>
  );
}
