import { describe, expect, it } from "vitest";
import { destination, distance } from "../../../../src/core/geo/distance.ts";
import { shifted, type TimedFix } from "../../../../src/core/tracking/journeys/fixes.ts";
import { findJourneys } from "../../../../src/core/tracking/journeys/journeys.ts";
import { timelineOf, totalsOf } from "../../../../src/core/tracking/journeys/timeline.ts";
import { type DayOptions, normal, random, simulateDay } from "./simulated-day.ts";

const MINUTE = 60_000;
const HOME = { latitude: 48.2, longitude: 16.37 };
const NINE = Date.UTC(2026, 6, 1, 9);

/** Fixes from a list of [minutes, meters east]. */
const at = (
  points: readonly (readonly [minutes: number, metres: number])[],
  more: Partial<TimedFix> = {},
): TimedFix[] =>
  points.map(([minutes, metres]) => ({
    ...{ at: NINE + minutes * MINUTE, location: destination(HOME, 90, metres), accuracy: 10 },
    ...more,
  }));
const every = (from: number, to: number, step: number, metres: (minute: number) => number) => {
  const points: [number, number][] = [];
  for (let minute = from; minute < to; minute += step) points.push([minute, metres(minute)]);
  return points;
};
const minutesOf = ({ from, to }: { from: number; to: number }) => [(from - NINE) / MINUTE, (to - NINE) / MINUTE];

/** `JOURNEY_SEED=9000 JOURNEY_DAYS=400` takes other days, and prints the figures. */
const [FIRST_SEED, DAYS] = [Number(process.env.JOURNEY_SEED ?? 0), Number(process.env.JOURNEY_DAYS ?? 40)];

interface Score {
  stops: number;
  found: number;
  invented: number;
  journeys: number;
  /** By which the number of journeys differs. */
  off: number;
  /** Found ÷ true distance, of all days, and of each. */
  ratio: number;
  ratios: number[];
}

function score(options: Omit<DayOptions, "seed">, days = DAYS): Score {
  const result: Score = { stops: 0, found: 0, invented: 0, journeys: 0, off: 0, ratio: 0, ratios: [] };
  let [truth, sum] = [0, 0];
  for (let seed = FIRST_SEED + 1; seed <= FIRST_SEED + days; seed++) {
    const day = simulateDay({ seed, ...options });
    const { stops, journeys } = findJourneys(day.fixes);
    // A device that is silent at its last stop may have gone on.
    const known = options.silent ? day.stops.slice(0, -1) : day.stops;
    const common = (a: { from: number; to: number }, b: { from: number; to: number }) =>
      Math.min(a.to, b.to) - Math.max(a.from, b.from);
    result.stops += known.length;
    result.found += known.filter((stop) =>
      stops.some(
        (one) => common(stop, one) > 0.6 * (stop.to - stop.from) && distance(one.location, stop.location) < 60,
      ),
    ).length;
    result.invented += stops.filter(
      (one) => !day.stops.some((stop) => common(stop, one) > 0.5 * (one.to - one.from)),
    ).length;
    result.journeys += day.journeys.length;
    result.off += Math.abs(journeys.length - day.journeys.length);
    const [real, own] = [day.journeys, journeys].map((all) => all.reduce((total, one) => total + one.distance, 0));
    truth += real;
    sum += own;
    result.ratios.push(own / real);
  }
  return { ...result, ratio: sum / truth };
}

describe("simulated days with known truth", () => {
  const usual = { standing: 10, moving: 8, memory: 0, interval: 10 };
  it.each<[string, Omit<DayOptions, "seed">]>([
    ["an urban canyon: errors of 30 m while standing", { ...usual, standing: 30, moving: 10 }],
    ["… whose errors last a minute", { ...usual, standing: 30, moving: 10, memory: 60 }],
    ["… every 5 seconds, with 15 m on the way", { ...usual, standing: 30, moving: 15, memory: 30, interval: 5 }],
    ["an open sky, every second", { ...usual, standing: 5, moving: 5, interval: 1 }],
    ["a phone that is silent at rest", { ...usual, silent: true }],
    ["across the 180th meridian", { ...usual, interval: 3, start: { latitude: -16.8, longitude: 179.995 } }],
    ["in the far north", { ...usual, interval: 3, start: { latitude: 78.2, longitude: 15.6 } }],
    ["a device that claims to be more exact than it is", { ...usual, interval: 5, claimed: 0.5 }],
  ])("%s", (name, options) => {
    const { stops, found, invented, journeys, off, ratio, ratios } = score(options);
    if (FIRST_SEED > 0) console.log(name, { stops, found, invented, journeys, off, ratio });
    expect(found / stops).toBeGreaterThanOrEqual(0.98);
    expect(invented).toBe(0);
    expect(off).toBeLessThanOrEqual(journeys * 0.01);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.03);
    expect(ratios.filter((one) => Math.abs(one - 1) > 0.05)).toEqual([]);
  });

  it("a device that stands all night makes no journey, whatever its noise", () => {
    for (const [standing, memory] of [
      [30, 0],
      [30, 60],
      [30, 600],
      [45, 30],
      [5, 0],
    ]) {
      for (let seed = 1; seed <= 20; seed++) {
        const { fixes } = simulateDay({ seed, standing, moving: 10, memory, interval: 15, stops: 1 });
        const { stops, journeys } = findJourneys(fixes);
        expect([journeys.length, standing, memory, seed]).toEqual([0, standing, memory, seed]);
        if (standing <= 30) expect(stops).toHaveLength(1);
      }
    }
  });

  it("the order of arrival and repeated updates change nothing", () => {
    const { fixes } = simulateDay({ seed: 7, ...usual });
    const next = random(3);
    const mixed = [...fixes, ...fixes.filter(() => next() < 0.2)]
      .map((fix) => ({ fix, key: next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ fix }) => fix);
    expect(findJourneys(mixed)).toEqual(findJourneys(fixes));
  });

  it("lost updates do not lose stops", () => {
    const next = random(5);
    let [stops, found] = [0, 0];
    for (let seed = 1; seed <= 20; seed++) {
      const day = simulateDay({ seed, ...usual, interval: 5 });
      stops += day.stops.length;
      // Of a stop of five minutes, the first and the last fix may be lost.
      found += findJourneys(
        day.fixes.filter(() => next() < 0.5),
        270,
      ).stops.length;
    }
    expect(Math.abs(found - stops)).toBeLessThanOrEqual(stops * 0.02);
  });

  it.each([
    [45, 5, 0],
    [81, 10, 60],
    [81, 60, 0],
    [150, 30, 60],
    [250, 10, 0],
  ])(
    "a device that only stands makes no journey, with errors of %d m every %d s that last %d s",
    (sigma, interval, memory) => {
      let invented = 0;
      for (let seed = FIRST_SEED + 1; seed <= FIRST_SEED + DAYS; seed++) {
        const day = simulateDay({ seed, standing: sigma, moving: sigma, memory, interval, stops: 1 });
        invented += findJourneys(day.fixes).journeys.length;
      }
      // Errors that last may look like a way, at most once in a hundred days.
      expect(invented).toBeLessThanOrEqual(Math.ceil(DAYS / 100));
    },
  );

  it.each([
    [60, 0.9],
    [81, 0.75],
    [100, 0.65],
  ])("coarse fixes with errors of %d m at stops find %d of them, and a distance within 10 %", (standing, share) => {
    const { stops, found, invented, ratio } = score({ ...usual, standing, moving: 10, memory: 60 });
    expect(found / stops).toBeGreaterThanOrEqual(share);
    expect(invented / stops).toBeLessThan(0.03);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
  });
});

describe("stops and journeys", () => {
  it("a stop, a drive of 6 km and a stop, to the minute", () => {
    const drive = every(20, 30, 0.2, (minute) => (minute - 20) * 600);
    const fixes = at([...every(0, 20, 0.5, () => 0), ...drive, ...every(30, 45, 0.5, () => 6000)]);
    const { stops, journeys } = findJourneys(fixes);
    expect(stops.map((stop) => minutesOf(stop).map(Math.round))).toEqual([
      [0, 20],
      [30, 45],
    ]);
    expect(stops.map(({ isLast }) => isLast)).toEqual([undefined, true]);
    expect(journeys).toHaveLength(1);
    expect(journeys[0].distance).toBeGreaterThan(5900);
    expect(journeys[0].distance).toBeLessThan(6100);
    expect(journeys[0].topSpeed).toBeGreaterThan(9);
    expect(journeys[0].topSpeed).toBeLessThan(12);
    expect(journeys[0].gaps).toEqual([]);
  });

  it("a stand of 4 minutes is part of the journey, and a stop with minStop of 3", () => {
    const fixes = at([
      ...every(0, 10, 0.25, () => 0),
      ...every(10, 15, 0.25, (minute) => (minute - 10) * 600),
      ...every(15, 19, 0.25, () => 3000),
      ...every(19, 24, 0.25, (minute) => 3000 + (minute - 19) * 600),
      ...every(24, 34, 0.25, () => 6000),
    ]);
    expect(findJourneys(fixes).stops).toHaveLength(2);
    expect(findJourneys(fixes, 180).stops).toHaveLength(3);
  });

  it("a silence on the way is named, and no stop is invented in it", () => {
    const fixes = at([
      ...every(0, 10, 0.5, () => 0),
      ...every(10, 15, 0.2, (minute) => (minute - 10) * 600),
      ...every(25, 30, 0.2, (minute) => (minute - 10) * 600),
      ...every(30, 40, 0.5, () => 12_000),
    ]);
    const { stops, journeys } = findJourneys(fixes);
    expect(stops).toHaveLength(2);
    expect(journeys).toHaveLength(1);
    expect(journeys[0].gaps).toHaveLength(1);
    expect(minutesOf(journeys[0].gaps[0]).map(Math.round)).toEqual([15, 25]);
    expect(journeys[0].gaps[0].distance / 6120).toBeCloseTo(1, 1);
    expect(journeys[0].distance / 12_000).toBeCloseTo(1, 1);
  });

  it.each([0, 1, 2, 4, 8])(
    "is at its fastest never slower than on average, with a position every %i minutes on the way",
    (step) => {
      const way = step === 0 ? [] : every(30, 60, step, (minute) => (minute - 30) * 100);
      const { journeys } = findJourneys(at([...every(0, 30, 1, () => 0), ...way, ...every(60, 90, 1, () => 3000)]));
      expect(journeys).toHaveLength(1);
      const [{ from, to, distance: metres, topSpeed }] = journeys;
      expect(topSpeed).toBeGreaterThanOrEqual(metres / ((to - from) / 1000) - 1e-9);
      expect(topSpeed).toBeGreaterThan(1.4);
      expect(topSpeed).toBeLessThan(60);
    },
  );

  it("a phone that reports that it stopped, and is silent until it leaves, was there", () => {
    const way = every(0, 9.9, 0.2, (minute) => minute * 600);
    const later = every(70, 80, 0.2, (minute) => 6000 + (minute - 69) * 600);
    const fixes = [...at(way), ...at([[10, 6000]], { stopped: true }), ...at(later)];
    const { stops, journeys } = findJourneys(fixes);
    expect(stops.map((stop) => minutesOf(stop).map(Math.round))).toEqual([[10, 69]]);
    expect(journeys).toHaveLength(2);
  });

  it("a burst of reflected signals, a jump there and back, is no journey", () => {
    const burst = every(10, 11.5, 0.25, () => 200);
    const fixes = at([...every(0, 10, 0.25, () => 0), ...burst, ...every(11.5, 25, 0.25, () => 0)]);
    expect(findJourneys(fixes)).toMatchObject({ stops: [{}], journeys: [] });
    const jump = at([...every(0, 10, 0.25, () => 0), [10, 90_000], ...every(10.25, 20, 0.25, () => 0)]);
    expect(findJourneys(jump)).toMatchObject({ stops: [{}], journeys: [] });
  });

  it("three minutes at 100 m by reflected signals are no journey, and 300 m are one", () => {
    for (const [metres, stops] of [
      [100, 1],
      [300, 2],
    ]) {
      const aside = every(10, 13, 0.25, () => metres);
      const fixes = at([...every(0, 10, 0.25, () => 0), ...aside, ...every(13, 25, 0.25, () => 0)]);
      expect([metres, findJourneys(fixes).stops.length]).toEqual([metres, stops]);
    }
  });

  it("a position every 10 seconds cuts corners less than a line through them", () => {
    const corners = Array.from({ length: 21 }, (_, k) => [Math.ceil(k / 2) * 300, Math.floor(k / 2) * 300]);
    const points = corners
      .slice(1)
      .flatMap(([x, y], k) =>
        Array.from({ length: 25 }, (_, i) => [
          corners[k][0] + ((x - corners[k][0]) * i) / 25,
          corners[k][1] + ((y - corners[k][1]) * i) / 25,
        ]),
      );
    const fixes = points.flatMap(([x, y], second): TimedFix[] =>
      second % 10 === 0 ? [{ at: NINE + second * 1000, accuracy: 5, location: shifted(HOME, x, y) }] : [],
    );
    const [{ distance: metres, line }] = findJourneys(fixes).journeys;
    const chords = line.slice(1).reduce((sum, point, i) => sum + distance(line[i], point), 0);
    expect(metres).toBeGreaterThan(chords * 1.01);
    expect(metres).toBeLessThan(6000);
  });

  it("to the letterbox, 300 m away, and back is two stops and a journey", () => {
    const walk = every(10, 18, 0.25, (minute) => 300 - Math.abs(14 - minute) * 75);
    const fixes = at([...every(0, 10, 0.25, () => 0), ...walk, ...every(18, 28, 0.25, () => 0)]);
    const { stops, journeys } = findJourneys(fixes);
    expect([stops.length, journeys.length]).toEqual([2, 1]);
    expect(journeys[0].distance / 600).toBeCloseTo(1, 1);
  });

  it("a stroll of 0.6 m/s is no stop, although its fixes scatter like those of a stand with an accuracy of 30 m", () => {
    const gauss = normal(random(9));
    for (let k = 0; k < 10; k++) {
      const fixes = every(0, 20, 0.25, (minute) => minute * 36).map(([minute, metres]) => ({
        ...{ at: NINE + minute * MINUTE, accuracy: 30 },
        location: shifted(HOME, metres + 18 * gauss(), 18 * gauss()),
      }));
      const { stops, journeys } = findJourneys(fixes);
      expect([stops.length, journeys.length]).toEqual([0, 1]);
    }
  });

  it("no fix, one fix, two at one time: nothing, and no error", () => {
    for (const fixes of [[], at([[0, 0]]), [...at([[0, 0]]), ...at([[0, 50]])]])
      expect(findJourneys(fixes)).toEqual({ stops: [], journeys: [] });
  });

  it("at a pole, whose longitudes mean nothing, a stand is a stop", () => {
    const fixes = every(0, 20, 0.5, () => 0).map(([minutes], i) => ({
      ...{ at: NINE + minutes * MINUTE, accuracy: 10, location: { latitude: 89.99999, longitude: (i * 77) % 180 } },
    }));
    expect(findJourneys(fixes)).toMatchObject({ stops: [{}], journeys: [] });
  });
});

describe("a range", () => {
  const fixes = at([
    ...every(0, 60, 0.5, () => 0),
    ...every(60, 80, 0.2, (minute) => (minute - 60) * 600),
    ...every(80, 140, 0.5, () => 12_000),
  ]);
  const range = (from: number, to: number) => ({
    from: NINE + from * MINUTE,
    to: NINE + to * MINUTE,
    minStopSeconds: 300,
  });

  it("cuts stops at its limits, and has the journeys that begin in it: ranges add up", () => {
    const all = timelineOf(fixes, [], range(0, 140));
    expect(all.map(({ kind }) => kind)).toEqual(["stop", "journey", "stop"]);
    for (const middle of [30, 60.5, 65, 79, 100]) {
      const parts = [range(0, middle), range(middle, 140)].map((one) => totalsOf(timelineOf(fixes, [], one)));
      const totals = totalsOf(all);
      expect(parts[0].distance + parts[1].distance).toBeCloseTo(totals.distance, 6);
      expect(parts[0].standing + parts[1].standing).toBeCloseTo(totals.standing, 6);
      expect(parts[0].journeys + parts[1].journeys).toBe(1);
    }
  });
});
