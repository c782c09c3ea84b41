import { expect, it } from "vitest";
import { breachesOf } from "../../../support/wire-rules.ts";

it("the check of every answer finds what it looks for", () => {
  const at = "2026-01-31T09:30:00.000Z";
  const meta = { code: 200 };
  expect(breachesOf({ meta, user: { _id: "a", createdAt: at, fraud: { lastMockedAt: null } } }, 200)).toEqual([]);
  expect(breachesOf({ meta, event: { _id: "a", metadata: { when: "2026-01-31T09:30" } } }, 200)).toEqual([]);
  expect(breachesOf({ meta, timeZone: { currentTime: "2026-01-31T09:30:00-05:00" } }, 200)).toEqual([]);
  for (const [body, breach] of [
    [{ meta, user: {} }, ".user has no _id"],
    [{ meta, events: [{ _id: "a" }, { type: "x" }] }, ".events[1] has no _id"],
    [{ meta, user: { _id: "a", trip: null } }, ".user.trip is null"],
    [{ meta, user: { _id: "a", lastMockedAt: null } }, ".user.lastMockedAt is null"],
    [{ meta, trip: { _id: "a", createdAt: "2026-01-31T09:30:00Z" } }, ".trip.createdAt is 2026-01-31T09:30:00Z"],
    [{ meta, beacons: [{ _id: "a", major: 1 }] }, ".beacons[0].major is a number"],
    [{ meta, location: { type: "Point", coordinates: [1, 2, 3] } }, ".location is no Point of two numbers"],
    [{ meta: { code: 400 } }, "meta.code is 400 at status 200"],
    [{ meta: { code: 200, error: "x" } }, "meta.error"],
  ] as const) {
    expect(breachesOf(body, 200)).toEqual([breach]);
  }
});
