import { describe, expect, it } from "vitest";
import type { PointRegions } from "../../../src/core/regions/region.ts";
import { postalCodeOf } from "../../../src/importer/layers/addresses/records/house-context.ts";
import { Settlements } from "../../../src/importer/layers/addresses/records/settlements.ts";
import type { City } from "../../../src/importer/world/cities.ts";

/** A county line along the meridian 0: Westshire and Eastshire. */
const regionsAt = ({ longitude }: { longitude: number }): PointRegions => ({
  country: { code: "US", name: "United States", flag: "🇺🇸" },
  county: longitude < 0 ? { code: "1", name: "Westshire" } : { code: "2", name: "Eastshire" },
});
const at = (longitude: number) => ({ latitude: 40, longitude });
const city = (name: string, longitude: number, population: number): City => ({
  id: 1,
  name,
  country: "US",
  state: "",
  latitude: 40,
  longitude,
  population,
  rank: "other",
});

describe("the settlement of a house that names no city", () => {
  it("is the nearest in terms of how far its name reaches", () => {
    const settlements = new Settlements();
    settlements.add({ place: "town", name: "Town" }, at(-0.05));
    settlements.add({ place: "hamlet", name: "Hamlet" }, at(-0.01));
    expect(settlements.at(at(-0.012), {})).toBe("Hamlet");
    expect(settlements.at(at(-0.04), {})).toBe("Town");
    expect(settlements.at(at(-1), {})).toBe("");
  });

  it("lies in the same county, however near the next one is", async () => {
    const settlements = new Settlements();
    settlements.add({ place: "village", name: "West" }, at(-0.02));
    settlements.add({ place: "village", name: "East" }, at(0.002));
    await settlements.settle(async (point) => regionsAt(point));
    expect(settlements.at(at(-0.001), regionsAt(at(-0.001)))).toBe("West");
    expect(settlements.at(at(0.001), regionsAt(at(0.001)))).toBe("East");
  });

  it("may be a city that the extract leaves out, if it has people and is near", () => {
    const settlements = new Settlements();
    const cities = [
      city("Great", -0.1, 2_000_000),
      city("Small", -0.02, 20_000),
      city("Nobody", 0, 0),
      city("Far", 90, 9e6),
    ];
    expect(settlements.addCities(cities, [[-0.1, 39.9, 0.1, 40.1]])).toBe(2);
    expect(settlements.at(at(-0.019), {})).toBe("Small");
    expect(settlements.at(at(-0.12), {})).toBe("Great");
  });

  it("is looked for across the 180th meridian", () => {
    const settlements = new Settlements();
    expect(settlements.addCities([city("Dateline", -179.99, 5000)], [[179.9, 39.9, 180, 40.1]])).toBe(1);
    expect(settlements.at(at(179.995), {})).toBe("Dateline");
  });
});

describe("a postal code", () => {
  it.each([
    ["11201-1234", "US", "11201"],
    ["BC V6B 2E2", "CA", "V6B 2E2"],
    ["v6b2e2", "CA", "V6B 2E2"],
    ["69117;69115", "DE", "69117"],
    ["none", "DE", ""],
  ])("%s in %s is kept as %s", (written, country, code) => expect(postalCodeOf(written, country)).toBe(code));
});
