import { describe, expect, it } from "vitest";
import type { BranchManeuvers } from "../../../src/routing/guidance/basic-maneuvers.ts";
import { partStraight } from "../../../src/routing/guidance/both-straight.ts";
import type { View } from "../../../src/routing/guidance/view.ts";

/** Roads by their angles, from right to left, after the one on which the traveller arrives (0). */
const viewOf = (angles: readonly number[], closed: readonly number[] = []) =>
  ({ branches: [0, ...angles].map((angle) => ({ angle, entry: !closed.includes(angle) })) }) as unknown as View;

type Said = NonNullable<BranchManeuvers[number]>["type"] | undefined;

function told(angles: readonly number[], types: readonly Said[], closed?: readonly number[]) {
  const maneuvers: BranchManeuvers = [
    undefined,
    ...types.map((type) => type && { type, modifier: "straight" as const }),
  ];
  partStraight(viewOf(angles, closed), maneuvers);
  return maneuvers.slice(1).map((maneuver) => maneuver?.modifier);
}

describe("roads that all lead straight on", () => {
  it("are told by how they lie to each other", () => {
    expect(told([175, 190], ["turn", "turn"])).toEqual(["slight right", "slight left"]);
    expect(told([172, 180, 188], ["turn", "fork", "continue"])).toEqual(["slight right", "straight", "slight left"]);
  });

  it("are called straight where there is one only, or only one that may be entered", () => {
    expect(told([180], ["turn"])).toEqual(["straight"]);
    expect(told([175, 190], [undefined, "turn"], [175])).toEqual([undefined, "straight"]);
  });

  it("leave the way on its word where it needs none, and tell the other by its side of that", () => {
    expect(told([178, 190], ["suppressed", "turn"])).toEqual(["straight", "slight left"]);
    expect(told([170, 182], ["off ramp", "new name"])).toEqual(["slight right", "straight"]);
    // Not classified, as the path does not leave on that side: it lies there all the same.
    expect(told([178, 190], [undefined, "turn"])).toEqual([undefined, "slight left"]);
  });
});
