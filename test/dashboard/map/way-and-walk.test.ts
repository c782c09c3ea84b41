import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance } from "../../../src/core/geo/distance.ts";
import { GAP_MS, latestOfKinds, Way, type WayUpdate } from "../../../src/dashboard/map/movement/replay.ts";
import { countSteps, lengthOf, walk } from "../../../src/dashboard/map/movement/walk.ts";
import { beginOf, hintsOf } from "../../../src/dashboard/map/movement/walk-hints.ts";
import { boundsOf, readPosition, writePosition } from "../../../src/dashboard/map/position.ts";

const START = Date.parse("2026-11-22T08:00:00Z");
const update = (seconds: number, longitude: number, latitude = 49, accuracy = 10): WayUpdate => ({
  at: new Date(START + seconds * 1000).toISOString(),
  location: { coordinates: [longitude, latitude] },
  accuracy,
});

describe("a walked way", () => {
  it("is between two updates where time has come to between them", () => {
    const way = new Way([update(0, -111), update(60, -110.99, 49.01, 30)]);
    const moment = way.at(START + 15_000);
    expect(moment).toMatchObject({ index: 0, accuracy: 15 });
    expect(moment?.longitude).toBeCloseTo(-110.9975, 9);
    expect(moment?.latitude).toBeCloseTo(49.0025, 9);
    expect(moment?.progress).toBeCloseTo(0.25, 6);
  });

  it("stays where the device was seen last while nothing is known, and jumps when it is known again", () => {
    const way = new Way([update(0, 7), update(GAP_MS / 1000 + 1, 8)]);
    expect(way.at(START + GAP_MS)).toMatchObject({ longitude: 7 });
    expect(way.at(way.end)).toMatchObject({ longitude: 8, progress: 1 });
  });

  it("crosses the 180th meridian the short way", () => {
    const way = new Way([update(0, 179.9), update(60, -179.9)]);
    expect(way.at(START + 30_000)?.longitude).toBeCloseTo(180, 9);
    expect(way.metres).toBeLessThan(20_000);
    expect(way.line()).toEqual([
      [179.9, 49],
      [expect.closeTo(180.1, 9), 49],
    ]);
  });

  it("is somewhere even when it has one update, and nowhere when it has none", () => {
    expect(new Way([update(0, 5)]).at(START + 1e6)).toMatchObject({ longitude: 5, index: 0, progress: 1 });
    expect(new Way([]).at(START)).toBeUndefined();
  });

  it("of 5,000 updates tells where the device was as a search one by one does", () => {
    const seconds = Array.from({ length: 5000 }, (_, i) => i * 17 + (i % 5));
    const updates = seconds.map((after, i) => update(after, Math.sin(i / 40) / 10, 49 + i / 1e5));
    const way = new Way(updates);
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 90_000 }), (after) => {
        const expected = Math.max(
          0,
          seconds.findLastIndex((second) => second <= after),
        );
        expect(way.indexAt(START + after * 1000)).toBe(expected);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe("a simulated walk", () => {
  const line = [
    { latitude: 49, longitude: -111 },
    { latitude: 49, longitude: -110.98 },
    { latitude: 49.01, longitude: -110.98 },
  ];

  it("begins at the start, ends standing at the end, and keeps its speed in between", () => {
    const options = { speed: 10, interval: 5, accuracy: 0.001 };
    const steps = [...walk(line, options)];
    expect(steps).toHaveLength(countSteps(line, options));
    expect(distance(steps[0].location, line[0])).toBeLessThan(0.1);
    const last = steps[steps.length - 1];
    expect(last).toMatchObject({ stopped: true, speed: 0, truth: line[2] });
    expect(last.after).toBeCloseTo(lengthOf(line) / 10, 6);
    const straight = steps.slice(1, 20).map(({ truth }, i) => distance(steps[i].truth, truth));
    for (const metres of straight) expect(metres).toBeCloseTo(50, 0);
    expect(steps[3].course).toBeCloseTo(90, 0);
  });

  it("leaves the line in its middle third and returns, and stays at the end", () => {
    const options = { speed: 10, interval: 5, accuracy: 0.001, detour: 200, stay: 62 };
    const steps = [...walk(line, options)];
    expect(steps).toHaveLength(countSteps(line, options));
    const plain = [...walk(line, { ...options, detour: 0, stay: 0 })];
    const away = plain.map(({ truth }, i) => distance(truth, steps[i].truth));
    expect(Math.max(...away)).toBeCloseTo(200, -1);
    const third = Math.floor(plain.length / 3);
    expect(Math.max(...away.slice(0, third), ...away.slice(2 * third + 2))).toBe(0);
    const stay = steps.slice(plain.length);
    expect(stay).toHaveLength(13);
    for (const { truth, stopped, speed } of stay) expect([truth, stopped, speed]).toEqual([line[2], true, 0]);
    expect(stay[12].after - plain[plain.length - 1].after).toBe(65);
  });

  it("scatters its fixes as their accuracy says: two of three lie within it", () => {
    const steps = [...walk(line, { speed: 1, interval: 1, accuracy: 30, seed: 3 })];
    const within = steps.filter(({ location, truth }) => distance(location, truth) <= 30).length / steps.length;
    expect(within).toBeGreaterThan(0.64);
    expect(within).toBeLessThan(0.72);
  });

  it("walks the same way again with the same seed, and another with another", () => {
    const places = (seed: number) =>
      [...walk(line, { speed: 20, interval: 10, accuracy: 20, seed })].map(({ location }) => location);
    expect(places(1)).toEqual(places(1));
    expect(places(1)).not.toEqual(places(2));
  });

  it("of a single position is one update, and of none no update", () => {
    expect([...walk([line[0]], { speed: 10, interval: 1, accuracy: 5 })]).toHaveLength(1);
    expect([...walk([], { speed: 10, interval: 1, accuracy: 5 })]).toHaveLength(0);
  });
});

describe("the position of a map in the address", () => {
  it("comes back as it was written, to the metre", () => {
    const position = { latitude: 48.99001, longitude: -111.2, zoom: 15.5 };
    expect(writePosition(position)).toBe("48.99001,-111.20000,15.5");
    expect(readPosition(writePosition(position))).toEqual(position);
  });

  it.each([null, "", "1,2", "91,0,3", "0,181,3", "0,0,99", "a,b,c", "1,,3"])("is none where it reads %j", (text) => {
    expect(readPosition(text)).toBeUndefined();
  });

  it("takes the smaller box, also across the 180th meridian", () => {
    const box = boundsOf([
      [179, -17],
      [-179, -16],
    ]);
    expect(box).toEqual([179, -17, 181, -16]);
    expect(boundsOf([[7, 50]])).toEqual([7, 50, 7, 50]);
    expect(boundsOf([])).toBeUndefined();
  });
});

describe("the labels of a replay", () => {
  const event = (name: string, at: number) => ({ properties: { name, at } });
  const events = [
    event("entered geofence", 10),
    event("exited geofence", 20),
    event("entered geofence", 30),
    event("bought", 40),
  ];
  const shown = (time: number) => latestOfKinds(events, time).map(({ properties: { name, at } }) => `${name} ${at}`);

  it("are one for each kind of event: the latest so far", () => {
    expect(shown(9)).toEqual([]);
    expect(shown(25)).toEqual(["entered geofence 10", "exited geofence 20"]);
    expect(shown(40).sort()).toEqual(["bought 40", "entered geofence 30", "exited geofence 20"]);
    expect(latestOfKinds([...events].reverse(), 40)).toHaveLength(3);
  });
});

describe("the hints of a walk", () => {
  const north = (metres: number) => ({ latitude: 48 + metres / 111_195, longitude: 16 });
  const plan = {
    ...{ line: [north(0), north(5995)], speed: 10, interval: 10, accuracy: 10, detour: 300 },
    ...{ trip: "t", pace: 60, deviceId: "d" },
  };

  it("are none for a walk that generates what one expects", () => {
    expect(hintsOf(plan, undefined, 1e12)).toEqual([]);
    expect(hintsOf({ ...plan, detour: 0, trip: "" }, undefined, 1e12)).toEqual([]);
  });

  it("name a missing trip, too few updates, and a clock that goes back", () => {
    expect(hintsOf({ ...plan, trip: "" }, undefined, 1e12)).toEqual([expect.stringContaining("a trip")]);
    expect(hintsOf({ ...plan, interval: 60 }, undefined, 1e12)).toEqual([expect.stringContaining("Too few updates")]);
    const begins = beginOf(plan, 1e12);
    // 600 s of the device's clock in 64 s.
    expect(1e12 - begins).toBe(600_000 - 61 * 1050);
    expect(hintsOf(plan, { deviceId: "d", at: begins + 1 }, 1e12)).toEqual([expect.stringContaining("go back")]);
    expect(hintsOf(plan, { deviceId: "d", at: begins - 1 }, 1e12)).toEqual([]);
    expect(hintsOf(plan, { deviceId: "other", at: 1e12 }, 1e12)).toEqual([]);
    expect(beginOf({ ...plan, pace: 1 }, 1e12)).toBe(1e12);
  });
});
