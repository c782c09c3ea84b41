import { z } from "zod";
import { findUser } from "../../db/customers/users.ts";
import { DEFAULT_RETENTION } from "../../db/projects/retention.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { datetime, number, optionalText } from "../../wire/input/fields.ts";
import { updateShape, wireUpdate } from "../../wire/updates.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { endpoint } from "../serve/endpoint.ts";
import { writeRows } from "../serve/rows.ts";

const DAY_MS = 24 * 3600_000;

export const listUserUpdates = endpoint({
  name: "listUserUpdates",
  method: "GET",
  path: "/v1/users/:id/updates",
  level: "secret",
  chapter: "Users",
  summary: "Lists a user's location updates, oldest first, by _id, userId or deviceId.",
  description: `If several records match, uses the one updated last. Updates are stored for the days that the setting \`retention.updates\` specifies (default ${DEFAULT_RETENTION.updates}), at most the newest 32,000 per user, in order of arrival.`,
  query: z.object({
    from: datetime().optional(),
    to: datetime().optional(),
    limit: number({ min: 1, max: 1000, integer: true }).default(100),
    cursor: optionalText(32).meta({ description: "`nextCursor` of the previous response" }),
  }),
  response: z.object({
    updates: z.array(updateShape),
    nextCursor: z.string().optional().meta({ description: "absent: this is the last page" }),
  }),
  errors: [404],
  async handle(call) {
    const { params, query, caller, env, now } = call;
    const cursor = cursorOf(query.cursor);
    if (query.from !== undefined && query.to !== undefined && query.from > query.to)
      throw invalid("from", "Must not be after `to`.");
    await settleWrites(env);
    const user = await findUser(env.DB, caller.scope, params.id);
    if (!user) throw notFound("User");
    const { updates, next } = await deviceTrackerOf(env, caller.scope, user.deviceId).updates(user.id, {
      from: Math.max(query.from ?? 0, keptSince(caller, now)),
      to: query.to ?? Number.MAX_SAFE_INTEGER,
      limit: query.limit,
      cursor,
    });
    return {
      updates: writeRows(call, "updates", updates, wireUpdate),
      nextCursor: next && `${next.page}-${next.entry}`,
    };
  },
});

/** Older updates are not returned, even if their page still exists [ms]. */
export function keptSince({ settings }: Caller, now: number): number {
  return now - (settings.retention?.updates ?? DEFAULT_RETENTION.updates) * DAY_MS;
}

function cursorOf(text: string | undefined): { page: number; entry: number } {
  if (text === undefined) return { page: 0, entry: 0 };
  const [, page, entry] = /^(\d{1,12})-(\d{1,6})$/.exec(text) ?? [];
  if (page === undefined) throw invalid("cursor", "Must be the nextCursor of a response.");
  return { page: Number(page), entry: Number(entry) };
}
