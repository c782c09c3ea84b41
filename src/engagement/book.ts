import type { TrackEvent } from "../tracking/types/event.ts";
import type { Campaign, Trigger } from "./campaign.ts";
import { openSegments, type SegmentBook } from "./segments/memberships.ts";
import type { ComputedSegment } from "./segments/segment.ts";

/** A campaign with the sets by which its trigger is compared. */
export interface BookedCampaign {
  campaign: Campaign;
  matches(event: TrackEvent): boolean;
}

/**
 * The enabled campaigns of a scope, by the events that trigger them, and its computed segments. Each list is in order of
 * creation.
 */
export interface CampaignBook {
  epoch: number;
  byEvent: ReadonlyMap<string, readonly BookedCampaign[]>;
  /** Geofence notifications, which phones show themselves. */
  atFences: readonly Campaign[];
  byId: ReadonlyMap<string, Campaign>;
  segments: SegmentBook;
}

export function openBook(
  epoch: number,
  campaigns: readonly Campaign[],
  segments: readonly ComputedSegment[] = [],
): CampaignBook {
  const sorted = [...campaigns].sort((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1));
  const byEvent = new Map<string, BookedCampaign[]>();
  for (const campaign of sorted) {
    const { event } = campaign.trigger;
    if (!campaign.enabled || campaign.type === "geofenceNotification" || event === undefined) continue;
    const booked = { campaign, matches: matcherOf(campaign.trigger) };
    byEvent.set(event, [...(byEvent.get(event) ?? []), booked]);
  }
  return {
    epoch,
    byEvent,
    atFences: sorted.filter(({ enabled, type }) => enabled && type === "geofenceNotification"),
    byId: new Map(sorted.map((campaign) => [campaign._id, campaign])),
    segments: openSegments(segments),
  };
}

type Test = (event: TrackEvent) => boolean;

/** Does an event of the trigger's type meet its other conditions? */
function matcherOf(trigger: Trigger): Test {
  const tests: Test[] = [];
  const among = (values: readonly string[] | undefined, value: (event: TrackEvent) => string | undefined) => {
    if (!values) return;
    const set = new Set(values);
    tests.push((event) => {
      const own = value(event);
      return own !== undefined && set.has(own);
    });
  };
  among(trigger.geofenceTags, ({ geofence }) => geofence?.tag);
  among(trigger.geofenceIds, ({ geofence }) => geofence?._id);
  among(trigger.beaconTags, ({ beacon }) => beacon?.tag);
  among(trigger.placeChains, ({ place }) => place?.chain?.slug);
  among(trigger.tripModes, ({ trip }) => trip?.mode);
  const { categories, minimumConfidence } = trigger;
  if (categories) tests.push(({ place }) => place?.categories.some((one) => categories.includes(one)) === true);
  if (minimumConfidence !== undefined) tests.push(({ confidence }) => confidence >= minimumConfidence);
  return (event) => tests.every((test) => test(event));
}
