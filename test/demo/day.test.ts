import { expect, it } from "vitest";
import { distance } from "../../src/core/geo/distance.ts";
import { dayOf, type Journey, walker } from "../../src/demo/day/day.ts";
import { random } from "../../src/demo/world/random.ts";

const LINE = [
  { latitude: 49, longitude: -111 },
  { latitude: 49, longitude: -111.01 },
  { latitude: 49.01, longitude: -111.01 },
];
const JOURNEY: Journey = { way: { line: LINE, duration: 300 }, stayMinutes: 35 };
const day = (journeys: Journey[], underWay = false) => dayOf(journeys, { accuracy: 10, underWay }, random("a"));

it("a day reports on the way every half minute and every ten while staying, forward in time", () => {
  const positions = day([JOURNEY, JOURNEY]);
  expect(positions.filter(({ journey }) => journey === 0)).toHaveLength(11 + 3);
  for (let i = 1; i < positions.length; i++) expect(positions[i].at).toBeGreaterThan(positions[i - 1].at);
  expect(positions.filter(({ moving }) => !moving).every(({ speed, share }) => speed === 0 && share === 1)).toBe(true);
  expect(distance(positions[13].location, LINE[2])).toBeLessThan(10);
});

it("a day that is under way ends in the middle of its last way, travelling", () => {
  const [first, ...rest] = day([JOURNEY, JOURNEY], true).reverse();
  expect([first.journey, first.moving]).toEqual([1, true]);
  expect(first.share).toBeGreaterThan(0.4);
  expect(rest.length).toBeGreaterThan(14);
});

it("who hurries reports often, is too fast, and leaves the way once", () => {
  const hurried = day([{ ...JOURNEY, isHurried: true }]).filter(({ moving }) => moving);
  expect(hurried.length).toBe(38);
  expect(hurried[0].speed).toBeCloseTo(2 * day([JOURNEY])[0].speed, 0);
  const along = walker(LINE);
  const away = hurried.map(({ location, share }) => distance(location, along(share)));
  expect(Math.max(...away)).toBeGreaterThan(450);
  expect(Math.max(...away.slice(0, 20), ...away.slice(-5))).toBeLessThan(10);
});

it("the same seed gives the same day", () => {
  expect(day([JOURNEY])).toEqual(day([JOURNEY]));
});

it("a share of a way is a share of its length, around its corners", () => {
  const along = walker(LINE);
  expect([along(0), along(1)]).toEqual([LINE[0], LINE[2]]);
  const middle = along(0.5);
  const total = distance(LINE[0], LINE[1]) + distance(LINE[1], LINE[2]);
  expect(distance(LINE[1], middle) + distance(LINE[0], LINE[1])).toBeCloseTo(total / 2, 0);
});
