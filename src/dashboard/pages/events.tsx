import { Activity, CircleHelp } from "lucide";
import type { ComponentChildren } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";
import { EVENT_TYPES } from "../../core/tracking/types/event.ts";
import { usePages } from "../api/hooks.ts";
import { useLive } from "../api/live.ts";
import { useQueryValue, useQueryValues, useRouter } from "../base/router.tsx";
import { Check } from "../forms/bare.tsx";
import { FilterBar, SearchFilter, SelectFilter, TimeFilter } from "../forms/filters.tsx";
import { Button } from "../parts/button.tsx";
import { DownloadButton } from "../parts/files/downloads.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { Pill, Time, type Tone } from "../parts/values/format.tsx";
import { typeWords } from "../parts/values/type-words.ts";
import { type Bulk, type Column, Table } from "../table/table.tsx";
import { EventDrawer } from "./events/event-drawer.tsx";
import { CONFIDENCE, subjectOf, type WireEvent } from "./events/event-words.ts";
import { useUserNames } from "./events/use-names.ts";
import { WhyNot } from "./events/why-not.tsx";

const columnsOf = (nameOf: (user: WireEvent["user"]) => string): readonly Column<WireEvent>[] => [
  { name: "Event", width: "26%", cell: ({ type }) => typeWords(type) },
  { name: "About", cell: (event) => subjectOf(event), line: "title" },
  { name: "User", width: "20%", cell: ({ user }) => nameOf(user) },
  {
    name: "Confidence",
    width: "104px",
    cell: ({ confidence }) => (
      <Pill tone={CONFIDENCE[confidence]?.tone}>{CONFIDENCE[confidence]?.word ?? confidence}</Pill>
    ),
  },
  { name: "Time", width: "104px", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const FILTERS = ["type", "user", "confidence", "after", "before"] as const;

const BULK: Bulk<WireEvent> = {
  noun: "event",
  nameOf: (event) => `${typeWords(event.type)} ${subjectOf(event) ?? ""}`,
  remove: (api, { _id }) => api.delete(`/v1/events/${_id}`),
  removes: "Removes the events from lists and exports permanently. Webhooks have already received them.",
  forgets: ["/v1/events"],
};

/** Maximum number of live events on the screen before the list is refetched. */
const MAX_LIVE = 2000;

/** The event list with live updates, and explanations of present and missing events. */
export default function Events() {
  const { path } = useRouter();
  const [query] = useQueryValues();
  const [open, setOpen] = useQueryValue("event");
  const [tail, setTail] = useQueryValue("live", "on");
  const filter = filterOf(query);
  const pages = usePages<WireEvent>("/v1/events", { ...filter, limit: 200 }, "events");
  const tails = tail === "on" && !filter.createdBefore;
  const live = useTail(filter, tails, pages.again);
  const rows = useMemo(() => mergeEvents(live.events, pages.rows), [live.events, pages.rows]);
  const users = useMemo(() => rows.map(({ user }) => user), [rows]);
  const nameOf = useUserNames(users);
  const columns = useMemo(() => columnsOf(nameOf), [nameOf]);
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== "");
  const hrefOf = ({ _id }: WireEvent) => {
    const next = new URLSearchParams(query);
    next.set("event", _id);
    return `${path}?${next}`;
  };
  const actions = (
    <>
      <Button icon={CircleHelp} onClick={() => setOpen("why", { push: true })}>
        Why no event?
      </Button>
      <DownloadButton path="/v1/exports/events" query={{ ...filter, format: "csv" }}>
        CSV
      </DownloadButton>
    </>
  );
  const tailSwitch = (
    <Check value={tail === "on"} onChange={(on) => setTail(on ? "on" : "off")}>
      Follow new events
      {tails && <Pill tone={LIVE[live.state].tone}>{LIVE[live.state].word}</Pill>}
    </Check>
  );
  return (
    <>
      <PageHead title="Events" actions={actions} />
      <Filters end={tailSwitch} />
      <Table
        label="Events"
        columns={columns}
        rows={rows}
        hrefOf={hrefOf}
        isSelected={({ _id }) => _id === open}
        pages={pages}
        bulk={BULK}
        empty={<NoEvents isFiltered={isFiltered} onExplain={() => setOpen("why")} />}
      />
      {open === "why" && <WhyNot onClose={() => setOpen("")} />}
      {open && open !== "why" && <EventDrawer key={open} id={open} onClose={() => setOpen("")} />}
    </>
  );
}

function NoEvents({ isFiltered, onExplain }: { isFiltered: boolean; onExplain: () => void }) {
  if (isFiltered)
    return (
      <Empty icon={Activity} title="No matching events">
        <Button onClick={onExplain}>Explain a missing event</Button>
      </Empty>
    );
  return (
    <Empty icon={Activity} title="No events yet">
      Create a geofence and track a device into it; the Overview page has the commands. Events appear here as they
      happen.
    </Empty>
  );
}

function Filters({ end }: { end: ComponentChildren }) {
  return (
    <FilterBar names={FILTERS} end={end}>
      <SelectFilter
        name="type"
        label="All types"
        options={EVENT_TYPES.map((type) => [type, typeWords(type)] as const)}
      />
      <SearchFilter name="user" label="User or device" placeholder="User" />
      <SelectFilter
        name="confidence"
        label="Any confidence"
        options={[
          ["3", "High"],
          ["2", "Medium"],
          ["1", "Low"],
        ]}
      />
      <TimeFilter name="after" label="From" />
      <TimeFilter name="before" label="To" />
    </FilterBar>
  );
}

const LIVE: Record<ReturnType<typeof useLive>, { word: string; tone: Tone }> = {
  connecting: { word: "Connecting", tone: "plain" },
  open: { word: "Connected", tone: "good" },
  waiting: { word: "Disconnected, retrying", tone: "warn" },
  ended: { word: "Ended", tone: "bad" },
};

/** Live events. After a lost connection the list is refetched, so that missed events appear too. */
function useTail(filter: { types: string; userId: string; confidence: string }, on: boolean, again: () => void) {
  const key = `${filter.types} ${filter.userId} ${filter.confidence}`;
  const [held, setHeld] = useState<{ key: string; events: WireEvent[] }>({ key, events: [] });
  const [seen, setSeen] = useState(false);
  const onEvent = useCallback(
    (event: WireEvent) => {
      if (filter.confidence && String(event.confidence) !== filter.confidence) return;
      setHeld((now) => ({ key, events: [event, ...(now.key === key ? now.events : [])].slice(0, MAX_LIVE) }));
    },
    [key, filter.confidence],
  );
  const state = useLive(
    {
      kinds: "events",
      types: filter.types,
      userId: filter.userId,
      onEvent,
      onHello: () => {
        if (seen) again();
        setSeen(true);
      },
    },
    on,
  );
  return { state, events: on && held.key === key ? held.events : NONE };
}

const NONE: WireEvent[] = [];

/** Newest first, each once. */
function mergeEvents(live: readonly WireEvent[], listed: readonly WireEvent[]): readonly WireEvent[] {
  if (live.length === 0) return listed;
  const known = new Set(listed.map(({ _id }) => _id));
  const fresh = live.filter(({ _id }) => !known.has(_id) && known.add(_id));
  if (fresh.length === 0) return listed;
  return [...fresh, ...listed].sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

const filterOf = (query: URLSearchParams) => ({
  types: query.get("type") ?? "",
  userId: query.get("user") ?? "",
  confidence: query.get("confidence") ?? "",
  createdAfter: timeOf(query.get("after")),
  createdBefore: timeOf(query.get("before")),
});

function timeOf(text: string | null): string | undefined {
  const at = Date.parse(text ?? "");
  return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
}
