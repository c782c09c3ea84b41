import { z } from "zod";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import { findEvents } from "../../db/customers/events.ts";
import { userDocs } from "../../db/customers/users.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { eventShape, wireEvent } from "../../wire/event.ts";
import { optionalList } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";
import { writeRows } from "../serve/rows.ts";
import { CHAPTER } from "./shapes.ts";

/** Maximum ids of each kind. An event that is already archived costs some reads, so fewer events. */
const MAX_EVENTS = 100;
const MAX_USERS = 200;

export const getRecords = endpoint({
  name: "getRecords",
  method: "GET",
  path: "/dashboard/api/records",
  level: "member",
  chapter: CHAPTER,
  summary: "Returns several events, and the descriptions of several users, by their ids.",
  description: "Ids that do not exist are skipped. Users without a description are skipped, too.",
  query: z.object({
    events: optionalList({ max: MAX_EVENTS }).meta({ description: `_ids of events, at most ${MAX_EVENTS}` }),
    users: optionalList({ max: MAX_USERS }).meta({ description: `_ids of users, at most ${MAX_USERS}` }),
  }),
  response: z.object({
    events: z.array(eventShape),
    users: z.array(z.object({ _id: z.string(), description: z.string() })),
  }),
  async handle(call) {
    const { query, caller, env } = call;
    const { events = [], users = [] } = query;
    await settleWrites(env);
    const [found, named] = await Promise.all([
      findEvents(env, caller.scope, [...new Set(events)]),
      userDocs(env.DB, caller.scope, users),
    ]);
    return {
      events: writeRows(call, "events", [...found.values()], (doc) => wireEvent(JSON.parse(doc) as TrackEvent)),
      users: [...named].flatMap(([_id, doc]) => {
        const { description } = JSON.parse(doc) as { description?: string };
        return description ? [{ _id, description }] : [];
      }),
    };
  },
});
