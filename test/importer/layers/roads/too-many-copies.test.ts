import { expect, it } from "vitest";
import { restrictTurns } from "../../../../src/importer/layers/roads/turns/restrictions.ts";

/**
 *     0 ─┐
 *        ├─ 2 ──▶ 3        Nobody who came by 0 or by 1 may go from 2 to 3: a copy of 2 for each of them.
 *     1 ─┘
 */
const restrictions = [0, 1].map((from) => ({ path: [from, 2, 3], only: false, modes: 1 }));
const leaving = (edge: number) => (edge < 2 ? [2] : edge === 2 ? [3] : []);
const roads = { leaving, onward: () => undefined };

it("turns over several roads that would take too many copies stay open, and are counted", () => {
  const all = restrictTurns(restrictions, 4, roads);
  expect(all).toMatchObject({ copies: [2, 2], unfollowed: 0 });
  const one = restrictTurns(restrictions, 4, roads, 1);
  expect(one).toMatchObject({ copies: [2], unfollowed: 1 });
  expect(one.exceptions).toEqual(all.exceptions.filter(({ from, to }) => from !== 1 && from !== 5 && to !== 5));
});

it("a larger extract may have more copies, a small one never fewer than a town needs", () => {
  const many = Array.from({ length: 25_000 }, (_, i) => ({ path: [i, 1_000_000, 1_000_001], only: false, modes: 1 }));
  const meet = { ...roads, leaving: (edge: number) => (edge < 1_000_000 ? [1_000_000] : [1_000_001]) };
  expect(restrictTurns(many, 100_000, meet).unfollowed).toBe(5000);
  expect(restrictTurns(many, 400_000, meet).unfollowed).toBe(0);
});
