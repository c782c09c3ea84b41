import { describe, expect, it } from "vitest";
import type { House } from "../../../../src/core/geocoding/entry/entry.ts";
import { DetailsTile, encodeDetails, encodeDetailsTile } from "../../../../src/core/geocoding/index/details-tile.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { houseFactsOf, plus4Of, unitsOf } from "../../../../src/importer/layers/addresses/records/house-facts.ts";
import { randomFrom } from "../../../core/geocoding/sample.ts";

describe("units as sources write them", () => {
  it.each([
    ["4B", false, "4B"],
    ["1;2;3", false, "1 2 3"],
    ["1-4;6", false, "1 2 3 4 6"],
    ["A-D", false, "A B C D"],
    ["2A-2D", false, "2A 2B 2C 2D"],
    ["2A-C", false, "2A 2B 2C"],
    ["B1-B3", false, "B1 B2 B3"],
    ["1-4", true, "1-4 1 2 3 4"],
    ["4-1", false, "4-1"],
    ["101, 102", false, "101 102"],
    ["1-100000", false, "1-100000"],
    ["the flat behind the garden", false, ""],
    [" ; ,", false, ""],
  ])("%j", (written, keeps, units) => expect(unitsOf(written, keeps).split("\n").join(" ")).toBe(units));

  it("are bounded, however long the ranges", () => {
    expect(unitsOf("1-400;1001-1400;2001-2400", false).split("\n")).toHaveLength(500);
  });

  it("come from addr:unit and addr:flats together", () => {
    expect(houseFactsOf({ "addr:unit": "5", "addr:flats": "1-2" }, "US").units).toBe("5\n1\n2");
  });
});

describe("what else a house's tags tell", () => {
  it.each([
    ["11201-1234", "US", "1234"],
    ["11201", "US", ""],
    ["11201-123", "US", ""],
    ["11201-1234", "CA", ""],
  ])("the add-on of %s in %s is %j", (code, country, plus4) => expect(plus4Of(code, country)).toBe(plus4));

  it.each([
    ["apartments", "residential"],
    ["house", "residential"],
    ["retail", "commercial"],
    ["office", "commercial"],
    ["yes", ""],
    ["church", ""],
  ])("a building that is %s is %j", (building, propertyType) =>
    expect(houseFactsOf({ building }, "US").propertyType).toBe(propertyType),
  );
});

describe("houses in a tile", () => {
  it("come back with their units, ZIP+4 add-ons and kinds", () => {
    const draw = randomFrom(8);
    const pick = <T>(values: readonly T[]) => values[Math.floor(draw() * values.length)];
    for (let round = 0; round < 50; round++) {
      const houses = Array.from({ length: 1 + Math.floor(draw() * 20) }, (_, i): House => {
        const plus4 = pick([undefined, "0000", "0042", "9999"]);
        const propertyType = pick([undefined, "residential", "commercial"] as const);
        return {
          number: parseHouseNumber(pick([`${i}`, `${i}A`, `${i}-0${i % 9}`]))!,
          location: { latitude: 40 + i * 1e-5, longitude: -90 },
          units: pick([[], ["1"], ["1A", "2-3", "rear"]]),
          computed: draw() < 0.2,
          ...(plus4 && { plus4 }),
          ...(propertyType && { propertyType }),
        };
      });
      const origin = { latitude: 40, longitude: -90 };
      const part = encodeDetails(origin, houses, []);
      const read = new DetailsTile(encodeDetailsTile([part])).read(0, part.length, origin);
      const facts = (list: readonly House[]) =>
        list.map(({ number, units, computed, plus4, propertyType }) =>
          JSON.stringify([number.text, units, computed, plus4, propertyType]),
        );
      expect(facts(read.houses).sort()).toEqual(facts(houses).sort());
    }
  });
});
