import { z } from "zod";
import { isTimeZone } from "../../../core/tracking/types/operating-hours.ts";
import { statsOf, usageOfSteps } from "../../db/customers/stats.ts";
import { commonDatabase } from "../../db/databases.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { invalid } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { datetime, listOf, oneOf, optionalText } from "../../wire/input/fields.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { settleUsage } from "../serve/usage.ts";
import { runsOf, type TimeStep, timeSteps } from "./time-steps.ts";

const KINDS = ["calls", "errors", "failures", "tracks", "users", "events"] as const;
type Kind = (typeof KINDS)[number];

const DAY_MS = 24 * 3600_000;
/** Maximum and default range of each step [days]. */
const MAX_LENGTH = { hour: 31, day: 400 } as const;
const DEFAULT_VALUE = { hour: 1, day: 7 } as const;

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
  summary:
    "Returns statistics over time: calls and errors by endpoint, location updates, active users, events by type.",
  description: `By hour or day; the first and last steps are complete. Events are counted exactly, in the hour in which they happened; deleted events stay counted. \`users\` are distinct users, on however many devices, whose updates arrived in the step. \`calls\` are accepted requests, \`errors\` responses of 400 and above to a known key, including those over a rate limit, \`failures\` those of 500 and above; none includes the dashboard's own requests. Calls, errors, failures and tracks are up to half a minute late, the others are immediate. Statistics are stored for 13 months. Series with only zeros are omitted, except for tracks and users.`,
  query: z.object({
    from: datetime()
      .optional()
      .meta({
        description: `default: ${DEFAULT_VALUE.hour} day (hour) or ${DEFAULT_VALUE.day} days (day) before \`to\``,
      }),
    to: datetime().optional().meta({ description: "default: now" }),
    step: oneOf(["hour", "day"])
      .default("day")
      .meta({
        description: `at most ${MAX_LENGTH.hour} days by hour, ${MAX_LENGTH.day} by day`,
      }),
    kinds: listOf(KINDS).default([...KINDS]),
    timeZone: optionalText(64).meta({
      description:
        "IANA name; sets where days begin. Default: the project's (setting `timeZone`), else UTC. If midnight is not on a full UTC hour, that hour belongs to the previous day",
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
          name: z.string().meta({ description: "the endpoint, or the type of the events; empty if neither applies" }),
          values: z.array(z.number()).meta({ description: "one for each of `times`" }),
        }),
      ),
    }),
  }),
  async handle(call) {
    const { query, now } = call;
    const { step, kinds, timeZone = call.caller.settings.timeZone ?? "UTC" } = query;
    if (!isTimeZone(timeZone)) throw invalid("timeZone", "Must be an IANA name such as Europe/Berlin.");
    const to = query.to ?? now;
    const from = query.from ?? to - DEFAULT_VALUE[step] * DAY_MS;
    if (from >= to) throw invalid("from", "Must be before `to`.");
    if (to - from > MAX_LENGTH[step] * DAY_MS)
      throw invalid("from", `At most ${MAX_LENGTH[step]} days before \`to\` with step ${step}.`);
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
  const wants = (...some: Kind[]) => some.some((kind) => kinds.includes(kind));
  if (wants("users", "events")) await settleWrites(env, true);
  if (wants("calls", "errors", "failures", "tracks")) await settleUsage(env, caller.project);
  const found = new Map<string, Series>();
  const add = (kind: Kind, name: string, step: number, count: number) => {
    const key = `${kind} ${name}`;
    const series = found.get(key) ?? { kind, name, values: new Array<number>(steps.length).fill(0) };
    series.values[step] += count;
    found.set(key, series);
  };
  for (const kind of ["tracks", "users"] as const) if (wants(kind)) add(kind, "", 0, 0);
  await Promise.all(
    runsOf(steps).map(async ({ first, ...run }) => {
      const [usage, users, events] = await Promise.all([
        wants("calls", "errors", "failures", "tracks") ? usageOfSteps(commonDatabase(env), scope, run) : [],
        wants("users") ? statsOf(env.DB, scope, "user", run) : [],
        wants("events") ? statsOf(env.DB, scope, "event", run) : [],
      ]);
      for (const { step, endpoint, calls, errors, failures, updates } of usage) {
        if (wants("calls") && calls > 0) add("calls", endpoint, first + step, calls);
        if (wants("errors") && errors > 0) add("errors", endpoint, first + step, errors);
        if (wants("failures") && failures > 0) add("failures", endpoint, first + step, failures);
        if (wants("tracks")) add("tracks", "", first + step, updates);
      }
      for (const { step, count } of users) add("users", "", first + step, count);
      for (const { step, name, count } of events) add("events", name, first + step, count);
    }),
  );
  const order = (kind: Kind) => KINDS.indexOf(kind);
  return [...found.values()].sort((a, b) => order(a.kind) - order(b.kind) || (a.name < b.name ? -1 : 1));
}
