import { describe, expect, it } from "vitest";
import type { BranchManeuvers } from "../../../../../src/core/routing/guidance/junctions/basic-maneuvers.ts";
import { partStraight } from "../../../../../src/core/routing/guidance/junctions/both-straight.ts";
import type { View } from "../../../../../src/core/routing/guidance/junctions/view.ts";

/** Roads by their angles, from right to left, after the one on which the traveller arrives (0). */
const viewOf = (angles: readonly number[], closed: readonly number[] = [], turnLanes?: string) =>
  ({
    via: { turnLanes },
    branches: [0, ...angles].map((angle) => ({ angle, entry: !closed.includes(angle) })),
  }) as unknown as View;

type Said = NonNullable<BranchManeuvers[number]>["type"] | undefined;

function told(angles: readonly number[], types: readonly Said[], closed?: readonly number[], turnLanes?: string) {
  const maneuvers: BranchManeuvers = [
    undefined,
    ...types.map((type) => type && { type, modifier: "straight" as const }),
  ];
  partStraight(viewOf(angles, closed, turnLanes), maneuvers);
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

  it("are told as the lanes are painted, where each has an arrow of its own", () => {
    const lanes = (painted: string) => told([175, 190], ["turn", "turn"], [], painted);
    expect(lanes("through|through;slight_right|slight_right")).toEqual(["slight right", "straight"]);
    expect(lanes("left|slight_left|through")).toEqual(["straight", "slight left"]);
    expect(lanes("slight_left|slight_right")).toEqual(["slight right", "slight left"]);
    // One arrow for two roads, or three for two, tell nothing.
    expect(lanes("through|through")).toEqual(["slight right", "slight left"]);
    expect(lanes("slight_left|through|slight_right")).toEqual(["slight right", "slight left"]);
    const three = told([172, 180, 188], ["turn", "fork", "continue"], [], "slight_left|through|slight_right");
    expect(three).toEqual(["slight right", "straight", "slight left"]);
  });

  it("leave the way on its word where it needs none, and tell the other by its side of that", () => {
    expect(told([178, 190], ["suppressed", "turn"])).toEqual(["straight", "slight left"]);
    expect(told([170, 182], ["off ramp", "new name"])).toEqual(["slight right", "straight"]);
    // Not classified, as the path does not leave on that side: it lies there all the same.
    expect(told([178, 190], [undefined, "turn"])).toEqual([undefined, "slight left"]);
  });
});
