import { describe, expect, it } from "vitest";
import { build } from "../scenario.ts";

const T = `
        d
        |
    a---b---c
`;
const CROSS = `
        d
        |
    a---b---c
        |
        e
`;

/** Meters from place to place: 300 with the turn itself, more with a detour to a dead end to turn around. */
const lengths = async (ways: Record<string, string>, turns: Record<string, string>, map = T) => {
  const world = await build({ map, ways, turns });
  const found: number[] = [];
  for (const places of map === T ? ["ab bd", "bc bd"] : ["ab bd", "ab be", "bc bd", "bc be"]) {
    const route = await world.find(places.split(" "), { mode: "car" });
    found.push(Math.round((route?.distance ?? 0) / 100) * 100);
  }
  return found;
};

describe("a restriction of a way that continues through the junction", () => {
  it("forbids the turn to the side of its name alone", async () => {
    const ways = { abc: "", bd: "" };
    expect(await lengths(ways, {})).toEqual([300, 300]);
    expect(await lengths(ways, { "abc b bd": "no_left_turn" })).toEqual([1100, 300]);
    expect(await lengths(ways, { "abc b bd": "no_right_turn" })).toEqual([300, 1100]);
  });

  it("forbids it from both ends, where both ways continue", async () => {
    const ways = { abc: "", dbe: "" };
    expect(await lengths(ways, { "abc b dbe": "no_left_turn" }, CROSS)).toEqual([700, 300, 300, 700]);
    expect(await lengths(ways, { "abc b dbe": "no_right_turn" }, CROSS)).toEqual([300, 700, 700, 300]);
  });

  it("is followed whatever its name, where there is one turn only", async () => {
    const ways = { ab: "", bc: "", bd: "" };
    expect(await lengths(ways, { "ab b bd": "no_right_turn" })).toEqual([1100, 300]);
  });
});
