import { describe, expect, it } from "vitest";
import { largestCluster, viewOf } from "../../../src/dashboard/map/clusters.ts";

const VIENNA = [
  [16.37, 48.21],
  [16.9, 48.3],
  [17.1, 48.14],
];
const QUITO = [
  [-78.5, -0.2],
  [-78.3, 0.1],
];

describe("a map of positions far apart", () => {
  it("opens with the largest cluster, not with the sea between them", () => {
    expect(viewOf([...QUITO, [0, 0], ...VIENNA])).toEqual([16.37, 48.14, 17.1, 48.3]);
    expect(largestCluster([...VIENNA, ...QUITO, ...QUITO])).toHaveLength(4);
  });

  it("shows all of them if they are near each other, and nothing of none", () => {
    expect(viewOf([...VIENNA, [10, 50]])).toEqual([10, 48.14, 17.1, 50]);
    expect(viewOf([])).toBeUndefined();
    expect(viewOf([[3, 4]])).toEqual([3, 4, 3, 4]);
  });

  it("joins neighbors across the 180th meridian, and at the equator", () => {
    const fiji = [
      [179.9, -17],
      [-179.9, -17.2],
      [179.6, -16.9],
    ];
    expect(largestCluster([...VIENNA.slice(0, 2), ...fiji])).toHaveLength(3);
    expect(largestCluster([...QUITO, [100, 10]])).toHaveLength(2);
  });

  it("finds the same number of positions as joining all pairs of neighboring cells", () => {
    let state = 7;
    const draw = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state / 0x7fffffff;
    };
    for (let turn = 0; turn < 20; turn++) {
      const pairs = Array.from({ length: 60 }, () => [draw() * 8 - 4, draw() * 8 - 4]);
      const group = pairs.map((_, i) => i);
      const root = (i: number): number => (group[i] === i ? i : root(group[i]));
      const cell = ([x, y]: number[]) => [Math.floor((x + 180) * 2), Math.floor(y * 2)];
      for (const [i, a] of pairs.entries())
        for (const [j, b] of pairs.entries()) {
          const [[ax, ay], [bx, by]] = [cell(a), cell(b)];
          if (Math.abs(ax - bx) <= 1 && Math.abs(ay - by) <= 1) group[root(i)] = root(j);
        }
      const sizes = new Map<number, number>();
      for (let i = 0; i < pairs.length; i++) sizes.set(root(i), (sizes.get(root(i)) ?? 0) + 1);
      expect(largestCluster(pairs)).toHaveLength(Math.max(...sizes.values()));
    }
  });
});
