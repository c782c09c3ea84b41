import { describe, expect, it } from "vitest";
import { encodeLine } from "../../../../src/core/geo/shapes/polyline.ts";
import { nearestOnRest } from "../../../../src/core/tracking/follow-line.ts";
import { shifted } from "../../../../src/core/tracking/journeys/fixes.ts";
import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import { isRouteOf } from "../../../../src/core/tracking/steps/follow-route.ts";
import type { TrackEvent } from "../../../../src/core/tracking/types/event.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../../src/core/tracking/types/state.ts";
import type { Trip } from "../../../../src/core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../../src/core/tracking/types/update.ts";
import { normal, random } from "../journeys/simulated-day.ts";
import { BLOCK, drive, randomWay, TOWN_ORIGIN, type TruePoint } from "./simulated-town.ts";

const SETTINGS: TrackingSettings = {
  ...DEFAULT_SETTINGS,
  routeTolerance: 50,
  eventTypes: ["user.left_route", "user.returned_to_route"],
};
const trip: Trip = {
  ...{ _id: "t1", live: false, externalId: "order-1", mode: "car", status: "started", version: 1 },
  ...{ createdAt: 0, updatedAt: 0, startedAt: 0 },
};
const lineOf = (corners: readonly (readonly [x: number, y: number, limit: number])[]) =>
  encodeLine(
    corners.map(([x, y]) => shifted(TOWN_ORIGIN, x, y)),
    5,
  );

/** Times of both events [s] for a drive with a planned line, and the state at its end. */
function follow(
  way: readonly TruePoint[],
  line: string,
  { interval, sigma, seed }: { interval: number; sigma: number; seed: number },
  own: { trip?: Partial<Trip>; settings?: Partial<TrackingSettings> } = {},
) {
  const gauss = normal(random(seed));
  const [left, returned]: [number[], number[]] = [[], []];
  const events: TrackEvent[] = [];
  let state: UserState | undefined;
  for (let second = 0; second < way.length; second += interval) {
    const { x, y } = way[second];
    const update: LocationUpdate = {
      ...{ deviceId: "van", replayed: false, receivedAt: second * 1000, accuracy: sigma * 1.51 },
      location: shifted(TOWN_ORIGIN, x + sigma * gauss(), y + sigma * gauss()),
    };
    const around = {
      fences: [],
      trip: { ...(!state && { adopted: { ...trip, ...own.trip } }), route: { trip: "t1", line } },
    };
    const outcome = applyUpdate(state, update, around, { ...SETTINGS, ...own.settings }, { _id: "00ff", live: false });
    state = outcome.state;
    events.push(...outcome.events);
    for (const { type } of outcome.events) (type === "user.left_route" ? left : returned).push(second);
  }
  return { left, returned, state, events };
}

describe("a planned route", () => {
  it.each([1, 2, 5, 10])("is never left on it, with an error of 15 m, a position every %d s", (interval) => {
    let [metres, events] = [0, 0];
    for (let seed = 1; metres < 1_000_000; seed++) {
      const corners = randomWay(random(seed), 150);
      const way = drive(corners, (_, limit) => limit);
      metres += (corners.length - 1) * BLOCK;
      events += follow(way, lineOf(corners), { interval, sigma: 15, seed }).left.length;
    }
    expect(events).toBeLessThanOrEqual(1);
  });

  it.each([
    [1, 15],
    [2, 15],
    [5, 15],
    [5, 5],
  ])("is left within 20 s after the tolerance, every %d s with an error of %d m", (interval, sigma) => {
    let [found, all] = [0, 0];
    for (let seed = 1; seed <= 150; seed++) {
      // Straight on where the route turns.
      const planned: [number, number, number][] = [
        [0, 800, 50],
        [1600, 800, 50],
        [1600, 3200, 50],
      ];
      const way = drive([planned[0], [3200, 800, 50]], (_, limit) => limit);
      const beyond = way.findIndex(({ x }) => x > 1600 + 50 + 2 * sigma * 1.51);
      const { left, returned, state } = follow(way, lineOf(planned), { interval, sigma, seed });
      all++;
      if (left.length === 1 && left[0] >= beyond - 6 && left[0] <= beyond + 20) found++;
      expect(returned).toEqual([]);
      expect(state?.route?.off).toBe(left[0] * 1000);
    }
    expect(found / all).toBeGreaterThanOrEqual(0.97);
  });

  it("that is left and found again has both events, also over another street", () => {
    const planned: [number, number, number][] = [
      [0, 800, 50],
      [3200, 800, 50],
    ];
    const taken: [number, number, number][] = [
      [0, 800, 50],
      [800, 800, 50],
      [800, 1400, 50],
      [1800, 1400, 50],
      [1800, 800, 50],
      [3200, 800, 50],
    ];
    const { left, returned, state } = follow(
      drive(taken, (_, limit) => limit),
      lineOf(planned),
      { interval: 2, sigma: 8, seed: 1 },
    );
    expect([left.length, returned.length]).toEqual([1, 1]);
    expect(state?.route?.off).toBeUndefined();
  });

  it("is compared with the tolerance of the trip, if it has one; 0 disables it", () => {
    const planned: [number, number, number][] = [
      [0, 800, 50],
      [1600, 800, 50],
      [1600, 3200, 50],
    ];
    const way = drive([planned[0], [2400, 800, 50]], (_, limit) => limit);
    const leaves = (project: number, own: number | undefined) =>
      follow(
        way,
        lineOf(planned),
        { interval: 2, sigma: 8, seed: 1 },
        {
          trip: own === undefined ? {} : { routeTolerance: own },
          settings: { routeTolerance: project },
        },
      ).left.length;
    expect([leaves(50, undefined), leaves(0, 50), leaves(50, 0), leaves(50, 2000), leaves(0, undefined)]).toEqual([
      1, 1, 0, 0, 0,
    ]);
  });

  it("that came with the trip is left only by a user that has been on it, and not stored in events", () => {
    const planned: [number, number, number][] = [
      [800, 800, 50],
      [2400, 800, 50],
    ];
    const given = lineOf(planned);
    const options = { interval: 2, sigma: 8, seed: 1 };
    const own = { trip: { plannedRoute: given } };
    const drives = (corners: [number, number, number][]) => drive(corners, (_, limit) => limit);
    // From 600 m north of its begin, first farther away.
    const toIt = drives([
      [800, 1400, 50],
      [800, 2000, 50],
      [800, 800, 50],
      [1600, 800, 50],
    ]);
    const approach = follow(toIt, given, options, own);
    expect([approach.left, approach.state?.route?.isGiven]).toEqual([[], true]);
    const beside = follow(
      drives([
        [800, 1400, 50],
        [3200, 1400, 50],
      ]),
      given,
      options,
      own,
    );
    expect([beside.left, beside.state?.route]).toEqual([[], undefined]);
    const { left, state, events } = follow(
      drives([
        [1600, 800, 50],
        [2000, 800, 50],
        [2000, 2400, 50],
      ]),
      given,
      options,
      own,
    );
    expect([left.length, events[0].trip?.plannedRoute, state?.trip?.plannedRoute]).toEqual([1, undefined, given]);
  });

  it("that a trip gets instead of another is begun anew", () => {
    const route = { trip: "t1", line: "one", along: 0, far: 0, growing: 0 };
    const is = (isGiven: boolean, plannedRoute?: string) =>
      isRouteOf(
        { ...route, ...(isGiven && { isGiven: true }) },
        { ...trip, ...(plannedRoute !== undefined && { plannedRoute }) },
      );
    expect([is(false), is(false, "one"), is(true, "one"), is(true, "two"), is(true, ""), is(true)]).toEqual([
      ...[true, true, true, false, false, false],
    ]);
    expect(isRouteOf({ ...route, trip: "t2" }, trip)).toBe(false);
  });

  it.each([
    ["straight on", [[4800, 800, 50]], 0],
    [
      "back to its begin, and beyond",
      [
        [1600, 800, 50],
        [1600, 3200, 50],
        [-1600, 3200, 50],
      ],
      0,
    ],
    ["from its middle", [], 1],
  ] as [string, [number, number, number][], number][])(
    "without a destination is not left past its end: %s",
    (_, after, times) => {
      const planned: [number, number, number][] = [
        [0, 800, 50],
        [1600, 800, 50],
      ];
      const whole: [number, number, number][] =
        times === 0 ? [...planned, ...after] : [planned[0], [600, 800, 50], [600, 3200, 50]];
      for (const interval of [1, 5, 20]) {
        const way = drive(whole, (_corner, limit) => limit);
        const own = { trip: { plannedRoute: lineOf(planned) } };
        expect(follow(way, lineOf(planned), { interval, sigma: 8, seed: 2 }, own).left.length).toBe(times);
        const destination = { fence: "f", tag: "t", externalId: "e", location: shifted(TOWN_ORIGIN, 1600, 800) };
        const led = follow(
          way,
          lineOf(planned),
          { interval, sigma: 8, seed: 2 },
          { trip: { ...own.trip, destination } },
        );
        expect(led.left.length).toBe(1);
      }
    },
  );

  it("may cross itself and return on the same street", () => {
    const planned: [number, number, number][] = [
      [0, 800, 50],
      [1600, 800, 50],
      [1600, 1600, 50],
      [800, 1600, 50],
      [800, 0, 50],
      [800, 1600, 50],
      [0, 1600, 50],
    ];
    const { left } = follow(
      drive(planned, (_, limit) => limit),
      lineOf(planned),
      { interval: 1, sigma: 15, seed: 3 },
    );
    expect(left).toEqual([]);
  });

  it("is not left by one jump, nor by an inaccurate fix", () => {
    const planned: [number, number, number][] = [
      [0, 800, 50],
      [3200, 800, 50],
    ];
    const way = drive(planned, (_, limit) => limit);
    way[60] = { ...way[60], y: 2000 };
    way[120] = { ...way[120], y: 2000 };
    expect(follow(way, lineOf(planned), { interval: 1, sigma: 8, seed: 1 }).left).toEqual([]);
  });

  it("has a nearest point as a plain search finds it", () => {
    const next = random(4);
    for (let k = 0; k < 200; k++) {
      const corners = Array.from({ length: 6 }, () => [next() * 3000, next() * 3000] as const);
      const line = corners.map(([x, y]) => shifted(TOWN_ORIGIN, x, y));
      const [px, py] = [next() * 3000, next() * 3000];
      const { far } = nearestOnRest(line, shifted(TOWN_ORIGIN, px, py), 0, 0);
      let least = Number.POSITIVE_INFINITY;
      for (let i = 1; i < corners.length; i++)
        for (let share = 0; share <= 1; share += 0.001) {
          const [x, y] = [0, 1].map((axis) => corners[i - 1][axis] + (corners[i][axis] - corners[i - 1][axis]) * share);
          least = Math.min(least, Math.hypot(x - px, y - py));
        }
      expect(Math.abs(far - least)).toBeLessThan(6);
    }
  });
});
