import { describe, expect, it } from "vitest";
import { NO_CONTEXT } from "../../src/geocoding/entry.ts";
import type { PointRegions } from "../../src/regions/region.ts";
import { addressOfPlace, addressShape, type Located, timeZoneShape, wireAddress } from "../../src/wire/address.ts";

const region = (name: string, code = "") => ({ name, code });
const brooklyn: PointRegions = {
  country: { code: "US", name: "United States", flag: "🇺🇸" },
  state: region("New York", "NY"),
  county: region("Kings County", "36047"),
  locality: region("New York"),
  borough: region("Brooklyn"),
  neighborhood: region("Dumbo"),
  postalCode: region("", "11201"),
};
const located = (more: Partial<Located>): Located => ({
  layer: "place",
  name: "Jay Street Café",
  street: false,
  number: "20",
  unit: "4B",
  context: { ...NO_CONTEXT, city: "New York", countryCode: "US" },
  postalCode: "",
  location: { latitude: 40.7036, longitude: -73.9866 },
  distance: 12.345,
  confidence: "exact",
  ...more,
});
const july = Date.UTC(2026, 6, 4, 12, 30);

describe("an address on the wire", () => {
  it("has every field of the API's Address that is known, and no other", () => {
    const place = wireAddress(located({ id: "house" }), brooklyn, "en", july);
    const address = wireAddress(located({ layer: "address", name: "Jay St", street: true }), brooklyn, "en", july);
    // What of it a query named is told by who knows the query.
    const { matched: _, ...known } = addressShape.shape;
    expect(new Set([...Object.keys(place), ...Object.keys(address)])).toEqual(new Set(Object.keys(known)));
    expect(address).toMatchObject({
      latitude: 40.7036,
      longitude: -73.9866,
      geometry: { type: "Point", coordinates: [-73.9866, 40.7036] },
      country: "United States",
      countryCode: "US",
      countryFlag: "🇺🇸",
      county: "Kings County",
      borough: "Brooklyn",
      city: "New York",
      number: "20",
      unit: "4B",
      neighborhood: "Dumbo",
      postalCode: "11201",
      stateCode: "NY",
      state: "New York",
      street: "Jay St",
      layer: "address",
      addressLabel: "20 Jay St",
      distance: 12.3,
      confidence: "exact",
    });
    expect(place).toMatchObject({ layer: "place", placeLabel: "Jay Street Café", name: "Jay Street Café" });
    expect([place.street, address.name]).toEqual([undefined, undefined]);
  });

  it("tells all six fields of its time zone at that moment", () => {
    const { timeZone } = wireAddress(located({}), brooklyn, "en", july);
    expect(timeZone).toEqual({
      id: "America/New_York",
      name: "Eastern Daylight Time",
      code: "EDT",
      currentTime: "2026-07-04T08:30:00-04:00",
      utcOffset: -14400,
      dstOffset: 3600,
    });
    expect(Object.keys(timeZone)).toEqual(Object.keys(timeZoneShape.shape));
  });

  it.each([
    ["country", { country: "United States", formattedAddress: "United States" }, ["state", "city", "postalCode"]],
    ["state", { state: "New York", stateCode: "NY" }, ["city", "county", "postalCode"]],
    ["county", { county: "Kings County", state: "New York" }, ["city", "postalCode", "borough"]],
    ["locality", { city: "New York", county: "Kings County" }, ["postalCode", "street", "neighborhood"]],
    ["postalCode", { postalCode: "11201", city: "New York" }, ["street", "number", "neighborhood"]],
  ] as const)("of the layer %s says what it lies in, and nothing smaller", (layer, known, unknown) => {
    const names = { country: "United States", state: "New York", county: "Kings County", locality: "New York" };
    const name = layer === "postalCode" ? "11201" : names[layer];
    const context = {
      ...NO_CONTEXT,
      city: layer === "postalCode" ? "New York" : "",
      stateCode: "NY",
      countryCode: "US",
    };
    const wire = wireAddress(
      located({ layer, name, number: undefined, unit: undefined, context }),
      brooklyn,
      "en",
      july,
    );
    expect(wire).toMatchObject({ layer, ...known });
    for (const field of unknown) expect([field, wire[field]]).toEqual([field, undefined]);
  });

  it("lies where the regions at its point say, in all of them together, whatever its import was told", () => {
    const context = {
      ...NO_CONTEXT,
      city: "Meridale",
      state: "Alberta",
      stateCode: "AB",
      county: "Taber",
      countryCode: "CA",
    };
    const montana: PointRegions = {
      country: { code: "US", name: "United States", flag: "🇺🇸" },
      state: region("Montana", "MT"),
    };
    const location = { latitude: 48.9975, longitude: -111.2 };
    const house = located({
      layer: "address",
      name: "Gannet Terrace",
      street: true,
      unit: undefined,
      context,
      location,
    });
    const wire = wireAddress({ ...house, postalCode: "59999" }, montana, "en", july);
    expect(wire).toMatchObject({
      countryCode: "US",
      stateCode: "MT",
      formattedAddress: "20 Gannet Terrace, Meridale, MT 59999 USA",
      timeZone: { id: "America/Denver" },
    });
    expect(wire.county).toBeUndefined();
  });

  it("of a place says what its data and the regions at its point tell, and nothing that changes by the hour", () => {
    const address = { number: "20", street: "Jay St", city: "", stateCode: "", postalCode: "" };
    const wire = addressOfPlace({ name: "Jay Street Café", address }, brooklyn);
    expect(wire).toMatchObject({
      ...{
        number: "20",
        street: "Jay St",
        city: "New York",
        borough: "Brooklyn",
        stateCode: "NY",
        postalCode: "11201",
      },
      ...{ layer: "place", placeLabel: "Jay Street Café", addressLabel: "20 Jay St", countryFlag: "🇺🇸" },
      formattedAddress: "Jay Street Café, 20 Jay St, Brooklyn, New York, NY 11201 USA",
    });
    expect(Object.keys(wire)).not.toContain("timeZone");
    expect(Object.values(addressOfPlace({ name: "Nowhere" }, {}))).not.toContain("");
  });

  it("of a county names it once", () => {
    const context = { ...NO_CONTEXT, state: "Minnesota", stateCode: "MN", countryCode: "US" };
    const county = located({ layer: "county", name: "Cottonwood County", number: undefined, unit: undefined, context });
    const wire = wireAddress(county, {}, "en", july);
    expect(wire).toMatchObject({ addressLabel: "Cottonwood County", county: "Cottonwood County" });
    expect(wire.formattedAddress).toBe("Cottonwood County, MN USA");
  });

  it("leaves out what nobody knows instead of a blank or null", () => {
    const bare = located({ context: NO_CONTEXT, number: undefined, unit: undefined, distance: undefined });
    const wire = wireAddress(bare, {}, "en", july);
    for (const value of Object.values(wire)) expect([null, undefined, ""]).not.toContain(value);
  });
});
