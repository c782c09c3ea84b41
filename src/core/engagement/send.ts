import { eventId } from "../tracking/emit.ts";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { UserState } from "../tracking/types/state.ts";
import { assignVariant, HOLDOUT } from "./assign-variant.ts";
import { audienceProblem } from "./audience.ts";
import type { CampaignBook } from "./book.ts";
import type { Campaign } from "./campaign.ts";
import { type Entry, type Ledger, limitProblem, pruned, type Sent, withMessage } from "./ledger.ts";
import { scheduleProblem } from "./local-clock.ts";
import { type Ask, type Grant, type Grants, needsGrant } from "./person.ts";

/** An event older than this when it arrives gets no message: the user may be elsewhere by now [ms]. */
export const MAX_EVENT_AGE_MS = 10 * 60_000;
/** Sequence numbers of campaign events, so that they never collide with those of a user's other events. */
const FIRST_SEQ = 0x8000_0000;

/** A refusal for the same reason is recorded again only after this time, so that it costs no write per update [ms]. */
export const REFUSAL_EVERY_MS = 10 * 60_000;

/** What is counted for a campaign, by day and variant. */
export const COUNTED = [
  ...(["sent", "held", "users", "heldUsers", "displayed", "clicked", "dismissed", "opened"] as const),
  ...(["conversions", "converted"] as const),
];
export type Counted = (typeof COUNTED)[number];

/** The name of a count: "<campaign> <variant> <what>". */
export const countName = (campaign: string, variant: number, what: Counted) => `${campaign} ${variant} ${what}`;

export interface Moment {
  /** Server time [ms]. */
  now: number;
  /** IANA name of the user's time zone, if known. */
  timeZone: string | undefined;
}

export interface Outcome {
  /** The one before, if nothing changed. */
  ledger: Ledger;
  /** Messages to deliver. */
  sent: readonly Sent[];
  /** Events to store: campaign.sent, and campaign.held for the holdout. */
  events: readonly TrackEvent[];
  /** Messages that need a grant before they can be sent. Then nothing else of this is valid. */
  needs: readonly Ask[];
}

/**
 * The messages that an update's events trigger. Pure: the caller stores the ledger together with the update.
 * @param grants messages granted by the index of campaigns; used ones are removed
 */
export function sendCampaigns(
  book: CampaignBook,
  before: Ledger,
  user: UserState,
  events: readonly TrackEvent[],
  moment: Moment,
  grants: Grants,
): Outcome {
  const { now } = moment;
  const made: TrackEvent[] = [];
  const sent: Sent[] = [];
  const counter = new Counter(grants);
  const by: Record<string, Ledger["by"][string]> = { ...before.by };
  let isChanged = false;
  let { seq } = before;
  for (const event of events) {
    let notified = false;
    for (const { campaign, matches } of book.candidates(event)) {
      if (!matches(event)) continue;
      const { _id, type } = campaign;
      const entry = by[_id];
      const refuse = (why: string, known = entry) => {
        const { refused: last } = by[_id] ?? {};
        if (last?.event === event.type && last.reason === why && now - last.at < REFUSAL_EVERY_MS) return;
        by[_id] = { ...(known ?? { n: 0, at: [], variant: 0 }), refused: { at: now, event: event.type, reason: why } };
        isChanged = true;
      };
      const reason = eventProblem(campaign, event, notified, now) ?? problemOf(campaign, user, entry, event, moment);
      if (reason !== undefined) {
        refuse(reason);
        continue;
      }
      const variant = assignVariant(campaign, user.userId ?? user._id);
      const counted = counter.count(campaign, { userId: user.userId, variant, known: entry, now });
      if (!counted) continue;
      if ("refused" in counted) {
        refuse(counted.refused, counted.entry);
        continue;
      }
      if (type === "eventNotification") notified = true;
      by[_id] = counted.entry;
      isChanged = true;
      made.push(campaignEvent(campaign, variant, counted.isFirst, user, event, FIRST_SEQ + seq++, now));
      if (variant !== HOLDOUT) sent.push({ campaign: _id, variant, event: event._id });
    }
  }
  const needs = counter.finish();
  // Messages of an earlier update may remain in `last`: they belong to its events.
  const ledger = isChanged ? { ...before, seq, by: pruned(by, book.byId), last: sent } : before;
  return { ledger, sent, events: made, needs };
}

/** Counts messages: with a grant where one is needed, else in the device's ledger alone. */
class Counter {
  readonly needs: Ask[] = [];
  readonly #grants: Grants;
  readonly #left: Grants;

  constructor(grants: Grants) {
    this.#grants = grants;
    this.#left = new Map([...grants].map(([id, all]) => [id, [...all]]));
  }

  /** What a user has got with one more message; undefined: it needs a grant. */
  count(
    campaign: Campaign,
    ask: Omit<Ask, "campaign">,
  ): { entry: Entry; isFirst: boolean } | Extract<Grant, { refused: string }> | undefined {
    const { known, variant, now } = ask;
    const isFirst = !known || known.n === 0;
    if (!needsGrant(campaign, ask.userId, known, variant))
      return { entry: withMessage(campaign, known, variant, now), isFirst };
    const grant = this.#left.get(campaign._id)?.shift();
    if (!grant) {
      const { _id, limits, goal } = campaign;
      this.needs.push({ campaign: { _id, ...(limits && { limits }), ...(goal && { goal }) }, ...ask });
      return undefined;
    }
    if ("refused" in grant) return grant;
    const entry = grant.entry ?? withMessage(campaign, known, variant, now);
    return { entry, isFirst: grant.isFirst ?? isFirst };
  }

  /** Removes the grants that were used, unless more are needed. @returns these */
  finish(): readonly Ask[] {
    if (this.needs.length === 0) for (const [id, all] of this.#left) this.#grants.set(id, all);
    return this.needs;
  }
}

/** Why a campaign is not sent for this event; undefined: it may be. `notified`: another notification was. */
function eventProblem({ type }: Campaign, event: TrackEvent, notified: boolean, now: number): string | undefined {
  if (now - event.createdAt > MAX_EVENT_AGE_MS) return "the event is too old";
  return notified && type === "eventNotification" ? "another notification has this event" : undefined;
}

/** Why a campaign is not sent to a user now, whatever its trigger; undefined: it is. */
function problemOf(
  { audience, schedule, limits }: Campaign,
  user: UserState,
  entry: Ledger["by"][string] | undefined,
  { geofence }: TrackEvent,
  { now, timeZone }: Moment,
): string | undefined {
  const who = audience && audienceProblem(audience, user);
  if (who) return `audience.${who}`;
  const when = schedule && scheduleProblem(schedule, now, timeZone, geofence?.operatingHours);
  if (when) return `schedule: ${when}`;
  const limit = limits && limitProblem(limits, entry, now);
  return limit && `limits.${limit}`;
}

function campaignEvent(
  campaign: Campaign,
  variant: number,
  isFirst: boolean,
  user: UserState,
  cause: Pick<TrackEvent, "createdAt" | "location" | "locationAccuracy" | "geofence" | "place" | "beacon"> & {
    _id?: string;
  },
  seq: number,
  now: number,
): TrackEvent {
  const { _id, name, type } = campaign;
  const held = variant === HOLDOUT;
  const counts = [held ? "held" : "sent", ...(isFirst ? [held ? "heldUsers" : "users"] : [])] as Counted[];
  const person: TrackEvent["user"] = { _id: user._id, deviceId: user.deviceId };
  if (user.userId !== undefined) person.userId = user.userId;
  if (user.metadata !== undefined) person.metadata = user.metadata;
  const event: TrackEvent = {
    _id: eventId(user._id, seq),
    type: held ? "campaign.held" : "campaign.sent",
    live: user.live,
    createdAt: now,
    actualCreatedAt: now,
    user: person,
    location: cause.location ?? user.location,
    locationAccuracy: cause.locationAccuracy ?? user.locationAccuracy,
    confidence: 3,
    campaign: {
      _id,
      name,
      type,
      ...(campaign.variants && !held && { variant }),
      ...(cause._id && { event: cause._id }),
    },
    counts: counts.map((what) => countName(_id, variant, what)),
  };
  if (cause.geofence) event.geofence = cause.geofence;
  if (cause.place) event.place = cause.place;
  if (cause.beacon) event.beacon = cause.beacon;
  return event;
}

/** A notification that the phone has shown by itself, as it reports it. */
export interface Shown {
  /** Recognizes it if it is reported again. */
  key: string;
  campaign?: string;
  campaignName?: string;
  geofence?: string;
}

const MAX_REPORTED = 100;

/** Counts the notifications that a phone reports as shown; each once, although it may be reported again. */
export function noteShown(
  book: CampaignBook,
  before: Ledger,
  user: UserState,
  shown: readonly Shown[],
  now: number,
  grants: Grants,
): Pick<Outcome, "ledger" | "events" | "needs"> {
  const events: TrackEvent[] = [];
  const counter = new Counter(grants);
  const reported = [...(before.reported ?? [])];
  const by: Record<string, Ledger["by"][string]> = { ...before.by };
  let { seq } = before;
  for (const { key, campaign: id, campaignName } of shown) {
    const campaign = id !== undefined ? book.byId.get(id) : book.shownByPhone.find(({ name }) => name === campaignName);
    if (!campaign || reported.includes(key)) continue;
    reported.push(key);
    const known = by[campaign._id];
    const variant = known && known.n > 0 ? known.variant : assignVariant(campaign, user.userId ?? user._id);
    const cause = { createdAt: now, location: user.location, locationAccuracy: user.locationAccuracy };
    if (campaign.type === "geofenceNotification") {
      const { total: _, ...limits } = campaign.limits ?? {};
      const ask = { userId: user.userId, variant, known, now, isShown: true };
      const counted = counter.count({ ...campaign, limits }, ask);
      if (!counted || "refused" in counted) continue;
      by[campaign._id] = counted.entry;
      const event = campaignEvent(campaign, variant, counted.isFirst, user, cause, FIRST_SEQ + seq++, now);
      events.push({ ...event, counts: [...(event.counts ?? []), countName(campaign._id, variant, "displayed")] });
    }
  }
  const needs = counter.finish();
  return { events, needs, ledger: { ...before, seq, by, reported: reported.slice(-MAX_REPORTED) } };
}
