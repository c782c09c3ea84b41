import type { CampaignBook } from "../../../core/engagement/book.ts";
import type { Grants } from "../../../core/engagement/person.ts";
import { applyUpdate } from "../../../core/tracking/steps/apply-update.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { UserWrite } from "../../db/customers/writes.ts";
import type { Env } from "../../platform/env.ts";
import type { DeviceMeetings } from "../meetings/device-meetings.ts";
import { takeUser } from "./creation-limit.ts";
import type { DeviceBytes } from "./device-bytes.ts";
import { type DeviceCampaigns, type Needs, segmentsBefore } from "./device-campaigns.ts";
import type { DeviceFences } from "./device-fences.ts";
import type { DeviceRate } from "./device-rate.ts";
import { newId } from "./id.ts";
import type { OfflineEvents } from "./offline-events.ts";
import type { ReservedIdentities } from "./reserved-identities.ts";
import { isFoundBySilence } from "./safety-net.ts";
import { surroundingsOf } from "./surroundings.ts";
import {
  type Applied,
  addsData,
  type Limited,
  mustBeWritable,
  type Taken,
  type TrackRequest,
  write,
} from "./tracker-calls.ts";
import type { TrackerDrain } from "./tracker-drain.ts";
import type { TrackerStore } from "./tracker-store.ts";
import type { TripFinder } from "./trip-finder.ts";

const NO_GRANTS: Grants = new Map();
const NO_EVENTS: readonly TrackEvent[] = [];

type Surroundings = Awaited<ReturnType<typeof surroundingsOf>>;

/** What an update does, before it is stored. */
interface Step {
  before: UserState | undefined;
  /** The user has an id that was reserved. */
  isReserved: boolean;
  around: Surroundings;
  outcome: ReturnType<typeof applyUpdate>;
  /** Events to return, and to store. */
  events: readonly TrackEvent[];
  stored: readonly TrackEvent[];
  saveReports: () => void;
  engaged: ReturnType<DeviceCampaigns["apply"]> | undefined;
}

/** The parts of a tracker that an update reads and changes. */
interface TrackerParts {
  env: Env;
  store: () => TrackerStore;
  rate: DeviceRate;
  drain: TrackerDrain;
  fences: DeviceFences;
  trips: TripFinder;
  campaigns: DeviceCampaigns;
  meetings: DeviceMeetings;
  offline: OfflineEvents;
  reserved: ReservedIdentities;
  bytes: DeviceBytes;
  /** Runs `write`, and makes sure that its data reaches the database. */
  keep(scope: number, write: () => void, isFound?: boolean, isForCaller?: boolean): UserWrite[] | undefined;
}

/** Applies updates to the state of a device: what they do is decided, then refused or stored, without an await in between. */
export class DeviceUpdates {
  readonly #parts: TrackerParts;

  constructor(parts: TrackerParts) {
    this.#parts = parts;
  }

  /** Applies one update. `counts`: whether it counts against the device's rate. */
  async apply(request: TrackRequest, counts: boolean): Promise<Applied> {
    if (request.campaignEpoch === 0) return this.#applyOnce(request, counts, undefined, NO_GRANTS) as Promise<Applied>;
    const recordOf = () => this.#parts.store().recordOf(request.update);
    return this.#parts.campaigns.run<Applied>(request, recordOf, (book, grants) =>
      this.#applyOnce(request, counts, book, grants),
    );
  }

  /** The same, or without any effect if campaigns need grants of their totals. */
  async #applyOnce(
    request: TrackRequest,
    counts: boolean,
    book: CampaignBook | undefined,
    grants: Grants,
  ): Promise<Applied | Needs> {
    const { update } = request;
    const { env, store, drain, fences, trips, reserved } = this.#parts;
    drain.heedHanded();
    if (request.creations && !store().recordOf(update) && !reserved.of(update.userId)) {
      const limited = await takeUser(env, request.scope, request.creations);
      if (limited) return limited;
    }
    const recordOf = () => store().recordOf(update);
    const around = await surroundingsOf(env, request, recordOf, fences, trips, () => store().fenceEpoch);
    // From here to the end there is no await.
    const known = this.#knownAnswer(request);
    if (known) return known;
    const step = this.#decide(request, around, book, grants);
    const refusal = this.#refusal(request, counts, step);
    if (refusal) return refusal;
    const { outcome, events, engaged } = step;
    const { state, repeated } = outcome;
    const delivery = engaged?.delivery;
    // Serialized once: a state that can't be serialized is not stored, and the serialized form is the response.
    const shown = request.mayWrite ? write(state, events, delivery, request.wantsTags) : undefined;
    if (!shown && state !== step.before) mustBeWritable(state, events);
    const position = this.#save(request, counts, step, book);
    const more = { ...(delivery && { delivery }), ...(shown && { written: shown }), ...(position && { position }) };
    return { limited: false, state, events, repeated, ...more };
  }

  /** The answer to a request that was applied before. */
  #knownAnswer({ idempotencyKey, update }: TrackRequest): Applied | undefined {
    const known = idempotencyKey && this.#parts.store().answerTo(idempotencyKey, update.receivedAt);
    if (!known) return undefined;
    const answer = JSON.parse(known) as Pick<Taken, "state" | "events" | "delivery">;
    return { ...answer, limited: false, repeated: true };
  }

  /** What the update does, by tracking and by campaigns; nothing is stored yet. */
  #decide(request: TrackRequest, around: Surroundings, book: CampaignBook | undefined, grants: Grants): Step {
    const { update, settings } = request;
    const now = update.receivedAt;
    const before = this.#parts.store().recordOf(update);
    const reserved = before ? undefined : this.#parts.reserved.of(update.userId);
    const identity = before ?? reserved ?? { _id: newId(now), live: request.live };
    if (this.#parts.store().history.isResent(before, update)) around.isResent = true;
    if (book) around.segments = segmentsBefore(book, before);
    const applied = applyUpdate(before, update, around, settings, identity);
    const outcome = book ? this.#parts.campaigns.withSegments(book, before, applied, now) : applied;
    const { events, stored, save } = this.#parts.offline.reconcile(outcome.state._id, outcome.events);
    const engaged = book && this.#parts.campaigns.apply(book, request, { ...outcome, events }, grants);
    return { before, isReserved: reserved !== undefined, around, outcome, events, stored, saveReports: save, engaged };
  }

  /** Why the update is not stored: campaigns need grants, the project is full, or the device is too fast. */
  #refusal(request: TrackRequest, counts: boolean, step: Step): Limited | Needs | undefined {
    const { before, outcome, events, engaged } = step;
    const isCounted = counts && !outcome.repeated;
    if (engaged && engaged.needs.length > 0) {
      // An update that will be rejected must not take messages that others could get meanwhile.
      const waitMs = isCounted ? this.#parts.rate.waitFor(request.rate, Date.now(), 0) : 0;
      return waitMs > 0 ? { limited: true, waitMs } : { needs: engaged.needs };
    }
    const isFree = outcome.repeated || request.isAdmitted;
    const full = isFree ? undefined : this.#parts.bytes.limited(request.creations, request.update.receivedAt);
    if (full && addsData(before, request, events)) return full;
    const waitMs = isCounted ? this.#parts.rate.waitFor(request.rate, Date.now()) : 0;
    return waitMs > 0 ? { limited: true, waitMs } : undefined;
  }

  /** Stores the state with its events, what campaigns did, and the answer; returns the position for the database. */
  #save(request: TrackRequest, counts: boolean, step: Step, book: CampaignBook | undefined): UserWrite[] | undefined {
    const { update, settings, creations, idempotencyKey } = request;
    const { before, around, outcome, events, stored, saveReports, engaged } = step;
    const { state, trips } = outcome;
    const now = update.receivedAt;
    const made = engaged ? engaged.events : NO_EVENTS;
    const { bytes, campaigns, fences, keep, meetings, reserved, trips: finder } = this.#parts;
    const store = this.#parts.store();
    let position: UserWrite[] | undefined;
    if (state !== before) {
      const noted = { before, update, surroundings: around, settings, outcome };
      const days = request.updateDays;
      const last = before && store.isStored(before._id) ? before.updatedAt : undefined;
      const save = () => {
        store.fenceEpoch = fences.comparedEpoch ?? store.fenceEpoch;
        const all = made.length > 0 ? [...stored, ...made] : stored;
        bytes.add(creations, store.save(state, all, trips, { applied: noted, days }), now);
        saveReports();
        if (book) meetings.note(book, request, state);
      };
      position = keep(request.scope, save, isFoundBySilence(last, now, days), counts);
      if (request.campaignEpoch > 0) campaigns.noteChange(request.scope, before, state);
      if (step.isReserved) reserved.drop(update.userId);
      if (trips.length > 0 && state.trip === undefined) finder.look(state.userId);
    } else if (made.length > 0) keep(request.scope, () => bytes.add(creations, store.keepEvents(made), now));
    if (engaged?.ledger) campaigns.save(state._id, engaged.ledger);
    if (engaged && !outcome.repeated) campaigns.endWait(state._id);
    if (idempotencyKey) {
      const kept = JSON.stringify({ state, events, delivery: engaged?.delivery });
      store.keepAnswer(idempotencyKey, now, kept);
      bytes.add(creations, kept.length, now);
    }
    return position;
  }
}
