import { describe, expect, it } from "vitest";
import { openBook } from "../../../src/core/engagement/book.ts";
import type { Campaign, Trigger } from "../../../src/core/engagement/campaign.ts";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { campaign, entered } from "./campaigns.ts";

const TAGS = ["a", "b", "c"];
const TYPES = ["user.entered_geofence", "user.entered_beacon", "user.entered_place", "user.started_trip"];

/** An event with some of the values that triggers compare. */
function eventOf(pick: <T>(all: readonly T[]) => T): TrackEvent {
  const [{ geofence, ...event }] = entered().events;
  const maybe = <T>(value: T) => pick([value, undefined]);
  return {
    ...event,
    type: pick(TYPES),
    confidence: pick([1, 2, 3]),
    geofence: maybe(geofence && { ...geofence, _id: pick(TAGS), tag: maybe(pick(TAGS)) }),
    beacon: maybe({ _id: "b", type: "ibeacon", description: "", enabled: true, tag: maybe(pick(TAGS)) }),
    place: maybe({ chain: maybe({ slug: pick(TAGS), name: "" }), categories: [pick(TAGS), pick(TAGS)] }),
    trip: maybe({ mode: pick(["car", "foot"]) }),
  } as unknown as TrackEvent;
}

function triggerOf(pick: <T>(all: readonly T[]) => T): Trigger {
  const some = () => pick([undefined, undefined, [pick(TAGS)], [pick(TAGS), pick(TAGS)]]);
  return {
    event: pick(TYPES),
    geofenceTags: some(),
    geofenceIds: some(),
    beaconTags: some(),
    placeChains: some(),
    categories: some(),
    tripModes: pick([undefined, ["car"]]),
    minimumConfidence: pick([undefined, undefined, 2]),
  };
}

/** As the reference states it, without an index. */
function isTriggered({ trigger, enabled }: Campaign, event: TrackEvent): boolean {
  const among = (list: readonly string[] | undefined, values: readonly (string | undefined)[]) =>
    !list || values.some((value) => value !== undefined && list.includes(value));
  return (
    enabled &&
    trigger.event === event.type &&
    among(trigger.geofenceTags, [event.geofence?.tag]) &&
    among(trigger.geofenceIds, [event.geofence?._id]) &&
    among(trigger.beaconTags, [event.beacon?.tag]) &&
    among(trigger.placeChains, [event.place?.chain?.slug]) &&
    among(trigger.categories, event.place?.categories ?? []) &&
    among(trigger.tripModes, [event.trip?.mode]) &&
    event.confidence >= (trigger.minimumConfidence ?? 1)
  );
}

describe("the campaigns of an event", () => {
  it("are those of a search without an index, in order of creation", () => {
    const random = seededRandom(37);
    const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
    let found = 0;
    for (let round = 0; round < 60; round++) {
      const all = Array.from({ length: 40 }, (_, i) =>
        campaign({ _id: `c${i}`, createdAt: pick([1, 2, 3]), enabled: random() > 0.1, trigger: triggerOf(pick) }),
      );
      const book = openBook(1, all);
      const inOrder = [...all].sort((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1));
      for (let i = 0; i < 20; i++) {
        const event = eventOf(pick);
        const ids = book.candidates(event).flatMap(({ campaign: one, matches }) => (matches(event) ? [one._id] : []));
        expect(ids).toEqual(inOrder.flatMap((one) => (isTriggered(one, event) ? [one._id] : [])));
        found += ids.length;
      }
    }
    expect(found).toBeGreaterThan(200);
  });

  it("do not include those of other tags, so 100 of them cost nothing", () => {
    const others = Array.from({ length: 100 }, (_, i) =>
      campaign({ _id: `c${i}`, trigger: { event: "user.entered_geofence", geofenceTags: [`tag-${i}`] } }),
    );
    const book = openBook(1, others);
    expect(book.candidates(entered("store").events[0])).toEqual([]);
    expect(book.candidates(entered("tag-7").events[0]).map(({ campaign: one }) => one._id)).toEqual(["c7"]);
  });
});
