import { describe, expect, it } from "vitest";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import type { PointRegions } from "../../../src/core/regions/region.ts";
import {
  addressOfPlace,
  addressShape,
  type Located,
  timeZoneShape,
  wireAddress,
  wirePlaceAnswer,
  wirePoint,
} from "../../../src/worker/wire/address.ts";

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
    const address = wireAddress(
      located({ layer: "address", name: "Jay St", street: true, precision: "rooftop", sources: ["Overture"] }),
      brooklyn,
      "en",
      july,
    );
    const elsewhere = wireAddress(
      located({ layer: "address", name: "Jay St", context: NO_CONTEXT }),
      { ...brooklyn, locality: { ...region("New York"), inferred: true } },
      "en",
      july,
    );
    expect(elsewhere.inferred).toEqual(["city"]);
    // What of it a query named is told by who knows the query.
    const { matched: _, ...known } = addressShape.shape;
    expect(new Set([place, address, elsewhere].flatMap((one) => Object.keys(one)))).toEqual(
      new Set(Object.keys(known)),
    );
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
      layer: "place",
      placeLabel: "Jay Street Café",
      addressLabel: "20 Jay St",
      countryFlag: "🇺🇸",
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

  const house = (more: Partial<Located> = {}) =>
    located({ layer: "address", name: "Jay St", street: true, unit: undefined, ...more });

  it("has what only its entry knows, and what only the regions know", () => {
    const own = {
      city: "Brooklyn",
      state: "New York",
      stateCode: "NY",
      county: "Kings",
      borough: "Kings",
      countryCode: "US",
    };
    const bare = { country: brooklyn.country };
    const wire = wireAddress(house({ context: { ...NO_CONTEXT, ...own }, postalCode: "11202" }), bare, "en", july);
    expect(wire).toMatchObject({ ...own, postalCode: "11202", country: "United States" });
    expect(wire.neighborhood).toBeUndefined();
    const { postalCode, ...regions } = wireAddress(house({ context: NO_CONTEXT }), brooklyn, "en", july);
    expect([postalCode, regions.city, regions.state, regions.stateCode, regions.county, regions.borough]).toEqual([
      ...["11201", "New York", "New York", "NY", "Kings County", "Brooklyn"],
    ]);
    const nothing = wireAddress(house({ context: NO_CONTEXT }), {}, "en", july);
    expect(Object.keys(nothing).sort()).toEqual([
      ...["addressLabel", "confidence", "distance", "formattedAddress", "geometry", "latitude", "layer", "longitude"],
      ...["number", "street", "timeZone"],
    ]);
  });

  it("prefers its own postal code and city, and rounds its distance", () => {
    const own = house({ postalCode: "11202", distance: 0.05, context: { ...NO_CONTEXT, city: "Kings" } });
    expect(wireAddress(own, brooklyn, "en", july)).toMatchObject({ postalCode: "11202", city: "Kings", distance: 0.1 });
    expect(wireAddress(house({ distance: 0 }), brooklyn, "en", july).distance).toBe(0);
  });

  it("of a region is of its own entry, not of what its point is in", () => {
    const jersey = { ...NO_CONTEXT, state: "New Jersey", stateCode: "NJ", countryCode: "US", county: "Hudson" };
    const town = located({ layer: "locality", name: "Hoboken", number: undefined, unit: undefined, context: jersey });
    const wire = wireAddress(town, brooklyn, "en", july);
    expect(wire).toMatchObject({ city: "Hoboken", stateCode: "NJ", county: "Hudson", state: "New Jersey" });
    const state = located({
      layer: "state",
      name: "Ohio",
      number: undefined,
      context: { ...NO_CONTEXT, countryCode: "US" },
    });
    expect(wireAddress(state, { ...brooklyn, state: undefined }, "en", july)).toMatchObject({
      state: "Ohio",
      country: "United States",
    });
    // Without a code of its own it has none, whatever its point is in.
    expect(wireAddress(state, brooklyn, "en", july).stateCode).toBeUndefined();
  });

  it("does not take its time zone from another country's region", () => {
    const canada = { ...NO_CONTEXT, state: "Alberta", stateCode: "AB", countryCode: "CA" };
    const location = { latitude: 49.0025, longitude: -111.2 };
    const montana = { country: { code: "US", name: "United States", flag: "" }, state: region("Montana", "MT") };
    const town = located({ layer: "locality", name: "Coutts", number: undefined, context: canada, location });
    expect(wireAddress(town, montana, "en", july)).toMatchObject({ countryCode: "CA", stateCode: "AB" });
  });

  it("of a position has its numbers for a label", () => {
    const wire = wirePoint({ latitude: 40.70361234, longitude: -73.9866 }, brooklyn, "en", july);
    expect(wire).toMatchObject({
      layer: "point",
      addressLabel: "40.703612, -73.9866",
      formattedAddress: "40.703612, -73.9866",
      confidence: "exact",
      city: "New York",
      latitude: 40.70361234,
    });
    expect([wire.street, wire.name, wire.distance]).toEqual([undefined, undefined, undefined]);
  });

  it("of a place that was asked for has its id, distance and time", () => {
    const place = { id: "p1", name: "Jay Street Café", location: { latitude: 40.7036, longitude: -73.9866 } };
    const near = wirePlaceAnswer(place, brooklyn, "de", july, 12.34);
    expect(near).toMatchObject({
      id: "p1",
      distance: 12.3,
      confidence: "exact",
      country: "Vereinigte Staaten",
      countryFlag: "🇺🇸",
      latitude: 40.7036,
      geometry: { type: "Point", coordinates: [-73.9866, 40.7036] },
      layer: "place",
      timeZone: { id: "America/New_York" },
    });
    expect(wirePlaceAnswer(place, brooklyn, "en", july)).not.toHaveProperty("distance");
  });

  it("of a place has its own parts before those of the regions, and its name where it has no other label", () => {
    const address = { number: "1", street: "Main St", city: "Hoboken", stateCode: "NJ", postalCode: "07030" };
    expect(addressOfPlace({ name: "Café", address }, {})).toMatchObject({ ...address, addressLabel: "1 Main St" });
    expect(addressOfPlace({ name: "Café", address }, brooklyn)).toMatchObject({
      city: "Hoboken",
      postalCode: "07030",
      stateCode: "NY",
      neighborhood: "Dumbo",
      county: "Kings County",
    });
    expect(addressOfPlace({ name: "Café" }, {})).toEqual({
      layer: "place",
      formattedAddress: "Café",
      addressLabel: "Café",
      placeLabel: "Café",
      name: "Café",
    });
  });
});
