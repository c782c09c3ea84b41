import { DurableObject } from "cloudflare:workers";
import type { Delivery } from "../../../core/engagement/deliver.ts";
import type { Ledger } from "../../../core/engagement/ledger.ts";
import { type Conversion, conversionEvent } from "../../../core/tracking/conversion.ts";
import type { Rerun } from "../../../core/tracking/history/rerun.ts";
import type { TimelinePart, TimelineQuery } from "../../../core/tracking/journeys/timeline.ts";
import type { NewReport } from "../../../core/tracking/offline.ts";
import { changeTrip, expiresAt } from "../../../core/tracking/trips.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { FenceLabel } from "../../../core/tracking/types/fence.ts";
import type { FraudFlags } from "../../../core/tracking/types/fraud.ts";
import type { Segment, UserState } from "../../../core/tracking/types/state.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { deleteTracked } from "../../db/customers/tracked.ts";
import { usersOfDevice } from "../../db/customers/users.ts";
import type { UserWrite } from "../../db/customers/writes.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { residenceOf } from "../../platform/residence.ts";
import { campaignsOf } from "../campaigns/known-campaigns.ts";
import { DeviceMeetings } from "../meetings/device-meetings.ts";
import type { SentMessage } from "../meetings/meeting-stub.ts";
import { type RecoveryPoint, recoverTo } from "../point-in-time.ts";
import { takeUser } from "./creation-limit.ts";
import { DeviceBytes } from "./device-bytes.ts";
import { DeviceCampaigns, joined } from "./device-campaigns.ts";
import { DeviceFences } from "./device-fences.ts";
import { DeviceRate } from "./device-rate.ts";
import { DeviceUpdates } from "./device-updates.ts";
import { listUpdates, lookBack, type PastQuery, timeline } from "./history/past-updates.ts";
import { newId } from "./id.ts";
import { OfflineEvents } from "./offline-events.ts";
import { ResentUpdates } from "./resent-updates.ts";
import { ReservedIdentities } from "./reserved-identities.ts";
import { ALARM_AFTER_MS, MEETINGS_ALARM_AFTER_MS, POSITION_ALARM_AFTER_MS } from "./safety-net.ts";
import {
  type Added,
  type Limited,
  mustBeWritable,
  type ReplayAnswer,
  type TrackAnswer,
  type TrackRequest,
  type TripRequest,
} from "./tracker-calls.ts";
import { TrackerDrain } from "./tracker-drain.ts";
import { TrackerStore } from "./tracker-store.ts";
import { TripFinder } from "./trip-finder.ts";

/**
 * One object per scope and device: the device's location, the areas it is inside, and its events until they are in the
 * database. There is no await between reading and writing a state, so concurrent calls can't interleave. The response
 * is sent only when the writes are durable.
 */
export class DeviceTracker extends DurableObject<Env> {
  #opened: TrackerStore | undefined;
  #scope: number | undefined;
  readonly #rate = new DeviceRate();
  readonly #drain: TrackerDrain;
  readonly #fences: DeviceFences;
  readonly #trips: TripFinder;
  readonly #campaigns: DeviceCampaigns;
  readonly #meetings: DeviceMeetings;
  readonly #offline: OfflineEvents;
  readonly #reserved: ReservedIdentities;
  readonly #bytes: DeviceBytes;
  readonly #updates: DeviceUpdates;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#fences = new DeviceFences(env, context.storage.kv);
    this.#offline = new OfflineEvents(env, context.storage.kv);
    this.#campaigns = new DeviceCampaigns(env, context.storage.kv);
    this.#reserved = new ReservedIdentities(context.storage.kv);
    this.#scope = context.storage.kv.get<number>("scope");
    // On a machine of one's own, files get lost. Elsewhere the platform stores objects.
    if (this.#scope === undefined && env.MACHINE) void context.blockConcurrencyWhile(() => this.#rebuild());
    this.#bytes = new DeviceBytes(context.storage.kv);
    this.#trips = new TripFinder(env, context.storage.kv, () => this.#store, this.#bytes);
    this.#drain = new TrackerDrain(env, context, () => this.#store);
    const retryLater = () => this.#drain.arm(MEETINGS_ALARM_AFTER_MS);
    this.#meetings = new DeviceMeetings({ env, byId: (id) => this.#store.byId(id), retryLater }, context.storage.kv);
    this.#updates = new DeviceUpdates({
      ...{ env: this.env, store: () => this.#store, rate: this.#rate, drain: this.#drain, fences: this.#fences },
      ...{ trips: this.#trips, campaigns: this.#campaigns, offline: this.#offline, reserved: this.#reserved },
      meetings: this.#meetings,
      ...{ bytes: this.#bytes, keep: (...write) => this.#keep(...write) },
    });
  }

  get #store(): TrackerStore {
    this.#opened ??= new TrackerStore(this.ctx.storage.sql);
    return this.#opened;
  }

  async track(request: TrackRequest): Promise<TrackAnswer> {
    const answer = await this.#updates.apply(request, true);
    const added = this.#bytes.take();
    if (answer.limited || !answer.written) return { ...answer, ...added };
    const { written, repeated, position } = answer;
    return { ...written, ...added, limited: false, repeated, ...(position && { position }) };
  }

  /** The user of an update that changes nothing; it counts against the device's rate. undefined: there is none. */
  lastKnown(userId: string | undefined, rate: number): UserState | Limited | undefined {
    const waitMs = this.#rate.waitFor(rate, Date.now());
    return waitMs > 0 ? { limited: true, waitMs } : this.#store.find(userId);
  }

  /** The caller could not hand over the position that `track` returned. */
  async sendPosition(): Promise<void> {
    await this.#drain.drain(this.#scope);
  }

  /** Applies several updates of this device in order; they count as one for its rate. */
  async replay(requests: readonly TrackRequest[]): Promise<ReplayAnswer> {
    const waitMs = this.#rate.waitFor(requests[0].rate, Date.now());
    if (waitMs > 0) return { limited: true, waitMs };
    const events: TrackEvent[] = [];
    const recognized = new ResentUpdates(this.ctx.storage.kv);
    const deliveries: Delivery[] = [];
    let state: UserState | undefined;
    let taken = 0;
    // The limits of bytes count for a batch as a whole: a phone that was offline hands over its positions at once.
    const isAdmitted = this.#bytes.limited(requests[0].creations, Date.now()) === undefined;
    for (const request of requests) {
      const { resent, update } = request;
      const before = this.#store.recordOf(update);
      if (before && recognized.has(resent)) {
        state = before;
        continue;
      }
      const last = await this.#updates.apply({ ...request, isAdmitted }, false);
      if (last.limited) return { ...last, ...this.#bytes.take() };
      state = last.state;
      if (last.repeated) continue;
      recognized.add(resent);
      taken++;
      events.push(...last.events);
      if (last.delivery) deliveries.push(last.delivery);
    }
    const delivery = deliveries.length > 0 ? joined(deliveries) : undefined;
    if (taken > 0) recognized.keepAnswer(requests, { events, delivery });
    const answered = taken > 0 ? undefined : recognized.answerTo(requests);
    const { events: told, delivery: due } = answered ?? { events, delivery };
    const added = this.#bytes.take();
    return { limited: false, state: state as UserState, events: told, taken, ...added, ...(due && { delivery: due }) };
  }

  /** A trip was created for this user: its next update looks for it. */
  async lookForTrips(userId: string): Promise<void> {
    this.#trips.look(userId);
  }

  /**
   * Changes a trip that a user of this device is on, or starts now. Returns when the change is in the database, if that
   * can be reached. undefined: this device has never been located.
   */
  async changeTrip({ scope, settings, trip, change, now, creations }: TripRequest) {
    const states = this.#store.states();
    const holder = states.find((state) => state.trip?._id === trip._id) ?? states.find(({ _id }) => _id === trip.user);
    const before = holder ?? this.#store.find(trip.userId);
    if (!before) return undefined;
    const held = before.trip?._id === trip._id ? before.trip : trip;
    // The caller's row may be outdated: an ended trip doesn't end again, and one with recent updates doesn't expire.
    const lives = change.status === "expired" && now <= expiresAt(held);
    if (lives) return { trip: held, events: [] };
    if (before.endedTrip === trip._id) {
      await this.#drain.drained(this.#scope);
      return { trip: held, events: [], hasEnded: true };
    }
    const { state, events, trips, refusal } = changeTrip(before, held, change, settings, now);
    if (refusal) return { trip: held, events: [], refusal };
    mustBeWritable(state, events);
    const limited = this.#bytes.limited(creations, now);
    if (limited) return { trip: held, events: [], limited };
    this.#keep(scope, () => this.#bytes.add(creations, this.#store.save(state, events, trips), now));
    if (state.trip === undefined) this.#trips.look(state.userId);
    await this.#drain.drained(this.#scope);
    return { trip: trips.at(-1) as Trip, events, ...this.#bytes.take() };
  }

  /** Returns when all data is in the database, if that can be reached. */
  async deliver(): Promise<void> {
    await this.#drain.handedOver();
    this.#drain.heedHanded();
    await this.#drain.drained(this.#scope);
  }

  /** Forgets an event that is being deleted: it must not be sent again. */
  async forgetEvent(id: string): Promise<void> {
    if (this.#scope === undefined) return;
    await this.deliver();
    this.#store.forgetEvent(id);
  }

  /** Forgets a trip that is being deleted. */
  async forgetTrip(scope: number, id: string): Promise<void> {
    await this.#drain.idle();
    this.#store.removeTrip(id);
    for (const state of this.#store.states()) {
      if (state.trip?._id === id) this.#keep(scope, () => this.#store.save({ ...state, trip: undefined }, []));
    }
  }

  /** Stores the customer's decision about a user; undefined: no such user here. */
  async setFraudFlags(scope: number, id: string, flags: FraudFlags): Promise<UserState | undefined> {
    const before = this.#store.byId(id);
    if (!before) return undefined;
    const state = { ...before, fraudFlags: { ...before.fraudFlags, ...flags } };
    this.#keep(scope, () => this.#store.save(state, []));
    await this.#drain.drained(this.#scope);
    return state;
  }

  /** Creates a conversion event, unless the caller's key may not create another user now. */
  async convert(
    scope: number,
    live: boolean,
    conversion: Conversion,
    creations?: TrackRequest["creations"],
    campaigns: { epoch: number; named?: string | undefined } = { epoch: 0 },
  ): Promise<Limited | ({ event: TrackEvent } & Added)> {
    const { userId, receivedAt } = conversion;
    const book = await campaignsOf(this.env, scope, campaigns.epoch);
    const owner = this.#store.find(userId)?.userId ?? userId;
    const counted = await this.#campaigns.convert(scope, book, { ...conversion, userId: owner }, campaigns.named);
    if (creations && !this.#store.find(userId) && !this.#reserved.of(userId)) {
      const limited = await takeUser(this.env, scope, creations);
      if (limited) return limited;
    }
    const full = this.#bytes.limited(creations, receivedAt);
    if (full) return full;
    const before = this.#store.find(userId);
    const known = before ?? this.#reserved.of(userId) ?? { _id: newId(receivedAt), live, seq: 0 };
    const next = { ...known, seq: known.seq + 1 };
    const logged = conversionEvent({ ...conversion, userId: before?.userId ?? userId }, next, next.seq);
    mustBeWritable(undefined, [logged]);
    const event = this.#campaigns.attributed(book, logged, campaigns.named, counted);
    // As with an update, a new userId takes over the record without one: the event must not name a user whose record does not.
    const isNamed = before && before.userId === undefined && userId !== undefined;
    const named = isNamed ? { userId, namedAt: receivedAt } : undefined;
    if (isNamed) this.#trips.look(userId);
    this.#keep(scope, () => {
      if (!before) this.#reserved.keep(userId, next);
      const added = before
        ? this.#store.save({ ...before, ...named, seq: next.seq }, [event])
        : this.#store.keepEvents([event]);
      this.#bytes.add(creations, added, receivedAt);
    });
    return { event, ...this.#bytes.take() };
  }

  /** Stores an event that the phone generated without a network; one that the server has, too, is the same event. */
  async reportOffline(
    scope: number,
    userId: string | undefined,
    report: NewReport,
    fence: FenceLabel,
    now: number,
    creations?: TrackRequest["creations"],
  ): Promise<Limited | ({ event: TrackEvent } & Added) | undefined> {
    const found = this.#store.find(userId);
    if (!found) return undefined;
    const full = this.#bytes.limited(creations, now);
    if (full) return full;
    await this.#drain.drained(this.#scope);
    const { event, isNew } = await this.#offline.report(scope, found, report, fence, now);
    if (isNew) this.#keep(scope, () => this.#bytes.add(creations, this.#store.keepEvents([event]), now));
    return { event, ...this.#bytes.take() };
  }

  /**
   * Runs `write`, and makes sure that its data reaches the database.
   * @param isFound if the write has only a position, whether it is found without an alarm (safety-net.ts)
   * @param isForCaller the caller hands over what is only a position
   * @returns what the caller must hand over
   */
  #keep(scope: number, write: () => void, isFound = false, isForCaller = false): UserWrite[] | undefined {
    if (this.#scope === undefined) {
      this.#scope = scope;
      this.ctx.storage.kv.put("scope", scope);
    }
    // Data that has arrived is not written again and needs no alarm.
    this.#drain.heedHanded();
    write();
    const { SAFETY_NET_SECONDS } = this.env;
    if (this.#store.hasUrgent()) this.#drain.arm(ALARM_AFTER_MS);
    else if (SAFETY_NET_SECONDS) this.#drain.arm(Number(SAFETY_NET_SECONDS) * 1000);
    else if (!isFound) this.#drain.arm(POSITION_ALARM_AFTER_MS);
    // Not awaited: the response doesn't wait for the database.
    return this.#drain.send(scope, isForCaller);
  }

  /** Where a user of this device is, for a cell of meetings: from now on its updates are reported to its cells. */
  meetingFix(id: string): ReturnType<DeviceMeetings["fix"]> {
    return this.#meetings.fix(id);
  }

  /** The cell that compares a user of this device with a person whom it has met. */
  meetsIn(id: string, rule: string, person: string): string | undefined {
    return this.#meetings.meetsIn(id, rule, person);
  }

  /** The cells that have a user of this device. */
  meetingCells(): string[] {
    return this.#store.states().flatMap(({ _id }) => this.#meetings.cells(_id));
  }

  /** A user of this device has met another, or parted from it; a message that is sent again changes nothing. */
  async meet(scope: number, message: SentMessage): Promise<void> {
    const book = await campaignsOf(this.env, scope, message.options.campaignEpoch);
    await this.#meetings.receive(scope, message, (changed, write) =>
      this.#keep(
        scope,
        () => {
          if (changed) this.#store.save(changed.state, changed.events);
          if (changed && book) this.#campaigns.wait(book, changed.state._id, changed.events);
          write();
        },
        true,
      ),
    );
  }

  /** The current state of a user of this device, even if it is not in the database yet. */
  user(id: string): UserState | undefined {
    return this.#store.byId(id);
  }

  /** A user of this device, and what it has got of each campaign. */
  engagement(id: string): { state: UserState; ledger: Ledger } | undefined {
    const state = this.#store.byId(id);
    return state && { state, ledger: this.#campaigns.ledger(id) };
  }

  /** The updates of a user of this device, in order of arrival. */
  updates(id: string, query: Parameters<typeof listUpdates>[2]): ReturnType<typeof listUpdates> {
    return listUpdates(this.#store.history, id, query);
  }

  /** Stops and journeys of a user of this device; undefined if there is no such user. */
  timeline(id: string, query: TimelineQuery, wantsLines: boolean): TimelinePart[] | undefined {
    const state = this.#store.byId(id);
    const parts = state && timeline(this.#store.history, state, query);
    return wantsLines ? parts : parts?.map((part) => (part.kind === "stop" ? part : { ...part, line: [], times: [] }));
  }

  /** Reruns a past update with all decisions; undefined if it is no longer stored. */
  async lookBack(query: PastQuery): Promise<Rerun | undefined> {
    const { DB } = await envOf(this.env, query.scope);
    return lookBack(DB, this.#store.history, query);
  }

  /**
   * Deletes the updates of users that have been silent since before a time [ms], and sends data left by a stopped
   * machine.
   */
  async forgetUpdates(before: number): Promise<void> {
    this.#store.forgetUpdates(before);
    await this.#drain.handedOver();
    this.#drain.heedHanded();
    if (this.#store.hasUnstored()) await this.#drain.drain(this.#scope);
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
    await this.#meetings.forget(scope, id);
    // A write in transit would bring the rows back after they are deleted.
    await this.#drain.handedOver();
    await this.#drain.idle();
    await this.#drain.settled();
    // The next user with this userId is a new one, and a trip may be waiting for it.
    const userId = this.#store.byId(id)?.userId;
    this.#trips.look(userId);
    this.#store.remove(id);
    this.#reserved.forget(id);
    await this.#campaigns.forget(scope, id, userId);
    this.#offline.forget(id);
    new ResentUpdates(this.ctx.storage.kv).forgetAnswer();
    await deleteTracked((await envOf(this.env, scope)).DB, scope, id);
    if (!this.#store.isEmpty() || !this.#reserved.isEmpty) return;
    this.#opened = undefined;
    this.#fences.forget();
    this.#bytes.forget();
    this.#scope = undefined;
    await this.#drain.disarm();
    await this.ctx.storage.deleteAll();
  }

  /** Begins with the users as the database has them, if it has any: the file of this object was damaged, emptied or lost. */
  async #rebuild(): Promise<void> {
    const [, digits = "", deviceId = ""] = /^(\d+):(.*)$/s.exec(residenceOf(this.ctx.id).name ?? "") ?? [];
    const scope = Number(digits);
    const users = await usersOfDevice((await envOf(this.env, scope)).DB, scope, deviceId);
    if (users.length === 0 || !this.#store.isEmpty()) return;
    this.ctx.storage.transactionSync(() => TrackerStore.fill(this.ctx.storage.sql, users));
    this.ctx.storage.kv.put("scope", scope);
    this.#scope = scope;
    this.#opened = undefined;
    console.warn(JSON.stringify({ what: "rebuilt", class: "DeviceTracker", scope, users: users.length }));
  }

  /** The safety net: sends data left here by a stopped machine or a failure to the database. */
  override async alarm(): Promise<void> {
    const ids = this.#store.states().map(({ _id }) => _id);
    const isLeft = this.#scope !== undefined && (await this.#meetings.resend(this.#scope, ids));
    await this.#drain.ring(this.#scope);
    if (isLeft) this.#drain.arm(MEETINGS_ALARM_AFTER_MS);
  }

  /** The state at an earlier time, which is restored if wanted. */
  recover(at: number, restores: boolean): Promise<RecoveryPoint> {
    return recoverTo(this.ctx, at, restores);
  }
}
