import { describe, expect, it } from "vitest";
import { addDevice, type EdgeSums } from "../../../../src/core/routing/learn/edge-sums.ts";
import { type EdgeFacts, SpeedEstimate } from "../../../../src/core/routing/learn/estimate.ts";
import { Observations } from "../../../../src/core/routing/learn/observations.ts";
import { speedLines } from "../../../../src/core/routing/learn/speed-csv.ts";

const WINDOWS = [
  { days: 127, from: 0, until: 720 },
  { days: 127, from: 720, until: 1440 },
];
/** 36 km/h, limit 50. */
const facts = (roadClass = "primary"): EdgeFacts => ({
  ...{ roadClass, town: "a", pace: 0.1, limitKmh: 50 },
  ...{ meters: 200, hasSignal: false },
});

function estimateSpeeds(sums: EdgeSums, factsOf: () => EdgeFacts, windows: typeof WINDOWS, minimumDevices: number) {
  const estimate = new SpeedEstimate(windows, minimumDevices);
  estimate.add(sums, factsOf);
  return estimate.finish();
}

/** Passages of edges: key, device, hour, speed [km/h], how often. */
function sumsOf(rows: [key: string, device: number, hour: number, kmh: number, times: number][]): EdgeSums {
  const sums: EdgeSums = new Map();
  for (const [key, device, hour, kmh, times] of rows) {
    const seen = new Observations();
    for (let i = 0; i < times; i++) seen.add(key, hour, (3.6 / kmh) * (i % 2 === 0 ? 1.05 : 1 / 1.05));
    addDevice(sums, device, seen);
  }
  return sums;
}

const many = (key: string, hour: number, kmh: number, devices = 5, times = 20) =>
  Array.from({ length: devices }, (_, i): [string, number, number, number, number] => [key, i + 1, hour, kmh, times]);

describe("a learned speed", () => {
  it("is what many devices drove, by window", () => {
    const { edges } = estimateSpeeds(sumsOf([...many("a", 3, 40), ...many("a", 15, 20)]), () => facts(), WINDOWS, 3);
    const [night, day] = edges.get("a")!.speedsKmh;
    expect(night).toBeGreaterThan(38);
    expect(day).toBeLessThan(21.5);
  });

  it("needs as many distinct devices as required, however often one of them passes", () => {
    const alone = [...many("a", 3, 30, 4), ...many("b", 3, 10, 2, 200)];
    const { edges } = estimateSpeeds(sumsOf(alone), () => facts(), WINDOWS, 3);
    expect([...edges.keys()]).toEqual(["a"]);
    expect([...estimateSpeeds(sumsOf(alone), () => facts(), WINDOWS, 5).edges.keys()]).toEqual([]);
  });

  it("shows nothing of a window in which fewer devices passed than required", () => {
    const others = ["a", "c", "d", "e", "f", "g", "h"].flatMap((key) => [...many(key, 3, 30), ...many(key, 15, 30)]);
    const usual = [...others, ...many("b", 3, 30), ...many("b", 15, 30, 2)];
    const slow = [...others, ...many("b", 3, 30), ...many("b", 15, 15, 2)];
    const shown = [...others, ...many("b", 3, 30), ...many("b", 15, 15, 3)];
    const [one, two, three] = [usual, slow, shown].map(
      (rows) => estimateSpeeds(sumsOf(rows), () => facts(), WINDOWS, 3).edges.get("b")!,
    );
    // The two devices move the edge as a whole, but its afternoon is no different from its morning.
    expect(two.speedsKmh[1] / two.speedsKmh[0]).toBeGreaterThan(0.9);
    expect(three.speedsKmh[1] / three.speedsKmh[0]).toBeLessThan(0.7);
    expect(one.speedsKmh[1] / one.speedsKmh[0]).toBeCloseTo(1, 1);
  });

  it("is shrunk toward its class the less was seen of it, and unseen roads follow their class", () => {
    const rows = ["a", "b", "c", "d", "e", "f"].flatMap((key) => many(key, 3, 18));
    const few: typeof rows = [1, 2, 3].map((device) => ["x", device, 3, 36, 1]);
    const { edges, classes } = estimateSpeeds(sumsOf([...rows, ...few]), () => facts(), WINDOWS, 3);
    const [kmh] = edges.get("x")!.speedsKmh;
    expect(kmh).toBeGreaterThan(18);
    expect(kmh).toBeLessThan(35);
    const [factor] = classes.get("primary")!;
    expect(factor).toBeGreaterThan(0.45);
    expect(factor).toBeLessThan(0.75);
  });

  it("stays between 3 km/h and 1.2 times the limit", () => {
    const { edges } = estimateSpeeds(sumsOf([...many("a", 3, 150), ...many("b", 3, 1.5)]), () => facts(), WINDOWS, 3);
    expect(edges.get("a")!.speedsKmh[0]).toBe(60);
    expect(edges.get("b")!.speedsKmh[0]).toBe(3);
  });

  it("is the speed of the mean time, not of the median: waits count", () => {
    const seen = [0.1, 0.1, 0.1, 0.4];
    const sums: EdgeSums = new Map();
    for (let device = 1; device <= 40; device++) {
      const own = new Observations();
      own.add("a", 3, seen[device % 4]);
      addDevice(sums, device, own);
    }
    const [kmh] = estimateSpeeds(sums, () => facts(), WINDOWS, 3).edges.get("a")!.speedsKmh;
    // Mean pace 0.175 s/m; that of the mean logarithm is 0.141.
    expect(3.6 / kmh).toBeGreaterThan(0.155);
    expect(3.6 / kmh).toBeLessThan(0.195);
  });

  it("is written as the lines that --speeds reads: classes, then the segments of each edge", () => {
    const learned = estimateSpeeds(sumsOf(many("a", 3, 30)), () => facts(), WINDOWS, 3);
    const lines = [...speedLines(learned, () => [[7, 8] as const, [8, 9] as const])];
    expect(lines[0]).toBe("from_node,to_node,road_class,days,hours,speed,factor");
    expect(lines[1]).toMatch(/^,,primary,,00:00-12:00,,0\.\d{3}$/);
    expect(
      lines
        .slice(3)
        .map((line) => line.replace(/[\d.]+,$/, ""))
        .sort(),
    ).toEqual(["7,8,,,00:00-12:00,", "7,8,,,12:00-24:00,", "8,9,,,00:00-12:00,", "8,9,,,12:00-24:00,"]);
  });
});

describe("waits at junctions", () => {
  /** Passages with 20 s of driving on 200 m, and a wait, by `devices` devices, twenty times each in each window. */
  function seen(sums: EdgeSums, key: string, wait: number, devices = 5, meters = 200): void {
    for (let device = 1; device <= devices; device++) {
      const own = new Observations();
      for (const hour of [3, 15]) for (let i = 0; i < 20; i++) own.add(key, hour, 0.1, wait / meters);
      addDevice(sums, device, own);
    }
  }
  const secondsOf = (speedsKmh: readonly number[], meters: number) => speedsKmh.map((kmh) => (meters * 3.6) / kmh);

  it("are learned apart: edges of all lengths to traffic lights wait alike, others do not", () => {
    const sums: EdgeSums = new Map();
    for (const key of ["a", "b", "c"]) seen(sums, key, 12);
    for (const key of ["x", "y", "z"]) seen(sums, key, 0);
    const estimate = new SpeedEstimate(WINDOWS, 3);
    estimate.add(sums, (key) => ({ ...facts(), hasSignal: "abc".includes(key) }));
    // Not observed: one short, one long, one without lights.
    for (const [key, meters] of [["short", 50] as const, ["long", 1000] as const, ["a", 200] as const]) {
      estimate.addSignal(key, { ...facts(), meters, hasSignal: true });
    }
    const { edges, signals, delays, classes } = estimate.finish();
    expect(delays.signals).toBeCloseTo(12, 6);
    expect(delays.others).toBe(0);
    for (const seconds of secondsOf(edges.get("a")!.speedsKmh, 200)) expect(seconds).toBeCloseTo(32, 0);
    for (const seconds of secondsOf(edges.get("x")!.speedsKmh, 200)) expect(seconds).toBeCloseTo(20, 0);
    expect([...signals.keys()]).toEqual(["short", "long"]);
    for (const seconds of secondsOf(signals.get("short")!, 50)) expect(seconds).toBeCloseTo(17, 0);
    for (const seconds of secondsOf(signals.get("long")!, 1000)) expect(seconds).toBeCloseTo(112, 0);
    expect(classes.get("primary")![0]).toBeCloseTo(1, 1);
    // … and they are written like other edges.
    const learned = { windows: WINDOWS, edges, signals, delays, classes };
    expect([...speedLines(learned, (key) => (key === "short" ? [[1, 2]] : []))].slice(-2)).toEqual([
      "1,2,,,00:00-12:00,10.6,",
      "1,2,,,12:00-24:00,10.6,",
    ]);
  });

  it("are of one edge where it was seen often, and of all where it was seen rarely", () => {
    const sums: EdgeSums = new Map();
    for (const key of ["a", "b", "c", "d", "e", "f", "g"]) seen(sums, key, 10);
    seen(sums, "slow", 40);
    const rare = new Observations();
    rare.add("rare", 3, 0.1, 60 / 200);
    for (const device of [1, 2, 3]) addDevice(sums, device, rare);
    const { edges } = estimateSpeeds(sums, () => ({ ...facts(), hasSignal: true }), WINDOWS, 3);
    const [slow] = secondsOf(edges.get("slow")!.speedsKmh, 200);
    expect(slow).toBeGreaterThan(54);
    expect(slow).toBeLessThan(60);
    const [once] = secondsOf(edges.get("rare")!.speedsKmh, 200);
    expect(once).toBeGreaterThan(34);
    expect(once).toBeLessThan(60);
  });

  it("need as many devices as speeds do: of fewer, nothing shows, neither of one edge nor of all", () => {
    const sums: EdgeSums = new Map();
    seen(sums, "a", 30, 2);
    const estimate = new SpeedEstimate(WINDOWS, 3);
    estimate.add(sums, () => ({ ...facts(), hasSignal: true }));
    estimate.addSignal("s", { ...facts(), hasSignal: true });
    expect(estimate.finish()).toMatchObject({
      ...{ edges: new Map(), signals: new Map(), delays: { signals: undefined, others: undefined } },
    });
    // Two of three devices wait long in the afternoon only.
    const day: EdgeSums = new Map();
    for (const key of ["a", "b", "c", "d"]) seen(day, key, 10, 3);
    for (const device of [1, 2]) {
      const own = new Observations();
      for (let i = 0; i < 200; i++) own.add("q", 15, 0.1, 90 / 200);
      addDevice(day, device, own);
    }
    const night = new Observations();
    night.add("q", 3, 0.1, 10 / 200);
    for (const device of [1, 2, 3]) addDevice(day, device, night);
    const [morning, afternoon] = secondsOf(
      estimateSpeeds(day, () => ({ ...facts(), hasSignal: true }), WINDOWS, 3).edges.get("q")!.speedsKmh,
      200,
    );
    expect(afternoon / morning).toBeLessThan(1.1);
  });
});
