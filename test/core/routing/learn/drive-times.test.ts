import { describe, expect, it } from "vitest";
import { driveTimes } from "../../../../src/core/routing/learn/drive-times.ts";
import { nondecreasing } from "../../../../src/core/routing/learn/isotonic.ts";
import type { Stretch } from "../../../../src/core/routing/match/course.ts";

/** Edges of these lengths [m], free flow at 10 m/s, turns of these seconds; points by position [m] and time. */
function traversals(meters: number[], turns: number[], points: [at: number, time: number][]) {
  const starts = meters.map((_, i) => meters.slice(0, i).reduce((sum, one) => sum + one, 0));
  const stretches = meters.map((length, i) => ({
    from: 0,
    to: 1,
    points: points.flatMap(([at], index) =>
      at >= starts[i] && (at < starts[i] + length || i === meters.length - 1)
        ? [{ index, share: (at - starts[i]) / length }]
        : [],
    ),
  })) as unknown as Stretch[];
  const flow = {
    meters: Float64Array.from(meters),
    seconds: Float64Array.from(meters, (one) => one / 10),
    turns: Float64Array.from(turns),
    signals: Uint8Array.from(meters, () => 1),
  };
  const times = points.map(([, time]) => time);
  return driveTimes({ stretches }, flow, (index) => times[index]);
}

/** Time on each stretch, with the wait at its end [s]. */
const course = (...of: Parameters<typeof traversals>) =>
  traversals(...of).map(({ stretch, seconds, waited }) => [stretch, Math.round((seconds + waited) * 10) / 10]);

describe("the time on edges", () => {
  it("is without the stops of a delivery round, but with those of a jam", () => {
    const at10 = (from: number, to: number, began: number) =>
      Array.from({ length: (to - from) / 50 + 1 }, (_, i): [number, number] => [from + i * 50, began + i * 5]);
    const delivered = [...at10(0, 300, 0), ...at10(300, 800, 90)];
    expect(course([200, 400, 200], [0, 0, 0], delivered)).toEqual([[1, 40]]);
    const jammed = Array.from({ length: 17 }, (_, i): [number, number] => [i * 50, i * 30]);
    expect(course([200, 400, 200], [0, 0, 0], jammed)).toEqual([[1, 240]]);
  });

  it("is that between the points, in proportion to free flow; the first and last edge are ignored", () => {
    const twice = Array.from({ length: 9 }, (_, i): [number, number] => [i * 50, i * 10]);
    expect(course([100, 100, 100, 100], [0, 0, 0, 0], twice)).toEqual([
      [1, 20],
      [2, 20],
    ]);
    expect(course([100, 100], [0, 0], twice.slice(0, 4))).toEqual([]);
  });

  it("does not contain the turns that the profile counts already", () => {
    // 300 m in 38 s, of which two turns of 4 s.
    const rows = course(
      [50, 100, 100, 50],
      [0, 4, 4, 0],
      [
        [0, 0],
        [300, 38],
      ],
    );
    expect(rows).toEqual([
      [1, 10],
      [2, 10],
    ]);
  });

  it("is not negative where a turn took less than the profile expects", () => {
    const rows = course(
      [100, 100, 100, 100],
      [0, 20, 20, 0],
      [
        [0, 0],
        [200, 10],
        [400, 20],
      ],
    );
    for (const [, seconds] of rows) expect(seconds).toBeGreaterThan(0);
  });

  it("of short edges is measured with their neighbors, so that errors of points count less", () => {
    const rows = course(
      [100, 10, 10, 50, 100, 100],
      [0, 0, 0, 0, 0, 0],
      [
        [0, 0],
        [105, 14],
        [112, 16],
        [400, 74],
      ],
    );
    const short = rows.filter(([stretch]) => stretch <= 3);
    const total = short.reduce((sum, [, seconds]) => sum + seconds, 0);
    // 1 : 1 : 5, as free flow has it.
    expect(short.map(([stretch, seconds]) => [stretch, Math.round((seconds / total) * 70)])).toEqual([
      [1, 10],
      [2, 10],
      [3, 50],
    ]);
  });

  it("includes the wait before a junction, also when the points scatter across the stop line", () => {
    const rows = course(
      [100, 100, 100, 100],
      [0, 0, 0, 0],
      [
        [0, 0],
        [100, 10],
        [190, 19],
        [204, 25],
        [197, 35],
        [206, 45],
        [300, 55],
        [400, 65],
      ],
    );
    expect(rows[0][1]).toBeGreaterThan(30);
    expect(rows[1][1]).toBeLessThan(15);
    expect(rows[0][1] + rows[1][1]).toBeCloseTo(45, 0);
  });

  it("is divided into driving and standing, on short edges too", () => {
    const points: [number, number][] = [
      ...[[0, 0] as [number, number], [100, 10] as [number, number], [140, 14] as [number, number]],
      ...Array.from({ length: 6 }, (_, i): [number, number] => [148, 19 + 5 * i]),
      ...[[250, 60] as [number, number], [350, 70] as [number, number], [400, 75] as [number, number]],
    ];
    // The edge of 50 m is measured together with the one of 100 m after it.
    const rows = traversals([100, 50, 100, 150], [0, 0, 0, 0], points);
    expect(rows.map(({ stretch }) => stretch)).toEqual([1, 2]);
    expect(rows[0].waited).toBeGreaterThan(20);
    expect(rows[0].waited).toBeLessThan(40);
    expect(rows[1].waited).toBe(0);
    const driving = rows.reduce((sum, { seconds }) => sum + seconds, 0);
    expect(driving).toBeGreaterThan(12);
    expect(driving).toBeLessThan(26);
    expect(rows[1].seconds / rows[0].seconds).toBeCloseTo(2, 9);
  });

  it("of a sparse piece is one ratio for the complete path", () => {
    const stretches = [0, 1, 2, 3].map((i) => ({
      from: 0,
      to: 1,
      points:
        i === 0
          ? [{ index: 0, share: 0 }]
          : i === 3
            ? [{ index: 2, share: 1 }]
            : i === 1
              ? [{ index: 1, share: 1 }]
              : [],
    })) as unknown as Stretch[];
    const flow = {
      meters: Float64Array.of(100, 100, 300, 100),
      seconds: Float64Array.of(10, 10, 30, 10),
      signals: new Uint8Array(4),
      turns: new Float64Array(4),
    };
    const times = [0, 20, 140];
    const [a, b] = driveTimes({ stretches }, flow, (i) => times[i], true);
    expect(b.seconds / a.seconds).toBeCloseTo(3, 9);
  });
});

it("the nearest nondecreasing values pool what decreases", () => {
  expect([...nondecreasing([1, 3, 2, 4])]).toEqual([1, 2.5, 2.5, 4]);
  expect([...nondecreasing([4, 3, 2, 1])]).toEqual([2.5, 2.5, 2.5, 2.5]);
  expect([...nondecreasing([])]).toEqual([]);
});
