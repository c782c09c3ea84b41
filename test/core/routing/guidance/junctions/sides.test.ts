import { describe, expect, it } from "vitest";
import { buildSteps } from "../../../../../src/core/routing/guidance/steps/build-steps.ts";
import { type Drawing, World } from "../drawing.ts";

/** Maneuver words of a leg from a place to a place, as the API spells them. */
function words(drawing: Drawing, from: string, to: string): string {
  const world = new World(drawing);
  const path = { ...world.path(from, to), origin: world.at(from) };
  return buildSteps(path, { lang: "en", units: "metric" }, world)
    .map(({ maneuver }) => maneuver)
    .join(" ");
}

/** Digits are houses beside a street 20 m from its middle. */
const STREET: Drawing = {
  grid: 20,
  map: `
          1     2
    a-----------------b
          3     4

          5`,
  ways: "ab name=Long_Street",
};

const UPWARDS: Drawing = {
  grid: 20,
  map: `
    b
    |
   1|2
    |
    |
   3|4
    |
    a`,
  ways: "ab name=Hill",
};

const HOUSES: [title: string, drawing: Drawing, from: string, to: string, expected: string][] = [
  ["eastward from the north side to the north side", STREET, "1", "2", "start-left destination-left"],
  ["eastward from the south side to the north side", STREET, "3", "2", "start-right destination-left"],
  ["eastward from the north side to the south side", STREET, "1", "4", "start-left destination-right"],
  ["eastward from the south side to the south side", STREET, "3", "4", "start-right destination-right"],
  ["westward from the north side to the north side", STREET, "2", "1", "start-right destination-right"],
  ["westward from the south side to the north side", STREET, "4", "1", "start-left destination-right"],
  ["westward from the south side to the south side", STREET, "4", "3", "start-left destination-left"],
  ["from a house far behind the street", STREET, "5", "2", "start-right destination-left"],
  ["from the street itself to a house", STREET, "a", "4", "start destination-right"],
  ["from a house to the street itself", STREET, "1", "b", "start-left destination"],
  ["from the street to the street", STREET, "a", "b", "start destination"],
  ["northward from the west side to the east side", UPWARDS, "3", "2", "start-left destination-right"],
  ["northward from the east side to the west side", UPWARDS, "4", "1", "start-right destination-left"],
  ["southward from the west side to the west side", UPWARDS, "1", "3", "start-right destination-right"],
  ["where traffic keeps left", { ...STREET, drivingSide: "left" }, "1", "4", "start-left destination-right"],
  ["on foot", { ...STREET, mode: "walking" }, "3", "2", "start-right destination-left"],
  ["by bike", { ...STREET, mode: "cycling" }, "2", "3", "start-right destination-left"],
  [
    "beyond the end of the street, straight ahead",
    { ...STREET, map: "a-----b  1", grid: 20 },
    "a",
    "1",
    "start destination",
  ],
  ["before its beginning, straight behind", { ...STREET, map: "1  a-----b", grid: 20 }, "1", "b", "start destination"],
  [
    "four metres from the middle of the road",
    { ...STREET, map: " 1   2\na-----b", grid: 4 },
    "1",
    "2",
    "start destination",
  ],
];

describe("on which side of the road a leg begins and ends", () => {
  it.each(HOUSES)("%s", (_, drawing, from, to, expected) => {
    expect(words(drawing, from, to)).toBe(expected);
  });

  it("is not told without knowing where the caller stands", () => {
    const world = new World(STREET);
    const [first] = buildSteps(world.path("1", "2"), { lang: "en", units: "metric" }, world);
    expect(first.maneuver).toBe("start");
  });
});
