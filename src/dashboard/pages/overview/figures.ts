import type { QueryValues } from "../../api/problem.ts";
import { count, plural } from "../../parts/values/numbers.ts";
import { typeWords } from "../../parts/values/type-words.ts";

/**
 * Computes the overview statistics from /v1/stats. Requests twice the time span, to compare each number with the
 * previous period.
 */

export type Kind = "calls" | "errors" | "failures" | "tracks" | "users" | "events";
/** Errors are responses of 400 and above, failures those of 500 and above. The pages count the others apart. */
export type FigureKind = Kind | "rejected";

export interface Stats {
  step: "hour" | "day";
  times: string[];
  series: { kind: Kind; name: string; values: number[] }[];
}

export interface Span {
  name: string;
  title: string;
  /** "7 days" */
  words: string;
  step: "hour" | "day";
  steps: number;
  /** Is the time before asked for, too? Of a year it is not kept. */
  compares: boolean;
}

export const SPANS: readonly Span[] = [
  { name: "24h", title: "24 h", words: "24 hours", step: "hour", steps: 24, compares: true },
  { name: "7d", title: "7 d", words: "7 days", step: "day", steps: 7, compares: true },
  { name: "30d", title: "30 d", words: "30 days", step: "day", steps: 30, compares: true },
  { name: "12m", title: "12 m", words: "12 months", step: "day", steps: 365, compares: false },
];

const LENGTH_MS = { hour: 3600_000, day: 86_400_000 };

/** The query of a time span. The last step is the current one; full minutes limit the number of cache keys. */
export function spanOf({ step, steps, compares }: Span, now: number): QueryValues {
  const to = Math.ceil(now / 60_000) * 60_000;
  const from = to - ((compares ? 2 : 1) * steps - 1) * LENGTH_MS[step];
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { step, from: new Date(from).toISOString(), to: new Date(to).toISOString(), timeZone };
}

/** The steps of the span itself, without those before. */
function ownSteps<T>(values: readonly T[], { steps }: Span): readonly T[] {
  return values.slice(-steps);
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/**
 * A figure for the span, and for the time before it. Active users cannot be added up over steps, as the same user is active in
 * several: theirs is the figure of the step that runs.
 */
export function totalOf(stats: Stats, kind: FigureKind, span: Span): { now: number; before?: number; of: string } {
  const { series, step } = stats;
  if (kind === "rejected") {
    const [errors, failures] = [totalOf(stats, "errors", span), totalOf(stats, "failures", span)];
    const before = errors.before === undefined ? undefined : errors.before - (failures.before ?? 0);
    return { now: errors.now - failures.now, before, of: "" };
  }
  const all = series.filter((one) => one.kind === kind);
  if (kind === "users") {
    const values = all[0]?.values ?? [];
    const most = Math.max(0, ...ownSteps(values, span));
    const [unit, busiest] = step === "hour" ? ["this hour", "in the busiest hour"] : ["today", "on the busiest day"];
    return { now: values.at(-1) ?? 0, of: `${unit}, ${count(most)} ${busiest}` };
  }
  const now = sum(all.map(({ values }) => sum(ownSteps(values, span))));
  const before = sum(all.map(({ values }) => sum(values.slice(-2 * span.steps, -span.steps))));
  return { now, before: span.compares ? before : undefined, of: "" };
}

/** Changes below this share are none [%]. */
const SAME_PERCENT = 2;
/** From here on, the times are said in place of the share [%]. */
const MANY_TIMES_PERCENT = 200;

/** What changed since the period before, in one sentence; undefined: nothing can be said. */
export function changeSentence(stats: Stats, span: Span): string | undefined {
  if (!span.compares) return undefined;
  const [updates, events] = (["tracks", "events"] as const).map((kind) => totalOf(stats, kind, span));
  const failures = totalOf(stats, "failures", span).now;
  const faults = failures > 0 ? ` ${plural(failures, "request")} failed on the server.` : "";
  if (updates.now + events.now === 0)
    return updates.before
      ? `No location updates in ${span.words}; there ${updates.before === 1 ? "was" : "were"} ${count(updates.before)} in the ${span.words} before.`
      : undefined;
  if (!updates.before && !events.before) return `The first data came within the last ${span.words}.${faults}`;
  const [moved, happened] = [changeOf(updates), changeOf(events)];
  const text =
    moved === happened ? `Location updates and events: ${moved}` : `Location updates: ${moved}, events: ${happened}`;
  return `${text}, compared with the ${span.words} before.${faults}`;
}

function changeOf({ now, before = 0 }: { now: number; before?: number }): string {
  if (now === 0) return "none";
  if (before === 0) return "new";
  const percent = Math.round(((now - before) / before) * 100);
  if (Math.abs(percent) < SAME_PERCENT) return "about as many";
  if (percent >= MANY_TIMES_PERCENT) return `${count(now / before)} times as many`;
  return percent > 0 ? `${count(percent)} % more` : `${count(-percent)} % fewer`;
}

/** The only step with a value, of a chart that would have one bar. */
export function onlyStep(series: readonly { values: readonly number[] }[]): number | undefined {
  const steps = new Set(series.flatMap(({ values }) => values.flatMap((value, i) => (value > 0 ? [i] : []))));
  return steps.size === 1 ? [...steps][0] : undefined;
}

/** Lines of one chart are at most this many; the smallest types share one. */
const MAX_LINES = 6;

export function eventSeries({ series, times }: Stats, span: Span) {
  const own = (kind: Kind) =>
    series.filter((one) => one.kind === kind).map(({ name, values }) => ({ name, values: ownSteps(values, span) }));
  const together = (kind: Kind, name: string) => [
    {
      name,
      values: addUp(
        own(kind).map(({ values }) => values),
        span.steps,
      ),
    },
  ];
  const events = own("events")
    .filter(({ values }) => sum(values) > 0)
    .sort((a, b) => sum(b.values) - sum(a.values));
  const shown = events.slice(0, events.length > MAX_LINES ? MAX_LINES - 1 : MAX_LINES);
  const rest = events.slice(shown.length).map(({ values }) => values);
  return {
    times: ownSteps(times, span).map((time) => Date.parse(time)),
    events: [
      ...shown.map(({ name, values }) => ({ name: typeWords(name), values })),
      ...(rest.length > 0 ? [{ name: "others", values: addUp(rest, span.steps) }] : []),
    ],
    tracks: together("tracks", "updates"),
    users: together("users", "users"),
    calls: [
      ...together("calls", "calls"),
      { name: "4xx", values: rejectedOf(together("errors", "")[0].values, together("failures", "")[0].values) },
      ...together("failures", "5xx").map((one) => ({ ...one, isError: true })),
    ],
  };
}

const rejectedOf = (errors: readonly number[], failures: readonly number[]) =>
  errors.map((count, i) => count - (failures[i] ?? 0));

function addUp(lists: readonly (readonly number[])[], steps: number): number[] {
  const length = lists[0]?.length ?? steps;
  return Array.from({ length }, (_, i) => sum(lists.map((values) => values[i] ?? 0)));
}

export interface EndpointRow {
  name: string;
  calls: number;
  /** Responses of 400 and above; of them, those of 500 and above. */
  errors: number;
  failures: number;
}

/** Endpoints with their calls and errors, the busiest first. */
export function endpointRows({ series }: Stats, span: Span): EndpointRow[] {
  const rows = new Map<string, EndpointRow>();
  for (const { kind, name, values } of series) {
    if (kind !== "calls" && kind !== "errors" && kind !== "failures") continue;
    const row = rows.get(name) ?? { name, calls: 0, errors: 0, failures: 0 };
    row[kind] += sum(ownSteps(values, span));
    rows.set(name, row);
  }
  return [...rows.values()].filter(({ calls, errors }) => calls + errors > 0).sort((a, b) => b.calls - a.calls);
}
