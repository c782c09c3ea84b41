import { describe, expect, it } from "vitest";
import { build } from "../scenario.ts";

const BLOCK = {
  map: `
    a-----b
    |     |
    d-----e
  `,
  ways: { ab: "", be: "", ed: "", da: "" },
};

describe("curbside", () => {
  it("reaches a location without crossing the street, also by the longer way", async () => {
    const world = await build(BLOCK);
    // South of the road ab, which is driven eastward to have it on the right.
    expect(await world.names("be ab+0,0.1", { curbside: true })).toBe("be,ed,da,ab");
    expect(await world.names("be ab+0,-0.1", { curbside: true })).toBe("be,ab");
    expect(await world.names("be ab+0,0.1")).toBe("be,ab");
    expect(await world.names("be ab+0,0.1", { curbside: true, mode: "bike" })).toBe("be,ed,da,ab");
    expect(await world.names("be ab+0,0.1", { curbside: true, mode: "foot" })).toBe("be,ab");
  });

  it("is the left side where traffic keeps left", async () => {
    const world = await build({ ...BLOCK, leftHand: true });
    expect(await world.names("be ab+0,0.1", { curbside: true })).toBe("be,ab");
    expect(await world.names("be ab+0,-0.1", { curbside: true })).toBe("be,ed,da,ab");
  });

  it("does not restrict the start", async () => {
    const world = await build(BLOCK);
    expect(await world.names("ab+0,0.1 ed+0,0.1", { curbside: true })).toBe(
      await world.names("ab ed+0,0.1", { curbside: true }),
    );
  });

  it("follows the radius and the heading of each location", async () => {
    const world = await build(BLOCK);
    expect(await world.names("be+0.3,0 ab+0,0.1", { reaches: [20] })).toBe("");
    expect(await world.names("be+0.3,0 ab+0,0.1", { reaches: [40, 9] })).toBe("");
    expect(await world.names("be+0.3,0 ab+0,0.1", { reaches: [40, 11] })).toBe("be,ab");
    expect(await world.names("be ab", { headings: [undefined, 90] })).toBe("be,ed,da,ab");
    expect(await world.names("be ab", { headings: [0, 270] })).toBe("be,ab");
    expect(await world.names("be ab", { headings: [180, undefined] })).toBe("be,ed,da,ab");
  });

  it.each([
    ["a dead end in which no one may turn round", { bd: "" }, { "bd d bd": "no_u_turn" }],
    ["a street that leads into a one-way street only", { bd: "", de: "oneway=yes" }, {}],
    ["a street whose other end is closed to cars", { bd: "", de: "highway=cycleway" }, { "bd d bd": "no_u_turn" }],
    ["a street with a closed gate", { bd: "", de: "access=no" }, { "bd d bd": "no_u_turn" }],
  ])("ends on the other side of %s", async (_, ways, turns) => {
    const map = "a-----b-----c\n      |\n      |\n      d-----e";
    const world = await build({ map, ways: { abc: "", ...ways }, turns });
    const options = { mode: "car", curbside: true } as const;
    for (const place of ["bd+0.1,0", "bd+-0.1,0"]) {
      const [from, to, on] = ["ab", place, "bc"].map((name) => world.at(name));
      const route = await world.router.route([from, to], options);
      expect(route?.distance).toBeCloseTo(450, -1);
      const [other] = await world.router.routeWithAlternatives(from, to, options);
      expect(other.distance).toBe(route?.distance);
      // Whoever asks for one side of one location gets no other.
      const strict = { ...to, approach: { curbside: true } };
      const isLeft = place === "bd+0.1,0";
      expect((await world.router.route([from, strict], options)) === undefined).toBe(isLeft);
      expect((await world.router.route([from, to, on], options))?.legs).toHaveLength(2);
    }
  });
});
