import { describe, expect, it } from "vitest";
import { openState } from "../../src/places/opening-hours.ts";

/** 2026-07-04 is a Saturday, 2026-07-06 a Monday. */
describe("when a place is open", () => {
  it.each([
    ["24/7", "2026-07-04T03:00", "open"],
    ["Mo-Fr 08:00-18:00", "2026-07-06T08:00", "open until 2026-07-06T18:00"],
    ["Mo-Fr 08:00-18:00", "2026-07-06T18:00", "closed until 2026-07-07T08:00"],
    ["Mo-Fr 08:00-18:00", "2026-07-04T12:00", "closed until 2026-07-06T08:00"],
    ["Mo-Fr 08:00-12:00,13:00-18:00; Sa 09:00-13:00", "2026-07-04T10:00", "open until 2026-07-04T13:00"],
    ["Mo-Fr 08:00-12:00, 13:00-18:00", "2026-07-06T12:30", "closed until 2026-07-06T13:00"],
    ["Mo-Fr 08:00-12:00, Tu 14:00-18:00", "2026-07-07T15:00", "open until 2026-07-07T18:00"],
    ["Fr-Sa 22:00-04:00", "2026-07-04T03:30", "open until 2026-07-04T04:00"],
    ["Fr-Sa 22:00-04:00", "2026-07-05T03:30", "open until 2026-07-05T04:00"],
    ["Mo-Su 18:00-26:00", "2026-07-05T01:00", "open until 2026-07-05T02:00"],
    ["Mo-Sa 09:00-20:00; We off", "2026-07-08T12:00", "closed until 2026-07-09T09:00"],
    ["10:00-17:00", "2026-07-04T09:00", "closed until 2026-07-04T10:00"],
    ["Mo-Fr,PH 08:00-18:00", "2026-07-06T09:00", "open until 2026-07-06T18:00"],
    ["Mo-Fr 08:00-18:00; PH off", "2026-07-06T09:00", "open until 2026-07-06T18:00"],
    ["Apr-Oct: Mo-Su 09:00-18:00", "2026-07-04T10:00", "open until 2026-07-04T18:00"],
    ["Apr-Oct Mo-Su 09:00-18:00; Nov-Mar Mo-Su 10:00-16:00", "2026-12-04T17:00", "closed until 2026-12-05T10:00"],
    ["Mo-Su 09:00-18:00; Dec 24-26 off", "2026-12-25T12:00", "closed until 2026-12-27T09:00"],
    ["Dec 24-Jan 06 10:00-12:00", "2027-01-02T11:00", "open until 2027-01-02T12:00"],
    ["Sa-Mo 10:00-12:00", "2026-07-05T11:00", "open until 2026-07-05T12:00"],
    ["Mo 00:00-24:00; Tu 00:00-24:00", "2026-07-06T23:00", "open until 2026-07-08T00:00"],
    ["Dec 24 10:00-12:00", "2026-07-04T11:00", "closed"],
    ["off", "2026-07-04T11:00", "closed"],
  ])("%s at %s: %s", (text, local, expected) => {
    const state = openState(text, local);
    const until = state?.changesAt === undefined ? "" : ` until ${state.changesAt}`;
    expect(`${state?.open ? "open" : "closed"}${until}`).toBe(expected);
  });

  it.each([
    "sunrise-sunset",
    "Mo-Fr 08:00+",
    'Mo-Fr 08:00-18:00 "by appointment"',
    "week 1-20 Mo 10:00-12:00",
    "Th[1] 10:00-12:00",
    "Mo-Fr 8am-6pm",
    "by appointment",
    "",
    ";",
    "Mo-Fr 08:00-18:00; We 12:00-13:00 off",
    "2026 Mo 10:00-12:00",
    "Mo-Fr 25:00-26:00",
    "Mo-Fr 08:70-18:00",
    "easter off",
    "Mo-Fr 08:00-18:00 || Sa 09:00-12:00",
    "x".repeat(255),
  ])("is not guessed from %j", (text) => {
    expect(openState(text, "2026-07-06T09:00")).toBeUndefined();
  });
});
