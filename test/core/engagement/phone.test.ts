import { describe, expect, it } from "vitest";
import { assignVariant } from "../../../src/core/engagement/assign-variant.ts";
import { openBook } from "../../../src/core/engagement/book.ts";
import type { Campaign } from "../../../src/core/engagement/campaign.ts";
import { EMPTY_LEDGER, type Ledger } from "../../../src/core/engagement/ledger.ts";
import { phoneOwner, withBeaconNotes, withFenceNotes } from "../../../src/core/engagement/phone.ts";
import { campaign, entered } from "./campaigns.ts";

const note = (more: Partial<Campaign> = {}) =>
  campaign({ type: "geofenceNotification", trigger: { geofenceTags: ["store"] }, content: { text: "Hi" }, ...more });

const STORE = { _id: "a", tag: "store", metadata: { own: 1 } };
/** Noon on a Wednesday in UTC, 21:00 in Tokyo. */
const { state, now } = entered();

function noteAt(one: Campaign, { zone = "Asia/Tokyo", ledger = EMPTY_LEDGER, fence = STORE as object } = {}) {
  const book = openBook(1, [one]);
  const owner = phoneOwner(book, ledger, state, now, zone);
  const [{ metadata }] = withFenceNotes([fence as typeof STORE], book, owner, now);
  return (metadata ?? {}) as Record<string, unknown>;
}
const isShown = (...args: Parameters<typeof noteAt>) => noteAt(...args)["radar:notificationText"] === "Hi";

describe("a notification that the phone shows at a geofence", () => {
  it("is in the metadata of its geofences only, with times by the phone's clock", () => {
    const one = note({
      content: { text: "Hi", repeats: true },
      schedule: { startsAt: "2026-07-01T00:00:00.000Z", endsAt: "2026-08-01T00:00:00.000", daysOfWeek: ["Tue", "Wed"] },
    });
    const book = openBook(1, [one]);
    const near = [STORE, { _id: "b", tag: "office" }, { _id: "c" }];
    expect(withFenceNotes(near, book, phoneOwner(book, EMPTY_LEDGER, state, now, "Asia/Tokyo"), now)).toEqual([
      {
        ...STORE,
        metadata: {
          own: 1,
          "radar:notificationText": "Hi",
          "radar:notificationRepeats": true,
          "radar:campaignType": "clientSide",
          "radar:campaignId": "c1",
          "radar:campaignName": "Spring",
          "radar:startsAt": "2026-07-01T09:00:00.000",
          "radar:endsAt": "2026-08-01T00:00:00.000",
          "radar:daysOfWeek": "Tue,Wed",
          "radar:geofenceId": "a",
        },
      },
      near[1],
      near[2],
    ]);
  });

  it("is omitted outside its schedule, as the phone would register it otherwise", () => {
    expect(isShown(note())).toBe(true);
    for (const schedule of [
      { startsAt: "2026-07-01T22:00:00.000" },
      { endsAt: "2026-07-01T21:00:00.000" },
      { daysOfWeek: ["Mon" as const] },
      { hours: [["08:00", "12:00"] as const] },
      { hours: [["20:00", "23:00"] as const], timeZone: "UTC" },
    ])
      expect(isShown(note({ schedule }))).toBe(false);
    expect(isShown(note({ schedule: { hours: [["20:00", "23:00"]] } }))).toBe(true);
    expect(isShown(note({ schedule: { operatingHours: true } }))).toBe(true);
    const shut = { ...STORE, operatingHours: { Wed: [["08:00", "10:00"]] } };
    expect(isShown(note({ schedule: { operatingHours: true } }), { fence: shut })).toBe(false);
  });

  it("does not send times of a zone that is not the phone's", () => {
    const schedule = { startsAt: "2026-07-01T00:00:00.000", daysOfWeek: ["Wed" as const], timeZone: "UTC" };
    const metadata = noteAt(note({ schedule }));
    expect(metadata["radar:notificationText"]).toBe("Hi");
    expect(Object.keys(metadata).filter((key) => /startsAt|daysOfWeek/.test(key))).toEqual([]);
    expect(noteAt(note({ schedule }), { zone: "UTC" })["radar:daysOfWeek"]).toBe("Wed");
  });

  it("follows audience and limits, and is for everyone only without them", () => {
    const used: Ledger = { ...EMPTY_LEDGER, by: { c1: { n: 1, at: [now - 1], variant: 0 } } };
    const once = note({ limits: { perUser: 1 } });
    expect([isShown(once), isShown(once, { ledger: used })]).toEqual([true, false]);
    expect(isShown(note({ audience: { userIds: ["nobody"] } }))).toBe(false);
    const unknown = (one: Campaign) => withFenceNotes([STORE], openBook(1, [one]), undefined, now)[0] !== STORE;
    expect([unknown(note()), unknown(once), unknown(note({ audience: { deviceTypes: ["iOS"] } }))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("has the content of the user's variant", () => {
    const variants = ["A", "B"].map((text) => ({ weight: 1, content: { text } }));
    const one = note({ content: undefined, variants });
    const texts = new Set<unknown>();
    for (let i = 0; i < 20; i++) {
      const book = openBook(1, [one]);
      const person = { ...state, userId: `user-${i}` };
      const owner = phoneOwner(book, EMPTY_LEDGER, person, now, undefined);
      const text = withFenceNotes([STORE], book, owner, now)[0].metadata as Record<string, unknown>;
      expect(text["radar:notificationText"]).toBe("AB"[assignVariant(one, `user-${i}`)]);
      texts.add(text["radar:notificationText"]);
    }
    expect(texts.size).toBe(2);
  });

  it("is the oldest campaign of the geofence that applies, by id or by tag", () => {
    const all = [
      note({ _id: "c3", createdAt: 3 }),
      note({ _id: "c2", createdAt: 2, trigger: { geofenceIds: ["a"] }, limits: { perUser: 1 } }),
      note({ _id: "c1", createdAt: 1, trigger: { geofenceIds: ["a"], geofenceTags: ["office"] } }),
      note({ _id: "c0", createdAt: 0, enabled: false }),
    ];
    const book = openBook(1, all);
    const first = (ledger: Ledger) =>
      withFenceNotes([STORE], book, phoneOwner(book, ledger, state, now, undefined), now)[0].metadata;
    expect(first(EMPTY_LEDGER)).toMatchObject({ "radar:campaignId": "c2" });
    const used = { ...EMPTY_LEDGER, by: { c2: { n: 1, at: [now], variant: 0 } } };
    expect(first(used)).toMatchObject({ "radar:campaignId": "c3" });
  });
});

describe("a notification that the phone shows at a beacon", () => {
  it("is in the metadata of beacons with its tag", () => {
    const one = note({ trigger: { beaconTags: ["door"] }, schedule: { hours: [["20:00", "23:00"]] } });
    const book = openBook(1, [one]);
    const near = [{ _id: "b1", tag: "door" }, { _id: "b2", tag: "window" }, { _id: "b3" }];
    const [door, ...others] = withBeaconNotes(near, book, "Asia/Tokyo", now);
    expect(door).toMatchObject({ metadata: { "radar:notificationText": "Hi", "radar:beaconId": "b1" } });
    expect(others).toEqual(near.slice(1));
    expect(withBeaconNotes(near, book, "UTC", now)).toEqual(near);
    expect(withFenceNotes([{ _id: "x", tag: "door" }], book, undefined, now)).toEqual([{ _id: "x", tag: "door" }]);
  });
});
