import { describe, expect, it } from "vitest";
import { destination } from "../../../../src/core/geo/distance.ts";
import { cleanTrace, drivenPieces, type TimedPoint } from "../../../../src/core/routing/learn/clean.ts";

const HOME = { latitude: 49, longitude: -110 };

/** A traveler going east at `speed` [m/s], reporting every `interval` seconds from `began` on. */
function ride(speed: number, seconds: number, interval = 5, began = 0, from = HOME): TimedPoint[] {
  const count = Math.floor(seconds / interval) + 1;
  return Array.from({ length: count }, (_, i) => ({
    ...destination(from, 90, speed * i * interval),
    time: began + i * interval,
  }));
}

const lengths = (trace: readonly TimedPoint[]) => cleanTrace(trace).map(({ points }) => points.length);

describe("a trace", () => {
  it("that moves all the time is one piece, in any order of arrival and with repeated points", () => {
    const trace = ride(12, 300);
    expect(lengths(trace)).toEqual([61]);
    expect(lengths([...trace].reverse())).toEqual([61]);
    expect(lengths([...trace, ...trace])).toEqual([61]);
  });

  it("is cut at a silence of more than a minute", () => {
    const trace = ride(12, 600);
    expect(lengths(trace.filter(({ time }) => time < 200 || time > 250))).toHaveLength(1);
    expect(lengths(trace.filter(({ time }) => time < 200 || time > 265))).toHaveLength(2);
  });

  it("is not cut by the interval of a tracker that reports once a minute, whose piece is sparse", () => {
    const [piece, ...more] = cleanTrace(ride(12, 900, 65));
    expect(more).toEqual([]);
    expect(piece.isSparse).toBe(true);
    expect(cleanTrace(ride(12, 900, 25))[0].isSparse).toBe(false);
  });

  it("is cut at a gap of more than a kilometer, and at an impossible speed", () => {
    const first = ride(12, 200);
    const far = destination(HOME, 90, 200 * 12 + 1500);
    expect(lengths([...first, ...ride(12, 200, 5, 230, far)])).toHaveLength(2);
    const near = destination(HOME, 90, 200 * 12 + 600);
    expect(lengths([...first, ...ride(12, 200, 5, 205, near)])).toHaveLength(2);
    expect(lengths([...first, ...ride(12, 200, 5, 230, near)])).toHaveLength(1);
  });

  it("loses stays of two minutes, but not the wait at a signal", () => {
    const before = ride(12, 300);
    const place = before[before.length - 1];
    const wait = (seconds: number) => [
      ...before,
      ...ride(0, seconds, 5, 305, place),
      ...ride(12, 300, 5, 310 + seconds, place),
    ];
    expect(lengths(wait(60))).toHaveLength(1);
    const pieces = cleanTrace(wait(600));
    expect(pieces).toHaveLength(2);
    expect(pieces[0].points.at(-1)?.time).toBeLessThanOrEqual(305);
    expect(pieces[1].points[0].time).toBeGreaterThan(900);
  });

  it("that is too short, or of points too inaccurate, says nothing", () => {
    expect(lengths(ride(12, 20))).toEqual([]);
    expect(lengths(ride(12, 300).map((point) => ({ ...point, accuracy: 500 })))).toEqual([]);
    expect(lengths([])).toEqual([]);
    expect(lengths(ride(12, 0))).toEqual([]);
  });
});

describe("a motor vehicle", () => {
  it.each([
    ["a walker", 1.4, false],
    ["a cyclist", 6, false],
    ["a fast cyclist", 9.5, false],
    ["a car", 12, true],
    ["a car on a motorway", 33, true],
  ])("%s at %d m/s: %s", (_, speed, expected) => {
    expect(drivenPieces(cleanTrace(ride(speed, 900)))).toHaveLength(expected ? 1 : 0);
  });

  it("is recognized in a trip that is slow for most of its time", () => {
    const slow = ride(4, 600);
    const fast = ride(14, 120, 5, 605, slow[slow.length - 1]);
    expect(drivenPieces(cleanTrace([...slow, ...fast]))).toHaveLength(1);
  });

  /** Stops for half of the time. */
  const jam = (start: number) => {
    const trace: TimedPoint[] = [];
    for (let spell = 0; spell < 40; spell++) {
      const [last] = trace.slice(-1);
      const began = start + spell * 40;
      trace.push(...ride(7, 20, 5, began, last));
      const stop = trace[trace.length - 1];
      trace.push({ ...stop, time: began + 30 });
    }
    return trace;
  };

  it("of a device that drives is also one in a jam and in a 30 zone, on this day and on others", () => {
    const drive = ride(14, 600);
    const [parked] = drive.slice(-1);
    const later = (trace: TimedPoint[]) => trace.map((point) => ({ ...point, time: point.time + parked.time + 3600 }));
    for (const slow of [jam(0), ride(6, 600)]) {
      expect(drivenPieces(cleanTrace([...drive, ...later(slow)]))).toHaveLength(2);
      expect(drivenPieces(cleanTrace(slow))).toEqual([]);
      expect(drivenPieces(cleanTrace(slow), true)).toHaveLength(1);
    }
    expect(drivenPieces(cleanTrace([...drive, ...later(ride(1.4, 900))]))).toHaveLength(1);
    // Someone who mostly rides a bike, and once takes a car.
    expect(drivenPieces(cleanTrace([...drive, ...later(ride(6, 3600))]))).toHaveLength(1);
  });

  it("is what the motion sensors say, whatever the speed", () => {
    const sensed = (speed: number, activity: string) =>
      drivenPieces(cleanTrace(ride(speed, 900).map((point) => ({ ...point, activity })))).length;
    expect([sensed(5, "car"), sensed(14, "bike"), sensed(14, "still"), sensed(5, "unknown")]).toEqual([1, 0, 1, 0]);
  });
});
