import { describe, expect, it } from "vitest";
import { chainOf, chainSlug } from "../../../src/core/places/chains.ts";
import type { Place } from "../../../src/core/places/place.ts";
import { placeId, placeKey, placeSourceOf } from "../../../src/core/places/place.ts";
import {
  chainMetadataFilter,
  mapChain,
  NO_PLACE_SETTINGS,
  type PlaceSettings,
  passesFilters,
  patchSettings,
  resolveChains,
} from "../../../src/core/places/settings.ts";

const settings: PlaceSettings = {
  chainMappings: { "latitude-coffee": "LC-1", "polar-donuts": "7" },
  chainMetadata: { "latitude-coffee": { partner: true, tier: 2, region: "west" }, "polar-donuts": { tier: "2" } },
  placeFilters: { chain: ["polar-donuts"], category: ["airport"] },
};

const place = (more: Partial<Place>): Place => ({
  id: "706c61630000000000000001",
  name: "Somewhere",
  categories: [],
  location: { latitude: 0, longitude: 0 },
  footprint: 15,
  ...more,
});

describe("the slug of a chain", () => {
  const cases: [name: string, slug: string][] = [
    ["Starbucks", "starbucks"],
    ["McDonald's", "mcdonalds"],
    ["McDonald’s", "mcdonalds"],
    ["Dunkin' Donuts", "dunkin-donuts"],
    ["7-Eleven", "7-eleven"],
    ["Café Crème", "cafe-creme"],
    ["A&W", "a-and-w"],
    ["Müller & Söhne", "muller-and-sohne"],
    ["Joe & the Juice", "joe-and-the-juice"],
    ["  T.J. Maxx ", "tj-maxx"],
    ["Straße", "strasse"],
    ["すき家", ""],
  ];
  for (const [name, slug] of cases) it(`${name} → ${slug || "none"}`, () => expect(chainSlug(name)).toBe(slug));

  it("comes from the English brand or the Wikidata number where the brand has no Latin letters", () => {
    expect(chainOf({ brand: "セブン-イレブン", "brand:en": "7-Eleven" })).toEqual({
      slug: "7-eleven",
      name: "セブン-イレブン",
    });
    expect(chainOf({ brand: "すき家", "brand:wikidata": "Q6137375" })).toEqual({ slug: "q6137375", name: "すき家" });
    expect(chainOf({ brand: "すき家" })).toBeUndefined();
  });

  it("is that of the first of several brands, and none without a brand", () => {
    expect(chainOf({ brand: "Northstar Fuel;Gridline Market" })).toEqual({
      slug: "northstar-fuel",
      name: "Northstar Fuel",
    });
    expect(chainOf({ name: "Latitude Coffee" })).toBeUndefined();
    expect(chainOf({ brand: " " })).toBeUndefined();
  });
});

describe("a project's chains", () => {
  it("carry its own id and metadata where it has them", () => {
    expect(mapChain({ slug: "latitude-coffee", name: "Latitude Coffee" }, settings)).toEqual({
      name: "Latitude Coffee",
      slug: "latitude-coffee",
      externalId: "LC-1",
      metadata: { partner: true, tier: 2, region: "west" },
    });
    expect(mapChain({ slug: "constructor", name: "Constructor" }, settings)).toEqual({
      name: "Constructor",
      slug: "constructor",
    });
  });

  it("may be asked for by slug and by mapped id", () => {
    expect([...resolveChains(["LC-1", "equator-pizza"], settings)]).toEqual([
      "LC-1",
      "equator-pizza",
      "latitude-coffee",
    ]);
    expect([...resolveChains(["7"], settings)]).toContain("polar-donuts");
  });

  it("are distinguished by metadata, type included", () => {
    const matches = (wanted: Record<string, string | number | boolean>) =>
      ["latitude-coffee", "polar-donuts", "equator-pizza"].filter(chainMetadataFilter(wanted, settings));
    expect(matches({ tier: 2 })).toEqual(["latitude-coffee"]);
    expect(matches({ tier: "2" })).toEqual(["polar-donuts"]);
    expect(matches({ partner: true, region: "west" })).toEqual(["latitude-coffee"]);
    expect(matches({ partner: true, region: "east" })).toEqual([]);
    expect(matches({ toString: "x" })).toEqual([]);
    expect(chainMetadataFilter({ tier: ["2", 2] }, settings)("latitude-coffee")).toBe(true);
    expect(chainMetadataFilter({ toString: ["x"] }, settings)("latitude-coffee")).toBe(false);
    expect(chainMetadataFilter({ region: ["2", 2] }, settings)("latitude-coffee")).toBe(false);
  });
});

describe("a project's place filters", () => {
  it("let through listed chains and categories only", () => {
    expect(passesFilters(place({ chain: { slug: "polar-donuts", name: "Polar Donuts" } }), settings)).toBe(true);
    expect(passesFilters(place({ categories: ["travel-transportation", "airport"] }), settings)).toBe(true);
    expect(passesFilters(place({ chain: { slug: "latitude-coffee", name: "" }, categories: ["cafe"] }), settings)).toBe(
      false,
    );
  });

  it("let everything through when they are empty", () => {
    expect(passesFilters(place({}), NO_PLACE_SETTINGS)).toBe(true);
  });
});

describe("a change of settings", () => {
  it("merges what is named, keeps the rest and removes what is null", () => {
    const changed = patchSettings(settings, {
      chainMappings: { "polar-donuts": null, "equator-pizza": "EP" },
      chainMetadata: { "latitude-coffee": { tier: null, partner: false }, "polar-donuts": null },
      placeFilters: { category: ["cafe", "cafe"] },
    });
    expect(changed).toEqual({
      chainMappings: { "latitude-coffee": "LC-1", "equator-pizza": "EP" },
      chainMetadata: { "latitude-coffee": { partner: false, region: "west" } },
      placeFilters: { chain: ["polar-donuts"], category: ["cafe"] },
    });
    expect(settings.chainMappings["polar-donuts"]).toBe("7");
  });

  it("empties a section that is null", () => {
    expect(patchSettings(settings, { chainMappings: null, chainMetadata: null, placeFilters: null })).toEqual(
      NO_PLACE_SETTINGS,
    );
    expect(patchSettings(settings, { placeFilters: { chain: null } }).placeFilters).toEqual({
      chain: [],
      category: ["airport"],
    });
    expect(patchSettings(settings, {})).toEqual(settings);
  });
});

describe("the id of a place", () => {
  it("leads back to where it comes from", () => {
    for (const [source, id] of [
      ["node", 1],
      ["node", 12_345_678_901],
      ["way", 4_294_967_296],
      ["relation", 2 ** 40 - 1],
      ["operator", 2 ** 52 - 1],
    ] as const) {
      const text = placeId(placeKey(source, id));
      expect(text).toMatch(/^706c6163[0-9a-f]{16}$/);
      expect(placeSourceOf(text)).toEqual({ source, id });
    }
  });

  it("is none of those that other things have", () => {
    for (const text of ["", "706c6163", "56db1f4613012711002229f6", "706c61639000000000000001"]) {
      expect(placeSourceOf(text)).toBeUndefined();
    }
  });
});
