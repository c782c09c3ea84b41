import { z } from "zod";
import { findEvent } from "../../db/customers/events.ts";
import { findGeofence } from "../../db/customers/geofences.ts";
import { findUser, findUserRecords } from "../../db/customers/users.ts";
import type { GeofenceRow } from "../../db/schema.ts";
import { fenceOfRow } from "../../objects/fences/fence-row.ts";
import { settleWrites } from "../../objects/stubs/database-writers.ts";
import { deviceTrackerOf } from "../../objects/stubs/device-tracker.ts";
import type { PastQuestion } from "../../objects/tracker/past-updates.ts";
import type { Rerun } from "../../tracking/history/rerun.ts";
import { eventVerdict, fenceVerdict } from "../../tracking/history/verdict.ts";
import { labelOf } from "../../tracking/steps/enter-fences.ts";
import { instant } from "../../tracking/trace/decision.ts";
import { EVENT_TYPES, type TrackEvent } from "../../tracking/types/event.ts";
import type { FenceLabel } from "../../tracking/types/fence.ts";
import { wireEvent } from "../../wire/event.ts";
import { wireFenceLabel } from "../../wire/surroundings.ts";
import { explanationShape, wireExplanation } from "../../wire/updates.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { notFound, required } from "../serve/errors.ts";
import { moment, optionalText, text } from "../serve/fields.ts";
import { writeRow } from "../serve/rows.ts";
import { keptSince } from "./updates.ts";

const chapter = "Events";
const response = z.object({ explanation: explanationShape });
const OWN_WORDS =
  "Runs the stored update through the tracking step again and records each decision: the steps are the code's own decisions.";

export const explainEvent = endpoint({
  name: "explainEvent",
  method: "GET",
  path: "/v1/events/:id/explain",
  level: "secret",
  chapter,
  summary: "Explains why an event was generated: the update, the previous state, and each decision.",
  description: `${OWN_WORDS} Unknown inputs, because updates have expired (\`retention.updates\`) or a geofence has changed, are listed in \`notKnown\`.`,
  response,
  errors: [404],
  async handle(call) {
    const { params, caller, env, now } = call;
    await settleWrites(env);
    const doc = await findEvent(env, caller.scope, params.id);
    if (!doc) throw notFound("Event");
    const event = JSON.parse(doc) as TrackEvent;
    const shown = {
      event: writeRow(call, "events", event, wireEvent),
      ...(event.geofence && { geofence: wireFenceLabel(event.geofence) }),
    };
    const told = (verdict: string, sentence: string, notKnown: string[] = []) => ({
      explanation: { ...shown, verdict, sentence, steps: [], notKnown },
    });
    if (!EVENT_TYPES.some((type) => type === event.type))
      return told("api", "A conversion: it was logged by a call of the API, not made by an update.");
    const again = await lookBack(call, event.user._id, {
      at: event.createdAt,
      seq: Number.parseInt(event._id.slice(-8), 16),
      fence: event.geofence?._id,
    });
    if (!again || event.createdAt < keptSince(caller, now)) {
      if (event.trip && event.createdAt >= keptSince(caller, now))
        return told("api", "No update made it: the trip was changed by a call of the API, or ended without one.");
      return told("unknown", "The update that made this event is no longer kept.", [
        "Updates are stored for the time set by retention.updates.",
      ]);
    }
    const verdict = eventVerdict(again, event);
    const notKnown = await whatChanged(call, again, event.geofence?._id);
    return { explanation: { ...shown, ...wireExplanation(verdict, again), notKnown } };
  },
});

export const explain = endpoint({
  name: "explain",
  method: "POST",
  path: "/v1/explain",
  level: "secret",
  role: "read",
  chapter,
  summary: "Explains why a user entered or left a geofence at a given time, or why there was no event.",
  description: `Uses the last update up to \`at\`. ${OWN_WORDS}`,
  body: z.object({
    geofence: text(520).meta({ description: "its _id, or its tag and externalId as tag/externalId" }),
    at: moment(),
    userId: optionalText().meta({ description: "userId or _id; this or deviceId is required" }),
    deviceId: optionalText(),
  }),
  response,
  errors: [404],
  async handle(call) {
    const { body, caller, env, now } = call;
    const name = body.userId ?? body.deviceId;
    if (name === undefined) throw required("userId", "Or deviceId.");
    await settleWrites(env);
    const user = await userOf(call, body);
    const row = await fenceNamed(call, body.geofence);
    const fence = row?.id ?? body.geofence;
    const again = await lookBack(call, user.id, { at: body.at, fence });
    const label = row ? labelOf(fenceOfRow(row)) : labelThen(again, fence);
    if (!label) throw notFound("Geofence");
    const geofence = wireFenceLabel(label);
    if (!again || again.past.at < keptSince(caller, now)) {
      const sentence = `No update of this user up to ${instant(body.at)} is stored.`;
      const notKnown = ["Updates are stored for the time set by retention.updates."];
      return { explanation: { geofence, verdict: "unknown", sentence, steps: [], notKnown } };
    }
    const verdict = fenceVerdict(again, fence);
    const event = again.same ? again.events.find((one) => one.geofence?._id === fence) : undefined;
    return {
      explanation: {
        ...(event && { event: wireEvent(event) }),
        geofence,
        ...wireExplanation(verdict, again),
        notKnown: await whatChanged(call, again, fence),
      },
    };
  },
});

/** The record of a userId on a device, or the newest of either. */
async function userOf({ caller, env }: Call, { userId, deviceId }: { userId?: string; deviceId?: string }) {
  const name = (userId ?? deviceId) as string;
  if (userId !== undefined && deviceId !== undefined) {
    const records = await findUserRecords(env.DB, caller.scope, userId);
    const own = records.find((record) => record.deviceId === deviceId);
    if (own) return own;
  } else {
    const found = await findUser(env.DB, caller.scope, name);
    if (found) return found;
  }
  throw notFound("User");
}

/** A geofence as it is now, by _id or pair. */
async function fenceNamed({ caller, env, now }: Call, name: string): Promise<GeofenceRow | undefined> {
  const byId = await findGeofence(env.DB, caller.scope, { id: name }, now);
  const slash = name.indexOf("/");
  if (byId || slash < 0) return byId;
  const pair = { tag: name.slice(0, slash), externalId: name.slice(slash + 1) };
  return findGeofence(env.DB, caller.scope, pair, now);
}

/** A deleted geofence, from the user's history. */
function labelThen(again: Rerun | undefined, fence: string): FenceLabel | undefined {
  const kept = again?.past.surroundings.fences.find(({ id }) => id === fence);
  return kept ? labelOf(kept) : again?.before?.geofences[fence]?.fence;
}

async function lookBack(
  { caller, env }: Call,
  user: string,
  question: Omit<PastQuestion, "scope" | "user">,
): Promise<Rerun | undefined> {
  const { scope } = caller;
  const found = await findUser(env.DB, scope, user);
  return found && deviceTrackerOf(env, scope, found.deviceId).lookBack({ ...question, scope, user: found.id });
}

/** Sentences about inputs whose past state is unknown. */
async function whatChanged(call: Call, { past, asThen, same }: Rerun, fence: string | undefined): Promise<string[]> {
  const told: string[] = [];
  const row =
    fence === undefined ? undefined : await findGeofence(call.env.DB, call.caller.scope, { id: fence }, call.now);
  if (fence !== undefined && !row) {
    const judged = asThen ? "Its state at that time is used." : "Its state at that time is not stored.";
    told.push(`The geofence has been deleted since. ${judged}`);
  } else if (row && row.updatedAt > past.update.receivedAt) {
    const judged = asThen ? "Its state at that time is used." : "Its current state is used.";
    told.push(`The geofence was changed ${instant(row.updatedAt)}, after this update. ${judged}`);
  }
  if (!same) told.push("The update no longer generates the same events: its context has changed since.");
  return told;
}
