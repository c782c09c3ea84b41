import { z } from "zod";
import type { CampaignBook } from "../../../core/engagement/book.ts";
import { type PhoneOwner, withFenceNotes } from "../../../core/engagement/phone.ts";
import { optionsFor } from "../../../core/engagement/tracking-options.ts";
import { isNoFix, NO_FIX_RULE } from "../../../core/ingest/no-fix.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import { BucketAway } from "../../geodata/bucket-away.ts";
import { campaignsOf } from "../../objects/campaigns/known-campaigns.ts";
import type { FenceUser } from "../../objects/fences/fence-store.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { handOverPosition } from "../../objects/tracker/positions-stub.ts";
import { type Written, write } from "../../objects/tracker/tracker-calls.ts";
import { invalid } from "../../platform/errors.ts";
import { inAppMessageShape } from "../../wire/campaign.ts";
import { eventShape } from "../../wire/event.ts";
import { geofenceShape } from "../../wire/geofence.ts";
import { geofencesNear } from "../geofences/nearby.ts";
import { trackingOptionsShape } from "../project/sdk-settings.ts";
import { type Call, endpoint, WrittenReply } from "../serve/endpoint.ts";
import { trackAnonymously } from "./anonymous.ts";
import { refuseNewAddresses } from "./leg-body.ts";
import { engagementOf, toUpdate, trackBody } from "./track-body.ts";
import {
  countUpdates,
  limitedBy,
  noteAdded,
  shownEvents,
  trackingSettings,
  trackRate,
  trackRequest,
  userAsItWas,
  wireAnswer,
} from "./track-request.ts";
import { verifiedShape, verifiedUserShape, verifier } from "./verified.ts";

/** Largest body of a location update [bytes]. */
const TRACK_BODY_LIMIT = 64 * 1024;

export const track = endpoint({
  name: "track",
  method: "POST",
  path: "/v1/track",
  level: "publishable",
  audited: false,
  chapter: "Track",
  summary: "Tracks a location update and returns the user and the new events.",
  description:
    "The user is the combination of deviceId and userId: an existing one is updated, otherwise one is created. An update sent again (same updatedAt, place, accuracy and foreground, or the same Idempotency-Key header) gets the same response and generates no new events. A position at exactly 0, 0, which apps send without a fix, changes nothing: the response has the user as it was; a device without a user gets 400 (`tracking.acceptZeros` stores such positions). `user.trip` is the trip of this user and device that is started, approaching or arrived, whoever created it.",
  body: trackBody,
  bodyLimit: TRACK_BODY_LIMIT,
  rate: "device",
  response: z.object({
    events: z.array(eventShape),
    user: verifiedUserShape,
    nearbyGeofences: z.array(geofenceShape).optional(),
    inAppMessages: z.array(inAppMessageShape).meta({ description: "messages of campaigns, for the SDK to show" }),
    ...verifiedShape.shape,
  }),
  meta: z.object({
    trackingOptions: trackingOptionsShape
      .optional()
      .meta({ description: "options that the SDK uses from now on, from the setting `sdk.remoteTrackingOptions`" }),
  }),
  errors: [451],
  async handle(call) {
    const { body, caller, env, now } = call;
    const verify = body.verified && !body.anonymous ? await verifier(call) : undefined;
    const settings = { ...trackingSettings(caller), ...(verify && { fraud: true }) };
    const update = toUpdate(body, call, settings);
    const remote = caller.settings.sdk?.remoteTrackingOptions;
    const near = (userOf: () => FenceUser) =>
      body.nearbyGeofences
        ? geofencesNear(call, update.location, userOf(), { limit: body.nearbyGeofencesLimit })
        : undefined;
    if (body.anonymous) {
      const { state, events } = await trackAnonymously(call, update, settings, body);
      return replyOf(call, write(state, events), { nearbyGeofences: await near(() => ({})) });
    }
    const rate = trackRate(caller);
    if (isNoFix(body, settings)) return unmoved(call, update);
    const refused = refuseNewAddresses(call, update);
    if (refused) await refused;
    const idempotencyKey = call.request.headers.get("idempotency-key") ?? undefined;
    if (idempotencyKey !== undefined && idempotencyKey.length > 256) {
      throw invalid("Idempotency-Key", "Must have at most 256 characters.");
    }
    const request = {
      ...(await trackRequest(call, settings, update)),
      idempotencyKey,
      mayWrite: !verify,
      ...engagementOf(body),
      ...(remote && { wantsTags: true }),
    };
    // A token must not state a country that was not looked up.
    if (verify && request.around.unread) throw new BucketAway("regions", "a verified update needs them");
    const [answer, book] = await Promise.all([
      deviceTrackerOf(env, caller.scope, update.deviceId).track(request),
      body.nearbyGeofences ? campaignsOf(env, caller.scope, request.campaignEpoch) : undefined,
    ]);
    noteAdded(caller, answer, update.deviceId);
    if (answer.limited) throw limitedBy(answer, caller, rate, now);
    if (answer.position) call.waitUntil(handOverPosition(env, caller.scope, update.deviceId, answer.position));
    if (!answer.repeated) countUpdates(call, "track", 1);
    const written = "user" in answer ? answer : write(answer.state, answer.events, answer.delivery, request.wantsTags);
    const { tags = [], onTrip = false } = written;
    const options = remote && optionsFor(remote, tags, onTrip, update.deviceType);
    const signed = verify && "state" in answer ? await verify(wireAnswer(caller, answer), body) : undefined;
    const listed = near(() => JSON.parse(written.user) as FenceUser);
    const nearbyGeofences = listed && (await listed);
    return replyOf(call, written, { nearbyGeofences, book, options, signed });
  },
});

/**
 * The response to a position that is none: the user as it was, so that an app does not send the update again. A device without a user gets
 * an error: the SDKs then send the update in a replay, which skips it.
 */
async function unmoved(call: Call, update: LocationUpdate) {
  const known = await userAsItWas(call, update);
  if (known === undefined) throw invalid("latitude", NO_FIX_RULE);
  return replyOf(call, write(known, []));
}

/** The nearby geofences with notifications of campaigns, if the tracker knows for whom. */
export function notedFences(
  geofences: Awaited<ReturnType<typeof geofencesNear>>,
  book: CampaignBook | undefined,
  phone: PhoneOwner | undefined,
  now: number,
) {
  return phone ? withFenceNotes(geofences, book, phone, now) : geofences;
}

interface ReplyParts {
  nearbyGeofences?: Awaited<ReturnType<typeof geofencesNear>> | undefined;
  book?: CampaignBook | undefined;
  options?: object | undefined;
  /** User and events with the results of verified tracking. */
  signed?: object | undefined;
}

/** The response as JSON, most of which the tracker has written. */
function replyOf(
  { caller: { settings }, now }: Pick<Call, "caller" | "now">,
  { user, events, messages = "[]", phone }: Pick<Written, "user" | "events" | "messages" | "phone">,
  { nearbyGeofences, book, options, signed }: ReplyParts = {},
): WrittenReply {
  const members = signed
    ? JSON.stringify(signed).slice(1, -1)
    : `"events":[${shownEvents(settings, events).map(({ json }) => json)}],"user":${user}`;
  const near = nearbyGeofences && JSON.stringify(notedFences(nearbyGeofences, book, phone, now));
  const meta = options ? `,"trackingOptions":${JSON.stringify(options)}` : "";
  return new WrittenReply(`${members},"inAppMessages":${messages}${near ? `,"nearbyGeofences":${near}` : ""}`, meta);
}
