import type { TrackEvent } from "../tracking/types/event.ts";
import type { Campaign, Trigger } from "./campaign.ts";
import type { Meeting } from "./meeting.ts";
import { openSegments, type SegmentBook } from "./segments/memberships.ts";
import type { ComputedSegment } from "./segments/segment.ts";

/** A campaign with the sets by which its trigger is compared. */
interface BookedCampaign {
  campaign: Campaign;
  matches(event: TrackEvent): boolean;
  /** Position in order of creation. */
  order: number;
}

/** The enabled campaigns of a scope, by the events that trigger them, its computed segments and rules about meetings. */
export interface CampaignBook {
  epoch: number;
  /** The campaigns that an event may trigger, in order of creation. The cost does not grow with the other ones. */
  candidates(event: TrackEvent): readonly BookedCampaign[];
  /** Notifications that phones show themselves. */
  shownByPhone: readonly Campaign[];
  /** Those that have an audience or limits. */
  personal: readonly Campaign[];
  /** Those of a geofence or a beacon, in order of creation. */
  atFence(geofence: Place): readonly Campaign[];
  atBeacon(beacon: Place): readonly Campaign[];
  byId: ReadonlyMap<string, Campaign>;
  segments: SegmentBook;
  /** The enabled rules. */
  meetings: readonly Meeting[];
}

type Place = { _id: string; tag?: string | undefined };

export function openBook(
  epoch: number,
  campaigns: readonly Campaign[],
  segments: readonly ComputedSegment[] = [],
  meetings: readonly Meeting[] = [],
): CampaignBook {
  const sorted = [...campaigns].sort(byAge);
  const byEvent = new Map<string, EventIndex>();
  for (const [order, campaign] of sorted.entries()) {
    const { event } = campaign.trigger;
    if (!campaign.enabled || campaign.type === "geofenceNotification" || event === undefined) continue;
    const index = byEvent.get(event) ?? new EventIndex();
    byEvent.set(event, index);
    index.add({ campaign, matches: matcherOf(campaign.trigger), order });
  }
  const shownByPhone = sorted.filter(({ enabled, type }) => enabled && type === "geofenceNotification");
  return {
    epoch,
    candidates: (event) => byEvent.get(event.type)?.candidates(event) ?? [],
    shownByPhone,
    personal: shownByPhone.filter(({ audience, limits }) => audience || limits),
    atFence: atPlaces(shownByPhone, ({ geofenceTags }) => geofenceTags),
    atBeacon: atPlaces(shownByPhone, ({ beaconTags }) => beaconTags),
    byId: new Map(sorted.map((campaign) => [campaign._id, campaign])),
    segments: openSegments(segments),
    meetings: meetings.filter(({ enabled }) => enabled),
  };
}

/** Finds the campaigns of a place without a look at the others. */
function atPlaces(campaigns: readonly Campaign[], tagsOf: (trigger: Trigger) => readonly string[] | undefined) {
  const byId = new Map<string, Campaign[]>();
  const byTag = new Map<string, Campaign[]>();
  const add = (map: Map<string, Campaign[]>, keys: readonly string[], campaign: Campaign) => {
    for (const key of new Set(keys)) map.set(key, [...(map.get(key) ?? []), campaign]);
  };
  for (const campaign of campaigns) {
    const { geofenceIds } = campaign.trigger;
    const tags = tagsOf(campaign.trigger);
    if (geofenceIds) add(byId, geofenceIds, campaign);
    else if (tags) add(byTag, tags, campaign);
  }
  return ({ _id, tag }: Place): readonly Campaign[] => {
    const own = byId.get(_id)?.filter(({ trigger }) => {
      const tags = tagsOf(trigger);
      return !tags || (tag !== undefined && tags.includes(tag));
    });
    const tagged = tag === undefined ? undefined : byTag.get(tag);
    if (!own || !tagged) return own ?? tagged ?? [];
    return [...own, ...tagged].sort(byAge);
  };
}

const byAge = (a: Campaign, b: Campaign) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1);

/** The conditions that compare one value of an event with a list. The first one of a trigger is its key in the index. */
const KEYS = [
  { values: (trigger: Trigger) => trigger.geofenceIds, value: ({ geofence }: TrackEvent) => geofence?._id },
  { values: (trigger: Trigger) => trigger.geofenceTags, value: ({ geofence }: TrackEvent) => geofence?.tag },
  { values: (trigger: Trigger) => trigger.beaconTags, value: ({ beacon }: TrackEvent) => beacon?.tag },
  { values: (trigger: Trigger) => trigger.placeChains, value: ({ place }: TrackEvent) => place?.chain?.slug },
  { values: (trigger: Trigger) => trigger.tripModes, value: ({ trip }: TrackEvent) => trip?.mode },
] as const;

/** The campaigns of one type of event, by the value that they need. */
class EventIndex {
  /** Campaigns without such a condition. */
  readonly #always: BookedCampaign[] = [];
  readonly #byValue = KEYS.map(() => new Map<string, BookedCampaign[]>());

  add(booked: BookedCampaign): void {
    const { trigger } = booked.campaign;
    const key = KEYS.findIndex(({ values }) => values(trigger) !== undefined);
    if (key < 0) this.#always.push(booked);
    for (const value of new Set(KEYS[key]?.values(trigger))) {
      const all = this.#byValue[key].get(value);
      if (all) all.push(booked);
      else this.#byValue[key].set(value, [booked]);
    }
  }

  /** An event has one value per key, so no campaign is found twice. */
  candidates(event: TrackEvent): readonly BookedCampaign[] {
    let found: readonly BookedCampaign[] = this.#always;
    for (const [i, byValue] of this.#byValue.entries()) {
      if (byValue.size === 0) continue;
      const value = KEYS[i].value(event);
      const own = value === undefined ? undefined : byValue.get(value);
      if (own) found = found.length === 0 ? own : [...found, ...own].sort((a, b) => a.order - b.order);
    }
    return found;
  }
}

type Test = (event: TrackEvent) => boolean;

/** Does an event of the trigger's type meet its other conditions? */
function matcherOf(trigger: Trigger): Test {
  const tests: Test[] = [];
  for (const { values, value } of KEYS) {
    const given = values(trigger);
    if (!given) continue;
    const set = new Set(given);
    tests.push((event) => {
      const own = value(event);
      return own !== undefined && set.has(own);
    });
  }
  const { categories, minimumConfidence } = trigger;
  if (categories) tests.push(({ place }) => place?.categories.some((one) => categories.includes(one)) === true);
  if (minimumConfidence !== undefined) tests.push(({ confidence }) => confidence >= minimumConfidence);
  return (event) => tests.every((test) => test(event));
}
