import { describe, expect, it } from "vitest";
import type { Mode } from "../../../src/core/routing/graph/modes.ts";
import { build, type Scenario, TUESDAY_AT_TEN } from "./scenario.ts";

/** A drawn map, and the roads travelled on the ways across it: `from to | roads | mode` (default car; "-" for no way). */
export interface MapScenario extends Scenario {
  title: string;
  routes: string;
}

/** One test per map; a failing one shows the whole table as it is and as it should be. */
export function runMaps(room: string, maps: readonly MapScenario[]): void {
  describe(room, () => {
    for (const { title, routes, ...scenario } of maps) {
      it(title, async () => {
        const world = await build(scenario);
        const rows = routes
          .split("\n")
          .map((row) => row.split("|").map((cell) => cell.trim()))
          .filter((cells) => cells.length > 1);
        expect(rows.length).toBeGreaterThan(0);
        const found: string[] = [];
        for (const [places, , mode = "car"] of rows) {
          const names = (await world.names(places, { mode: mode as Mode, departure: TUESDAY_AT_TEN })) || "-";
          found.push([places, names, mode].join(" | "));
        }
        expect(found).toEqual(rows.map(([places, names, mode = "car"]) => [places, names, mode].join(" | ")));
      });
    }
  });
}
