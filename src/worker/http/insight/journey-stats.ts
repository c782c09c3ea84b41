import { z } from "zod";
import { type TimelinePart, type TimelineQuery, totalsOf } from "../../../core/tracking/journeys/timeline.ts";
import { isTimeZone } from "../../../core/tracking/types/operating-hours.ts";
import { excessesOf, type PastExcess } from "../../answers/journeys/excesses.ts";
import { type RecentUser, usersSince } from "../../db/customers/recent-users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { invalid } from "../../platform/errors.ts";
import { number, optionalText } from "../../wire/input/fields.ts";
import { totalsShape, wireTotals } from "../../wire/journey.ts";
import { JOURNEY_STATS_COLUMNS } from "../../wire/tables/columns.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { userFilterFields } from "../users/users.ts";
import { CSV_TYPE, csvAnswer, journeyFields, rangeOf } from "./journeys.ts";
import { type TimeStep, timeSteps } from "./time-steps.ts";
import { keptSince } from "./updates.ts";

const DAY_MS = 24 * 3600_000;
/** Users whose trackers are asked together. */
const AT_ONCE = 20;
const { search, metadata, segment, userTags } = userFilterFields;

export const getJourneyStats = endpoint({
  name: "getJourneyStats",
  method: "GET",
  path: "/v1/stats/journeys",
  level: "secret",
  chapter: "Stats",
  summary: "Returns distance, time moving and stops of users per day.",
  description:
    "A row per user and day with a stop or journey, of the users that were updated since `from`, in the order of their last update. Distances are along the smoothed positions; `GET /v1/users/:id/journeys` matches them to roads. A journey and an excess of a speed limit count on the day on which they begin, a stop on each day that it touches.",
  query: z.object({
    ...journeyFields,
    ...{ search, metadata, segment, userTags },
    timeZone: optionalText(64).meta({
      description: "IANA name; sets where days begin. Default: the project's (setting `timeZone`), else UTC",
      example: "Europe/Berlin",
    }),
    limit: number({ min: 1, max: 100, integer: true }).default(50).meta({ description: "users per page" }),
    cursor: optionalText(80).meta({
      description: "`nextCursor` of the previous response; with CSV, of its header x-next-cursor",
    }),
  }),
  response: z.object({
    days: z.array(
      totalsShape.extend({
        day: z.string().meta({ description: "the local date", example: "2026-07-01" }),
        user: z.object({
          ...{ _id: z.string(), userId: z.string().optional(), deviceId: z.string() },
          description: z.string().optional(),
        }),
      }),
    ),
    nextCursor: z.string().optional().meta({ description: "absent: this is the last page" }),
  }),
  orMedia: [CSV_TYPE],
  async handle(call) {
    const { query, caller, env, now } = call;
    const { timeZone = caller.settings.timeZone ?? "UTC" } = query;
    if (!isTimeZone(timeZone)) throw invalid("timeZone", "Must be an IANA name such as Europe/Berlin.");
    const range = rangeOf(query, now);
    const from = Math.max(range.from, keptSince(caller, now));
    const to = Math.max(from, range.to);
    await settleWrites(env);
    const after = cursorOf(query.cursor, from);
    const place = { day: Math.floor(from / DAY_MS), ...after };
    const users = await usersSince(env.DB, caller.scope, place, query.limit, query, true);
    const steps = from < to ? timeSteps(from, to, "day", timeZone) : [];
    const ids = users.map(({ id }) => id);
    const excesses = await excessesOf(env, caller.scope, ids, { from, to }, () => call.leftOut("events"));
    const days: ReturnType<typeof rowsOf> = [];
    for (let k = 0; k < users.length; k += AT_ONCE) {
      const some = users.slice(k, k + AT_ONCE);
      const asked = { from, to, minStopSeconds: query.minStop * 60 };
      const timelines = await Promise.all(some.map((user) => timelineOfUser(call, user, asked)));
      for (const [i, parts] of timelines.entries()) {
        const own = excesses.filter(({ user }) => user === some[i].id);
        days.push(...rowsOf({ parts, excesses: own }, steps, some[i], timeZone));
      }
    }
    const last = users.length === query.limit ? users[users.length - 1] : undefined;
    const nextCursor = last && `${last.updatedAt}-${last.id}`;
    if (query.format === "json") return { days, nextCursor };
    const answer = csvAnswer(JOURNEY_STATS_COLUMNS, days, "journeys-by-day.csv");
    if (nextCursor) answer.headers.set("x-next-cursor", nextCursor);
    return answer;
  },
});

function cursorOf(text: string | undefined, from: number): { after: number; afterId?: string } {
  if (text === undefined) return { after: from - 1 };
  const [, at, id] = /^(\d{1,15})-([0-9a-f]{1,60})$/.exec(text) ?? [];
  if (at === undefined) throw invalid("cursor", "Must be the nextCursor of a response.");
  return { after: Number(at), afterId: id };
}

async function timelineOfUser({ env, caller }: Call, { id, deviceId }: RecentUser, query: TimelineQuery) {
  return (await deviceTrackerOf(env, caller.scope, deviceId).timeline(id, query, false)) ?? [];
}

interface Found {
  parts: readonly TimelinePart[];
  excesses: readonly PastExcess[];
}

function rowsOf({ parts, excesses }: Found, steps: readonly TimeStep[], user: RecentUser, timeZone: string) {
  return steps.flatMap(({ at }, i) => {
    const end = steps[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    const own = parts.flatMap((part): TimelinePart[] => {
      if (part.kind === "journey") return part.from >= at && part.from < end ? [part] : [];
      const cut = { ...part, from: Math.max(part.from, at), to: Math.min(part.to, end) };
      return cut.from < cut.to ? [cut] : [];
    });
    const fast = excesses.filter(({ from }) => from >= at && from < end);
    return own.length + fast.length > 0 ? [rowOf(at, timeZone, user, wireTotals(totalsOf(own), fast))] : [];
  });
}

function rowOf<Totals>(at: number, timeZone: string, user: RecentUser, totals: Totals) {
  const { id, userId, deviceId, description } = user;
  const day = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
  const named = { ...(userId !== null && { userId }), deviceId, ...(description !== null && { description }) };
  return { day, user: { _id: id, ...named }, ...totals };
}
