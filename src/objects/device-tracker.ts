import { DurableObject } from "cloudflare:workers";
import { deleteTracked } from "../db/tracked.ts";
import type { Env } from "../env.ts";
import { distance } from "../geo/distance.ts";
import { fullBucket, type TokenBucket, takeTokens } from "../limits/token-bucket.ts";
import { applyUpdate } from "../tracking/apply-update.ts";
import { searchRadius } from "../tracking/match-fences.ts";
import type {
  LocationUpdate,
  Segment,
  Surroundings,
  TrackEvent,
  TrackingSettings,
  UserState,
} from "../tracking/types.ts";
import type { Neighbourhood } from "./geofence-index.ts";
import { newId } from "./id.ts";
import { databaseWriterOf, geofenceIndexOf } from "./stubs.ts";
import { TrackerStore } from "./tracker-store.ts";

/** An update with all that decides about it but the geofences, which the tracker knows itself. */
export interface TrackRequest {
  scope: number;
  live: boolean;
  update: LocationUpdate;
  settings: TrackingSettings;
  /** Newest epoch of the scope's geofences that the caller knows of. */
  fenceEpoch: number;
  around: Omit<Surroundings, "fences" | "removed">;
  /** Updates per second a device may send. */
  rate: number;
  idempotencyKey?: string;
}

export type TrackAnswer =
  | { limited: true; waitMs: number }
  | { limited: false; state: UserState; events: readonly TrackEvent[]; repeated: boolean };

const NEIGHBOURHOOD_RADIUS = 2_000;
const NEIGHBOURHOOD_FENCES = 200;
/** Where fences are denser than a neighbourhood can hold: as many as a single update looks at. */
const MOST_FENCES = 5_000;
/** Neighbourhoods of more corners than this are not kept on disk [pairs]; a value may have 2 MB. */
const KEPT_VERTICES = 30_000;

/** Updates whose events are drained at a time. */
const DRAIN_ENTRIES = 200;
/** An alarm looks after what a drain should have done by then. */
const ALARM_AFTER_MS = 10_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * One per scope and device: where the device is, what it is inside of, and the events it has made until the database has
 * them. Every decision is made without an await between reading and writing, so calls that overlap cannot mix; the
 * answer leaves only when the writes are durable.
 */
export class DeviceTracker extends DurableObject<Env> {
  private opened: TrackerStore | undefined;
  private neighbourhood: Neighbourhood | undefined;
  private bucket: TokenBucket | undefined;
  private draining: Promise<void> | undefined;
  private armed = false;
  private failures = 0;
  private scope: number | undefined;
  private writer: ReturnType<typeof databaseWriterOf> | undefined;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.neighbourhood = context.storage.kv.get<Neighbourhood>("neighbourhood");
    this.scope = context.storage.kv.get<number>("scope");
    if (this.store.hasUnstored()) this.arm(SHORTEST_PAUSE_MS);
  }

  private get store(): TrackerStore {
    this.opened ??= new TrackerStore(this.ctx.storage.sql);
    return this.opened;
  }

  async track(request: TrackRequest): Promise<TrackAnswer> {
    const { update, settings } = request;
    const around = await this.fencesAround(request);
    // From here to the end there is no await.
    const now = update.receivedAt;
    if (request.idempotencyKey) {
      const known = this.store.answerTo(request.idempotencyKey, now);
      if (known)
        return { ...(JSON.parse(known) as { state: UserState; events: TrackEvent[] }), limited: false, repeated: true };
    }
    const before = this.store.find(update.userId);
    const identity = { _id: before?._id ?? newId(now), live: request.live };
    const outcome = applyUpdate(before, update, { ...request.around, fences: around.fences }, settings, identity);
    if (!outcome.repeated) {
      const waitMs = this.waitFor(request.rate, Date.now());
      if (waitMs > 0) return { limited: true, waitMs };
    }
    const { state, events, repeated } = outcome;
    if (state !== before) {
      if (this.scope === undefined) {
        this.scope = request.scope;
        this.ctx.storage.kv.put("scope", request.scope);
      }
      this.store.save(state, events);
      this.arm(ALARM_AFTER_MS);
      // Not awaited: the answer does not wait for the database, and a failure is the alarm's to mend.
      if (this.failures === 0) void this.drain();
    }
    if (request.idempotencyKey) this.store.keepAnswer(request.idempotencyKey, now, JSON.stringify({ state, events }));
    return { limited: false, state, events, repeated };
  }

  /** Puts a user of this device into segments, in place of those it was in; undefined when there is no such user. */
  setSegments(id: string, segments: readonly Segment[]): UserState | undefined {
    const before = this.store.byId(id);
    if (!before) return undefined;
    const state = { ...before, segments: segments.length > 0 ? segments : undefined };
    this.store.save(state, []);
    this.arm(ALARM_AFTER_MS);
    if (this.failures === 0) void this.drain();
    return state;
  }

  /** Deletes a user of this device, here and in the database, with its events. */
  async forget(scope: number, id: string): Promise<void> {
    // What is on its way to the database would come back after the rows are deleted.
    while (this.draining) await this.draining;
    this.store.remove(id);
    await deleteTracked(this.env.DB, scope, id);
    if (!this.store.isEmpty()) return;
    this.opened = undefined;
    this.neighbourhood = undefined;
    this.scope = undefined;
    this.armed = false;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /**
   * The safety net under `drain`: brings into the database what a stopped machine or a failure has left here. Never
   * throws: an alarm that fails six times would be given up.
   */
  override async alarm(): Promise<void> {
    // Until the end the alarm counts as set: setting it meanwhile would cut this one off.
    await this.drain();
    this.armed = false;
    if (this.store.hasUnstored()) this.arm(Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** this.failures));
    else this.store.settle();
  }

  /** Brings what the database has not seen into it, until nothing is left or it fails. One drain at a time. */
  private drain(): Promise<void> {
    this.draining ??= this.drainAll().finally(() => {
      this.draining = undefined;
    });
    return this.draining;
  }

  private async drainAll(): Promise<void> {
    const { scope } = this;
    if (scope === undefined) return;
    for (let due = this.store.unstored(scope, DRAIN_ENTRIES); due; due = this.store.unstored(scope, DRAIN_ENTRIES)) {
      try {
        this.writer ??= databaseWriterOf(this.env, this.ctx.id.toString());
        await this.writer.store(due.users, due.events);
        this.store.confirm(due.confirm);
        this.failures = 0;
      } catch (error) {
        // A stub whose other end broke stays broken.
        this.writer = undefined;
        this.failures = Math.min(this.failures + 1, 10);
        console.error(JSON.stringify({ what: "drain", failures: this.failures, error: String(error) }));
        return;
      }
    }
  }

  private arm(afterMs: number): void {
    if (this.armed) return;
    this.armed = true;
    void this.ctx.storage.setAlarm(Date.now() + afterMs);
  }

  /** Milliseconds until the device may send again; 0 takes its turn now. */
  private waitFor(rate: number, now: number): number {
    this.bucket ??= fullBucket(rate, now);
    const { granted, retryAfterMs } = takeTokens(this.bucket, rate, 1, now);
    return granted === 1 ? 0 : retryAfterMs;
  }

  /** The fences the update may touch: from the tracker's own neighbourhood, or from the index when the device has left it. */
  private async fencesAround({ scope, fenceEpoch, update, settings }: TrackRequest): Promise<Neighbourhood> {
    const need = searchRadius(update.accuracy, settings);
    const known = this.neighbourhood;
    if (known && known.epoch >= fenceEpoch && distance(known.center, update.location) + need <= known.radius)
      return known;
    if (fenceEpoch === 0) return { center: update.location, radius: 0, epoch: 0, fences: [] };
    const index = geofenceIndexOf(this.env, scope);
    const radius = Math.max(NEIGHBOURHOOD_RADIUS, 2 * need);
    const found = await index.neighbourhood(scope, fenceEpoch, update.location, radius, NEIGHBOURHOOD_FENCES);
    if (found.radius < need) return index.neighbourhood(scope, fenceEpoch, update.location, need, MOST_FENCES);
    this.neighbourhood = found;
    let vertices = 0;
    for (const { shape } of found.fences) vertices += shape.type === "polygon" ? shape.ring.length : 1;
    if (vertices <= KEPT_VERTICES) this.ctx.storage.kv.put("neighbourhood", found);
    return found;
  }
}
