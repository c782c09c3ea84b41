import { describe, expect, it } from "vitest";
import { textFaults } from "../browser/texts.ts";

/** The rules that test/browser/every-page.test.ts reads all pages with. */
describe("a text", () => {
  it.each([
    ["33,781 ZIP code", "many of one"],
    ["1 users inside now", "one of many"],
    ["1 fixes, 1 uploads per hour", "one of many"],
    ["Events of the type user.entered_geofence are enabled", "a type of the API"],
    ["campaign.sent", "a type of the API"],
    ["entered_geofence", "a name of code"],
    ["Set chain.externalId or rateLimits", "a name of code"],
    ["seen undefined ago", "no value"],
    ["NaN km", "no value"],
    ["Ann ()", "empty parentheses"],
    ["Delete the the trip", "a word twice"],
    [", 1.8 km to go", "punctuation"],
    ["11 rows , sent", "punctuation"],
    ["50% of all", "a percent sign without a space"],
    ["Create a event", "an article"],
    ["Add an beacon", "an article"],
  ])("“%s” has a fault: %s", (text, fault) => {
    expect(textFaults(text).join()).toContain(fault);
  });

  it.each([
    "1 user, 20 users, 0 users inside now",
    "33,781 ZIP codes",
    "50 fixes, 50 uploads per hour",
    "today, 20 on the busiest day",
    "Calls above it return 402 until the month ends. Empty: no quota.",
    "5.9 min, 1.2 km, 95 % of 20 people",
    "30 Nov 2026, 15:22:28",
    "userId, deviceId or X",
    "A user, an hour, a UUID, a one-time link, an SDK",
    "Demo: a server that failed once, and got the event with the next try",
    "24 h | 7 d | 30 d | 12 m",
  ])("“%s” reads well", (text) => {
    expect(textFaults(text)).toEqual([]);
  });
});
