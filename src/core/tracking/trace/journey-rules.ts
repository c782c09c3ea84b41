import type { TrackingSettings } from "../types/settings.ts";
import type { Anchor } from "../types/state.ts";
import type { BeaconLabel, Place } from "../types/surroundings.ts";
import type { FiredReason, Trip, TripLeg, TripOrder } from "../types/trip.ts";
import type { LocationUpdate } from "../types/update.ts";
import { type Decision, instant, metres, round } from "./decision.ts";
import { apart, said } from "./update-rules.ts";

/** The decisions about beacons, chains and trips, in words. */

const about = ({ _id }: Trip) => ({ kind: "trip" as const, id: _id });

export function rangedRule({ _id, description }: BeaconLabel, before: boolean, ranged: boolean): Decision {
  const sentence = ranged
    ? `The device ranges the beacon ${description}${before ? " still" : ", and did not before"}.`
    : `The device no longer ranges the beacon ${description}.`;
  return said({ kind: "beacon", id: _id }, "ranged", ranged, sentence, { ranged, before });
}

export function outOfRangeRule(
  { _id, description }: BeaconLabel,
  anchor: Anchor,
  update: LocationUpdate,
  range: number,
  beyond: boolean,
): Decision {
  const far = apart(anchor, update);
  const sentence = `The device does not report which beacons it ranges. It is ${metres(far)} from where it ranged ${description} last; no beacon reaches beyond ${metres(range)}, so it is ${beyond ? "left" : "kept"}.`;
  return said({ kind: "beacon", id: _id }, "range", beyond, sentence, { distance: round(far), range });
}

export function nearChainRule({ chain, name, location }: Place, update: LocationUpdate): Decision {
  const far = apart({ location, accuracy: 0 }, update);
  const sentence = `${name} of the watched chain ${chain?.name} is ${metres(far)} away, and none of the chain was near before.`;
  return said({ kind: "chain", id: chain?.slug ?? "" }, "nearbyChains", true, sentence, { distance: round(far) });
}

export function expiryRule(trip: Trip, at: number, expires: number): Decision {
  const expired = at > expires;
  const sentence = `The trip ${expired ? "expired" : "would expire"} without an update until ${instant(expires)}.`;
  return said(about(trip), "expires", !expired, sentence, { expiresAt: new Date(expires).toISOString() });
}

export function adoptRule(trip: Trip): Decision {
  const sentence = "The trip was waiting for this user, or the update specifies it: the user begins it.";
  return said(about(trip), "adopted", true, sentence, { externalId: trip.externalId });
}

export function tripAccuracyRule(
  trip: Trip,
  { accuracy }: LocationUpdate,
  { accuracyLimit }: TrackingSettings,
): Decision {
  const passed = accuracy <= accuracyLimit;
  const sentence = `The fix is ${passed ? "accurate enough" : "not accurate enough"} to advance the trip: its accuracy is ${metres(accuracy)}, the limit ${metres(accuracyLimit)}.`;
  return said(about(trip), "accuracyLimit", passed, sentence, { accuracy, accuracyLimit });
}

export function arrivalRule(trip: Trip, arrives: boolean): Decision {
  const { destination, status } = trip;
  const sentence = !destination
    ? "The trip has no destination."
    : status === "arrived"
      ? "The user has already arrived."
      : arrives
        ? "The user is inside the geofence of the destination: it has arrived."
        : "The user is not inside the geofence of the destination.";
  return said(about(trip), "destination", arrives, sentence, {
    status,
    ...(destination && { destination: destination.fence }),
  });
}

export function approachRule(trip: Trip, near: boolean): Decision {
  const { eta, approachingThreshold: threshold } = trip;
  const sentence =
    threshold === undefined
      ? "The trip has no approaching threshold."
      : eta === undefined
        ? "The time to the destination is not known."
        : `The destination is ${round(eta.duration)} minutes away, ${near ? "within" : "more than"} the threshold of ${round(threshold)} minutes.`;
  return said(about(trip), "approachingThreshold", near, sentence, {
    ...(eta && { minutes: round(eta.duration), metres: round(eta.distance) }),
    ...(threshold !== undefined && { approachingThreshold: threshold }),
  });
}

export function orderRule(trip: Trip, order: TripOrder, reason: FiredReason | undefined): Decision {
  const { eta, approachingThreshold } = trip;
  const minutes = order.fireBeforeMinutes ?? approachingThreshold;
  const sentence =
    reason === "arrival"
      ? `The user has arrived: the order ${order.id} is fired.`
      : minutes === undefined
        ? `Neither the order ${order.id} nor the trip has a time before the arrival: it is fired on arrival.`
        : eta === undefined
          ? `The order ${order.id} waits: the time to the destination is not known.`
          : `The order ${order.id} ${reason ? "is fired" : "waits"}: the destination is ${round(eta.duration)} minutes away, ${reason ? "within" : "more than"} its ${round(minutes)} minutes.`;
  return said(about(trip), "orders", reason !== undefined, sentence, {
    order: order.id,
    ...(eta && { minutes: round(eta.duration) }),
    ...(minutes !== undefined && { fireBeforeMinutes: minutes }),
  });
}

export function wrongRule(trip: Trip): Decision {
  const tag = trip.destination?.tag ?? "";
  const sentence = `The user has entered another geofence of the destination's tag (${tag}).`;
  return said(about(trip), "wrongDestination", true, sentence, { tag });
}

/** A leg in words: its place in the order, and its destination. */
function nameOf({ legs = [] }: Trip, leg: TripLeg): string {
  const { tag, externalId, address } = leg.destination;
  const place = externalId === undefined ? (address ?? "a point") : `${tag ?? ""} ${externalId}`.trim();
  return `leg ${legs.findIndex(({ _id }) => _id === leg._id) + 1} of ${legs.length} (${place})`;
}

export function legArrivalRule(trip: Trip, leg: TripLeg, far: number, arrives: boolean): Decision {
  const { fence, arrivalRadius } = leg.destination;
  const bound = fence === undefined ? `within ${metres(arrivalRadius ?? 0)} of it` : "inside its geofence";
  const sentence =
    leg.status === "arrived"
      ? `The user has already arrived, on ${nameOf(trip, leg)}.`
      : `On ${nameOf(trip, leg)} the user is ${metres(far)} from the destination${arrives ? " and" : ", not"} ${bound}.`;
  return said(about(trip), "destination", arrives, sentence, {
    leg: leg._id,
    status: leg.status,
    distance: round(far),
  });
}

export function legApproachRule(trip: Trip, leg: TripLeg, near: boolean): Decision {
  return approachRule({ ...trip, eta: leg.eta }, near);
}

export function legLeftRule(trip: Trip, leg: TripLeg, far: number, left: boolean): Decision {
  const sentence = left
    ? `The user has left the stop of ${nameOf(trip, leg)}: it is completed, and the next begins.`
    : `The user is still at the stop of ${nameOf(trip, leg)}.`;
  return said(about(trip), "leg", left, sentence, { leg: leg._id, distance: round(far) });
}
