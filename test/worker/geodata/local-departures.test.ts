import { expect, it } from "vitest";

// This module knows the platform's types, which tests in Node do not.
const { departField, departureAt } = await import(
  new URL("../../../src/worker/http/peers/mapbox/mapbox.ts", import.meta.url).href
);

const ALBANY = { latitude: 42.65, longitude: -73.75 };
const KATHMANDU = { latitude: 27.7, longitude: 85.32 };

it.each([
  ["local time where the route begins", "2027-01-13T23:30", ALBANY, "2027-01-14T04:30:00.000Z"],
  ["… with seconds, in summer", "2027-07-13T23:30:15", ALBANY, "2027-07-14T03:30:15.000Z"],
  ["… where the offset is not of whole hours", "2027-01-13T17:00", KATHMANDU, "2027-01-13T11:15:00.000Z"],
  ["… soon after the clocks changed", "2027-03-14T03:30", ALBANY, "2027-03-14T07:30:00.000Z"],
  ["… just before they change", "2027-03-14T01:30", ALBANY, "2027-03-14T06:30:00.000Z"],
  ["UTC", "2027-01-13T23:30Z", ALBANY, "2027-01-13T23:30:00.000Z"],
  ["an offset", "2027-01-13T23:30+01:00", ALBANY, "2027-01-13T22:30:00.000Z"],
  ["a negative offset", "2027-01-13T23:30-0500", ALBANY, "2027-01-14T04:30:00.000Z"],
])("depart_at of Mapbox: %s", (_, text, origin, expected) => {
  const time = departureAt(origin, departField().parse(text));
  expect(time !== undefined && new Date(time).toISOString()).toBe(expected);
});

it("depart_at may be absent, and must be a time", () => {
  expect(departureAt(ALBANY, departField().parse(undefined))).toBeUndefined();
  expect(departField().safeParse("tomorrow").error?.issues[0].message).toContain("2");
});
