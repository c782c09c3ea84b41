import { describe, expect, it } from "vitest";
import { maneuverWord } from "../../../../src/core/routing/guidance/steps/maneuver-word.ts";
import { instruction } from "../../../../src/core/routing/guidance/text/instruction.ts";
import type { Step } from "../../../../src/core/routing/guidance/types.ts";
import type { Drawing } from "./drawing.ts";
import { EngineWorld } from "./engine-world.ts";

const describeSteps = (steps: Step[]) =>
  steps.map((step, index) => `${maneuverWord(step, steps[index - 1])}: ${instruction(step, "en")}`);

async function describeRoute(drawing: Drawing, from: string, to: string) {
  return describeSteps(await (await EngineWorld.of(drawing)).steps(from, to));
}

describe("a ferry after a roundabout", () => {
  const drawing = (grid: number): Drawing => ({
    map: `
          a
          |
          b
     d--c   g--h
          e
          |
          f
          |
          i`,
    grid,
    ways: `
      ab name=North
      cd name=West
      ef name=Line_1 route=ferry
      fi name=South
      gh name=East
      bcegb junction=roundabout name=`,
  });

  it("leaves the number of the exit in the sentence of the roundabout", async () => {
    expect(await describeRoute(drawing(100), "a", "i")).toEqual([
      "start: Head south on North",
      "roundabout-enter: Enter the roundabout and take the 2nd exit onto Line 1",
      "ferry-enter: Take the ferry Line 1",
      "ferry-exit: Continue straight onto South",
      "destination: You have arrived at your destination",
    ]);
  });

  it("leaves the direction in the sentence of a small roundabout", async () => {
    expect(await describeRoute(drawing(5), "a", "i")).toEqual([
      "start: Head south on North",
      "roundabout-enter: At the roundabout, continue straight onto Line 1",
      "ferry-enter: Take the ferry Line 1",
      "ferry-exit: Continue straight onto South",
      "destination: You have arrived at your destination",
    ]);
  });
});

describe("a pier where two lines call", () => {
  const drawing = (second: string): Drawing => ({
    map: `
    a---b-----c---e
             /
            /
       f---d`,
    ways: `
      ab name=Quay
      bc route=ferry name=Line_1
      cd route=ferry name=${second}
      ce name=Pier
      df name=Far_Quay`,
  });

  it("is where the second boat is boarded, not a sharp turn", async () => {
    const steps = await describeRoute(drawing("Line_2"), "a", "f");
    expect(steps.slice(1, 3)).toEqual(["ferry-enter: Take the ferry Line 1", "ferry-enter: Take the ferry Line 2"]);
  });

  it("is passed silently on board of the same line", async () => {
    const steps = await describeRoute(drawing("Line_1"), "a", "f");
    expect(steps.filter((step) => step.startsWith("ferry"))).toEqual([
      "ferry-enter: Take the ferry Line 1",
      "ferry-exit: Continue right onto Far Quay",
    ]);
  });
});
