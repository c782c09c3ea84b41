import type { CampaignBook } from "../../../core/engagement/book.ts";
import { attribute, isReport } from "../../../core/engagement/convert.ts";
import { type Delivery, deliver } from "../../../core/engagement/deliver.ts";
import { EMPTY_LEDGER, type Ledger, type Sent } from "../../../core/engagement/ledger.ts";
import { type Ask, type Grant, type Grants, joinedLedger } from "../../../core/engagement/person.ts";
import { phoneOwner } from "../../../core/engagement/phone.ts";
import { needsPast, type SegmentBook, withMemberships } from "../../../core/engagement/segments/memberships.ts";
import type { Others } from "../../../core/engagement/segments/rule.ts";
import { MAX_VISIT_DAYS } from "../../../core/engagement/segments/segment.ts";
import { type Counts, DAY_MS, withPastVisits } from "../../../core/engagement/segments/visits.ts";
import { noteShown, sendCampaigns } from "../../../core/engagement/send.ts";
import { COPIED_MS } from "../../../core/limits/capacity.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { Outcome, UserState } from "../../../core/tracking/types/state.ts";
import { compareOthers, othersOf, pastVisits, storedVisits } from "../../db/customers/segments.ts";
import { envOf } from "../../db/databases.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { within } from "../../platform/within.ts";
import { campaignIndexOf } from "../campaigns/campaign-index-stub.ts";
import { campaignsOf } from "../campaigns/known-campaigns.ts";
import type { TrackRequest } from "./tracker-calls.ts";

/** An update waits at most this long for earlier visits [ms]. */
const PATIENCE_MS = 2_000;

/** What other devices have is read again after this time, for segments [ms]. */
const OTHERS_FOR_MS = 600_000;

/** Events that wait for an update; the oldest are dropped. */
const MAX_WAITING = 10;

/** The update had no effect: these messages need a grant first. */
export interface Needs {
  needs: readonly Ask[];
}

/** What campaigns add to an update. */
export interface Engaged {
  delivery: Delivery;
  /** Events to store. */
  events: readonly TrackEvent[];
  /** To store with the events; absent = unchanged. */
  ledger?: Ledger;
  /** Messages that need a grant first; then nothing else of this is valid. */
  needs: readonly Ask[];
}

/**
 * The campaigns of a device's users: what each has got is stored here, with the update, so that caps and cooldowns hold
 * for parallel calls; for a userId, which may have other devices, as of the last grant of the scope's index. Read from disk only for
 * updates with events or nearby geofences, in scopes with campaigns.
 */
export class DeviceCampaigns {
  readonly #env: Env;
  readonly #kv: SyncKvStorage;
  readonly #ledgers = new Map<string, Ledger>();
  /** Visits read for users whose next update needs them; null = they could not be read. */
  readonly #past = new Map<string, Counts | null>();
  /** What the other devices of a user have, and when it was read [ms]. */
  readonly #others = new Map<string, { at: number; others: Others | undefined }>();
  /** When the ledger of a user was last joined with its other devices' [ms]. */
  readonly #copiedAt = new Map<string, number>();
  /** Events without an update: their messages are delivered with the next one. */
  readonly #waiting = new Map<string, readonly TrackEvent[]>();

  constructor(env: Env, kv: SyncKvStorage) {
    this.#env = env;
    this.#kv = kv;
  }

  ledger(user: string): Ledger {
    let ledger = this.#ledgers.get(user);
    if (!ledger) {
      ledger = this.#kv.get<Ledger>(keyOf(user)) ?? EMPTY_LEDGER;
      this.#ledgers.set(user, ledger);
    }
    return ledger;
  }

  /** Synchronous, between reading and writing the state. `undefined`: campaigns have nothing to do with the update. */
  apply(book: CampaignBook, request: TrackRequest, outcome: Outcome, grants: Grants): Engaged | undefined {
    const { update, shown } = request;
    const wantsFences = request.wantsFences && book.shownByPhone.length > 0;
    const { state, repeated } = outcome;
    const waiting = repeated ? [] : this.#waitingOf(state._id);
    const events = waiting.length > 0 ? [...waiting, ...outcome.events] : outcome.events;
    const isTriggered = events.length > 0 && events.some((event) => book.candidates(event).length > 0);
    if (!isTriggered && !wantsFences && !shown) return undefined;
    const moment = { now: update.receivedAt, timeZone: request.around.timeZone ?? state.timeZone };
    const before = this.ledger(state._id);
    let ledger = before;
    let sent: readonly Sent[] = before.last;
    let made: readonly TrackEvent[] = [];
    const left: Grants = new Map(grants);
    if (!repeated && isTriggered) {
      const result = sendCampaigns(book, before, state, events, moment, left);
      if (result.needs.length > 0) return { delivery: NOTHING, events: [], needs: result.needs };
      ({ ledger, sent, events: made } = result);
    }
    if (shown) {
      const noted = noteShown(book, ledger, state, shown, moment.now, left);
      if (noted.needs.length > 0) return { delivery: NOTHING, events: [], needs: noted.needs };
      made = [...made, ...noted.events];
      if (noted.events.length > 0) ledger = noted.ledger;
    }
    for (const [id, all] of left) grants.set(id, all);
    const delivery = {
      ...deliver(book, sent, events),
      ...(wantsFences && { phone: phoneOwner(book, ledger, state, moment.now, moment.timeZone) }),
    };
    return { delivery, events: made, needs: [], ...(ledger !== before && { ledger }) };
  }

  /**
   * Applies an update: again, with grants, as long as campaigns need them. Grants that were not used, all of a rejected update,
   * are returned.
   * @param recordOf the user of the update, if known
   */
  async run<T extends { limited: boolean }>(
    request: TrackRequest,
    recordOf: () => UserState | undefined,
    apply: (book: CampaignBook | undefined, grants: Grants) => Promise<T | Needs>,
  ): Promise<T> {
    const known = campaignsOf(this.#env, request.scope, request.campaignEpoch);
    const book = known instanceof Promise ? await known : known;
    const person = recordOf();
    if (book && person && needsPast(book.segments, person)) await this.#readPast(request, book.segments, person);
    if (book?.segments.joinsDevices && person) await this.#readOthers(request, person);
    if (book && person && request.wantsFences) await this.#copyPerson(request, book, person);
    const grants: Grants = new Map();
    const taken: Grants = new Map();
    let userId: string | undefined;
    try {
      for (;;) {
        const applied = await apply(book, grants);
        if (!("needs" in applied)) {
          this.#giveBack(request.scope, userId, applied.limited ? taken : grants);
          return applied;
        }
        const granted = await this.#take(request.scope, applied.needs);
        for (const [i, { campaign, userId: of }] of applied.needs.entries()) {
          userId = of;
          for (const all of [grants, taken]) all.set(campaign._id, [...(all.get(campaign._id) ?? []), granted[i]]);
        }
      }
    } catch (error) {
      this.#giveBack(request.scope, userId, taken);
      throw error;
    }
  }

  /** Joins a user's ledger with what its other devices got, if notifications that the phone shows itself have limits. */
  async #copyPerson({ scope, update }: TrackRequest, book: CampaignBook, { _id, userId }: UserState): Promise<void> {
    const now = update.receivedAt;
    if (userId === undefined || !book.personal.some(({ limits }) => limits)) return;
    if (now - (this.#copiedAt.get(_id) ?? 0) < COPIED_MS) return;
    const counted = await within(PATIENCE_MS, campaignIndexOf(this.#env, scope).counted(userId));
    if (!counted) return;
    this.#copiedAt.set(_id, now);
    this.#ledgers.set(_id, joinedLedger(this.ledger(_id), counted));
  }

  /** The outcome of an update with the computed segments that the user is in now. */
  withSegments(book: CampaignBook, before: UserState | undefined, outcome: Outcome, now: number): Outcome {
    const { state, events } = outcome;
    if (state === before) return outcome;
    const others = this.#others.get(state._id)?.others;
    const next = withMemberships(book.segments, state, events, now, this.#past.get(state._id), others);
    this.#past.delete(state._id);
    return next === state ? outcome : { ...outcome, state: next };
  }

  /** Reads what the person's other devices have, once in a while. */
  async #readOthers({ scope, update }: TrackRequest, { _id, userId }: UserState): Promise<void> {
    const now = update.receivedAt;
    if (userId === undefined || now - (this.#others.get(_id)?.at ?? 0) < OTHERS_FOR_MS) return;
    const read = async () =>
      (await othersOf((await envOf(this.#env, scope)).DB, scope, [{ id: _id, userId }])).get(_id);
    this.#others.set(_id, { at: now, others: await within(PATIENCE_MS, read()) });
  }

  /** After an update was stored: the other devices of a person whose segments or visits it changed are compared again. */
  noteChange(scope: number, before: UserState | undefined, { _id, userId, ...state }: UserState): void {
    const isSame = before?.visitDays === state.visitDays && before?.computed?.segments === state.computed?.segments;
    if (isSame || userId === undefined || !this.#others.get(_id)?.others) return;
    const note = async () => compareOthers((await envOf(this.#env, scope)).DB, scope, _id, userId, state.updatedAt);
    void note().catch(noteFailure);
  }

  /** Reads earlier visits that new rules count: once per user and change of a rule. */
  async #readPast({ scope, update }: TrackRequest, book: SegmentBook, { _id }: UserState): Promise<void> {
    const now = update.receivedAt;
    const read = async () => {
      const { DB } = await envOf(this.#env, scope);
      const since = now - MAX_VISIT_DAYS * DAY_MS;
      const [past, stored] = await Promise.all([pastVisits(DB, scope, [_id], since), storedVisits(DB, scope, _id)]);
      const known = stored === undefined ? undefined : (JSON.parse(stored) as Counts);
      return withPastVisits(known, past.get(_id) ?? [], book.watched, now) ?? {};
    };
    this.#past.set(_id, (await within(PATIENCE_MS, read())) ?? null);
  }

  /** What a user has got on all devices, before an event that may be a conversion of it; undefined: nothing else is known. */
  async convert(
    scope: number,
    book: CampaignBook | undefined,
    event: { userId: string | undefined; name: string; createdAt: number },
    named: string | undefined,
  ): Promise<Ledger["by"] | undefined> {
    const { userId, name, createdAt } = event;
    if (!book || userId === undefined || isReport(name)) return undefined;
    const ids = [...book.byId.values()].filter(({ _id, goal }) => _id === named || goal?.event === name);
    if (ids.length === 0) return undefined;
    const asked = ids.map(({ _id }) => ({ id: _id, isNamed: _id === named }));
    return within(PATIENCE_MS, campaignIndexOf(this.#env, scope).convert(userId, asked, createdAt));
  }

  /** A logged event, attributed to the campaign it names and to those whose goal it is. `counted`: on all devices of the user */
  attributed(
    book: CampaignBook | undefined,
    event: TrackEvent,
    campaign: string | undefined,
    counted: Ledger["by"] = {},
  ): TrackEvent {
    if (!book) return event;
    const { _id, userId } = event.user;
    const result = attribute(book, joinedLedger(this.ledger(_id), counted), event, campaign, userId ?? _id);
    if (result.event.counts) this.save(_id, result.ledger);
    return result.event;
  }

  /** Events that have no response of their own, such as those of meetings, trigger messages with the next update. */
  wait(book: CampaignBook, user: string, events: readonly TrackEvent[]): void {
    const triggering = events.filter((event) => book.candidates(event).length > 0);
    if (triggering.length === 0) return;
    const waiting = [...this.#waitingOf(user), ...triggering].slice(-MAX_WAITING);
    this.#waiting.set(user, waiting);
    this.#kv.put(waitingKey(user), waiting);
  }

  /** An update has delivered what waited. */
  endWait(user: string): void {
    if (this.#waitingOf(user).length === 0) return;
    this.#waiting.set(user, []);
    this.#kv.delete(waitingKey(user));
  }

  #waitingOf(user: string): readonly TrackEvent[] {
    let waiting = this.#waiting.get(user);
    if (!waiting) {
      waiting = this.#kv.get<TrackEvent[]>(waitingKey(user)) ?? [];
      this.#waiting.set(user, waiting);
    }
    return waiting;
  }

  /** Together with the write of the state. */
  save(user: string, ledger: Ledger): void {
    this.#ledgers.set(user, ledger);
    this.#kv.put(keyOf(user), ledger);
  }

  /** Forgets a user, and what its other devices got: their ledgers have their own copy. */
  async forget(scope: number, user: string, userId: string | undefined): Promise<void> {
    const isCounted = userId !== undefined && Object.keys(this.ledger(user).by).length > 0;
    for (const known of [this.#ledgers, this.#past, this.#copiedAt, this.#others]) known.delete(user);
    this.#kv.delete(keyOf(user));
    this.#waiting.delete(user);
    this.#kv.delete(waitingKey(user));
    if (isCounted) await campaignIndexOf(this.#env, scope).forget(userId);
  }

  /** Asks the index of campaigns for messages. If it cannot be reached, none is granted that has a limit. */
  async #take(scope: number, needs: readonly Ask[]): Promise<readonly Grant[]> {
    const refused = ({ campaign }: Ask): Grant => (campaign.limits ? { refused: "the limits cannot be compared" } : {});
    return campaignIndexOf(this.#env, scope)
      .take(needs)
      .catch(() => needs.map(refused));
  }

  /** Returns the grants that were not used. */
  #giveBack(scope: number, userId: string | undefined, grants: Grants): void {
    const index = campaignIndexOf(this.#env, scope);
    for (const [id, all] of grants) {
      for (const grant of all) {
        if ("refused" in grant) continue;
        void index.giveBack(id, userId, grant.isOfTotal ?? false).catch(noteFailure);
      }
    }
  }
}

/** The computed segments that a user is in before an update; undefined: the scope has none. */
export function segmentsBefore(book: CampaignBook, before: UserState | undefined): string[] | undefined {
  if (book.segments.segments.length === 0) return undefined;
  return (before?.computed?.segments ?? []).map(({ externalId }) => externalId);
}

const NOTHING: Delivery = { messages: [], notes: {} };

const keyOf = (user: string) => `campaigns:${user}`;
const waitingKey = (user: string) => `campaigns-waiting:${user}`;

/** A total then counts one message too many, never one too few; other devices are compared when they are due. */
function noteFailure(error: unknown): void {
  console.error(JSON.stringify({ what: "campaigns", error: describeBriefly(error) }));
}

/** The deliveries of several updates as one. */
export function joined(deliveries: readonly Delivery[]): Delivery {
  const phone = deliveries.at(-1)?.phone;
  return {
    messages: deliveries.flatMap(({ messages }) => messages),
    ...(phone && { phone }),
    notes: Object.assign({}, ...deliveries.map(({ notes }) => notes)) as Delivery["notes"],
  };
}
