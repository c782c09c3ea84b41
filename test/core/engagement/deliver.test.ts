import { describe, expect, it } from "vitest";
import type { Campaign } from "../../../src/core/engagement/campaign.ts";
import { attribute } from "../../../src/core/engagement/convert.ts";
import { deliver } from "../../../src/core/engagement/deliver.ts";
import { differenceInterval, wilsonInterval } from "../../../src/core/engagement/intervals.ts";
import { wallClock } from "../../../src/core/engagement/local-clock.ts";
import { byDay, byVariant, totals } from "../../../src/core/engagement/stats.ts";
import { conversionEvent } from "../../../src/core/tracking/conversion.ts";
import { campaign, entered, Sender, USER_ID } from "./campaigns.ts";

const delivered = (...campaigns: Campaign[]) => {
  const sender = new Sender(...campaigns);
  const { state, events, now } = entered();
  sender.send(0, { state, events, now });
  return { ...deliver(sender.book, sender.ledger.last, events), event: events[0] };
};

describe("a delivery", () => {
  it("has messages in the shape of the SDKs", () => {
    const content = {
      title: { text: "Hello", color: "#111111" },
      body: { text: "Coffee", color: "#222222" },
      button: { text: "Go", color: "#FFFFFF", backgroundColor: "#000000", deepLink: "app://x" },
      image: { name: "cup", url: "https://example.com/cup.png" },
      metadata: { offer: 5 },
    };
    const { metadata, ...shown } = content;
    expect(delivered(campaign({ content })).messages).toEqual([
      {
        ...shown,
        metadata: {
          "radar:campaignId": "c1",
          "radar:campaignName": "Spring",
          "radar:campaignMetadata": '{"offer":5}',
          "radar:geofenceId": "f1",
        },
      },
    ]);
    const missingImages = [content.image.url];
    expect(delivered(campaign({ content, missingImages })).messages[0]).not.toHaveProperty("image");
  });

  it("has notifications in both spellings", () => {
    const content = { text: "Hi", title: "T", subtitle: "S", url: "app://x" };
    const { notes, event } = delivered(campaign({ type: "eventNotification", content }));
    expect(notes).toEqual({
      [event._id]: {
        "radar:notificationText": "Hi",
        "radar:notificationTitle": "T",
        "radar:notificationSubtitle": "S",
        "radar:notificationSubTitle": "S",
        "radar:notificationURL": "app://x",
        "radar:campaignType": "eventBased",
        "radar:campaignId": "c1",
        "radar:campaignName": "Spring",
        "radar:geofenceId": "f1",
      },
    });
  });
});

describe("a conversion", () => {
  const log = (sender: Sender, name: string, named?: string) => {
    const details = { name, deviceId: "phone", createdAt: entered().now, receivedAt: entered().now };
    const event = conversionEvent(details, { _id: USER_ID, live: false }, 5);
    const result = attribute(sender.book, sender.ledger, event, named, USER_ID);
    sender.ledger = result.ledger;
    return result.event.counts ?? [];
  };

  it("counts for the campaign that it names, and once per user", () => {
    const sender = new Sender(campaign());
    sender.send(0);
    expect(log(sender, "bought", "c1")).toEqual(["c1 0 conversions", "c1 0 converted"]);
    expect(log(sender, "bought", "c1")).toEqual(["c1 0 conversions"]);
    expect(log(sender, "user.displayed_in_app_message", "c1")).toEqual(["c1 0 displayed"]);
    expect(log(sender, "user.clicked_in_app_message", "c1")).toEqual(["c1 0 clicked"]);
    expect(log(sender, "user.dismissed_in_app_message", "c1")).toEqual(["c1 0 dismissed"]);
    expect(log(sender, "opened_app", "c1")).toEqual(["c1 0 opened"]);
    expect(log(sender, "bought", "c2")).toEqual([]);
    expect(log(sender, "bought")).toEqual([]);
  });

  it("counts for the goal of a campaign within its days", () => {
    const goal = new Sender(campaign({ goal: { event: "bought", days: 1 } }));
    expect(log(goal, "bought")).toEqual([]);
    goal.send(0);
    expect(log(goal, "looked")).toEqual([]);
    expect(log(goal, "bought")).toEqual(["c1 0 conversions", "c1 0 converted"]);
    expect(log(goal, "bought", "c1")).toEqual(["c1 0 conversions"]);
    const late = new Sender(campaign({ goal: { event: "bought", days: 1 } }));
    late.send(-24 * 60 - 1);
    expect(log(late, "bought")).toEqual([]);
  });
});

describe("the statistics", () => {
  it("have the intervals of the published examples", () => {
    // Newcombe 1998, table I: 81/263, and 15/148 (two-sided 95 % score intervals without continuity correction).
    expect(wilsonInterval({ hits: 81, users: 263 }).map((x) => x.toFixed(4))).toEqual(["0.2553", "0.3662"]);
    expect(wilsonInterval({ hits: 15, users: 148 }).map((x) => x.toFixed(4))).toEqual(["0.0624", "0.1605"]);
    expect(wilsonInterval({ hits: 0, users: 20 }).map((x) => x.toFixed(4))).toEqual(["0.0000", "0.1611"]);
    // Newcombe 1998 (differences), table II, method 10: 56/70 − 48/80.
    const difference = differenceInterval({ hits: 56, users: 70 }, { hits: 48, users: 80 });
    expect(difference.map((x) => x.toFixed(4))).toEqual(["0.0524", "0.3339"]);
  });

  it("compare variants with the holdout", () => {
    const counts = Object.entries({
      "0 users": 70,
      "0 converted": 56,
      "0 sent": 90,
      "-1 heldUsers": 80,
      "-1 converted": 48,
    });
    const rows = counts.map(([name, count]) => ({ day: 1, name: `c1 ${name}`, count }));
    const [variant, held] = byVariant(rows, 1, true);
    expect([variant.rate, variant.sent, held.users, held.rate]).toEqual([0.8, 90, 80, 0.6]);
    expect(variant.difference).toBeCloseTo(0.2);
    expect(held.difference).toBeUndefined();
    expect(totals(rows).get("c1")).toMatchObject({ sent: 90, users: 70 });
  });
});

it("the statistics by day begin at a day, and add the variants", () => {
  const row = (day: number, variant: number, count: number) => ({ day, name: `c1 ${variant} sent`, count });
  const days = byDay([row(3, 0, 1), row(5, 1, 2), row(5, 0, 4), row(4, 0, 8)], 4);
  expect(days.map(({ day, counts }) => [day, counts.sent])).toEqual([
    [4, 8],
    [5, 6],
  ]);
});

describe("the wall clock", () => {
  it("is that of the zone, also on the days on which it changes", () => {
    expect(wallClock(Date.UTC(2026, 2, 29, 0, 59, 59, 7), "Europe/Berlin")).toBe("2026-03-29T01:59:59.007");
    expect(wallClock(Date.UTC(2026, 2, 29, 1), "Europe/Berlin")).toBe("2026-03-29T03:00:00.000");
    expect(wallClock(Date.UTC(2026, 11, 31, 23), "Nowhere/Else")).toBe("2026-12-31T23:00:00.000");
  });
});
