import { isRejection, type Rejection } from "../../../core/tracking/change-legs.ts";
import { endedLegs, isOver, settled } from "../../../core/tracking/legs.ts";
import { endedOrders, firedByCall } from "../../../core/tracking/orders.ts";
import { revised, type TripChange } from "../../../core/tracking/trips.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { Trip, TripLeg, TripStatus } from "../../../core/tracking/types/trip.ts";
import { claimNamed, findTrip, updatePending } from "../../db/customers/trips.ts";
import { recordsOfUser } from "../../db/customers/users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, invalid, notFound } from "../../platform/errors.ts";
import { wireEvent } from "../../wire/event.ts";
import { optionalText } from "../../wire/input/fields.ts";
import { wireLeg } from "../../wire/leg.ts";
import { eventReceipt, tripView } from "../../wire/receipt.ts";
import { wireTrip } from "../../wire/trip.ts";
import { knows, mustSpeak } from "../serve/callers/speaker.ts";
import type { Call } from "../serve/endpoint.ts";
import { limitedBy, mayAdd, noteAdded, trackingSettings } from "../track/track-request.ts";

const CHANGED_MEANWHILE = "The trip was changed at the same time. Try again.";

/** Shared by changing a trip and changing its legs. */

/** Active statuses of a trip or a leg. */
const BEGINS: readonly TripStatus[] = ["started", "approaching", "arrived", "completed"];

/** What a publishable key proves its right to a trip with. An IP address proves nothing: a carrier has thousands of phones behind one. */
export const ownerFields = {
  deviceId: optionalText().meta({ description: "of the trip's device: the response then has the complete trip" }),
  userId: optionalText().meta({ description: "of the trip's user: the response then has the trip's own fields" }),
};

/** The same in headers, for radar-sdk-js, which sends nothing about the user or device with a trip, but headers that the app sets. */
const [DEVICE_HEADER, USER_HEADER] = ["x-radar-device-id", "x-radar-user-id"];

export const OWNER_RULE =
  "With a publishable key, send a token of the trip's user or the `deviceId` of its device, and the response has the complete trip; or the `userId` of the trip, as the SDKs do, and the response has the status, the ETA and the trip's own fields. The ids can also be in the headers `X-Radar-Device-Id` and `X-Radar-User-Id`. Other calls return 404.";

/**
 * The trip that a caller changes, and the fields that the caller may see. An externalId can be guessed, so a publishable key alone is not
 * enough: the caller must name the trip's device or its user, or have a signed token of the user.
 * @throws ApiError 401, 404 (the same for another device's trip and an unknown trip)
 */
export async function tripToChange(
  { caller, env, request }: Pick<Call, "caller" | "env" | "request">,
  name: string,
  named: { deviceId?: string; userId?: string },
): Promise<TripToChange> {
  const { headers } = request;
  const deviceId = named.deviceId ?? headers.get(DEVICE_HEADER);
  const userId = named.userId ?? headers.get(USER_HEADER);
  const trip = await currentTrip(env, caller.scope, name);
  if (!trip) throw caller.secret ? notFound("Trip") : notTheirs();
  if (trip.userId !== undefined) mustSpeak(caller);
  if (caller.speaker && trip.userId !== undefined && !knows(caller, trip.userId)) throw notTheirs();
  if (knows(caller, trip.userId) || (trip.deviceId !== undefined && deviceId === trip.deviceId))
    return { trip, showTrip: wireTrip, showLeg: wireLeg, showEvent: wireEvent };
  if (trip.userId === undefined || userId !== trip.userId) throw notTheirs();
  // Events show the same fields as the trip: the SDKs pass both to the app.
  const showEvent = (event: TrackEvent) => ({
    ...eventReceipt(event),
    trip: event.trip && tripView(event.trip),
    leg: event.leg && wireLeg(event.leg),
  });
  return { trip, showTrip: tripView, showLeg: wireLeg, showEvent };
}

interface TripToChange {
  trip: Trip;
  showTrip(trip: Trip): ReturnType<typeof wireTrip>;
  showLeg(leg: TripLeg): ReturnType<typeof wireLeg>;
  showEvent(event: TrackEvent): ReturnType<typeof wireEvent>;
}

const notTheirs = () =>
  new ApiError(
    404,
    "Trip not found, or it belongs to another device. With a publishable key, send the deviceId of its device, its userId, or a signed token of its user.",
  );

/** Changes the trip through its device's tracker. Without a device, only the database row is changed. */
export async function applyChange(call: Call, trip: Trip, change: TripChange) {
  const { caller, env, now: asked } = call;
  const { scope } = caller;
  // A trip can always end.
  const creations = change.status && isOver(change.status) ? undefined : await mayAdd(call);
  const now = change.endedAt ?? asked;
  const settings = trackingSettings(caller);
  const begin = [change.status, change.leg?.status].some((status) => status !== undefined && BEGINS.includes(status));
  let { deviceId } = trip;
  let claimed: Trip | undefined = trip;
  if (deviceId === undefined && begin && trip.userId !== undefined) {
    deviceId = (await recordsOfUser(env.DB, scope, trip.userId))[0]?.deviceId;
    if (deviceId !== undefined) claimed = await claimNamed(env.DB, scope, trip.externalId, trip.userId, deviceId);
  }
  if (deviceId !== undefined && claimed) {
    const request = { scope, settings, trip: claimed, change, now, creations };
    const done = await deviceTrackerOf(env, scope, deviceId).changeTrip(request);
    if (done && "added" in done) noteAdded(caller, done);
    if (done?.limited) throw limitedBy(done.limited, caller, 0, asked);
    if (done?.refusal) throw rejected(done.refusal);
    if (done?.hasEnded) return { trip: await endedMeanwhile(call, trip, change), events: [] as TrackEvent[] };
    if (done) return done;
  }
  const revision = revised(trip, change, now);
  if (isRejection(revision)) throw rejected(revision);
  let changed = revision;
  const status = change.status ?? (begin && !isOver(changed.status) ? "started" : changed.status);
  if (change.orders) changed = firedByCall(changed, change.orders, now);
  if (isOver(status)) {
    const orders = endedOrders(changed, status, now);
    changed = { ...changed, legs: endedLegs(changed, status, now), ...(orders && { orders }), endedAt: now };
  }
  changed = settled({ ...changed, status }, now);
  if (begin) changed.startedAt ??= now;
  wireTrip(changed);
  if (!(await updatePending(env.DB, scope, changed))) {
    throw new ApiError(409, CHANGED_MEANWHILE);
  }
  noteAdded(caller, { added: JSON.stringify(changed).length - JSON.stringify(trip).length });
  // No user has been on this trip, so there are no events.
  return { trip: changed, events: [] as TrackEvent[] };
}

/** A trip that another call has just ended, if this change wanted the same. @throws ApiError 409 */
async function endedMeanwhile({ caller, env }: Call, { _id }: Trip, { status, leg }: TripChange): Promise<Trip> {
  const trip = await existingTrip(env, caller.scope, _id);
  const reached = leg ? trip.legs?.find((one) => one._id === leg.id)?.status : trip.status;
  if (isOver(trip.status) && reached === (leg ? leg.status : status)) return trip;
  throw new ApiError(409, isOver(trip.status) ? `The trip is ${trip.status}.` : CHANGED_MEANWHILE);
}

function rejected({ param, rule }: Rejection): ApiError {
  return param === "legId" ? notFound("Leg") : invalid(param, rule);
}

/** A trip in its state after its device's last update. */
async function currentTrip(env: Env, scope: number, name: string): Promise<Trip | undefined> {
  await settleWrites(env);
  return findTrip(env.DB, scope, name);
}

/** @throws ApiError 404 */
export async function existingTrip(env: Env, scope: number, name: string): Promise<Trip> {
  const trip = await currentTrip(env, scope, name);
  if (!trip) throw notFound("Trip");
  return trip;
}
