import type { CampaignBook } from "../../../core/engagement/book.ts";
import { attribute } from "../../../core/engagement/convert.ts";
import { type Delivery, deliver } from "../../../core/engagement/deliver.ts";
import { EMPTY_LEDGER, type Ledger, type Sent } from "../../../core/engagement/ledger.ts";
import { phoneOwner } from "../../../core/engagement/phone.ts";
import { needsPast, type SegmentBook, withMemberships } from "../../../core/engagement/segments/memberships.ts";
import { MAX_VISIT_DAYS } from "../../../core/engagement/segments/segment.ts";
import { type Counts, DAY_MS, withPastVisits } from "../../../core/engagement/segments/visits.ts";
import { noteShown, sendCampaigns } from "../../../core/engagement/send.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { Outcome, UserState } from "../../../core/tracking/types/state.ts";
import { pastVisits, storedVisits } from "../../db/customers/segments.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { within } from "../../platform/within.ts";
import { campaignIndexOf } from "../campaigns/campaign-index-stub.ts";
import { campaignsOf } from "../campaigns/known-campaigns.ts";
import type { TrackRequest } from "./tracker-calls.ts";

/** An update waits at most this long for earlier visits [ms]. */
const PATIENCE_MS = 2_000;

/** Messages granted from the totals of campaigns, by campaign. */
export type Grants = Map<string, number>;

/** The update had no effect: these campaigns need a grant first, once per message. */
export interface Needs {
  needs: readonly string[];
}

/** What campaigns add to an update. */
export interface Engaged {
  delivery: Delivery;
  /** Events to store. */
  events: readonly TrackEvent[];
  /** To store with the events; absent = unchanged. */
  ledger?: Ledger;
  /** Campaigns that need a grant first, once per message; then nothing else of this is valid. */
  needs: readonly string[];
}

/**
 * The campaigns of a device's users: what each has got is stored here, with the update, so that caps and cooldowns hold
 * for parallel calls. Read from disk only for updates with events or nearby geofences, in scopes with campaigns.
 */
export class DeviceCampaigns {
  readonly #env: Env;
  readonly #kv: SyncKvStorage;
  readonly #ledgers = new Map<string, Ledger>();
  /** Visits read for users whose next update needs them; null = they could not be read. */
  readonly #past = new Map<string, Counts | null>();

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
    const { state, events, repeated } = outcome;
    const isTriggered = events.length > 0 && events.some((event) => book.candidates(event).length > 0);
    if (!isTriggered && !wantsFences && !shown) return undefined;
    const moment = { now: update.receivedAt, timeZone: request.around.timeZone ?? state.timeZone };
    const before = this.ledger(state._id);
    let ledger = before;
    let sent: readonly Sent[] = before.last;
    let made: readonly TrackEvent[] = [];
    if (!repeated && isTriggered) {
      const result = sendCampaigns(book, before, state, events, moment, grants);
      if (result.needs.length > 0) return { delivery: NOTHING, events: [], needs: result.needs };
      ({ ledger, sent, events: made } = result);
    }
    if (shown) {
      const noted = noteShown(book, ledger, state, shown, moment.now);
      made = [...made, ...noted.events];
      if (noted.events.length > 0) ledger = noted.ledger;
    }
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
    const grants: Grants = new Map();
    const taken: Grants = new Map();
    try {
      for (;;) {
        const applied = await apply(book, grants);
        if (!("needs" in applied)) {
          this.#giveBack(request.scope, applied.limited ? taken : grants);
          return applied;
        }
        const granted = await this.#take(request, book as CampaignBook, applied.needs);
        for (const [id, n] of granted) {
          for (const all of [grants, taken]) all.set(id, (all.get(id) ?? 0) + n);
        }
      }
    } catch (error) {
      this.#giveBack(request.scope, taken);
      throw error;
    }
  }

  /** The outcome of an update with the computed segments that the user is in now. */
  withSegments(book: CampaignBook, before: UserState | undefined, outcome: Outcome, now: number): Outcome {
    const { state, events } = outcome;
    if (state === before) return outcome;
    const next = withMemberships(book.segments, state, events, now, this.#past.get(state._id));
    this.#past.delete(state._id);
    return next === state ? outcome : { ...outcome, state: next };
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

  /** A logged event, attributed to the campaign it names and to those whose goal it is. */
  attributed(book: CampaignBook | undefined, event: TrackEvent, campaign: string | undefined): TrackEvent {
    if (!book) return event;
    const { _id, userId } = event.user;
    const result = attribute(book, this.ledger(_id), event, campaign, userId ?? _id);
    if (result.event.counts) this.save(_id, result.ledger);
    return result.event;
  }

  /** Together with the write of the state. */
  save(user: string, ledger: Ledger): void {
    this.#ledgers.set(user, ledger);
    this.#kv.put(keyOf(user), ledger);
  }

  forget(user: string): void {
    this.#ledgers.delete(user);
    this.#past.delete(user);
    this.#kv.delete(keyOf(user));
  }

  /** Takes messages from the totals of campaigns. If a total cannot be reached, none is granted. */
  async #take({ scope }: TrackRequest, book: CampaignBook, needs: readonly string[]): Promise<[string, number][]> {
    const index = campaignIndexOf(this.#env, scope);
    return Promise.all(
      needs.map(async (id) => {
        const isGranted = await index.take(id, book.byId.get(id)?.limits?.total ?? 0).catch(() => false);
        return [id, isGranted ? 1 : 0] as [string, number];
      }),
    );
  }

  /** Returns the grants that were not used. */
  #giveBack(scope: number, grants: Grants): void {
    for (const [id, n] of grants) {
      for (let i = 0; i < n; i++) void campaignIndexOf(this.#env, scope).giveBack(id).catch(noteFailure);
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

/** The total then counts one message too many, never one too few. */
function noteFailure(error: unknown): void {
  console.error(JSON.stringify({ what: "campaign total", error: String(error) }));
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
