import type { Delivery } from "../../../core/engagement/deliver.ts";
import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { type Creation, rateLimitOf, TRACK_RATE_PER_DEVICE } from "../../../core/limits/table.ts";
import { isSettled } from "../../../core/tracking/moved.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../core/tracking/types/settings.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import { lookAround } from "../../answers/track/around.ts";
import { isKnownDevice } from "../../db/customers/users.ts";
import { commonDatabase } from "../../db/databases.ts";
import { DEFAULT_RETENTION } from "../../db/projects/retention.ts";
import {
  chargeBytes,
  noteRefusedUser,
  takeCreation,
  waitForBytes,
  waitForUsers,
} from "../../objects/tracker/creation-limit.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { noted, type TrackRequest } from "../../objects/tracker/tracker-calls.ts";
import type { ApiError } from "../../platform/errors.ts";
import { wireEvent } from "../../wire/event.ts";
import { wireUser } from "../../wire/user.ts";
import { beaconEpochOf, campaignEpochOf, hasTrips } from "../serve/callers/caller.ts";
import type { Caller } from "../serve/callers/identity.ts";
import type { Call } from "../serve/endpoint.ts";
import { freshFenceEpoch } from "../serve/fence-epoch.ts";
import { tooManyNew, tooManyRequests } from "../serve/rate-limit.ts";
import { count } from "../serve/usage.ts";

/** Shared by track, replay and trips: the request to a device's tracker, and the format of its response. */

/** The request to a tracker: the update with all its loaded context. */
export async function trackRequest(
  call: Call,
  settings: TrackingSettings,
  update: LocationUpdate,
): Promise<TrackRequest> {
  const { caller } = call;
  // Cached values are not awaited: nearly every update has them.
  const limits = creationsNow(call);
  const creations = limits instanceof Promise ? await limits : limits;
  const known = mustBeKnown(call, update.deviceId, creations);
  if (known) await known;
  return {
    scope: caller.scope,
    live: caller.live,
    update,
    settings,
    fenceEpoch: await freshFenceEpoch(call),
    beaconEpoch: beaconEpochOf(caller),
    campaignEpoch: campaignEpochOf(caller),
    hasTrips: hasTrips(caller),
    ...(caller.settings.learning?.eta && { correctedEta: true }),
    ...(caller.settings.learning?.enabled && { liveEta: true }),
    around: (await lookAround(call, settings, update.location, isSettled(update))).around,
    rate: trackRate(caller),
    updateDays: caller.settings.retention?.updates ?? DEFAULT_RETENTION.updates,
    creations,
  };
}

/** Counts the updates that a tracker has accepted, without resent ones. Sessions are not counted. */
export function countUpdates({ env, caller, now, waitUntil }: Call, endpoint: string, updates: number): void {
  const written =
    updates > 0 && !caller.member ? count(commonDatabase(env), caller, endpoint, now, "updates", updates) : undefined;
  if (written) waitUntil(written);
}

/** What the caller's key may add [per hour]; undefined: unlimited. */
export function creationsOf({ secret, settings: { rateLimits } }: Caller): TrackRequest["creations"] {
  if (secret) return undefined;
  return {
    newUsers: rateLimitOf("newUsers", rateLimits),
    newTrips: rateLimitOf("newTrips", rateLimits),
    newEvents: rateLimitOf("newEvents", rateLimits),
    newMegabytes: rateLimitOf("newMegabytes", rateLimits),
    newMegabytesPerDevice: rateLimitOf("newMegabytesPerDevice", rateLimits),
  };
}

type Adder = Pick<Call, "caller" | "env" | "now">;

/** The same, and for how long the project may add nothing. Not a promise while it may. */
function creationsNow({ caller, env, now }: Adder): TrackRequest["creations"] | Promise<TrackRequest["creations"]> {
  const creations = creationsOf(caller);
  if (!creations) return undefined;
  const waiting = waitForBytes(env, caller.scope, creations.newMegabytes, now);
  if (waiting === 0) return creations;
  return Promise.resolve(waiting).then((full) => ({ ...creations, full }));
}

/** The same for what a call adds without an update. @throws ApiError 429 if it may not be added */
export async function mayAdd(call: Adder, what?: "newTrips" | "newEvents"): Promise<TrackRequest["creations"]> {
  const { caller, env, now } = call;
  const creations = await creationsNow(call);
  if (!creations) return undefined;
  const { full = 0 } = creations;
  if (full > 0) throw limitedBy({ waitMs: full, creation: "newMegabytes" }, caller, 0, now);
  const waitMs = what ? await takeCreation(env, caller.scope, what, creations[what]) : 0;
  if (waitMs > 0) throw limitedBy({ waitMs, creation: what }, caller, 0, now);
  return creations;
}

/** Devices that have added something, until the database has their users. */
const recent = new BoundedMap<string, true>(10_000);

/** Counts what a call has added with a publishable key [bytes]. */
export function noteAdded(
  { secret, scope }: Caller,
  { added = 0, ...rest }: { added?: number | undefined; creation?: Creation; waitMs?: number },
  deviceId?: string,
): void {
  if (secret) return;
  chargeBytes(scope, added);
  if (rest.creation === "newUsers") noteRefusedUser(scope, rest.waitMs ?? 0, Date.now());
  else if (added > 0 && deviceId !== undefined) recent.set(`${scope} ${deviceId}`, true);
}

/**
 * Rejects an unknown device while no user may be added: its object, which would reject it too, leaves a file behind.
 * @throws ApiError 429
 */
export function mustBeKnown(call: Adder, deviceId: string, creations: TrackRequest["creations"]) {
  if (!creations) return undefined;
  const waitMs = waitForUsers(call.caller.scope, call.now);
  const limit = waitMs > 0 ? { waitMs, creation: "newUsers" as const } : undefined;
  const { full = 0 } = creations;
  if (limit) return lookUp(call, deviceId, limit);
  return full > 0 ? lookUp(call, deviceId, { waitMs: full, creation: "newMegabytes" }) : undefined;
}

async function lookUp({ caller, env, now }: Adder, deviceId: string, limit: { waitMs: number; creation: Creation }) {
  if (recent.get(`${caller.scope} ${deviceId}`)) return;
  // Without the database, the object decides.
  const isKnown = await isKnownDevice(env.DB, caller.scope, deviceId).catch(() => true);
  if (!isKnown) throw limitedBy(limit, caller, 0, now);
}

/** The 429 of a tracker. */
export function limitedBy(
  { waitMs, creation }: { waitMs: number; creation?: Creation | undefined },
  caller: Caller,
  rate: number,
  now: number,
): ApiError {
  if (!creation) return tooManyRequests(rate, waitMs, now, "updates per device");
  return tooManyNew(creation, rateLimitOf(creation, caller.settings.rateLimits), waitMs, now);
}

/** The user of an update without a position, as it was. It counts against the device's rate. @throws ApiError 429 */
export async function userAsItWas(
  { caller, env, now }: Call,
  { userId, deviceId }: Pick<LocationUpdate, "userId" | "deviceId">,
) {
  const rate = trackRate(caller);
  const known = await deviceTrackerOf(env, caller.scope, deviceId).lastKnown(userId, rate);
  if (known && "limited" in known) throw limitedBy(known, caller, rate, now);
  return known;
}

/** Updates a device may send per second. */
export function trackRate(caller: Caller): number {
  return caller.settings.rateLimits?.track ?? TRACK_RATE_PER_DEVICE;
}

/** The events of the types that the project returns. */
export function shownEvents<E extends { type: string }>(
  { returnedEventTypes: types }: Caller["settings"],
  events: readonly E[],
) {
  return types ? events.filter(({ type }) => types.includes(type)) : events;
}

/** User and events of a response. */
export function wireAnswer(
  { settings }: Pick<Caller, "settings">,
  { state, events, delivery }: { state: UserState; events: readonly TrackEvent[]; delivery?: Delivery },
) {
  const shown = shownEvents(settings, events);
  return { events: shown.map((event) => wireEvent(noted(event, delivery))), user: wireUser(state) };
}

export function trackingSettings(caller: Caller): TrackingSettings {
  const own = caller.settings.tracking;
  return own
    ? { ...DEFAULT_SETTINGS, ...own, regions: { ...DEFAULT_SETTINGS.regions, ...own.regions } }
    : DEFAULT_SETTINGS;
}
