import { z } from "zod";
import { DEFAULT_MIN_STOP_SECONDS } from "../../../core/tracking/journeys/journeys.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import { describeTimeline } from "../../answers/journeys/describe-timeline.ts";
import { excessesOf } from "../../answers/journeys/excesses.ts";
import { findUser } from "../../db/customers/users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { datetime, flag, number, oneOf } from "../../wire/input/fields.ts";
import { timelinePartShape, totalsShape, wireTotals } from "../../wire/journey.ts";
import { geometryField } from "../../wire/routes/route-fields.ts";
import { JOURNEY_COLUMNS, tableRow } from "../../wire/tables/columns.ts";
import { csvRow } from "../../wire/tables/write-csv.ts";
import { endpoint } from "../serve/endpoint.ts";
import { keptSince } from "./updates.ts";

const DAY_MS = 24 * 3600_000;
/** Maximum range [days]. */
const MAX_JOURNEY_DAYS = 31;
export const CSV_TYPE = "text/csv";

/** Fields that both reports have. */
export const journeyFields = {
  from: datetime().optional().meta({ description: "default: one day before `to`" }),
  to: datetime()
    .optional()
    .meta({ description: `default: now; at most ${MAX_JOURNEY_DAYS} days after \`from\`` }),
  minStop: number({ min: 1, max: 120 })
    .default(DEFAULT_MIN_STOP_SECONDS / 60)
    .meta({ description: "minutes; a shorter stand, such as at a traffic light, is part of a journey" }),
  format: oneOf(["json", "csv"]).default("json"),
};

/** The range of a report [ms], within what is stored. @throws ApiError 400 */
export function rangeOf({ from, to }: { from?: number; to?: number }, now: number): { from: number; to: number } {
  const end = to ?? now;
  const begin = from ?? end - DAY_MS;
  if (begin >= end) throw invalid("from", "Must be before `to`.");
  // A day of a clock change has 25 hours.
  if (end - begin > MAX_JOURNEY_DAYS * DAY_MS + DAY_MS / 24)
    throw invalid("from", `At most ${MAX_JOURNEY_DAYS} days before \`to\`.`);
  return { from: begin, to: end };
}

export const listUserJourneys = endpoint({
  name: "listUserJourneys",
  method: "GET",
  path: "/v1/users/:id/journeys",
  level: "secret",
  chapter: "Users",
  summary: "Returns a user's time as alternating stops and journeys, with distances, by _id, userId or deviceId.",
  description:
    "Computed from the stored updates (`retention.updates`), in the order of their own times. While a device stands, its noise makes no journeys. A stop is cut at the limits of the range; a journey belongs to the range in which it begins. Distances follow the roads where they are imported, else the smoothed positions. If several records match, uses the one updated last.",
  query: z.object({
    ...journeyFields,
    addresses: flag().default(true).meta({ description: "the nearest address of each stop" }),
    roads: flag().default(true).meta({ description: "match journeys to imported roads" }),
    geometry: geometryField().optional().meta({ description: "return the line of each journey, in this format" }),
  }),
  response: z.object({ timeline: z.array(timelinePartShape), totals: totalsShape }),
  orMedia: [CSV_TYPE],
  errors: [404],
  async handle(call) {
    const { params, query, caller, env, now } = call;
    const range = rangeOf(query, now);
    await settleWrites(env);
    const user = await findUser(env.DB, caller.scope, params.id);
    if (!user) throw notFound("User");
    const from = Math.max(range.from, keptSince(caller, now));
    const wantsLines = query.roads || query.geometry !== undefined;
    const tracker = deviceTrackerOf(env, caller.scope, user.deviceId);
    const asked = { from, to: Math.max(from, range.to), minStopSeconds: query.minStop * 60 };
    const parts = (await tracker.timeline(user.id, asked, wantsLines)) ?? [];
    const { timeline, totals } = await describeTimeline(call, parts, query);
    if (query.format === "json") {
      const excesses = await excessesOf(env, caller.scope, [user.id], asked, () => call.leftOut("events"));
      return { timeline, totals: wireTotals(totals, excesses) };
    }
    const { userId } = JSON.parse(user.doc) as UserState;
    return csvAnswer(
      JOURNEY_COLUMNS,
      timeline.map((part) => ({ userId, deviceId: user.deviceId, ...part })),
      "journeys.csv",
    );
  },
});

export function csvAnswer(columns: readonly string[], rows: readonly object[], name: string): Response {
  const text = [csvRow(columns), ...rows.map((row) => tableRow(columns, row))].join("");
  return new Response(text, {
    headers: {
      "content-type": `${CSV_TYPE}; charset=utf-8`,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}
