import { useEffect, useMemo } from "preact/hooks";
import type { listAllEvents } from "../../worker/http/events/events.ts";
import { type Answer, useQuery } from "../api/hooks.ts";
import { useAddress, useQueryValue } from "../base/router.tsx";
import { Button, Choice } from "../parts/button.tsx";
import { lazy } from "../parts/lazy.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty, Failure, Skeleton } from "../parts/states.tsx";
import type { ChartProps } from "../parts/values/chart.tsx";
import { EndpointName } from "../parts/values/code.tsx";
import { ErrorCount } from "../parts/values/error-count.tsx";
import { count, percent, plural, short } from "../parts/values/format.tsx";
import { useMinute } from "../parts/values/now.ts";
import { type Column, numberColumn, Table } from "../table/table.tsx";
import {
  changeSentence,
  type EndpointRow,
  endpointRows,
  eventSeries,
  type FigureKind,
  onlyStep,
  SPANS,
  type Span,
  type Stats,
  spanOf,
  totalOf,
} from "./overview/figures.ts";
import { FirstSteps } from "./overview/first-steps.tsx";
import "./overview.css";

const loadChart = () => import("../parts/values/chart.tsx");
const Chart = lazy<ChartProps>(loadChart, 244);

/** Usage statistics over time, compared with the previous period, with links to details. */
export function Overview() {
  const [value, setValue] = useQueryValue("span", "7d");
  const span = SPANS.find(({ name }) => name === value) ?? SPANS[1];
  const now = useMinute();
  const query = useMemo(() => spanOf(span, now), [span, now]);
  const stats = useQuery<{ stats: Stats }>("/v1/stats", query, { keep: true });
  const first = useQuery<Answer<typeof listAllEvents>>("/v1/events", { limit: 1 }, { every: 10_000 });
  // The code of the charts comes while the figures are requested.
  useEffect(() => {
    loadChart().catch(() => {});
  }, []);
  const isNew = first.data?.events.length === 0;
  return (
    <>
      <PageHead
        title="Overview"
        actions={
          <Choice
            label="Time"
            options={SPANS.map(({ name, title }) => [name, title] as const)}
            value={span.name}
            onChange={setValue}
          />
        }
      />
      {isNew && <FirstSteps />}
      {stats.problem && <Failure problem={stats.problem} again={stats.again} />}
      {stats.data && <p class="lead">{changeSentence(stats.data.stats, span)}</p>}
      <Figures stats={stats.data?.stats} span={span} />
      <Charts stats={stats.data?.stats} span={span} />
      <Endpoints stats={stats.data?.stats} span={span} />
    </>
  );
}

const FIGURES: { kind: FigureKind; title: string; page?: string; unit: string; about?: string }[] = [
  { kind: "users", title: "Active users", page: "users", unit: "user" },
  { kind: "tracks", title: "Location updates", unit: "update" },
  { kind: "events", title: "Events", page: "events", unit: "event" },
  { kind: "calls", title: "API calls", unit: "call" },
  { kind: "rejected", title: "Client errors", unit: "error", about: "status 4xx" },
  { kind: "failures", title: "Server errors", unit: "error", about: "status 5xx" },
];

function Figures({ stats, span }: { stats?: Stats; span: Span }) {
  const { to } = useAddress();
  return (
    <section class="figures" aria-label="Figures">
      {FIGURES.map(({ kind, title, page, unit, about }) => {
        const figure = stats && totalOf(stats, kind, span);
        const body = (
          <>
            <span class="muted">{title}</span>
            <span class="figure number" title={figure && plural(figure.now, unit)}>
              {figure ? <Count kind={kind} of={figure.now} /> : <Skeleton width={72} height={28} />}
            </span>
            <span class="small muted">
              {figure ? (
                [about, against(figure)].filter(Boolean).join(", ") || "\u00a0"
              ) : (
                <Skeleton width={96} height={12} />
              )}
            </span>
          </>
        );
        return page ? (
          <a key={kind} class="card figure-card" href={to(page)}>
            {body}
          </a>
        ) : (
          <div key={kind} class="card figure-card">
            {body}
          </div>
        );
      })}
    </section>
  );
}

/** Red is for faults of the server; a rejected request is a fault of the caller. */
const Count = ({ kind, of }: { kind: FigureKind; of: number }) => (
  <span class={kind === "failures" && of > 0 ? "errors" : undefined}>{short(of)}</span>
);

/** "+12 %": the sentence above the figures says against what. */
function against({ now, before, of }: { now: number; before?: number; of: string }): string {
  if (of || !before) return of;
  const change = ((now - before) / before) * 100;
  return `${change >= 0 ? "+" : "−"}${count(Math.abs(change))} %`;
}

const CHARTS = [
  { title: "Events by type", series: "events", label: "Events by type over time" },
  { title: "Location updates", series: "tracks", label: "Location updates over time", bars: true },
  { title: "Active users", series: "users", label: "Active users over time", bars: true },
  { title: "API calls and errors (4xx, 5xx)", series: "calls", label: "Calls and errors over time" },
] as const;

function Charts({ stats, span }: { stats?: Stats; span: Span }) {
  const shown = useMemo(() => stats && eventSeries(stats, span), [stats, span]);
  return (
    <div class="cards charts">
      {CHARTS.map(({ title, series, ...look }) => (
        <section key={series} class="card">
          <h2>{title}</h2>
          {!shown ? (
            <Skeleton height={244} />
          ) : shown[series].length === 0 ? (
            <Empty title={`No events in ${span.words}`} />
          ) : onlyStep(shown[series]) !== undefined ? (
            <OneStep at={shown.times[onlyStep(shown[series]) ?? 0]} span={span} />
          ) : (
            <Chart {...look} times={shown.times} series={shown[series]} />
          )}
        </section>
      ))}
    </div>
  );
}

/** In place of a chart with one bar. */
function OneStep({ at, span }: { at: number; span: Span }) {
  const [, setSpan] = useQueryValue("span", "7d");
  const isDay = span.step === "day";
  const format = new Intl.DateTimeFormat("en-GB", isDay ? { day: "numeric", month: "long" } : { timeStyle: "short" });
  return (
    <Empty title={isDay ? `All on ${format.format(at)}` : `All in the hour from ${format.format(at)}`}>
      {isDay ? (
        <Button onClick={() => setSpan("24h")}>Show the last 24 hours</Button>
      ) : (
        "The chart begins with the next hour."
      )}
    </Empty>
  );
}

const ENDPOINT_COLUMNS: readonly Column<EndpointRow>[] = [
  { name: "Endpoint", cell: ({ name }) => <EndpointName of={name} /> },
  numberColumn("Calls", 96, ({ calls }) => count(calls)),
  numberColumn("4xx", 88, ({ errors, failures }) => count(errors - failures)),
  numberColumn("5xx", 88, ({ failures }) => <ErrorCount of={failures} />),
  numberColumn("Errors", 88, ({ calls, errors }) => percent(errors, calls)),
];

function Endpoints({ stats, span }: { stats?: Stats; span: Span }) {
  const rows = useMemo(() => (stats ? endpointRows(stats, span) : []), [stats, span]);
  return (
    <section class="stack tight">
      <h2>By endpoint</h2>
      <Table
        label="Calls by endpoint"
        inPage
        rows={rows}
        rowKey={({ name }) => name}
        columns={ENDPOINT_COLUMNS}
        pages={stats ? undefined : { hasMore: false, loading: true, more() {}, again() {} }}
        empty={<Empty title={`No calls in ${span.words}`}>Calls with an API key appear here within seconds.</Empty>}
      />
    </section>
  );
}
