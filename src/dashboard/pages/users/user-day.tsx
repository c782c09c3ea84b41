import { ChevronLeft, ChevronRight } from "lucide";
import { useMemo, useState } from "preact/hooks";
import type { listAllEvents } from "../../../worker/http/events/events.ts";
import type { searchGeofences } from "../../../worker/http/geofences/geofences.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress, useQueryValue } from "../../base/router.tsx";
import { BareInput, Check } from "../../forms/bare.tsx";
import type { WayUpdate } from "../../map/movement/replay.ts";
import { Button } from "../../parts/button.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { Empty, Failure, SkeletonLines } from "../../parts/states.tsx";
import { dayAfter, dayOf, dayOr, daysRange, today } from "../../parts/values/days.ts";
import { metres, plural, speed, Time } from "../../parts/values/format.tsx";
import { typeWords } from "../../parts/values/type-words.ts";
import { Table } from "../../table/table.tsx";
import { subjectOf, type WireEvent } from "../events/event-words.ts";
import { useWay } from "./use-way.ts";
import { UserJourneys } from "./user-journeys.tsx";
import type { User } from "./user-list.tsx";

const WayReplay = lazy(async () => ({ default: (await import("../../map/users/way-replay.tsx")).WayReplay }), "100%");

/** Maximum distance of the shown geofences from the track [m]. */
const AROUND = 10_000;

/** The updates and events of one day, next to the map that replays them. */
export function UserDay({ user, path }: { user: User; path: string }) {
  const [asked, setDay] = useQueryValue("day");
  const day = dayOr(asked, dayOf(Date.parse(user.updatedAt)));
  const [view, setView] = useQueryValue("view", "");
  const asJourneys = view === "journeys";
  const { from, to } = daysRange(day);
  const way = useWay(`${path}/updates`, from, to);
  const events = useQuery<Answer<typeof listAllEvents>>("/v1/events", {
    userId: user._id,
    createdAfter: from,
    createdBefore: to,
    limit: 1000,
  });
  const [longitude, latitude] = user.location.coordinates;
  const fences = useQuery<Answer<typeof searchGeofences>>("/v1/search/geofences", {
    near: `${latitude},${longitude}`,
    radius: AROUND,
    limit: 100,
  });
  const happened = events.data?.events ?? [];
  return (
    <div class="user-day">
      <div class="stack tight user-day-list">
        <div class="row">
          <DayPicker day={day} onChange={setDay} />
          <span class="muted small grow">
            {plural(way.updates.length, "update")}
            {way.loading && "…"}, {events.data ? plural(happened.length, "event") : "…"}
          </span>
        </div>
        <Check class="row small" value={asJourneys} onChange={(value) => setView(value ? "journeys" : "")}>
          Stops and journeys
        </Check>
        {way.problem && <Failure problem={way.problem} again={way.again} />}
        {asJourneys ? (
          <UserJourneys id={user._id} path={path} from={from} to={to} />
        ) : way.loading && way.updates.length === 0 ? (
          <SkeletonLines lines={8} />
        ) : (
          <Timeline updates={way.updates} events={happened} />
        )}
      </div>
      <div class="user-day-map">
        {way.updates.length > 0 ? (
          <WayReplay updates={way.updates} events={happened} geofences={fences.data?.geofences} />
        ) : (
          !way.loading && <Empty title="No updates on this day">The retention period is set in the settings.</Empty>
        )}
      </div>
    </div>
  );
}

export function DayPicker({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  const step = (days: number) => onChange(dayAfter(day, days));
  return (
    <div class="row">
      <Button icon={ChevronLeft} label="Previous day" onClick={() => step(-1)} />
      <BareInput type="date" label="Day" value={day} max={today()} onChange={(value) => value && onChange(value)} />
      <Button icon={ChevronRight} label="Next day" disabled={day >= today()} onClick={() => step(1)} />
    </div>
  );
}

type DayMoment = { at: string; key: string } & (
  | { update: WayUpdate; event?: undefined }
  | { event: WireEvent; update?: undefined }
);

/** The updates and events of the day, newest first. */
function Timeline({ updates, events }: { updates: readonly WayUpdate[]; events: readonly WireEvent[] }) {
  const { to } = useAddress();
  const [onlyEvents, setOnlyEvents] = useState(false);
  const moments = useMemo(() => {
    const all: DayMoment[] = events.map((event) => ({ at: event.createdAt, key: event._id, event }));
    if (!onlyEvents) for (const [i, update] of updates.entries()) all.push({ at: update.at, key: String(i), update });
    return all.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.event ? -1 : 1));
  }, [updates, events, onlyEvents]);
  return (
    <>
      <Check class="row small" value={onlyEvents} onChange={setOnlyEvents}>
        Events only
      </Check>
      <Table
        label="Timeline"
        rows={moments}
        rowKey={({ key }) => key}
        columns={[
          { name: "Time", width: "88px", cell: ({ at }) => <Time at={at} as="clock" />, line: "aside" },
          {
            name: "Entry",
            line: "title",
            cell: ({ update, event }) =>
              event ? (
                <a href={`${to("events")}?event=${event._id}`}>
                  {typeWords(event.type)} {subjectOf(event)}
                </a>
              ) : (
                <span class="muted">
                  within {metres(update.accuracy)}
                  {update.speed !== undefined && update.speed > 0 && <>, {speed(update.speed)}</>}
                  {update.stopped && ", stopped"}
                </span>
              ),
          },
        ]}
        empty={<Empty title={onlyEvents ? "No events on this day" : "Nothing on this day"} />}
      />
    </>
  );
}
