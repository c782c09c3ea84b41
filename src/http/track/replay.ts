import { z } from "zod";
import { deviceTrackerOf } from "../../objects/stubs/device-tracker.ts";
import type { TrackEvent } from "../../tracking/types/event.ts";
import type { UserState } from "../../tracking/types/state.ts";
import type { LocationUpdate } from "../../tracking/types/update.ts";
import { eventShape } from "../../wire/event.ts";
import { userShape } from "../../wire/user.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { invalid } from "../serve/errors.ts";
import { json } from "../serve/fields.ts";
import { tooManyRequests } from "../serve/rate-limit.ts";
import { type TrackBody, toUpdate, trackBody } from "./track-body.ts";
import { countUpdates, trackingSettings, trackRate, trackRequest, wireAnswer } from "./track-request.ts";

export const MOST_REPLAYS = 500;
const RULE = `Must be a list of 1 to ${MOST_REPLAYS} location updates.`;
/** Updates whose surroundings are looked up at the same time. */
const AT_ONCE = 8;

export const replayTrack = endpoint({
  name: "replayTrack",
  method: "POST",
  path: "/v1/track/replay",
  level: "publishable",
  audited: false,
  chapter: "Track",
  summary: "Tracks what a device could not send earlier.",
  description:
    "Each of `replays` is a body of POST /v1/track. They are applied in the order of their updatedAt, marked as replayed, and count as one update for the device's rate; a point that is not later than the last one changes nothing. Returns the events of all and the user after the last.",
  body: z.object({
    replays: json(z.array(trackBody, { error: RULE }).min(1, { error: RULE }).max(MOST_REPLAYS, { error: RULE })),
  }),
  bodyLimit: 1024 * 1024,
  rate: "device",
  response: z.object({ events: z.array(eventShape), user: userShape }),
  errors: [451],
  async handle(call) {
    const { body, caller } = call;
    if (body.replays.some(({ anonymous }) => anonymous)) {
      throw invalid("replays", "An update that is anonymous is not stored and cannot be replayed.");
    }
    const { state, events, updates } = await replayUpdates(call, "replayTrack", body.replays, trackRate(caller));
    return wireAnswer(caller, { state, events }, updates);
  },
});

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
    if (answer.limited) throw tooManyRequests(rate, answer.waitMs, now, "updates per device");
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
