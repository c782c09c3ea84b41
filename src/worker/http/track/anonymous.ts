import { z } from "zod";
import { isNoFix } from "../../../core/ingest/no-fix.ts";
import { searchRadius } from "../../../core/tracking/match-fences.ts";
import { isSettled } from "../../../core/tracking/moved.ts";
import { applyUpdate } from "../../../core/tracking/steps/apply-update.ts";
import type { Fence } from "../../../core/tracking/types/fence.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import { lookAround } from "../../answers/track/around.ts";
import { type HeldIds, stateOf } from "../../answers/track/held.ts";
import { geofencesById } from "../../db/customers/geofences.ts";
import { fenceOfRow } from "../../objects/fences/fence-row.ts";
import { geofenceIndexOf } from "../../objects/fences/geofence-index-stub.ts";
import { findBeacons, findRangedBeacons } from "../../objects/tracker/beacon-lookup.ts";
import { optionalText } from "../../wire/input/fields.ts";
import { beaconEpochOf, fenceEpochOf } from "../serve/callers/caller.ts";
import type { Call } from "../serve/endpoint.ts";

/** Anonymous tracking: nothing is stored here, so the device remembers what it is inside. */

/** Maximum remembered ids of a kind. */
const MAX_IDS = 100;

/** A list of ids, in JSON, as a JSON string, or comma separated. Anything else is ignored: a wrong id must not stop an app. */
const ids = (what: string) =>
  z
    .preprocess((value) => idsIn(value), z.array(z.string()).optional())
    .optional()
    .meta({
      ...{ type: "array", items: { type: "string" } },
      description: `anonymous updates: _ids of the ${what} of the last response's user; absent: none is known`,
    });

export const heldFields = {
  geofenceIds: ids("geofences"),
  placeId: optionalText().meta({ description: "anonymous updates: _id of the place of the last response's user" }),
  regionIds: ids("regions"),
  beaconIds: ids("beacons"),
};

function idsIn(value: unknown): string[] | undefined {
  const list = typeof value === "string" ? listIn(value) : value;
  if (!Array.isArray(list)) return undefined;
  return list.filter((id) => typeof id === "string" && id !== "" && id.length <= 64).slice(0, MAX_IDS);
}

function listIn(text: string): unknown {
  if (!text.startsWith("[")) return text.split(",", MAX_IDS).map((id) => id.trim());
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A geofence that is limited to users or segments is not for an anonymous device. */
const isForAll = ({ userIds = [], segments = [] }: Fence) => userIds.length + segments.length === 0;

/** The result of the update for a device that was inside what it says, or for a new one. Nothing is stored. */
export async function trackAnonymously(call: Call, given: LocationUpdate, own: TrackingSettings, held: HeldIds) {
  const { caller, env } = call;
  // A device does not remember since when it has been outside.
  const settings = { ...own, exitDelay: 0 };
  const update = { ...given, userId: undefined, tripOptions: undefined };
  const identity = { _id: "000000000000000000000000", live: caller.live };
  const epoch = fenceEpochOf(caller);
  const beaconEpoch = settings.beacons ? beaconEpochOf(caller) : 0;
  const radius = searchRadius(update.accuracy, settings);
  const { geofenceIds = [], beaconIds = [] } = held;
  const [{ around }, near, rows, heldBeacons] = await Promise.all([
    lookAround(call, settings, update.location, isSettled(update)),
    epoch === 0
      ? []
      : geofenceIndexOf(env, caller.scope).near(caller.scope, epoch, update.location, { radius, limit: 1000 }),
    geofencesById(env.DB, caller.scope, geofenceIds, call.now),
    findBeacons(env, caller.scope, beaconEpoch, beaconIds),
  ]);
  const beacons =
    update.beacons && settings.beacons
      ? await findRangedBeacons(env, caller.scope, beaconEpoch, update.beacons, beaconIds)
      : undefined;
  const fences = near.map(({ fence }) => fence).filter(isForAll);
  const before = await stateOf(call, settings, update, identity, held, around, {
    fences: rows.map(fenceOfRow).filter(isForAll),
    beacons: heldBeacons,
  });
  if (before && isNoFix(update.location, settings)) return { state: before, events: [] };
  const { state, events } = applyUpdate(before, update, { ...around, fences, beacons }, settings, identity);
  // When the device entered is unknown.
  return { state, events: before ? events.map(({ duration, ...event }) => event) : events };
}
