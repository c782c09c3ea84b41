import { claimNamed, findTrip, updatePending } from "../../db/trips.ts";
import { recordsOfUser } from "../../db/users.ts";
import type { Env } from "../../env.ts";
import { deviceTrackerOf } from "../../objects/stubs/device-tracker.ts";
import { isRefusal, type Refusal } from "../../tracking/change-legs.ts";
import { endedLegs, isOver, settled } from "../../tracking/legs.ts";
import { revised, type TripChange } from "../../tracking/trips.ts";
import type { TrackEvent } from "../../tracking/types/event.ts";
import type { Trip, TripStatus } from "../../tracking/types/trip.ts";
import { wireEvent } from "../../wire/event.ts";
import { wireLeg } from "../../wire/leg.ts";
import { eventReceipt, legReceipt, tripReceipt } from "../../wire/receipt.ts";
import { wireTrip } from "../../wire/trip.ts";
import type { Call } from "../serve/endpoint.ts";
import { ApiError, invalid, notFound } from "../serve/errors.ts";
import { optionalText } from "../serve/fields.ts";
import { knows, mustSpeak } from "../serve/speaker.ts";
import { trackingSettings } from "../track/track-request.ts";

/** What changing a trip and changing its legs share. */

/** Statuses, of a trip or of a leg, with which somebody is on the way. */
const BEGINS: readonly TripStatus[] = ["started", "approaching", "arrived", "completed"];

export function ownDevice() {
  return optionalText().meta({ description: "of the device that makes the trip: then the answer shows all of it" });
}

/** The trip that a caller changes, and how it may be shown to that caller. @throws ApiError 401, 404 */
export async function tripToChange({ caller, env }: Pick<Call, "caller" | "env">, name: string, deviceId?: string) {
  const trip = await existingTrip(env, caller.scope, name);
  if (trip.userId !== undefined) mustSpeak(caller);
  if (caller.speaker && trip.userId !== undefined && !knows(caller, trip.userId)) throw notFound("Trip");
  const known = knows(caller, trip.userId) || (deviceId !== undefined && deviceId === trip.deviceId);
  return known
    ? { trip, showTrip: wireTrip, showLeg: wireLeg, showEvent: wireEvent }
    : {
        ...{ trip, showTrip: tripReceipt, showLeg: legReceipt },
        showEvent: (event: TrackEvent) => eventReceipt(event, { namesTrip: true }),
      };
}

/** Has the tracker of the trip's device change it. Without a device, only the database row is changed. */
export async function applyChange({ caller, env, now }: Call, trip: Trip, change: TripChange) {
  const { scope } = caller;
  const settings = trackingSettings(caller);
  const begin = [change.status, change.leg?.status].some((status) => status !== undefined && BEGINS.includes(status));
  let { deviceId } = trip;
  let claimed: Trip | undefined = trip;
  if (deviceId === undefined && begin && trip.userId !== undefined) {
    deviceId = (await recordsOfUser(env.DB, scope, trip.userId))[0]?.deviceId;
    if (deviceId !== undefined) claimed = await claimNamed(env.DB, scope, trip.externalId, trip.userId, deviceId);
  }
  if (deviceId !== undefined && claimed) {
    const request = { scope, settings, trip: claimed, change, now };
    const done = await deviceTrackerOf(env, scope, deviceId).changeTrip(request);
    if (done?.refusal) throw refused(done.refusal);
    if (done) return done;
  }
  const revision = revised(trip, change, now);
  if (isRefusal(revision)) throw refused(revision);
  let changed = revision;
  const status = change.status ?? (begin && !isOver(changed.status) ? "started" : changed.status);
  if (isOver(status)) changed = { ...changed, legs: endedLegs(changed, status, now), endedAt: now };
  changed = settled({ ...changed, status }, now);
  if (begin) changed.startedAt ??= now;
  wireTrip(changed);
  if (!(await updatePending(env.DB, scope, changed))) {
    throw new ApiError(409, "The trip was changed at the same time. Try again.");
  }
  // No user has been on this trip, so there are no events.
  return { trip: changed, events: [] as TrackEvent[] };
}

function refused({ param, rule }: Refusal): ApiError {
  return param === "legId" ? notFound("Leg") : invalid(param, rule);
}

/** @throws ApiError 404 */
export async function existingTrip(env: Env, scope: number, name: string): Promise<Trip> {
  const trip = await findTrip(env.DB, scope, name);
  if (!trip) throw notFound("Trip");
  return trip;
}
