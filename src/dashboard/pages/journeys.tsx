import { Printer, Waypoints } from "lucide";
import type { QueryValues } from "../api/hooks.ts";
import { useAddress, useQueryValues, useRouter } from "../base/router.tsx";
import { DateFilter, FilterBar, ListFilter, SearchFilter } from "../forms/filters.tsx";
import { useSegments, viewerZone } from "../forms/pick-options.ts";
import { Button } from "../parts/button.tsx";
import { DownloadButton } from "../parts/files/downloads.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { dayAfter, dayOr, daysRange, dayWords, today } from "../parts/values/days.ts";
import { FigureCards } from "../parts/values/figure-cards.tsx";
import { count, metres, minutes, plural, speed } from "../parts/values/format.tsx";
import { nameOfRecord } from "../parts/values/names.ts";
import { type Column, numberColumn, Table } from "../table/table.tsx";
import { DayMap } from "./journeys/day-map.tsx";
import { type JourneyDay, useDays } from "./journeys/use-days.ts";
import "./overview.css";
import "./users/users.css";

const FILTERS = ["from", "to", "q", "tags", "segment"] as const;
/** Days that are shown without a filter. */
const USUAL_DAYS = 7;

const keyOf = ({ user, day }: JourneyDay) => `${day} ${user._id}`;

const COLUMNS: readonly Column<JourneyDay>[] = [
  { name: "User", cell: ({ user }) => nameOfRecord(user) },
  { name: "Day", width: "168px", cell: ({ day }) => dayWords(day), line: "aside" },
  numberColumn("Distance", 112, ({ journeys, distance }) => (journeys === 0 ? "–" : metres(distance))),
  numberColumn("Moving", 112, ({ journeys, moving }) => (journeys === 0 ? "–" : minutes(moving))),
  numberColumn("Stops", 72, ({ stops }) => count(stops)),
  numberColumn("Top speed", 104, ({ journeys, topSpeed }) => (journeys === 0 ? "–" : speed(topSpeed))),
  numberColumn("Over the limit", 128, ({ excesses, speeding }) =>
    excesses === 0 ? "–" : `${minutes(speeding)} (${count(excesses)})`,
  ),
];

/** Distances, stops and times of all users by day; the chosen day on a map. */
export default function Journeys() {
  const { path } = useRouter();
  const [query, setQuery] = useQueryValues();
  const last = dayOr(query.get("to"), today());
  const first = dayOr(query.get("from"), dayAfter(last, 1 - USUAL_DAYS));
  const asked = { ...filterOf(query), ...daysRange(first, last), timeZone: viewerZone() };
  const pages = useDays(asked);
  const open = query.get("row");
  const [day = "", user = ""] = open?.split(" ") ?? [];
  const shownDay = dayOr(day, last);
  const chosen = pages.rows.find((row) => keyOf(row) === open);
  const hrefOf = (row: JourneyDay) => {
    const next = new URLSearchParams(query);
    next.set("row", keyOf(row));
    return `${path}?${next}`;
  };
  const empty = <NoJourneys isFiltered={FILTERS.some((name) => query.get(name))} />;
  const table = (
    <Table
      label="Journeys by user and day"
      columns={COLUMNS}
      rowKey={keyOf}
      hrefOf={hrefOf}
      isSelected={(row) => keyOf(row) === open}
      pages={pages}
      empty={empty}
    />
  );
  return (
    <>
      <Head first={first} last={last} asked={asked} />
      <FilterBar names={FILTERS}>
        <DateFilter name="from" label="From" usual={first} max={last} />
        <DateFilter name="to" label="To" usual={last} min={query.get("from") ?? undefined} max={today()} />
        <SearchFilter name="q" label="Search users" placeholder="Name or id" />
        <SearchFilter name="tags" label="User tags" placeholder="Tag, another tag" />
        <ListFilter name="segment" label="Segment" options={useSegments()} />
      </FilterBar>
      {pages.rows.length > 0 && <Totals rows={pages.rows} isPart={pages.hasMore} />}
      {open ? (
        <div class="user-day">
          <div class="stack tight user-day-list">{table}</div>
          <DayMap
            key={open}
            user={user}
            day={shownDay}
            name={chosen ? nameOfRecord(chosen.user) : user}
            onClose={() => setQuery({ row: "" })}
          />
        </div>
      ) : (
        table
      )}
    </>
  );
}

function NoJourneys({ isFiltered }: { isFiltered: boolean }) {
  const { to } = useAddress();
  return (
    <Empty icon={Waypoints} title={isFiltered ? "No matching journeys" : "No journeys in these days"}>
      <p>
        Stops and journeys are computed from stored updates: <a href={to("users")}>users</a> that moved appear here.
      </p>
    </Empty>
  );
}

function Head({ first, last, asked }: { first: string; last: string; asked: QueryValues }) {
  return (
    <PageHead
      title="Journeys"
      about={`${first === last ? "" : `${dayWords(first)} to `}${dayWords(last)}, ${viewerZone()}. Distances are along the positions; the page of a user has them along roads.`}
      actions={
        <>
          <DownloadButton path="/v1/stats/journeys" query={{ ...asked, limit: 100, format: "csv" }}>
            CSV
          </DownloadButton>
          <Button icon={Printer} onClick={() => window.print()}>
            Print
          </Button>
        </>
      }
    />
  );
}

const filterOf = (query: URLSearchParams) => ({
  search: query.get("q") || undefined,
  userTags: query.get("tags") || undefined,
  segment: query.get("segment") || undefined,
});

function Totals({ rows, isPart }: { rows: readonly JourneyDay[]; isPart: boolean }) {
  const sum = (pick: (row: JourneyDay) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const users = new Set(rows.map(({ user }) => user._id)).size;
  const all = `${plural(
    sum(({ journeys }) => journeys),
    "journey",
  )} of ${plural(users, "user")}`;
  return (
    <FigureCards
      figures={[
        ["Distance", metres(sum(({ distance }) => distance)), `${all}${isPart ? " so far" : ""}`],
        ["Moving", minutes(sum(({ moving }) => moving)), `${minutes(sum(({ standing }) => standing))} standing`],
        ["Stops", count(sum(({ stops }) => stops)), "a stop over midnight counts on both days"],
        [
          "Over the limit",
          minutes(sum(({ speeding }) => speeding)),
          plural(
            sum(({ excesses }) => excesses),
            "time",
          ),
        ],
      ]}
    />
  );
}
