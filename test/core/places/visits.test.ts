import { describe, expect, it } from "vitest";
import { decodeEach, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { ByteReader, ByteWriter } from "../../../src/core/geo/bytes/bytes.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import { CATEGORIES } from "../../../src/core/places/categories.ts";
import { detailsOf, detailsText, readDetails } from "../../../src/core/places/details.ts";
import { packPlaces } from "../../../src/core/places/pack.ts";
import { placeKey } from "../../../src/core/places/place.ts";
import { nearInAll, PlaceIndex, type PlaceSearch } from "../../../src/core/places/place-index.ts";
import { readPlace, writePlace } from "../../../src/core/places/place-record.ts";
import { NO_PLACE_SETTINGS, patchSettings } from "../../../src/core/places/settings.ts";
import type { PlaceRecord } from "../../../src/core/places/tile.ts";

const HERE = { latitude: 49, longitude: -111 };
const place = (id: number, bearing: number, metres: number, more: Partial<PlaceRecord> = {}): PlaceRecord => ({
  key: placeKey("node", id),
  name: `${id}`,
  categories: [0],
  footprint: 10,
  location: destination(HERE, bearing, metres),
  ...more,
});
const indexOf = (...places: PlaceRecord[]) =>
  new PlaceIndex(decodeEach(memorySource(new Map([...packPlaces(places, [])].map(({ key, bytes }) => [key, bytes])))));

describe("the place a visitor is at", () => {
  it.each([0, 90, 180, 270])("reaches 75 m beyond its footprint, in the direction %i", async (bearing) => {
    for (const footprint of [0, 10, 400, 3000]) {
      const index = indexOf(place(1, bearing, footprint + 80, { footprint }));
      const at = async (metres: number) => (await index.at(destination(HERE, bearing, metres)))?.name;
      expect([footprint, await at(6), await at(4)]).toEqual([footprint, "1", undefined]);
    }
  });

  it("is the nearest, then the smallest, then the first by its id", async () => {
    const name = async (...places: PlaceRecord[]) => (await indexOf(...places).at(HERE))?.name;
    expect(await name(place(1, 0, 60), place(2, 90, 50))).toBe("2");
    expect(await name(place(1, 0, 5, { footprint: 30 }), place(2, 90, 8, { footprint: 20 }))).toBe("2");
    expect(await name(place(2, 0, 5), place(1, 90, 5))).toBe("1");
    expect(await indexOf(place(1, 0, 5)).at(HERE, () => false)).toBeUndefined();
    const accepted = await indexOf(place(1, 0, 5), place(2, 0, 20)).at(HERE, ({ name }) => name === "2");
    expect(accepted?.name).toBe("2");
  });
});

describe("places near a point", () => {
  const beans = { slug: "beans", name: "Beans" };
  const grind = { slug: "grind", name: "Grind" };
  const cafe = CATEGORIES.findIndex(({ path }) => path.join("/") === "food-beverage/cafe");
  const index = indexOf(
    ...[place(1, 0, 100, { chain: beans }), place(2, 90, 200, { chain: grind, categories: [cafe] })],
    ...[place(3, 180, 300, { categories: [cafe] }), place(4, 270, 9_990), place(5, 0, 10_010)],
  );
  const names = async (search: Partial<PlaceSearch>) =>
    (await index.near(HERE, { radius: 10_000, limit: 10, ...search })).map(({ place }) => place.name);

  it("come by distance, within the radius, at most ten kilometres away, as many as asked for", async () => {
    expect(await names({})).toEqual(["1", "2", "3", "4"]);
    expect(await names({ radius: 50_000 })).toEqual(["1", "2", "3", "4"]);
    expect([await names({ radius: 201 }), await names({ radius: 199 })]).toEqual([["1", "2"], ["1"]]);
    expect([await names({ limit: 2 }), await names({ limit: 0 })]).toEqual([["1", "2"], []]);
    const [{ distance }] = await index.near(HERE, { radius: 500, limit: 1 });
    expect(distance).toBeCloseTo(100, 0);
  });

  it("are of the chains and categories asked for", async () => {
    expect(await names({ chains: new Set(["beans"]) })).toEqual(["1"]);
    expect(await names({ chains: new Set(["beans", "grind"]) })).toEqual(["1", "2"]);
    expect(await names({ chains: new Set(["none"]) })).toEqual([]);
    expect(await names({ categories: ["cafe"] })).toEqual(["2", "3"]);
    expect(await names({ categories: ["cafe"], chains: new Set(["beans", "grind"]) })).toEqual(["2"]);
    expect(await names({ chainFilter: (slug) => slug !== "beans" })).toEqual(["2"]);
    expect(await names({ chainFilter: () => true, chains: new Set(["beans"]) })).toEqual(["1"]);
  });

  it("of several builds come once, nearest first", async () => {
    const builds = [indexOf(place(1, 0, 100), place(2, 0, 300)), indexOf(place(1, 0, 100), place(3, 0, 200))];
    const found = async (limit: number) =>
      (await nearInAll(builds, HERE, { radius: 1000, limit })).map(({ place }) => place.name);
    expect([await found(10), await found(2)]).toEqual([
      ["1", "3", "2"],
      ["1", "3"],
    ]);
  });
});

describe("a place between the steps of an import", () => {
  const address = { number: "1", street: "Main St", city: "Salem", stateCode: "MT", postalCode: "59999" };
  const chain = { slug: "beans", name: "Beans" };
  it.each<[what: string, more: Partial<PlaceRecord>]>([
    ["bare", {}],
    ["with a chain", { chain }],
    ["with a chain and its domain", { chain: { ...chain, domain: "beans.example" } }],
    ["with an address", { address }],
    ["with details", { details: { phone: "+1 406" } }],
    [
      "with all of it",
      {
        chain: { ...chain, domain: "b.example" },
        address,
        details: { website: "https://a.example" },
        categories: [1, 300],
      },
    ],
  ])("%s is read as it was written, and what follows it too", (_, more) => {
    const out = new ByteWriter();
    const places = [place(1, 12, 345.678, more), place(2, 0, 1)];
    for (const one of places) writePlace(out, one);
    const reader = new ByteReader(out.finish());
    expect([readPlace(reader), readPlace(reader)]).toEqual(places);
  });
});

describe("details of a place", () => {
  it("are in any of the tags that mappers use, up to 255 characters, each on its line", () => {
    const tags: [name: string, keys: string[]][] = [
      ["phone", ["phone", "contact:phone"]],
      ["website", ["website", "contact:website"]],
      ["openingHours", ["opening_hours"]],
      ["cuisine", ["cuisine"]],
    ];
    for (const [name, keys] of tags)
      for (const key of keys) expect([key, detailsOf({ [key]: " x " })]).toEqual([key, { [name]: "x" }]);
    expect(detailsOf({ phone: "x".repeat(300) })).toEqual({ phone: "x".repeat(255) });
    const details = { phone: "1\n2", website: "w" };
    expect(readDetails(detailsText(details))).toEqual({ phone: "1 2", website: "w" });
  });
});

it("settings of places start empty, and are changed entry by entry", () => {
  expect(NO_PLACE_SETTINGS).toEqual({
    chainMappings: {},
    chainMetadata: {},
    placeFilters: { chain: [], category: [] },
  });
  const first = patchSettings(NO_PLACE_SETTINGS, {
    chainMappings: { a: "1", b: "2" },
    chainMetadata: { a: { x: 1, y: 2 } },
    placeFilters: { chain: ["a", "a", "b"] },
  });
  expect(first).toEqual({
    chainMappings: { a: "1", b: "2" },
    chainMetadata: { a: { x: 1, y: 2 } },
    placeFilters: { chain: ["a", "b"], category: [] },
  });
  const second = patchSettings(first, {
    chainMappings: { a: null },
    chainMetadata: { a: { x: null }, c: { z: true } },
  });
  expect(second).toEqual({
    chainMappings: { b: "2" },
    chainMetadata: { a: { y: 2 }, c: { z: true } },
    placeFilters: { chain: ["a", "b"], category: [] },
  });
  expect(patchSettings(second, { chainMetadata: { a: null } }).chainMetadata).toEqual({ c: { z: true } });
});
