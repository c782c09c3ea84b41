import { z } from "zod";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import { deleteEvent, listEvents } from "../../db/customers/events.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { notFound } from "../../platform/errors.ts";
import { eventShape, wireEvent } from "../../wire/event.ts";
import { datetime, number, optionalList, optionalText, pageLimit } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";
import { forgetSource, knownEvent } from "./known-event.ts";

const chapter = "Events";

/** Filters of event lists and exports. */
export const eventFilterFields = {
  createdBefore: datetime().optional(),
  createdAfter: datetime().optional(),
  types: optionalList().meta({ description: "only these types, comma separated; names of conversions are allowed" }),
  userId: optionalText().meta({ description: "only events of this user: an _id, userId or deviceId" }),
  confidence: number({ min: 1, max: 3, integer: true }).optional(),
};

export const listAllEvents = endpoint({
  name: "listEvents",
  method: "GET",
  path: "/v1/events",
  level: "secret",
  chapter,
  summary: "Lists events, newest first.",
  query: z.object({
    limit: pageLimit(100),
    ...eventFilterFields,
  }),
  response: z.object({ events: z.array(eventShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    await settleWrites(env);
    const { docs, hasMore } = await listEvents(env, caller.scope, query, () => call.leftOut("events"));
    return { meta: { hasMore }, events: writeRows(call, "events", docs, fromDoc) };
  },
});

export const getEvent = endpoint({
  name: "getEvent",
  method: "GET",
  path: "/v1/events/:id",
  level: "secret",
  chapter,
  summary: "Returns the event with this id.",
  response: z.object({ event: eventShape }),
  errors: [404],
  async handle(call) {
    const { params } = call;
    const doc = await knownEvent(call, params.id);
    if (!doc) throw notFound("Event");
    return { event: writeRow(call, "events", doc, fromDoc) };
  },
});

export const removeEvent = endpoint({
  name: "deleteEvent",
  method: "DELETE",
  path: "/v1/events/:id",
  level: "secret",
  chapter,
  summary: "Deletes the event with this id.",
  description: "Also an event that was generated this moment. Webhooks may have received it.",
  errors: [404],
  async handle(call) {
    const { params, caller, env } = call;
    const doc = await knownEvent(call, params.id);
    if (doc !== undefined) await forgetSource(call, doc);
    if (!(await deleteEvent(env, caller.scope, params.id))) throw notFound("Event");
    return {};
  },
});

function fromDoc(doc: string) {
  return wireEvent(JSON.parse(doc) as TrackEvent);
}
