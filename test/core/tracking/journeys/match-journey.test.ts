import { describe, expect, it } from "vitest";
import { shifted, type TimedFix } from "../../../../src/core/tracking/journeys/fixes.ts";
import { timelineOf } from "../../../../src/core/tracking/journeys/timeline.ts";
import { matchJourney } from "../../../../src/worker/answers/journeys/match-journey.ts";
import { drive, randomWay, simulatedTown, TOWN_ORIGIN } from "../motion/simulated-town.ts";
import { normal, random } from "./simulated-day.ts";

const router = await simulatedTown();

describe("journeys on imported roads", () => {
  it.each([
    [10, 8],
    [15, 10],
    [30, 10],
  ])("a fix each %d s with an error of %d m: the distance is within 3 %%", async (interval, sigma) => {
    let [truth, sum, plain] = [0, 0, 0];
    for (let seed = 1; seed <= 25; seed++) {
      const next = random(seed);
      const gauss = normal(next);
      const way = drive(randomWay(next, 50), (_, limit) => limit * 0.95);
      const rest = (count: number, k: number) => Array.from({ length: count }, () => ({ ...way[k], speed: 0 }));
      const all = [...rest(600, 0), ...way, ...rest(600, way.length - 1)];
      const fixes = all.flatMap(({ x, y }, second): TimedFix[] => {
        const location = shifted(TOWN_ORIGIN, x + sigma * gauss(), y + sigma * gauss());
        return second % interval === 0 ? [{ at: second * 1000, location, accuracy: sigma * 1.51 }] : [];
      });
      const parts = timelineOf(fixes, [], { from: 0, to: 1e9, minStopSeconds: 300 });
      expect(parts.map(({ kind }) => kind)).toEqual(["stop", "journey", "stop"]);
      const [, journey] = parts;
      if (journey.kind !== "journey") continue;
      const matched = await matchJourney(router, journey);
      truth += way.reduce(
        (total, { x, y }, i) => (i === 0 ? 0 : total + Math.abs(x - way[i - 1].x) + Math.abs(y - way[i - 1].y)),
        0,
      );
      sum += matched?.distance ?? journey.distance;
      plain += journey.distance;
      expect(matched?.share).toBeGreaterThan(0.8);
    }
    expect(Math.abs(sum / truth - 1)).toBeLessThan(0.03);
    // Nearer than without roads, or both are exact.
    expect(Math.abs(sum / truth - 1)).toBeLessThan(Math.max(0.01, Math.abs(plain / truth - 1)));
  });
});
