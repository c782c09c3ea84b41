import { z } from "zod";
import type { Delivery } from "../../../core/engagement/deliver.ts";
import { isNoFix, NO_FIX_RULE } from "../../../core/ingest/no-fix.ts";
import { hashOf } from "../../../core/tracking/chronology.ts";
import { placeInTime } from "../../../core/tracking/replay-times.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import { campaignsOf } from "../../objects/campaigns/known-campaigns.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { inAppMessageShape } from "../../wire/campaign.ts";
import { eventShape } from "../../wire/event.ts";
import { geofenceShape } from "../../wire/geofence.ts";
import { json } from "../../wire/input/fields.ts";
import { validate } from "../../wire/input/validate.ts";
import { userShape, wireUser } from "../../wire/user.ts";
import { geofencesNear } from "../geofences/nearby.ts";
import { referenceTo } from "../reference/schemas.ts";
import { campaignEpochOf } from "../serve/callers/caller.ts";
import type { Caller } from "../serve/callers/identity.ts";
import { spokenFor } from "../serve/callers/speaker.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { notedFences } from "./track.ts";
import { claimedTime, dropNulls, engagementOf, type TrackBody, toUpdate, trackBody } from "./track-body.ts";
import {
  countUpdates,
  limitedBy,
  noteAdded,
  trackingSettings,
  trackRate,
  trackRequest,
  userAsItWas,
  wireAnswer,
} from "./track-request.ts";

export const MAX_REPLAYS = 500;
const RULE = `Must be a list of 1 to ${MAX_REPLAYS} location updates.`;
/** An SDK buffers 120 updates, each with up to 32 metadata keys. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Updates whose context is loaded concurrently. */
const AT_ONCE = 8;

/** An update of a batch that cannot be stored: its position in the batch, and the reason. */
export const rejectedShape = z.object({
  index: z.number().meta({ description: "position in the batch, from 0" }),
  param: z.string().optional().meta({ description: "the invalid field" }),
  message: z.string().meta({ description: "why the update was rejected" }),
});
export type Rejected = z.infer<typeof rejectedShape>;

/** Documented as a body of POST /v1/track; each is checked separately. */
const replayed = z.unknown().meta(referenceTo("TrackBody"));

export const replayTrack = endpoint({
  name: "replayTrack",
  method: "POST",
  path: "/v1/track/replay",
  level: "publishable",
  audited: false,
  chapter: "Track",
  summary: "Tracks what a device could not send earlier.",
  description:
    "Each of `replays` is a body of POST /v1/track. They are applied in the order of their times, marked as replayed, and count as one update for the device's rate. An update that is not later than the last one changes nothing. Impossible times (later than now, or before 2000, from a wrong device clock) are shifted: the updates keep their order and intervals, and the last one is set to now. Resending a batch generates no duplicate events. An invalid or anonymous update, one at exactly 0, 0, or one of another user than the token's, is skipped and listed in `rejected`; the others are tracked, and the status is 200, so that SDKs discard the batch. Returns the events of all updates and the user after the last.",
  body: z.object({
    replays: json(z.array(replayed, { error: RULE }).min(1, { error: RULE }).max(MAX_REPLAYS, { error: RULE })).meta({
      description: "bodies of POST /v1/track",
    }),
  }),
  bodyLimit: MAX_BODY_BYTES,
  rate: "device",
  response: z.object({
    events: z.array(eventShape),
    nearbyGeofences: z
      .array(geofenceShape)
      .optional()
      .meta({ description: "near the user after the last update, if one of the updates asked for them" }),
    user: userShape.optional().meta({ description: "absent: no update was valid, and the device is not known" }),
    inAppMessages: z.array(inAppMessageShape).meta({ description: "messages of campaigns for recent updates" }),
    accepted: z.number().meta({ description: "number of valid updates" }),
    rejected: z.array(rejectedShape).meta({ description: "updates that were skipped" }),
  }),
  errors: [451],
  async handle(call) {
    const { body, caller } = call;
    const { valid, rejected, still } = readReplays(caller, body.replays);
    if (valid.length === 0) {
      const known = still && (await userAsItWas(call, still));
      return { events: [], ...(known && { user: wireUser(known) }), inAppMessages: [], accepted: 0, rejected };
    }
    const { state, events, delivery } = await replayUpdates(call, "replayTrack", valid, trackRate(caller));
    const inAppMessages = [...(delivery?.messages ?? [])];
    const asking = valid.findLast(({ nearbyGeofences }) => nearbyGeofences);
    return {
      ...wireAnswer(caller, { state, events, ...(delivery && { delivery }) }),
      ...(asking && { nearbyGeofences: await fencesAround(call, state, delivery, asking.nearbyGeofencesLimit) }),
      inAppMessages,
      accepted: valid.length,
      rejected,
    };
  },
});

/** The geofences near the user after the last update. */
async function fencesAround(call: Call, state: UserState, delivery: Delivery | undefined, limit: number | undefined) {
  const { caller, env, now } = call;
  const [near, book] = await Promise.all([
    geofencesNear(call, state.location, state, { limit }),
    campaignsOf(env, caller.scope, campaignEpochOf(caller)),
  ]);
  return notedFences(near, book, delivery?.phone, now);
}

/**
 * Checks each update of a batch separately: an invalid one must not block the others, or an SDK would resend the batch forever.
 * @throws ApiError 401, or 403 if the token matches the user of none of them
 */
function readReplays(caller: Caller, replays: readonly unknown[]) {
  let still: Pick<TrackBody, "userId" | "deviceId"> | undefined;
  const valid: TrackBody[] = [];
  const rejected: Rejected[] = [];
  let forbidden = 0;
  for (const [index, replay] of replays.entries()) {
    try {
      const update = readReplay(caller, replay);
      if (isNoFix(update, caller.settings.tracking ?? {})) {
        still = { ...update, userId: spokenFor(caller, update.userId, update.deviceId) };
        throw invalid("latitude", NO_FIX_RULE);
      }
      valid.push(update);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      if (error.status === 403 && ++forbidden === replays.length) throw error;
      rejected.push({ index, param: error.param, message: error.message });
    }
  }
  return { valid, rejected, still };
}

/** @throws ApiError with the invalid field; 403 if the token belongs to another user, such as a previously signed-in one */
function readReplay(caller: Caller, replay: unknown): TrackBody {
  if (typeof replay !== "object" || replay === null || Array.isArray(replay))
    throw new ApiError(400, "Must be a location update.");
  const update = validate(trackBody, dropNulls(replay) as Record<string, unknown>);
  if (update.anonymous) throw invalid("anonymous", "An anonymous update is not stored and cannot be replayed.");
  spokenFor(caller, update.userId, update.deviceId);
  return update;
}

/**
 * Applies past updates, at least one, ordered by time; usually from one device.
 * @param endpoint the endpoint that they are counted for
 * @param rate batches allowed per device [1/s]
 * @returns the user after the last of them, and the events of all. @throws ApiError 429
 */
export async function replayUpdates(call: Call, endpoint: string, bodies: readonly TrackBody[], rate: number) {
  const { caller, env, now } = call;
  const settings = trackingSettings(caller);
  const buffered = [...Map.groupBy(bodies, ({ deviceId }) => deviceId).values()].flatMap((own) => inTime(call, own));
  buffered.sort((a, b) => a.at - b.at);
  const requests = await inGroups(buffered, async ({ body, at, resent }) => {
    const update = { ...toUpdate(body, call, settings), replayed: true, updatedAt: at === now ? undefined : at };
    return { ...(await trackRequest(call, settings, update)), rate, resent, ...engagementOf(body) };
  });
  const updates = requests.map(({ update }) => update);
  const events: TrackEvent[] = [];
  let state: UserState | undefined;
  let delivery: Delivery | undefined;
  for (const deviceId of new Set(updates.map((update) => update.deviceId))) {
    const own = requests.filter(({ update }) => update.deviceId === deviceId);
    const answer = await deviceTrackerOf(env, caller.scope, deviceId).replay(own);
    noteAdded(caller, answer, deviceId);
    if (answer.limited) throw limitedBy(answer, caller, rate, now);
    events.push(...answer.events);
    countUpdates(call, endpoint, answer.taken);
    if (deviceId === updates[updates.length - 1].deviceId) ({ state, delivery } = answer);
  }
  return { state: state as UserState, events, delivery };
}

/** An update of a batch with its time. */
interface Buffered {
  body: TrackBody;
  /** [ms] */
  at: number;
  /** Identifies a resent update whose time [ms] depends on when it is sent. */
  resent?: number;
}

/** The updates of a device with corrected times. */
function inTime({ now }: Pick<Call, "now">, bodies: readonly TrackBody[]): Buffered[] {
  const claimed = bodies.map((body) => claimedTime(body, true, now));
  const placed = placeInTime(claimed, now);
  return bodies.map((body, i) => {
    const { updatedAt, updatedAtMs, updatedAtMsDiff, latitude, longitude, accuracy, foreground } = body;
    const isFixed = claimed[i] === undefined || (placed[i] === claimed[i] && (updatedAtMs ?? updatedAt) !== undefined);
    const parts = [updatedAt, updatedAtMs, updatedAtMsDiff, latitude, longitude, accuracy, foreground];
    return { body, at: placed[i], ...(!isFixed && { resent: hashOf(parts.join(" ")) }) };
  });
}

async function inGroups<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    done.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  }
  return done;
}
