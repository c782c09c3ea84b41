import { z } from "zod";
import { MESSAGE_EVENTS } from "../../../core/engagement/convert.ts";
import { OFFLINE_TYPES, type OfflineType } from "../../../core/tracking/offline.ts";
import { labelOf } from "../../../core/tracking/steps/enter-fences.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import { verifyEvent } from "../../db/customers/events.ts";
import { findGeofence } from "../../db/customers/geofences.ts";
import { recordsOfUser } from "../../db/customers/users.ts";
import { fenceOfRow } from "../../objects/fences/fence-row.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { invalid, notFound, required } from "../../platform/errors.ts";
import { eventShape, wireEvent } from "../../wire/event.ts";
import { dictionary, type Metadata, moment, number, optionalText } from "../../wire/input/fields.ts";
import { eventReceipt } from "../../wire/receipt.ts";
import { campaignEpochOf } from "../serve/callers/caller.ts";
import { knows, mustSpeak, spokenFor } from "../serve/callers/speaker.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow } from "../serve/rows.ts";
import { limitedBy, mayAdd, mustBeKnown, noteAdded } from "../track/track-request.ts";
import { isOfNewUser, knownEvent } from "./known-event.ts";

const chapter = "Events";

/** Above this, a number can no longer express cents. */
const MAX_REVENUE = 1e13;
/** Ten years. */
const MAX_MINUTES = 10 * 366 * 24 * 60;

export const logConversion = endpoint({
  name: "logConversion",
  method: "POST",
  path: "/v1/events",
  level: "publishable",
  chapter,
  summary: "Logs a conversion: a custom event with a name that you choose.",
  description:
    "The event belongs to the user with this deviceId and userId, at that user's last location. Without deviceId and installId it belongs to the userId's most recent device; a publishable key that sends only a userId gets back only the fields it sent, and ids. Names that begin with `user.`, `alert.` or `campaign.` are reserved, except those of the SDKs for in-app messages (`user.displayed_in_app_message`, `user.clicked_in_app_message`, `user.dismissed_in_app_message`). With `campaign` (for `opened_app` also with `metadata.campaignId`), the event counts in the statistics of the campaign. An app may also send the geofence events that its SDK generated without a network (`metadata.offline: true`, with `geofenceId`, `createdAt` and `deviceId`): an event that the server generates from the buffered updates, earlier or later, is the same event.",
  body: z.object({
    name: optionalText(),
    type: optionalText().meta({ description: "alias of name" }),
    userId: optionalText(),
    deviceId: optionalText(),
    installId: optionalText().meta({ description: "used if deviceId is absent" }),
    metadata: dictionary(32).optional(),
    geofenceId: optionalText().meta({ description: "events of a phone without a network: `_id` of the geofence" }),
    eventId: optionalText().meta({ description: "events of a phone without a network: its own `_id` of the event" }),
    campaign: optionalText().meta({ description: "_id of the campaign that led to the event" }),
    revenue: number({ min: -MAX_REVENUE, max: MAX_REVENUE })
      .optional()
      .meta({ description: "stored as metadata.revenue" }),
    createdAt: moment().optional(),
    duration: number({ min: 0, max: MAX_MINUTES }).optional().meta({ description: "minutes" }),
  }),
  response: z.object({ event: eventShape }),
  errors: [404],
  async handle(call) {
    const { body, caller, env, now } = call;
    const name = body.name ?? body.type;
    if (name === undefined) throw required("name");
    if (isOfflineType(name) && body.metadata?.offline === true) return { event: await reportOffline(call, name) };
    if (/^(user|alert|campaign)\./i.test(name) && !Object.hasOwn(MESSAGE_EVENTS, name))
      throw invalid("name", "Names that begin with user., alert. or campaign. are reserved.");
    const { revenue, duration } = body;
    const metadata = revenue === undefined ? body.metadata : { ...body.metadata, revenue };
    let deviceId = body.deviceId ?? body.installId;
    const userId = spokenFor(caller, body.userId, deviceId);
    const known = deviceId !== undefined || knows(caller, userId);
    if (deviceId === undefined) {
      if (userId === undefined) throw required("deviceId", "Set at least one of deviceId, installId and userId.");
      deviceId = (await recordsOfUser(env.DB, caller.scope, userId))[0]?.deviceId;
      if (deviceId === undefined) throw notFound("User");
    }
    const conversion = {
      name,
      deviceId,
      userId,
      duration,
      metadata,
      createdAt: Math.min(body.createdAt ?? now, now),
      receivedAt: now,
    };
    const tracker = deviceTrackerOf(env, caller.scope, deviceId);
    const creations = await mayAdd(call, "newEvents");
    await mustBeKnown(call, deviceId, creations);
    const answer = await tracker.convert(caller.scope, caller.live, conversion, creations, {
      epoch: campaignEpochOf(caller),
      named: campaignOf(body),
    });
    noteAdded(caller, answer, deviceId);
    if ("limited" in answer) throw limitedBy(answer, caller, 0, now);
    const { event } = answer;
    return { event: known ? wireEvent(event) : eventReceipt(event, { userId, metadata, duration }) };
  },
});

function isOfflineType(name: string): name is OfflineType {
  return (OFFLINE_TYPES as readonly string[]).includes(name);
}

interface OfflineBody {
  deviceId?: string;
  installId?: string;
  userId?: string;
  geofenceId?: string;
  eventId?: string;
  createdAt?: number;
}

/** An event that the phone generated without a network. @throws ApiError 400, 404 */
async function reportOffline(call: Call<unknown, OfflineBody>, type: OfflineType) {
  const { body, caller, env, now } = call;
  const { geofenceId, createdAt } = body;
  const deviceId = body.deviceId ?? body.installId;
  if (deviceId === undefined) throw required("deviceId");
  if (geofenceId === undefined) throw required("geofenceId");
  if (createdAt === undefined) throw required("createdAt");
  const at = Math.min(createdAt, now);
  const userId = spokenFor(caller, body.userId, deviceId);
  const row = await findGeofence(env.DB, caller.scope, { id: geofenceId }, now);
  if (!row) throw notFound("Geofence");
  const key = body.eventId ?? `${type} ${geofenceId} ${at}`;
  const tracker = deviceTrackerOf(env, caller.scope, deviceId);
  const report = { key, type, geofence: geofenceId, at };
  const creations = await mayAdd(call, "newEvents");
  const label = labelOf(fenceOfRow(row));
  const answer = await tracker.reportOffline(caller.scope, userId, report, label, now, creations);
  if (!answer) throw notFound("User");
  noteAdded(caller, answer);
  if ("limited" in answer) throw limitedBy(answer, caller, 0, now);
  return wireEvent(answer.event);
}

function campaignOf({ campaign, metadata }: { campaign?: string; metadata?: Metadata }): string | undefined {
  const { campaignId } = metadata ?? {};
  return campaign ?? (typeof campaignId === "string" ? campaignId : undefined);
}

/** Waits before each lookup of a new user's event [ms]: the tracker may not have written it to the database yet. */
const ON_ITS_WAY = [0, 200, 600];

/** Android's SDK sends the names of its enum (org.json writes an enum as its name). */
const VERDICTS: ReadonlyMap<unknown, number> = new Map([
  ["accept", 1],
  ["unverify", 0],
  ["reject", -1],
]);

const verdictField = z.preprocess(
  (value) => (typeof value === "string" ? (VERDICTS.get(value.trim().toLowerCase()) ?? value) : value),
  number({ min: -1, max: 1, integer: true }),
);

export const verifyEventById = endpoint({
  name: "verifyEvent",
  method: "PUT",
  path: "/v1/events/:id/verification",
  level: "publishable",
  chapter,
  summary: "Verifies an event: 1 accepted, -1 rejected, 0 neither.",
  description:
    "With a publishable key, the response has the verdict and the event's ids; with the deviceId of the event's device, or a token of its user, the complete event.",
  body: z.object({
    verification: verdictField.meta({ description: "1, 0 or -1, or `ACCEPT`, `UNVERIFY` or `REJECT` in any case" }),
    verifiedPlaceId: optionalText().meta({ description: "id of the place where the user actually was" }),
    deviceId: optionalText().meta({ description: "of the event's device: the response then has the complete event" }),
  }),
  response: z.object({ event: eventShape }),
  errors: [404],
  async handle(call) {
    const { params, body, caller, env, now } = call;
    const verdict = { verification: body.verification as -1 | 0 | 1, verifiedPlaceId: body.verifiedPlaceId };
    for (const wait of isOfNewUser(params.id, now) ? ON_ITS_WAY : [0]) {
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const doc = await knownEvent(call, params.id);
      if (!doc) continue;
      const before = JSON.parse(doc) as TrackEvent;
      const { userId, deviceId } = before.user;
      if (userId !== undefined) mustSpeak(caller);
      if (caller.speaker && !knows(caller, userId)) break;
      await verifyEvent(env, caller.scope, params.id, verdict.verification, verdict.verifiedPlaceId);
      const event = { ...before, ...verdict, verifiedPlaceId: verdict.verifiedPlaceId ?? before.verifiedPlaceId };
      const known = knows(caller, userId) || (body.deviceId !== undefined && body.deviceId === deviceId);
      // Whom a user has met is told only to the project.
      if (!caller.secret) delete event.otherUser;
      return { event: writeRow(call, "events", event, (one) => (known ? wireEvent(one) : eventReceipt(one))) };
    }
    throw notFound("Event");
  },
});
