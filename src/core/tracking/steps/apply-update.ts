import { earlierThan, isRepeat, judgeTime } from "../chronology.ts";
import { judgeFraud } from "../judge-fraud.ts";
import { matchFences } from "../match-fences.ts";
import { matchPlace } from "../match-place.ts";
import { matchRegions } from "../match-regions.ts";
import { moved } from "../moved.ts";
import type { Trace } from "../trace/decision.ts";
import { blockedRule, timeRule } from "../trace/update-rules.ts";
import type { TrackEvent } from "../types/event.ts";
import type { TrackingSettings } from "../types/settings.ts";
import type { Anchor, Identity, LastUpdate, Outcome, UserState } from "../types/state.ts";
import type { Surroundings } from "../types/surroundings.ts";
import type { Trip } from "../types/trip.ts";
import type { LocationUpdate } from "../types/update.ts";
import type { Step, UpdateContext } from "../update-context.ts";
import { changeBeacons } from "./change-beacons.ts";
import { enterPlace, exitPlace } from "./change-place.ts";
import { enterRegions, exitRegions } from "./change-regions.ts";
import { drive } from "./drive.ts";
import { dwellInFences } from "./dwell-in-fences.ts";
import { enterFences } from "./enter-fences.ts";
import { exitFences } from "./exit-fences.ts";
import { failFraud } from "./fail-fraud.ts";
import { followRoute } from "./follow-route.ts";
import { idle } from "./idle.ts";
import { learn } from "./learn.ts";
import { nearChains } from "./near-chains.ts";
import { travel } from "./travel.ts";

/** The order of events. */
const STEPS: readonly Step[] = [
  exitRegions,
  enterRegions,
  exitFences,
  enterFences,
  dwellInFences,
  enterPlace,
  exitPlace,
  nearChains,
  changeBeacons,
  travel,
  failFraud,
];

/**
 * Applies an update to a user: returns the next state and the events. Pure and synchronous. The given state is not
 * changed, and is returned itself if there is nothing to store. `identity` identifies the user if there is no state
 * yet.
 *
 * The last update, sent again, gets the same events again. A replayed point that is not later than the newest one
 * changes nothing. A live one is applied at server time (chronology.ts).
 * @param trace called for each decision; changes nothing
 */
export function applyUpdate(
  before: UserState | undefined,
  update: LocationUpdate,
  surroundings: Surroundings,
  settings: TrackingSettings,
  identity: Identity,
  trace?: Trace,
): Outcome {
  // A blocked user keeps the last state: no change, no events.
  if (settings.fraud && before?.fraudFlags?.blocked) {
    trace?.(blockedRule());
    return { state: before, events: [], trips: [], repeated: false };
  }
  const at = judgeTime(before, update, surroundings.isResent);
  trace?.(timeRule(before, update, at));
  if (typeof at === "string") {
    const state = before as UserState;
    const events = state.last && isRepeat(state.last, update) ? state.last.events : [];
    return { state, events, trips: [], repeated: at === "repeated" };
  }
  const state = locate(before, update, at, identity);
  // Only where the project has segments: others have no such fields.
  if (before?.computed) state.computed = before.computed;
  if (before?.visitDays) state.visitDays = before.visitDays;
  const events: TrackEvent[] = [];
  const trips: Trip[] = [];
  const context: UpdateContext = {
    update,
    surroundings,
    settings,
    at,
    fences: matchFences(state, update, surroundings, settings, at, trace),
    regions: matchRegions(before, state, update, surroundings, settings, trace),
    place: matchPlace(state, update, surroundings, settings, at, trace),
    fraud: judgeFraud(before, update, settings, at),
    before,
    state,
    events,
    trips,
    trace,
  };
  for (const step of STEPS) step(context);
  // What began under a setting ends with it.
  if (settings.routeTolerance || state.trip?.routeTolerance || before?.route) followRoute(context);
  if (settings.speedLimits || before?.driving) drive(context);
  if (settings.idling || before?.idling) idle(context);
  if (settings.insights) learn(context);
  state.last = lastOf(before?.last, update, events);
  return { state, events, trips, repeated: false };
}

/** The state with the new location and the device's reported data. Presences are still unchanged. */
function locate(before: UserState | undefined, update: LocationUpdate, at: number, identity: Identity): UserState {
  return {
    _id: before?._id ?? identity._id,
    live: before?.live ?? identity.live,
    deviceId: update.deviceId,
    userId: update.userId ?? before?.userId,
    // A device that was offline was there before its updates arrived.
    createdAt: before?.createdAt ?? (update.replayed ? Math.min(at, update.receivedAt) : update.receivedAt),
    updatedAt: at,
    actualUpdatedAt: update.receivedAt,
    namedAt: namedAt(before, update, at),
    chronology: at,
    seq: before?.seq ?? identity.seq ?? 0,
    location: update.location,
    locationAccuracy: update.accuracy,
    foreground: update.foreground,
    stopped: update.stopped,
    description: update.description ?? before?.description,
    metadata: update.metadata ?? before?.metadata,
    deviceType: update.deviceType ?? before?.deviceType,
    deviceOS: update.deviceOS ?? before?.deviceOS,
    deviceMake: update.deviceMake ?? before?.deviceMake,
    deviceModel: update.deviceModel ?? before?.deviceModel,
    installId: update.installId ?? before?.installId,
    sdkVersion: update.sdkVersion ?? before?.sdkVersion,
    source: update.source,
    locationAuthorization: update.locationAuthorization ?? before?.locationAuthorization,
    locationAccuracyAuthorization: update.locationAccuracyAuthorization ?? before?.locationAccuracyAuthorization,
    altitude: update.altitude,
    speed: update.speed,
    course: update.course,
    barometricAltitude: update.barometricAltitude,
    activityType: update.activityType,
    userTags: update.userTags ?? before?.userTags,
    timeZone: update.timeZone ?? before?.timeZone,
    ip: update.ip,
    segments: before?.segments,
    chainVisits: before?.chainVisits,
    geofences: before?.geofences ?? {},
    left: before ? stillThere(before.left, update) : {},
    place: before?.place,
    regions: before?.regions ?? {},
    regionChanges: before?.regionChanges ?? {},
    nearbyChains: before?.nearbyChains ?? {},
    beacons: before?.beacons,
    trip: before?.trip,
    endedTrip: before?.endedTrip,
    fraud: before?.fraud,
    fraudFlags: before?.fraudFlags,
  };
}

/** When a userId took over the record without one: an update buffered before that belongs to the same record. */
function namedAt(before: UserState | undefined, { userId }: LocationUpdate, at: number): number | undefined {
  return before && before.userId === undefined && userId !== undefined ? at : before?.namedAt;
}

/** Forgets the exits from which the device has certainly moved away. Usually there are none. */
function stillThere(left: UserState["left"], update: LocationUpdate): UserState["left"] {
  const ids = Object.keys(left);
  if (ids.length === 0) return left;
  const kept: Record<string, Anchor> = {};
  for (const id of ids) if (!moved(left[id], update)) kept[id] = left[id];
  return kept;
}

function lastOf(
  before: LastUpdate | undefined,
  update: LocationUpdate,
  events: readonly TrackEvent[],
): LastUpdate | undefined {
  const { updatedAt, location, accuracy, foreground } = update;
  const earlier = earlierThan(before);
  if (updatedAt === undefined) return earlier && { location, accuracy, foreground, events: [], earlier };
  const last: LastUpdate = { updatedAt, location, accuracy, foreground, events };
  if (earlier) last.earlier = earlier;
  return last;
}
