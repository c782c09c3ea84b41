import { describe, expect, it } from "vitest";
import { RowHeights } from "../../src/dashboard/table/row-heights.ts";
import { random } from "../../src/demo/world/random.ts";

describe("the heights of a list's rows", () => {
  it("are the usual one until they are measured", () => {
    const heights = new RowHeights(50);
    heights.resize(1000);
    expect([heights.top(0), heights.top(10), heights.total]).toEqual([0, 500, 50_000]);
    expect([-20, 0, 49, 50, 499, 50_000].map((at) => heights.indexAt(at))).toEqual([0, 0, 0, 1, 9, 1000]);
    expect([heights.set(3, 50), heights.set(3, 90), heights.set(3, 90), heights.set(1000, 9)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect([heights.top(3), heights.top(4), heights.total]).toEqual([150, 240, 50_040]);
  });

  it("give the same positions as adding them up, while the list grows, shrinks and is measured again", () => {
    const draw = random("rows", "heights");
    const heights = new RowHeights(56);
    let plain: number[] = [];
    for (let turn = 0; turn < 60; turn++) {
      const length = draw.below(200);
      heights.resize(length);
      plain = Array.from({ length }, (_, i) => plain[i] ?? 56);
      for (let i = 0; i < 20 && length > 0; i++) {
        const at = draw.below(length);
        plain[at] = 30 + draw.below(90);
        heights.set(at, plain[at]);
      }
      const tops = plain.map((_, i) => plain.slice(0, i).reduce((sum, one) => sum + one, 0));
      expect(plain.map((_, i) => heights.top(i))).toEqual(tops);
      expect(tops.map((top) => heights.indexAt(top))).toEqual(plain.map((_, i) => i));
      expect(tops.map((top, i) => heights.indexAt(top + plain[i] - 1))).toEqual(plain.map((_, i) => i));
      expect(heights.indexAt(heights.total + 1)).toBe(length);
    }
    heights.clear();
    expect(heights.total).toBe(56 * heights.length);
  });
});
