import { z } from "zod";
import { deviceTrackerOf } from "../../objects/stubs/device-tracker.ts";
import type { TrackEvent } from "../../tracking/types/event.ts";
import type { UserState } from "../../tracking/types/state.ts";
import type { LocationUpdate } from "../../tracking/types/update.ts";
import { eventShape } from "../../wire/event.ts";
import { userShape } from "../../wire/user.ts";
import { referenceTo } from "../reference/schemas.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { ApiError, invalid } from "../serve/errors.ts";
import { json } from "../serve/fields.ts";
import { validate } from "../serve/validate.ts";
import { dropNulls, type TrackBody, toUpdate, trackBody } from "./track-body.ts";
import { countUpdates, limitedBy, trackingSettings, trackRate, trackRequest, wireAnswer } from "./track-request.ts";

export const MAX_REPLAYS = 500;
const RULE = `Must be a list of 1 to ${MAX_REPLAYS} location updates.`;
/** Updates whose surroundings are looked up at the same time. */
const AT_ONCE = 8;

/** An update of a batch that cannot be stored: its place in the batch, and why. */
export const rejectedShape = z.object({
  index: z.number().meta({ description: "position in the batch, from 0" }),
  param: z.string().optional().meta({ description: "the wrong field" }),
  message: z.string().meta({ description: "why the update was rejected" }),
});
export type Rejected = z.infer<typeof rejectedShape>;

/** Documented as a body of POST /v1/track, and checked one by one. */
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
    "Each of `replays` is a body of POST /v1/track. They are applied in the order of their times, marked as replayed, and count as one update for the device's rate. An update that is not later than the last one changes nothing. An invalid or anonymous update is skipped and listed in `rejected`; the others count, and the status is 200, so that SDKs discard the batch. Returns the events of all updates and the user after the last.",
  body: z.object({
    replays: json(z.array(replayed, { error: RULE }).min(1, { error: RULE }).max(MAX_REPLAYS, { error: RULE })).meta({
      description: "bodies of POST /v1/track",
    }),
  }),
  bodyLimit: 1024 * 1024,
  rate: "device",
  response: z.object({
    events: z.array(eventShape),
    user: userShape.optional().meta({ description: "absent: no update was valid" }),
    accepted: z.number().meta({ description: "number of valid updates" }),
    rejected: z.array(rejectedShape).meta({ description: "updates that were skipped" }),
  }),
  errors: [451],
  async handle(call) {
    const { body, caller } = call;
    const { valid, rejected } = readReplays(body.replays);
    if (valid.length === 0) return { events: [], accepted: 0, rejected };
    const { state, events, updates } = await replayUpdates(call, "replayTrack", valid, trackRate(caller));
    return { ...wireAnswer(caller, { state, events }, updates), accepted: valid.length, rejected };
  },
});

/** Checks each update of a batch by itself: a wrong one must not keep the others, or an SDK would send the batch forever. */
function readReplays(replays: readonly unknown[]): { valid: TrackBody[]; rejected: Rejected[] } {
  const valid: TrackBody[] = [];
  const rejected: Rejected[] = [];
  for (const [index, replay] of replays.entries()) {
    try {
      valid.push(readReplay(replay));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      rejected.push({ index, param: error.param, message: error.message });
    }
  }
  return { valid, rejected };
}

/** @throws ApiError that names what is wrong */
function readReplay(replay: unknown): TrackBody {
  if (typeof replay !== "object" || replay === null || Array.isArray(replay))
    throw new ApiError(400, "Must be a location update.");
  const update = validate(trackBody, dropNulls(replay) as Record<string, unknown>);
  if (update.anonymous) throw invalid("anonymous", "An anonymous update is not stored and cannot be replayed.");
  return update;
}

/**
 * Applies updates of the past, at least one, in the order of their time; usually all are of one device.
 * @param endpoint what they are counted as
 * @param rate how often a device may come with some [1/s]
 * @returns the user after the last of them, and the events of all. @throws ApiError 429
 */
export async function replayUpdates(call: Call, endpoint: string, bodies: readonly TrackBody[], rate: number) {
  const { caller, env, now } = call;
  const settings = trackingSettings(caller);
  const updates = bodies.map((one) => ({ ...toUpdate(one, call, settings), replayed: true }));
  updates.sort((a, b) => (a.updatedAt ?? now) - (b.updatedAt ?? now));
  const requests = await inGroups(updates, async (update) => ({
    ...(await trackRequest(call, settings, update)),
    rate,
  }));
  const events: TrackEvent[] = [];
  let state: UserState | undefined;
  for (const deviceId of new Set(updates.map((update) => update.deviceId))) {
    const own = requests.filter(({ update }) => update.deviceId === deviceId);
    const answer = await deviceTrackerOf(env, caller.scope, deviceId).replay(own);
    if (answer.limited) throw limitedBy(answer, caller, rate, now);
    events.push(...answer.events);
    countUpdates(call, endpoint, answer.taken);
    if (deviceId === updates[updates.length - 1].deviceId) state = answer.state;
  }
  return { state: state as UserState, events, updates };
}

async function inGroups<T>(
  updates: readonly LocationUpdate[],
  work: (update: LocationUpdate) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  for (let from = 0; from < updates.length; from += AT_ONCE) {
    done.push(...(await Promise.all(updates.slice(from, from + AT_ONCE).map(work))));
  }
  return done;
}
