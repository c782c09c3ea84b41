import { describe, expect, it } from "vitest";
import { solve } from "../../../src/core/fleet/evolve/solve.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { bestKnown, bestOfLines } from "./fleet-best-known.ts";
import { judge, modelOfInstance, readInstance } from "./fleet-instances.ts";

/** Four roads from the depot, five stops on each, in the format of Solomon: whoever goes out on one can only come back on it. */
const arms = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];
const STAR = [
  "STAR",
  "VEHICLE",
  "9 50",
  "0 0 0 0 0 1000 0",
  ...arms.flatMap(([x, y], arm) =>
    Array.from({ length: 5 }, (_, i) => `${arm * 5 + i + 1} ${x * (i + 1) * 10} ${y * (i + 1) * 10} 10 0 900 5`),
  ),
].join("\n");

/** Two shipments in the format of Li & Lim: one from the left to the right, one from the right to the left, both too large to go together. */
const CROSSED = [
  "3 10 1",
  "0 0 0 0 0 1000 0 0 0",
  "1 -10 0 8 0 900 0 0 2",
  "2 10 0 -8 0 900 0 1 0",
  "3 10 1 8 0 900 0 0 4",
  "4 -10 1 -8 0 900 0 3 0",
].join("\n");

async function solved(text: string, effort = 100_000) {
  const instance = readInstance(text);
  const model = modelOfInstance(instance);
  const { routes } = await solve(model, { seed: 1, effort, pace: unpaced() });
  return judge(
    instance,
    routes.map((nodes) => [...nodes].map((node) => model.location[node])),
  );
}

describe("instances as they are published", () => {
  it("of which the best is known are solved with as few vehicles and on as short a way", async () => {
    // 20 stops of 10 fill four vehicles of 50; each drives 2 × 50.
    expect(await solved(STAR)).toEqual({ vehicles: 4, distance: 400, faults: [] });
    const crossed = await solved(CROSSED);
    expect([crossed.vehicles, crossed.faults]).toEqual([1, []]);
    // −10 → 10 → up 1 → −10, and home.
    expect(crossed.distance).toBeCloseTo(10 + 20 + 1 + 20 + Math.hypot(10, 1), 6);
  });

  it("are judged without the solver: too late, too much on board, left out, brought before it was fetched", () => {
    const star = readInstance(STAR);
    const all = Array.from({ length: 20 }, (_, i) => i + 1);
    expect(judge(star, [all]).faults).toEqual(["200 on board at the start"]);
    expect(judge(star, [all.slice(0, 5), all.slice(5, 10), all.slice(10, 15), all.slice(15, 19)]).faults).toEqual([
      "stop 20 is visited 0 times",
    ]);
    const crossed = readInstance(CROSSED);
    expect(judge(crossed, [[1, 2, 3, 4]]).faults).toEqual([]);
    expect(judge(crossed, [[1, 3, 2, 4]]).faults).toEqual(["16 on board behind stop 3"]);
    expect(judge(crossed, [[2, 1, 3, 4]]).faults[0]).toBe("stop 2 is brought what nobody has fetched");
    const hurried = readInstance(STAR.replace("5 50 0 10 0 900 5", "5 50 0 10 0 20 5"));
    expect(judge(hurried, [[5]]).faults[0]).toBe("stop 5 is reached at 50, after 20");
  });

  it("have best known values: 56 of Solomon's, and whatever a file adds", () => {
    const known = bestKnown();
    expect(known.size).toBe(56);
    expect(known.get("r112")).toEqual({ vehicles: 9, distance: 982.14 });
    expect(bestOfLines("LC101, 10, 828.94\n").get("lc101")).toEqual({ vehicles: 10, distance: 828.94 });
  });
});
