import { describe, expect, it } from "vitest";
import { assignVariant, HOLDOUT } from "../../../src/core/engagement/assign-variant.ts";
import { explainCampaign } from "../../../src/core/engagement/explain.ts";
import { EMPTY_LEDGER } from "../../../src/core/engagement/ledger.ts";
import { type Grants, grantOne } from "../../../src/core/engagement/person.ts";
import { MAX_EVENT_AGE_MS, noteShown, REFUSAL_EVERY_MS, sendCampaigns } from "../../../src/core/engagement/send.ts";
import { shownNotifications } from "../../../src/core/engagement/shown.ts";
import { frozen } from "../tracking/world.ts";
import { campaign, entered, Sender } from "./campaigns.ts";

const DAY = 24 * 60;

describe("a campaign", () => {
  it("is sent for the event that it names, and for no other", () => {
    expect(new Sender(campaign()).send(0)).toEqual(["c1"]);
    expect(new Sender(campaign()).send(0, entered("office"))).toEqual([]);
    expect(new Sender(campaign({ trigger: { event: "user.exited_geofence" } })).send(0)).toEqual([]);
    expect(new Sender(campaign({ enabled: false })).send(0)).toEqual([]);
    expect(new Sender(campaign({ trigger: { event: "user.entered_geofence", geofenceIds: ["f2"] } })).send(0)).toEqual(
      [],
    );
    const sure = campaign({ trigger: { event: "user.entered_geofence", minimumConfidence: 3 } });
    expect(new Sender(sure).send(0)).toEqual(["c1"]);
    expect(new Sender(sure).send(0, entered("store", { accuracy: 900 }))).toEqual([]);
  });

  it("counts per user, in all or within days", () => {
    const ever = new Sender(campaign({ limits: { perUser: 2 } }));
    expect([0, 1, 2, 400 * DAY].map((minute) => ever.send(minute).length)).toEqual([1, 1, 0, 0]);
    expect(ever.refusal).toBe("limits.perUser");
    const weekly = new Sender(campaign({ limits: { perUser: 2, days: 7 } }));
    expect([0, DAY, 2 * DAY, 7 * DAY + 1, 7 * DAY + 2].map((m) => weekly.send(m).length)).toEqual([1, 1, 0, 1, 0]);
  });

  it("waits between two messages", () => {
    const sender = new Sender(campaign({ limits: { cooldownMinutes: 60 } }));
    expect([0, 59, 60, 61].map((minute) => sender.send(minute).length)).toEqual([1, 0, 1, 0]);
    expect(sender.refusal).toBe("limits.cooldown");
  });

  it("needs a grant of its total for each message", () => {
    const sender = new Sender(campaign({ limits: { total: 5 } }));
    expect(sender.send(0)).toEqual(["needs c1"]);
    expect(sender.ledger).toEqual(EMPTY_LEDGER);
    const grants = new Map([["c1", [{}, {}]]]);
    expect(sender.send(0, entered(), grants)).toEqual(["c1"]);
    expect(grants.get("c1")).toEqual([{}]);
    expect(sender.send(1, entered(), new Map([["c1", [{ refused: "the total is used up" }]]]))).toEqual([]);
    expect(sender.refusal).toBe("the total is used up");
  });

  it("takes no grant if another campaign still needs one, or for the holdout", () => {
    const both = new Sender(campaign({ limits: { total: 5 } }), campaign({ _id: "c2", limits: { total: 5 } }));
    const grants = new Map([["c1", [{}]]]);
    expect(both.send(0, entered(), grants)).toEqual(["needs c2"]);
    expect(grants).toEqual(new Map([["c1", [{}]]]));
    const held = new Sender(campaign({ limits: { total: 5 }, holdout: 1 }));
    expect(held.send(0)).toEqual([]);
    expect(held.ledger.by.c1).toMatchObject({ n: 1, variant: HOLDOUT });
  });

  it("stores no more times than its limit compares", () => {
    const sender = new Sender(campaign({ limits: { perUser: 3, days: 0.01 } }));
    for (let i = 0; i < 9; i++) sender.send(i * 20);
    expect(sender.ledger.by.c1).toMatchObject({ n: 9 });
    expect(sender.ledger.by.c1.at).toHaveLength(3);
  });

  it("is not sent for an event that is too old when it arrives", () => {
    const { state, events, now } = entered();
    const sender = new Sender(campaign());
    const late = (ms: number) =>
      sendCampaigns(sender.book, EMPTY_LEDGER, state, events, { now: now + ms, timeZone: undefined }, new Map());
    expect(late(MAX_EVENT_AGE_MS).sent).toHaveLength(1);
    expect(late(MAX_EVENT_AGE_MS + 1).sent).toHaveLength(0);
  });

  it("is one notification per event, but any number of messages", () => {
    const notification = (id: string) => campaign({ _id: id, type: "eventNotification", content: { text: "Hi" } });
    expect(new Sender(notification("n1"), notification("n2"), campaign(), campaign({ _id: "c2" })).send(0)).toEqual([
      "c1",
      "c2",
      "n1",
    ]);
  });

  it("changes nothing that it was given, and its events have ids of their own", () => {
    const { state, events, now } = frozen(entered());
    const { book } = new Sender(campaign(), campaign({ _id: "c2" }));
    const first = frozen(sendCampaigns(book, EMPTY_LEDGER, state, events, { now, timeZone: undefined }, new Map()));
    const second = sendCampaigns(book, first.ledger, state, events, { now, timeZone: undefined }, new Map());
    const ids = [...events, ...first.events, ...second.events].map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(5);
    expect(first.events.map(({ type, counts }) => [type, counts])).toEqual([
      ["campaign.sent", ["c1 0 sent", "c1 0 users"]],
      ["campaign.sent", ["c2 0 sent", "c2 0 users"]],
    ]);
    expect(second.events.map(({ counts }) => counts)).toEqual([["c1 0 sent"], ["c2 0 sent"]]);
  });

  it("changes nothing to store if it is refused again for the same reason", () => {
    const sender = new Sender(campaign({ limits: { perUser: 1 } }));
    sender.send(0);
    sender.send(1);
    const { ledger } = sender;
    sender.send(2);
    expect(sender.ledger).toBe(ledger);
    sender.send(1 + REFUSAL_EVERY_MS / 60_000);
    expect(sender.ledger.by.c1.refused?.at).toBe((ledger.by.c1.refused?.at ?? 0) + REFUSAL_EVERY_MS);
  });

  it("forgets what a user got of deleted campaigns", () => {
    const sender = new Sender(campaign());
    sender.ledger = { ...EMPTY_LEDGER, by: { gone: { n: 3, at: [1], variant: 0 } } };
    sender.send(0);
    expect(Object.keys(sender.ledger.by)).toEqual(["c1"]);
  });
});

describe("an audience", () => {
  const sentTo = (audience: object, person = {}) =>
    new Sender(campaign({ audience })).send(0, entered("store", person));
  it("needs all conditions, and none of those excluded", () => {
    const person = { userId: "ann", metadata: { tier: "gold", age: 30 }, deviceType: "iOS" };
    expect(sentTo({ metadata: { tier: "gold" } }, person)).toHaveLength(1);
    expect(sentTo({ metadata: { tier: "gold", age: "30" } }, person)).toHaveLength(0);
    expect(sentTo({ userIds: ["ann"], deviceTypes: ["iOS"] }, person)).toHaveLength(1);
    expect(sentTo({ userIds: ["ann"], deviceTypes: ["Android"] }, person)).toHaveLength(0);
    expect(sentTo({ userIds: ["phone"] }, person)).toHaveLength(1);
    expect(sentTo({ segments: ["vip"] }, person)).toHaveLength(0);
    const inSegment = (externalId: string) => {
      const { state, events, now } = entered();
      const one = { ...state, segments: [{ description: "", externalId }] };
      return new Sender(campaign({ audience: { segments: ["vip"] } })).send(0, { state: one, events, now });
    };
    expect([inSegment("vip").length, inSegment("other").length]).toEqual([1, 0]);
    expect(sentTo({ exclude: { userIds: ["ann"] } }, person)).toHaveLength(0);
    expect(sentTo({ exclude: { userIds: ["bob"] } }, person)).toHaveLength(1);
  });
});

describe("a schedule", () => {
  const sentAt = (schedule: object, zone?: string) => {
    const sender = new Sender(campaign({ schedule }));
    sender.zone = zone;
    return sender.send(0).length === 1 ? "sent" : sender.refusal;
  };
  it("is in the user's time zone, unless it names one", () => {
    // 12:01 UTC is 21:01 in Tokyo.
    const evening = { hours: [["20:00", "22:00"]] };
    expect(sentAt(evening)).toBe("schedule: wrong hour");
    expect(sentAt(evening, "Asia/Tokyo")).toBe("sent");
    expect(sentAt({ ...evening, timeZone: "Asia/Tokyo" }, "UTC")).toBe("sent");
    expect(sentAt({ startsAt: "2026-07-01T20:00:00.000" }, "Asia/Tokyo")).toBe("sent");
    expect(sentAt({ startsAt: "2026-07-01T20:00:00.000" }, "UTC")).toBe("schedule: not started");
    expect(sentAt({ startsAt: "2026-07-01T20:00:00.000Z" }, "Asia/Tokyo")).toBe("schedule: not started");
    expect(sentAt({ endsAt: "2026-07-01T12:01:00.000Z" })).toBe("schedule: ended");
  });
  it("counts the hours after midnight to the day before", () => {
    const night = { daysOfWeek: ["Wed"], hours: [["20:00", "02:00"]] };
    expect(sentAt(night, "Asia/Tokyo")).toBe("sent");
    // 00:01 on Thursday in Auckland.
    expect(sentAt(night, "Pacific/Auckland")).toBe("sent");
    expect(sentAt({ ...night, daysOfWeek: ["Thu"] }, "Pacific/Auckland")).toBe("schedule: wrong hour");
    expect(sentAt({ daysOfWeek: ["Thu"] }, "Asia/Tokyo")).toBe("schedule: wrong day");
  });
});

describe("variants", () => {
  const content = { text: "Hi" };
  const test = campaign({ variants: [1, 3].map((weight) => ({ weight, content })), holdout: 0.2, content: undefined });
  it("divide users by weight, with a holdout, and keep them", () => {
    const counts = new Map<number, number>();
    for (let i = 0; i < 20_000; i++) {
      const variant = assignVariant(test, `user-${i}`);
      counts.set(variant, (counts.get(variant) ?? 0) + 1 / 20_000);
    }
    const heavy = { ...test, holdout: 0, variants: [3, 1].map((weight) => ({ weight, content })) };
    const first = Array.from({ length: 4000 }, (_, i) => assignVariant(heavy, `user-${i}`)).filter((one) => one === 0);
    expect(first.length / 4000).toBeCloseTo(0.75, 1.3);
    expect(counts.get(HOLDOUT)).toBeCloseTo(0.2, 1.7);
    expect(counts.get(0)).toBeCloseTo(0.2, 1.7);
    expect(counts.get(1)).toBeCloseTo(0.6, 1.7);
    expect(assignVariant(test, "user-7")).toBe(assignVariant(test, "user-7"));
  });
  it("send nothing to the holdout, which is counted", () => {
    const { state, events, now } = entered("store", { userId: "x" });
    for (let i = 0; ; i++) {
      const one = { ...state, userId: `user-${i}` };
      if (assignVariant(test, one.userId) !== HOLDOUT) continue;
      const { book } = new Sender(test);
      const send = (grants: Grants) =>
        sendCampaigns(book, EMPTY_LEDGER, one, events, { now, timeZone: undefined }, grants);
      const [ask] = send(new Map()).needs;
      const made = send(new Map([["c1", [grantOne(ask, undefined)]]]));
      expect(made.sent).toEqual([]);
      expect(made.events.map(({ type, counts }) => [type, counts])).toEqual([
        ["campaign.held", ["c1 -1 held", "c1 -1 heldUsers"]],
      ]);
      break;
    }
  });
});

describe("notifications that the phone shows itself", () => {
  const fence = campaign({
    type: "geofenceNotification",
    trigger: { geofenceTags: ["store"] },
    content: { text: "Hi" },
  });
  it("are counted again when the phone registered them again at the same geofence", () => {
    const { state, now } = entered();
    const { book } = new Sender(fence);
    const report = (registeredAt: number, ledger = EMPTY_LEDGER) => {
      const entry = { identifier: "radar_geofence_5f1", registeredAt, geofenceId: "5f1", campaignId: "c1" };
      return noteShown(book, ledger, state, shownNotifications([entry]), now, new Map());
    };
    const first = report(1_764_000_000.25);
    expect(first.events).toHaveLength(1);
    expect(report(1_764_000_000.25, first.ledger).events).toHaveLength(0);
    expect(report(1_764_090_000.5, first.ledger).events).toHaveLength(1);
  });

  it("are counted once, in each form in which iOS reports them", () => {
    const { state, now } = entered();
    const { book } = new Sender(fence);
    const shown = shownNotifications([
      "radar_geofence_5f1_1764000000.123_Spring",
      { identifier: "radar_geofence_5f1_1764000001.5_Spring", campaignId: "c1" },
      { metadata: { "radar:campaignId": "c1", "radar:geofenceId": "5f1" }, registeredAt: 5 },
      ...[7, null, {}, "other", { campaignId: "unknown" }],
    ]);
    const first = noteShown(book, EMPTY_LEDGER, state, shown, now, new Map());
    expect(first.events.map(({ counts }) => counts)).toEqual([
      ["c1 0 sent", "c1 0 users", "c1 0 displayed"],
      ["c1 0 sent", "c1 0 displayed"],
      ["c1 0 sent", "c1 0 displayed"],
    ]);
    expect(noteShown(book, first.ledger, state, shown, now, new Map()).events).toEqual([]);
  });
  it("are no other messages, and not more than a phone can have", () => {
    const { state, now } = entered();
    const { book } = new Sender(campaign({ _id: "message" }));
    const reported = shownNotifications([{ identifier: "radar_x", registeredAt: 1, campaignId: "message" }]);
    expect(noteShown(book, EMPTY_LEDGER, state, reported, now, new Map()).events).toEqual([]);
    expect(shownNotifications(Array(1000).fill("radar_geofence_5f1_1_Spring"))).toHaveLength(64);
  });
});

describe("the explanation", () => {
  const why = (sender: Sender, one = campaign()) => {
    const { state, now } = entered();
    return explainCampaign(one, sender.ledger, state, { now, timeZone: undefined });
  };
  it("names the rule that prevented the message", () => {
    const limited = campaign({ limits: { perUser: 1 } });
    const sender = new Sender(limited);
    expect(why(sender, limited)).toMatchObject({ eligible: true, messages: 0 });
    expect(why(sender, limited).sentence).toMatch(/No event of the user has matched/);
    sender.send(0);
    expect(why(sender, limited)).toMatchObject({ eligible: false, messages: 1, sentence: "The message was sent." });
    sender.send(1);
    expect(why(sender, limited).sentence).toMatch(/no message was sent: limits.perUser/);
    expect(why(sender, limited).checks.find(({ rule }) => rule === "limits")).toMatchObject({ passed: false });
    expect(why(new Sender(), campaign({ holdout: 1 }))).toMatchObject({
      eligible: false,
      sentence: "The user is in the holdout: it gets no message.",
    });
    expect(why(sender, { ...limited, enabled: false }).sentence).toBe("The campaign is disabled.");
    expect(why(sender, { ...limited, audience: { userIds: ["bob"] } }).sentence).toMatch(/audience \(userIds\)/);
  });
});
