import { DurableObject } from "cloudflare:workers";
import { deleteTracked } from "../db/tracked.ts";
import type { Env } from "../env.ts";
import { distance } from "../geo/distance.ts";
import { fullBucket, type TokenBucket, takeTokens } from "../limits/token-bucket.ts";
import { applyUpdate } from "../tracking/apply-update.ts";
import { type Conversion, conversionEvent } from "../tracking/conversion.ts";
import type { Rerun } from "../tracking/history/rerun.ts";
import { searchRadius } from "../tracking/match-fences.ts";
import { changeTrip, expiresAt, type TripChange } from "../tracking/trips.ts";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { FraudFlags } from "../tracking/types/fraud.ts";
import type { TrackingSettings } from "../tracking/types/settings.ts";
import type { Identity, Segment, UserState } from "../tracking/types/state.ts";
import type { BeaconsAround, Surroundings } from "../tracking/types/surroundings.ts";
import type { Trip } from "../tracking/types/trip.ts";
import type { LocationUpdate } from "../tracking/types/update.ts";
import { wireEvent } from "../wire/event.ts";
import { wireUser } from "../wire/user.ts";
import { findRangedBeacons } from "./beacon-lookup.ts";
import type { Neighbourhood } from "./geofence-index.ts";
import { newId } from "./id.ts";
import { listUpdates, lookBack, type PastQuestion } from "./past-updates.ts";
import { databaseWriterOf } from "./stubs/database-writers.ts";
import { geofenceIndexOf } from "./stubs/geofence-index.ts";
import { TrackerStore } from "./tracker-store.ts";
import { TripFinder } from "./trip-finder.ts";

/** An update with everything needed to apply it, except the geofences, which the tracker looks up itself. */
export interface TrackRequest {
  scope: number;
  live: boolean;
  update: LocationUpdate;
  settings: TrackingSettings;
  /** The newest epoch of the scope's geofences that the caller knows. */
  fenceEpoch: number;
  /** The same for its beacons; 0 = it has never had any. */
  beaconEpoch: number;
  /** The scope has, or has had, trips. */
  hasTrips: boolean;
  around: Omit<Surroundings, "fences" | "removed" | "beacons" | "beaconsExist" | "trip">;
  /** Updates per second a device may send. */
  rate: number;
  /** How long updates are kept [days]. */
  updateDays: number;
  idempotencyKey?: string;
}

interface Limited {
  limited: true;
  waitMs: number;
}
interface Taken {
  limited: false;
  state: UserState;
  events: readonly TrackEvent[];
  repeated: boolean;
}
export type TrackAnswer = Limited | Taken;

/** `taken`: how many of the updates were not sent before. */
export type ReplayAnswer = Limited | (Omit<Taken, "repeated"> & { taken: number });

/** A change to a trip by a call of the API. */
export interface TripRequest {
  scope: number;
  settings: TrackingSettings;
  trip: Trip;
  change: TripChange;
  now: number;
}

/** The identity a user will have, reserved for its conversions before it has been located. */
interface Reserved extends Identity {
  seq: number;
}

const NEIGHBOURHOOD_RADIUS = 2_000;
const NEIGHBOURHOOD_FENCES = 200;
/** Most fences that one update looks at, where there are too many for a neighbourhood. */
const MOST_FENCES = 5_000;
/** Neighbourhoods with more corners than this are not kept on disk; a value may have 2 MB. */
const KEPT_VERTICES = 30_000;

/** Most updates whose events are sent to the database at a time. */
const DRAIN_ENTRIES = 200;
/** When an alarm checks that events and trips have reached the database. */
const ALARM_AFTER_MS = 10_000;
/**
 * When it checks positions, unless SAFETY_NET_SECONDS says otherwise: only a machine that stops within the parts of a
 * second after the answer leaves one behind, the next update takes it along, and each alarm is a row and a request.
 */
const POSITION_ALARM_AFTER_MS = 6 * 3600_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * One per scope and device: where the device is, what it is inside, and its events until the database has them. There
 * is no await between reading and writing a state, so overlapping calls cannot mix; the answer is sent only when the
 * writes are durable.
 */
export class DeviceTracker extends DurableObject<Env> {
  #opened: TrackerStore | undefined;
  #neighbourhood: Neighbourhood | undefined;
  #bucket: TokenBucket | undefined;
  #draining: Promise<void> | undefined;
  /** When the alarm rings [ms]; undefined: none is set. */
  #alarmAt: number | undefined;
  #ringing = false;
  #failures = 0;
  #scope: number | undefined;
  #writer: ReturnType<typeof databaseWriterOf> | undefined;
  readonly #trips: TripFinder;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#neighbourhood = context.storage.kv.get<Neighbourhood>("neighbourhood");
    this.#scope = context.storage.kv.get<number>("scope");
    this.#trips = new TripFinder(env, context.storage.kv, () => this.#store);
    // Whatever a stopped machine has left here has an alarm on disk: it was set with it.
    void context.blockConcurrencyWhile(async () => {
      this.#alarmAt = (await context.storage.getAlarm()) ?? undefined;
    });
  }

  get #store(): TrackerStore {
    this.#opened ??= new TrackerStore(this.ctx.storage.sql);
    return this.#opened;
  }

  track(request: TrackRequest): Promise<TrackAnswer> {
    return this.#apply(request, true);
  }

  /** Applies one update. `counts`: it counts against the device's rate. */
  async #apply(request: TrackRequest, counts: boolean): Promise<TrackAnswer> {
    const { update, settings } = request;
    const around = await this.#surroundings(request);
    // From here to the end there is no await.
    const now = update.receivedAt;
    if (request.idempotencyKey) {
      const known = this.#store.answerTo(request.idempotencyKey, now);
      if (known)
        return { ...(JSON.parse(known) as { state: UserState; events: TrackEvent[] }), limited: false, repeated: true };
    }
    const before = this.#store.find(update.userId);
    const reserved = before ? undefined : this.#reserved(update.userId);
    const identity = before ?? reserved ?? { _id: newId(now), live: request.live };
    const outcome = applyUpdate(before, update, around, settings, identity);
    if (counts && !outcome.repeated) {
      const waitMs = this.#waitFor(request.rate, Date.now());
      if (waitMs > 0) return { limited: true, waitMs };
    }
    const { state, events, repeated, trips } = outcome;
    if (state !== before) {
      mustBeWritable(state, events);
      const applied = { before, update, surroundings: around, settings, outcome };
      this.#keep(request.scope, () => this.#store.save(state, events, trips, { applied, days: request.updateDays }));
      if (reserved) this.ctx.storage.kv.delete(reservedKey(update.userId));
      if (trips.length > 0 && state.trip === undefined) this.#trips.look(state.userId);
    }
    if (request.idempotencyKey) this.#store.keepAnswer(request.idempotencyKey, now, JSON.stringify({ state, events }));
    return { limited: false, state, events, repeated };
  }

  /** Several updates of this device, one after the other; they count as one for its rate. */
  async replay(requests: readonly TrackRequest[]): Promise<ReplayAnswer> {
    const waitMs = this.#waitFor(requests[0].rate, Date.now());
    if (waitMs > 0) return { limited: true, waitMs };
    const events: TrackEvent[] = [];
    let last: TrackAnswer | undefined;
    let taken = 0;
    for (const request of requests) {
      last = await this.#apply(request, false);
      if (last.limited || last.repeated) continue;
      taken++;
      events.push(...last.events);
    }
    const { state } = last as Taken;
    return { limited: false, state, events, taken };
  }

  /** A trip was created for this user: its next update looks for it. */
  async lookForTrips(userId: string): Promise<void> {
    this.#trips.look(userId);
  }

  /**
   * Changes a trip that a user of this device is on, or begins now. Returns when the database has the change, if it can
   * be reached. undefined: this device has never been located.
   */
  async changeTrip({ scope, settings, trip, change, now }: TripRequest) {
    const states = this.#store.states();
    const holder = states.find((state) => state.trip?._id === trip._id) ?? states.find(({ _id }) => _id === trip.user);
    const before = holder ?? this.#store.find(trip.userId);
    if (!before) return undefined;
    const held = before.trip?._id === trip._id ? before.trip : trip;
    // The caller's row may be out of date: an ended trip does not end again, and one with recent updates does not
    // expire.
    const lives = change.status === "expired" && now <= expiresAt(held);
    if (lives || before.endedTrip === trip._id) return { trip: held, events: [] };
    const { state, events, trips, refusal } = changeTrip(before, held, change, settings, now);
    if (refusal) return { trip: held, events: [], refusal };
    mustBeWritable(state, events);
    this.#keep(scope, () => this.#store.save(state, events, trips));
    if (state.trip === undefined) this.#trips.look(state.userId);
    await this.#drained();
    return { trip: trips.at(-1) as Trip, events };
  }

  /** Forgets a trip that is being deleted. */
  async forgetTrip(scope: number, id: string): Promise<void> {
    while (this.#draining) await this.#draining;
    this.#store.removeTrip(id);
    for (const state of this.#store.states()) {
      if (state.trip?._id === id) this.#keep(scope, () => this.#store.save({ ...state, trip: undefined }, []));
    }
  }

  /** Stores what the customer has decided about a user; undefined: no such user here. */
  async setFraudFlags(scope: number, id: string, flags: FraudFlags): Promise<UserState | undefined> {
    const before = this.#store.byId(id);
    if (!before) return undefined;
    const state = { ...before, fraudFlags: { ...before.fraudFlags, ...flags } };
    this.#keep(scope, () => this.#store.save(state, []));
    await this.#drained();
    return state;
  }

  /** Makes the event of a conversion. */
  async convert(scope: number, live: boolean, conversion: Conversion): Promise<TrackEvent> {
    const { userId, receivedAt } = conversion;
    const before = this.#store.find(userId);
    let event: TrackEvent;
    if (before) {
      const state = { ...before, seq: before.seq + 1 };
      event = conversionEvent({ ...conversion, userId: before.userId ?? userId }, state, state.seq);
      mustBeWritable(undefined, [event]);
      this.#keep(scope, () => this.#store.save(state, [event]));
    } else {
      const known = this.#reserved(userId) ?? { _id: newId(receivedAt), live, seq: 0 };
      const next = { ...known, seq: known.seq + 1 };
      event = conversionEvent(conversion, next, next.seq);
      mustBeWritable(undefined, [event]);
      this.#keep(scope, () => {
        this.ctx.storage.kv.put(reservedKey(userId), next);
        this.#store.keepEvents([event]);
      });
    }
    return event;
  }

  #reserved(userId: string | undefined): Reserved | undefined {
    return this.ctx.storage.kv.get<Reserved>(reservedKey(userId));
  }

  /** Runs `write`, and makes sure that what it has stored reaches the database. */
  #keep(scope: number, write: () => void): void {
    if (this.#scope === undefined) {
      this.#scope = scope;
      this.ctx.storage.kv.put("scope", scope);
    }
    write();
    this.#arm(this.#store.hasUrgent() ? ALARM_AFTER_MS : this.#positionAlarmAfter());
    // Not awaited: the answer does not wait for the database, and after a failure the alarm tries again.
    if (this.#failures === 0) void this.#drain();
  }

  /** Resolves when the database has everything, or could not be reached. */
  async #drained(): Promise<void> {
    await this.#drain();
    // What was written during a drain needs another one.
    if (this.#failures === 0 && this.#store.hasUnstored()) await this.#drain();
  }

  /** A user of this device as it is now, even if the database does not have it yet. */
  user(id: string): UserState | undefined {
    return this.#store.byId(id);
  }

  /** The updates of a user of this device, in the order in which they came. */
  updates(id: string, query: Parameters<typeof listUpdates>[2]): ReturnType<typeof listUpdates> {
    return listUpdates(this.#store.history, id, query);
  }

  /** Runs an update of the past again, with all decisions; undefined when it is not kept any more. */
  lookBack(question: PastQuestion): Promise<Rerun | undefined> {
    return lookBack(this.env.DB, this.#store.history, question);
  }

  /** Forgets the updates of users that have been silent since before a time [ms]. */
  forgetUpdates(before: number): void {
    this.#store.forgetUpdates(before);
  }

  /** Replaces the segments of a user of this device; undefined when there is no such user. */
  setSegments(id: string, segments: readonly Segment[]): UserState | undefined {
    const before = this.#store.byId(id);
    if (!before) return undefined;
    const state = { ...before, segments: segments.length > 0 ? segments : undefined };
    this.#keep(this.#scope as number, () => this.#store.save(state, []));
    return state;
  }

  /** Deletes a user of this device, here and in the database, with its events. */
  async forget(scope: number, id: string): Promise<void> {
    // A write that is still on its way would bring the rows back after they are deleted.
    while (this.#draining) await this.#draining;
    // The next user with this userId is a new one, for whom a trip may wait.
    this.#trips.look(this.#store.byId(id)?.userId);
    this.#store.remove(id);
    await deleteTracked(this.env.DB, scope, id);
    if (!this.#store.isEmpty()) return;
    this.#opened = undefined;
    this.#neighbourhood = undefined;
    this.#scope = undefined;
    this.#alarmAt = undefined;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /**
   * The safety net for `drain`: sends what a stopped machine or a failure has left here to the database. Never throws,
   * because an alarm that fails six times is dropped.
   */
  override async alarm(): Promise<void> {
    // None is set until this one ends: setting it earlier would cut this one short.
    this.#ringing = true;
    await this.#drain();
    this.#ringing = false;
    this.#alarmAt = undefined;
    if (this.#store.hasUnstored()) this.#arm(Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** this.#failures));
  }

  /** Sends what the database does not have yet, until nothing is left or a write fails. One drain at a time. */
  #drain(): Promise<void> {
    this.#draining ??= this.#drainAll().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  async #drainAll(): Promise<void> {
    const scope = this.#scope;
    if (scope === undefined) return;
    for (let due = this.#store.unstored(scope, DRAIN_ENTRIES); due; due = this.#store.unstored(scope, DRAIN_ENTRIES)) {
      try {
        this.#writer ??= databaseWriterOf(this.env, this.ctx.id.toString());
        await this.#writer.store(due.users, due.events, this.ctx.id.toString());
        this.#store.confirm(due.confirm);
        this.#failures = 0;
      } catch (error) {
        // A stub stays broken once its object has failed: get a new one.
        this.#writer = undefined;
        this.#failures = Math.min(this.#failures + 1, 10);
        this.#arm(ALARM_AFTER_MS);
        console.error(JSON.stringify({ what: "drain", failures: this.#failures, error: String(error) }));
        return;
      }
    }
  }

  /** Makes sure that an alarm rings by then. One that is set for earlier stays. */
  #arm(afterMs: number): void {
    const at = Date.now() + afterMs;
    if (this.#ringing || (this.#alarmAt !== undefined && this.#alarmAt <= at)) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }

  #positionAlarmAfter(): number {
    const { SAFETY_NET_SECONDS } = this.env;
    return SAFETY_NET_SECONDS ? Number(SAFETY_NET_SECONDS) * 1000 : POSITION_ALARM_AFTER_MS;
  }

  /** Milliseconds until the device may send again. 0: it may now, and this update is counted. */
  #waitFor(rate: number, now: number): number {
    this.#bucket ??= fullBucket(rate, now);
    const { granted, retryAfterMs } = takeTokens(this.#bucket, rate, 1, now);
    return granted === 1 ? 0 : retryAfterMs;
  }

  /** Everything around an update. Without beacons and trips, only the fences are awaited. */
  async #surroundings(request: TrackRequest): Promise<Surroundings> {
    const { fences } = await this.#fencesAround(request);
    const { update, settings, scope, beaconEpoch } = request;
    const around: Surroundings = { ...request.around, fences };
    if (beaconEpoch > 0) around.beaconsExist = true;
    if (update.beacons && settings.beacons) around.beacons = await this.#beaconsAround(scope, beaconEpoch, update);
    const before = this.#store.find(update.userId);
    if (this.#trips.concerns(request, before)) {
      const question = { ...request, accuracyLimit: settings.accuracyLimit };
      around.trip = await this.#trips.around(question, before);
    }
    return around;
  }

  #beaconsAround(scope: number, epoch: number, update: LocationUpdate): Promise<BeaconsAround> {
    const held = Object.keys(this.#store.find(update.userId)?.beacons ?? {});
    return findRangedBeacons(this.env.DB, scope, epoch, update.beacons ?? [], held);
  }

  /**
   * The fences the update may affect: from the tracker's own neighbourhood, or from the index when the device has left
   * that.
   */
  async #fencesAround({ scope, fenceEpoch, update, settings }: TrackRequest): Promise<Neighbourhood> {
    const need = searchRadius(update.accuracy, settings);
    const known = this.#neighbourhood;
    if (known && known.epoch >= fenceEpoch && distance(known.center, update.location) + need <= known.radius)
      return known;
    if (fenceEpoch === 0) return { center: update.location, radius: 0, epoch: 0, fences: [] };
    const index = geofenceIndexOf(this.env, scope);
    const radius = Math.max(NEIGHBOURHOOD_RADIUS, 2 * need);
    const found = await index.neighbourhood(scope, fenceEpoch, update.location, radius, NEIGHBOURHOOD_FENCES);
    if (found.radius < need) return index.neighbourhood(scope, fenceEpoch, update.location, need, MOST_FENCES);
    this.#neighbourhood = found;
    let vertices = 0;
    for (const { shape } of found.fences) vertices += shape.type === "polygon" ? shape.ring.length : 1;
    if (vertices <= KEPT_VERTICES) this.ctx.storage.kv.put("neighbourhood", found);
    return found;
  }
}

/** Refuses to store what the API could not show later. @throws Unwritable */
function mustBeWritable(state: UserState | undefined, events: readonly TrackEvent[]): void {
  if (state) wireUser(state);
  for (const event of events) wireEvent(event);
}

function reservedKey(userId: string | undefined): string {
  return userId === undefined ? "reserved" : `reserved:${userId}`;
}
