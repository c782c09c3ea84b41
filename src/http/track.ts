import { z } from "zod";
import { TRACK_RATE_PER_DEVICE } from "../limits/table.ts";
import type { TrackRequest } from "../objects/device-tracker.ts";
import { deviceTrackerOf, geofenceIndexOf } from "../objects/stubs.ts";
import { applyUpdate } from "../tracking/apply-update.ts";
import { searchRadius } from "../tracking/match-fences.ts";
import {
  DEFAULT_SETTINGS,
  type LocationUpdate,
  type TrackEvent,
  type TrackingSettings,
  type UserState,
} from "../tracking/types.ts";
import { eventShape, userShape, wireEvent, wireUser } from "../wire/tracked.ts";
import { lookAround } from "./around.ts";
import { type Caller, fenceEpochOf } from "./caller.ts";
import { type Call, endpoint } from "./endpoint.ts";
import { invalid } from "./errors.ts";
import { datetime, dictionary, flag, number, oneOf, optionalText, text } from "./fields.ts";
import { tooManyRequests } from "./rate-limit.ts";

/** Largest body of a location update [bytes]. */
const TRACK_BODY_LIMIT = 64 * 1024;

/** Clients may be ahead of us by this much; a time further in the future is taken for a wrong clock. */
const CLOCK_SKEW_MS = 5 * 60 * 1000;

export const trackBody = z.object({
  deviceId: text().meta({ description: "Device ID" }),
  userId: optionalText().meta({ description: "Stable unique ID; no personal data" }),
  latitude: number({ min: -90, max: 90 }),
  longitude: number({ min: -180, max: 180 }),
  accuracy: number({ above: 0 }).meta({ description: "metres" }),
  foreground: flag().optional(),
  stopped: flag().optional(),
  description: optionalText(1024),
  metadata: dictionary(32).optional(),
  deviceType: oneOf(["iOS", "Android", "Web"]).optional(),
  updatedAt: datetime().optional(),
  updatedAtMsDiff: number()
    .optional()
    .meta({ description: "milliseconds before now; for clients without a trusted clock" }),
  replayed: flag().optional(),
  deviceOS: optionalText(),
  deviceMake: optionalText(),
  deviceModel: optionalText(),
  altitude: number().optional(),
  speed: number().optional(),
  course: number().optional(),
  anonymous: flag().optional().meta({ description: "true: answered, but nothing is stored" }),
});

export const track = endpoint({
  name: "track",
  method: "POST",
  path: "/v1/track",
  level: "publishable",
  chapter: "Track",
  summary: "Tracks a location update and returns the user and the events it made.",
  description:
    "The user is the combination of deviceId and userId: an existing one is updated, otherwise one is created. An update sent again (same updatedAt, place, accuracy and foreground, or the same Idempotency-Key header) gets the same answer and makes no new events.",
  body: trackBody,
  bodyLimit: TRACK_BODY_LIMIT,
  rate: "device",
  response: z.object({ events: z.array(eventShape), user: userShape }),
  errors: [451],
  async handle(call) {
    const { body, caller, env, now } = call;
    const update = toUpdate(call);
    const settings = trackingSettings(caller);
    if (body.anonymous) return wireAnswer(await trackAnonymously(call, update, settings));
    const rate = caller.settings.rateLimits?.track ?? TRACK_RATE_PER_DEVICE;
    const idempotencyKey = call.request.headers.get("idempotency-key") ?? undefined;
    if (idempotencyKey !== undefined && idempotencyKey.length > 256) {
      throw invalid("Idempotency-Key", "Must have at most 256 characters.");
    }
    const request: TrackRequest = {
      scope: caller.scope,
      live: caller.live,
      update,
      settings,
      fenceEpoch: fenceEpochOf(caller),
      around: await lookAround(env, caller, settings, update.location),
      rate,
      idempotencyKey,
    };
    const answer = await deviceTrackerOf(env, caller.scope, update.deviceId).track(request);
    if (answer.limited) throw tooManyRequests(rate, answer.waitMs, now, "updates per device");
    return wireAnswer(answer);
  },
});

function wireAnswer({ state, events }: { state: UserState; events: readonly TrackEvent[] }) {
  return { events: events.map(wireEvent), user: wireUser(state) };
}

export function trackingSettings(caller: Caller): TrackingSettings {
  const own = caller.settings.tracking;
  return own
    ? { ...DEFAULT_SETTINGS, ...own, regions: { ...DEFAULT_SETTINGS.regions, ...own.regions } }
    : DEFAULT_SETTINGS;
}

function toUpdate({ body, ip, now }: Call<unknown, z.output<typeof trackBody>>): LocationUpdate {
  const { latitude, longitude, updatedAtMsDiff, anonymous: _, replayed, ...rest } = body;
  const told = updatedAtMsDiff === undefined ? rest.updatedAt : now - updatedAtMsDiff;
  return {
    ...rest,
    updatedAt: told !== undefined && told <= now + CLOCK_SKEW_MS ? told : undefined,
    location: { latitude, longitude },
    replayed: replayed ?? false,
    ip,
    receivedAt: now,
  };
}

/** What the update would have made of a device never seen before; nothing is kept. */
async function trackAnonymously(call: Call, update: LocationUpdate, settings: TrackingSettings) {
  const { caller, env } = call;
  const around = await lookAround(env, caller, settings, update.location);
  const epoch = fenceEpochOf(caller);
  const radius = searchRadius(update.accuracy, settings);
  const near =
    epoch === 0
      ? []
      : await geofenceIndexOf(env, caller.scope).near(caller.scope, epoch, update.location, { radius, limit: 1000 });
  const fences = near.map(({ fence }) => fence);
  const identity = { _id: "000000000000000000000000", live: caller.live };
  return applyUpdate(undefined, { ...update, userId: undefined }, { ...around, fences }, settings, identity);
}
