import { describe, expect, it } from "vitest";
import { roadsOf, turnsOf, World } from "./drawing.ts";
import { EngineWorld } from "./engine-world.ts";
import type { Scenario } from "./scenarios.ts";

/** One test per scenario; a failing one shows the whole table as it is and as it should be. */
export function runScenarios(room: string, scenarios: Scenario[]): void {
  describe(room, () => {
    for (const scenario of scenarios) {
      it(scenario.title, () => {
        const world = new World(scenario);
        const rows = rowsOf(scenario);
        expect(rows.length).toBeGreaterThan(0);
        const told = rows.map(([places]) => {
          const [from, to] = places.split(/\s+/);
          const path = world.path(from, to);
          const steps = world.steps(from, to);
          const total = (of: { distance: number; duration: number }[], key: "distance" | "duration") =>
            of.reduce((sum, part) => sum + part[key], 0);
          expect(total(steps, "distance")).toBeCloseTo(total(path.pieces, "distance"), 6);
          expect(total(steps, "duration")).toBeCloseTo(total(path.pieces, "duration"), 6);
          expect(steps[steps.length - 1].distance).toBe(0);
          return [places, tidy(roadsOf(steps)), turnsOf(steps)].join(" | ");
        });
        expect(told).toEqual(rows.map(([places, roads, turns]) => [places, tidy(roads), turns].join(" | ")));
      });

      it(`${scenario.title}, through importer and engine`, async () => {
        const world = await EngineWorld.of(scenario);
        const expected = rowsOf(scenario);
        const told: string[] = [];
        for (const [places] of expected) {
          const [from, to] = places.split(/\s+/);
          const steps = await world.steps(from, to);
          told.push([places, tidy(roadsOf(steps)), turnsOf(steps)].join(" | "));
        }
        expect(told).toEqual(expected.map(([places, roads, turns]) => [places, tidy(roads), turns].join(" | ")));
      });
    }
  });
}

function rowsOf({ routes }: Scenario): string[][] {
  return routes
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()))
    .filter((cells) => cells.length === 3);
}

/** Blanks around commas are for the eye. */
function tidy(list: string): string {
  return list
    .split(",")
    .map((item) => item.trim())
    .join(", ");
}
