import fc from "fast-check";
import { expect, it } from "vitest";
import { buildSteps } from "../../../../src/core/routing/guidance/steps/build-steps.ts";
import { LANGUAGES } from "../../../../src/core/routing/guidance/text/translation.ts";
import type { LegPath } from "../../../../src/core/routing/guidance/types.ts";
import { samples } from "../../../support/night.ts";
import { World } from "./drawing.ts";

const NODES = "abcdefghijklmnopqrstuvwxyz0123456789";
const HIGHWAYS = [
  "motorway",
  "motorway_link",
  "trunk oneway=yes",
  "primary",
  "primary oneway=yes",
  "secondary_link oneway=yes",
  "residential",
  "residential junction=roundabout",
  "tertiary junction=circular",
  "service",
  "footway",
];
const NAMES = ["", "Main", "Main_North", "Lane", "Avenue", "Ring"];

/** A town of 6 × 6 corners with ways drawn at random across it: nonsense for the most part, as data can be. */
const town = fc
  .record({
    grid: fc.constantFrom(2, 20, 100),
    left: fc.boolean(),
    ways: fc.array(
      fc.record({
        start: fc.nat(35),
        walk: fc.array(fc.constantFrom(-7, -6, -5, -1, 1, 5, 6, 7), { minLength: 1, maxLength: 6 }),
        highway: fc.constantFrom(...HIGHWAYS),
        name: fc.constantFrom(...NAMES),
      }),
      { minLength: 8, maxLength: 24 },
    ),
    from: fc.nat(35),
    to: fc.nat(35),
  })
  .map(({ grid, left, ways, from, to }) => {
    const rows = [0, 1, 2, 3, 4, 5].map((row) => [...NODES.slice(row * 6, row * 6 + 6)].join(" "));
    const lines = ways.map(({ start, walk, highway, name }) => {
      let nodes = NODES[start];
      let at = start;
      for (const hop of walk) {
        const next = at + hop;
        const near = Math.abs((next % 6) - (at % 6)) <= 1;
        if (next < 0 || next > 35 || !near) continue;
        at = next;
        nodes += NODES[at];
      }
      return nodes.length > 1 ? `${nodes} highway=${highway} name=${name}` : "";
    });
    return { map: rows.join("\n\n"), ways: lines.join("\n"), grid, left, from: NODES[from], to: NODES[to] };
  });

function pathIn(world: World, from: string, to: string): LegPath | undefined {
  try {
    return world.path(from, to);
  } catch {
    return undefined;
  }
}

it("guidance through any town begins, ends, leaves nothing out and always finds words", () => {
  let guided = 0;
  fc.assert(
    fc.property(town, ({ map, ways, grid, left, from, to }) => {
      const world = new World({ map, ways, grid, drivingSide: left ? "left" : "right" });
      const path = pathIn(world, from, to);
      if (!path) return;
      guided++;
      for (const lang of LANGUAGES.slice(guided % 8, (guided % 8) + 1)) {
        const steps = buildSteps(path, { lang, units: guided % 2 ? "metric" : "imperial" }, world);
        const sum = (parts: { distance: number; duration: number }[], key: "distance" | "duration") =>
          parts.reduce((total, part) => total + part[key], 0);
        expect(sum(steps, "distance")).toBeCloseTo(sum(path.pieces, "distance"), 6);
        expect(sum(steps, "duration")).toBeCloseTo(sum(path.pieces, "duration"), 6);
        expect(steps[0].maneuver).toBe("start");
        expect(steps[steps.length - 1].maneuver).toMatch(/^destination/);
        for (let i = 1; i < steps.length; i++) {
          expect(steps[i].startLocation).toEqual(steps[i - 1].endLocation);
          expect(i === steps.length - 1 || steps[i].maneuver !== "start").toBe(true);
        }
        for (const step of steps) {
          expect(step.instructions).toMatch(/\S/);
          expect(step.bannerInstructions).toMatch(/\S/);
          expect(step.voiceInstructions).toMatch(/\S/);
          expect(step.bearingBefore).toBeGreaterThanOrEqual(0);
          expect(step.bearingAfter).toBeLessThan(360);
        }
        const blind = buildSteps(path, { lang, units: "metric" });
        expect(sum(blind, "distance")).toBeCloseTo(sum(path.pieces, "distance"), 6);
      }
    }),
    { numRuns: samples(500, 1500), seed: 20261121 },
  );
  expect(guided).toBeGreaterThan(samples(60, 200));
});
