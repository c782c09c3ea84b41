import { z } from "zod";
import { statsBetween, usageBetween } from "../../db/stats.ts";
import { LONGEST_GAP } from "../../db/stats-sql.ts";
import { settleWrites } from "../../objects/stubs/database-writers.ts";
import { wireDate } from "../../wire/date.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { invalid } from "../serve/errors.ts";
import { datetime, listOf, oneOf, optionalText } from "../serve/fields.ts";
import { isTimeZone, type TimeStep, timeSteps } from "./time-steps.ts";

const KINDS = ["calls", "errors", "tracks", "users", "events"] as const;
type Kind = (typeof KINDS)[number];

const DAY_MS = 24 * 3600_000;
/** The longest span, and the usual one, of each step [days]. */
const LONGEST = { hour: 31, day: 400 } as const;
const USUAL = { hour: 1, day: 7 } as const;

interface Series {
  kind: Kind;
  name: string;
  values: number[];
}

export const getStats = endpoint({
  name: "getStats",
  method: "GET",
  path: "/v1/stats",
  level: "secret",
  chapter: "Stats",
  summary: "Figures over time: calls and errors by endpoint, location updates, active users, events by type.",
  description: `By hours or days, the steps at both ends as a whole. Events are counted exactly, in the hour in which they happened; those deleted since are still in the figures. \`users\` are different users whose updates arrived in the step, each once. \`calls\` are requests that were let in, \`errors\` answers of 400 and above to a known key, those over a rate limit included; what the dashboard itself asks is in neither. Calls, errors and tracks come within seconds, the others at once. Figures are kept for 13 months. Series of nothing but zeros are left out, except for tracks and users.`,
  query: z.object({
    from: datetime()
      .optional()
      .meta({
        description: `default: ${USUAL.hour} day (hour) or ${USUAL.day} days (day) before \`to\``,
      }),
    to: datetime().optional().meta({ description: "default: now" }),
    step: oneOf(["hour", "day"])
      .default("day")
      .meta({
        description: `at most ${LONGEST.hour} days by hour, ${LONGEST.day} by day`,
      }),
    kinds: listOf(KINDS).default([...KINDS]),
    timeZone: optionalText(64).meta({
      description:
        "IANA name; where days begin. Default: UTC. Where midnight lies within an hour of UTC, that hour belongs to the day before",
      example: "Europe/Berlin",
    }),
  }),
  shows: ["step", "kinds"],
  response: z.object({
    stats: z.object({
      from: z.string().meta({ format: "date-time", description: "when the first step begins" }),
      to: z.string().meta({ format: "date-time" }),
      step: z.enum(["hour", "day"]),
      timeZone: z.string(),
      times: z.array(z.string()).meta({ description: "when each step begins" }),
      series: z.array(
        z.object({
          kind: z.enum(KINDS),
          name: z
            .string()
            .meta({ description: "the endpoint, or the type of the events; empty where there is no such" }),
          values: z.array(z.number()).meta({ description: "one for each of `times`" }),
        }),
      ),
    }),
  }),
  async handle(call) {
    const { query, now } = call;
    const { step, kinds, timeZone = "UTC" } = query;
    if (!isTimeZone(timeZone)) throw invalid("timeZone", "Must be an IANA name such as Europe/Berlin.");
    const to = query.to ?? now;
    const from = query.from ?? to - USUAL[step] * DAY_MS;
    if (from >= to) throw invalid("from", "Must be before `to`.");
    if (to - from > LONGEST[step] * DAY_MS)
      throw invalid("from", `At most ${LONGEST[step]} days before \`to\` with step ${step}.`);
    const steps = timeSteps(from, to, step, timeZone);
    const series = await seriesOf(call, [...new Set(kinds)], steps);
    return {
      stats: {
        from: wireDate(steps[0].at),
        to: wireDate(to),
        step,
        timeZone,
        times: steps.map(({ at }) => wireDate(at)),
        series,
      },
    };
  },
});

async function seriesOf({ env, caller }: Call, kinds: readonly Kind[], steps: readonly TimeStep[]): Promise<Series[]> {
  const { scope } = caller;
  const [from, to] = [steps[0].from, steps[steps.length - 1].to];
  const wants = (...some: Kind[]) => some.some((kind) => kinds.includes(kind));
  if (wants("users", "events")) await settleWrites(env);
  const [usage, users, events] = await Promise.all([
    wants("calls", "errors", "tracks") ? usageBetween(env.DB, scope, from, to) : [],
    wants("users") ? statsBetween(env.DB, scope, "user", from, to) : [],
    wants("events") ? statsBetween(env.DB, scope, "event", from, to) : [],
  ]);
  const found = new Map<string, Series>();
  const at = stepFinder(steps);
  const add = (kind: Kind, name: string, hour: number, count: number) => {
    const key = `${kind} ${name}`;
    const series = found.get(key) ?? { kind, name, values: new Array<number>(steps.length).fill(0) };
    series.values[at(hour)] += count;
    found.set(key, series);
  };
  for (const kind of ["tracks", "users"] as const) if (wants(kind)) add(kind, "", from, 0);
  for (const { hour, endpoint, calls, errors, updates } of usage) {
    if (wants("calls") && calls > 0) add("calls", endpoint, hour, calls);
    if (wants("errors") && errors > 0) add("errors", endpoint, hour, errors);
    if (wants("tracks")) add("tracks", "", hour, updates);
  }
  // Who was active before within the same step has been counted in that hour.
  for (const { hour, name, count } of users) {
    const gap = Number(name);
    if (gap === LONGEST_GAP || gap > hour - steps[at(hour)].from) add("users", "", hour, count);
  }
  for (const { hour, name, count } of events) add("events", name, hour, count);
  const order = (kind: Kind) => KINDS.indexOf(kind);
  return [...found.values()].sort((a, b) => order(a.kind) - order(b.kind) || (a.name < b.name ? -1 : 1));
}

/** Finds the step of an hour. */
function stepFinder(steps: readonly TimeStep[]): (hour: number) => number {
  const first = steps[0].from;
  const byHour: number[] = [];
  for (const [i, { from, to }] of steps.entries()) for (let hour = from; hour < to; hour++) byHour[hour - first] = i;
  return (hour) => byHour[hour - first];
}
