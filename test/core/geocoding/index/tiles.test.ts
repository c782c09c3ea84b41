import { describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { ByteReader, ByteWriter } from "../../../../src/core/geo/bytes/bytes.ts";
import { type House, LANGUAGES, NAME_KINDS, NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { BUDGET } from "../../../../src/core/geocoding/index/budget.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { DetailsTile, encodeDetails, encodeDetailsTile } from "../../../../src/core/geocoding/index/details-tile.ts";
import { type Names, readEntry, writeEntry } from "../../../../src/core/geocoding/index/entry-record.ts";
import {
  type Aliases,
  encodeNames,
  NamesTile,
  type NewEntry,
  packNames,
} from "../../../../src/core/geocoding/index/names-tile.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { namesOf } from "../../../../src/core/geocoding/index/tile-names.ts";
import { LAYERS, search } from "../../../../src/core/geocoding/search/search.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { randomFrom } from "../sample.ts";

const entry = (more: Partial<NewEntry>): NewEntry => ({
  kind: "street",
  name: "Main Street",
  context: { ...NO_CONTEXT, city: "Springfield", stateCode: "IL", countryCode: "US" },
  postalCode: "62701",
  latitude: 39.8,
  longitude: -89.65,
  importance: 40,
  ...more,
});

describe("a tile of names", () => {
  const entries = [
    entry({}),
    entry({
      kind: "place",
      name: "Café Ärger",
      latitude: -90,
      longitude: 180,
      names: [
        ["de", "Kaffee Ärger"],
        ["ja", "カフェ"],
      ],
    }),
    entry({ kind: "locality", name: "東京都", latitude: 90, longitude: -180, importance: 255, postalCode: "" }),
  ];
  const tile = new NamesTile(encodeNames(entries, [5, 0, 7]));

  it("gives back what was put in", () => {
    expect(tile.count).toBe(3);
    entries.forEach((one, i) => {
      expect([tile.kind(i), tile.name(i), tile.postalCode(i), tile.context(i)]).toEqual([
        one.kind,
        one.name,
        one.postalCode,
        one.context,
      ]);
      expect([tile.latitudes[i] / 1e5, tile.longitudes[i] / 1e5, tile.importances[i]]).toEqual([
        one.latitude,
        one.longitude,
        one.importance,
      ]);
    });
    expect(tile.nameIn(1, "de")).toBe("Kaffee Ärger");
    expect(tile.nameIn(1, "fr")).toBeUndefined();
    expect([...tile.details]).toEqual([0, 5, 5, 12]);
    expect([tile.hasDetails(0), tile.hasDetails(1)]).toEqual([true, false]);
  });

  it("gives back the kinds of names, packed or not", () => {
    const kinds = NAME_KINDS.map((kind, i) => [LANGUAGES[i], `name ${i}`, kind] as const);
    const named = [entry({ names: [...kinds, ["zh", "plain"]] }), entry({})];
    const bytes = encodeNames(named, [0, 0]);
    const packed = packNames(bytes);
    expect(packed.length).not.toBe(bytes.length);
    for (const object of [bytes, packed]) {
      const read = new NamesTile(object);
      expect(read.kindsOfNames(0)).toEqual([...NAME_KINDS, "main"]);
      expect(read.namesOf(0)).toEqual([...kinds, ["zh", "plain", "main"]]);
      expect(namesOf(read, 0).map(({ kind }) => kind)).toEqual(["main", ...NAME_KINDS, "main"]);
      // Only a main name is shown.
      expect(LANGUAGES.map((language) => read.nameIn(0, language) ?? "").filter(Boolean)).toEqual(["name 0", "plain"]);
    }
    for (let length = 0; length < packed.length; length++)
      expect(() => new NamesTile(packed.slice(0, length))).toThrow();
  });

  it("keeps the kinds of names and aliases between the steps of an import", () => {
    const names: Names = [
      ["de", "a"],
      ["en", "b", "code"],
      ["zh", "c", "old"],
    ];
    const aliases: Aliases = [
      ["", "d"],
      ["", "e", "other"],
      ["fr", "f", "short"],
      ["ar", "g"],
    ];
    const out = new ByteWriter();
    writeEntry(out, entry({ names, aliases }));
    expect(readEntry(new ByteReader(out.finish()))).toMatchObject({ names, aliases });
  });

  it("finds entries by every word of every name", () => {
    const of = (word: string) => {
      const found: number[] = [];
      tile.words.each(tile.words.indexOf(word), (i) => found.push(i));
      return found;
    };
    expect([of("main"), of("cafe"), of("arger"), of("kaffee"), of("東京"), of("京都")]).toEqual([
      [0],
      [1],
      [1],
      [1],
      [2],
      [2],
    ]);
    expect(tile.words.indexOf("nothing")).toBe(-1);
    expect([...tile.words.words].sort()).toEqual(tile.words.words);
  });

  it("refuses other bytes, another version, and a tile cut short anywhere", () => {
    const bytes = encodeNames(entries, [0, 0, 0]);
    expect(() => new NamesTile(new Uint8Array())).toThrow("not a tile of names");
    expect(() => new NamesTile(new TextEncoder().encode("<html>not found"))).toThrow("not a tile of names");
    const newer = bytes.slice();
    newer[4] = 9;
    expect(() => new NamesTile(newer)).toThrow("version 9");
    for (let length = 0; length < bytes.length; length++) expect(() => new NamesTile(bytes.slice(0, length))).toThrow();
  });
});

describe("a tile of house numbers", () => {
  const written = [
    "1",
    "2",
    "12 bis",
    "12A",
    "39A/B",
    "10 1/2",
    "217-14",
    "217-04",
    "14-18",
    "A 7",
    "007",
    "1 2",
    "3-123",
  ];
  const at = { latitude: 40.71779, longitude: -73.7388 };
  const houses: House[] = written.map((text, i) => ({
    number: parseHouseNumber(text)!,
    location: { latitude: 40.7178 + i / 1e4, longitude: -73.7388 - i / 1e4 },
    units: i % 3 === 0 ? ["4B", "5"] : [],
    computed: i % 4 === 1,
  }));
  const line = [at, { latitude: 40.72, longitude: -73.74 }];
  const part = encodeDetails(at, houses, [line]);
  const tile = new DetailsTile(encodeDetailsTile([new Uint8Array([9, 9]), part]));

  it("gives back every form of number with its units, and the line", () => {
    const read = tile.read(2, 2 + part.length, at);
    expect(read.lines).toEqual([line]);
    expect(new Set(read.houses.map(({ number }) => number.text))).toEqual(new Set(written));
    for (const house of houses) {
      const same = read.houses.find(({ number }) => number.text === house.number.text)!;
      expect([same.units, same.computed, same.number]).toEqual([house.units, house.computed, house.number]);
      expect(same.location.latitude).toBeCloseTo(house.location.latitude, 5);
      expect(same.location.longitude).toBeCloseTo(house.location.longitude, 5);
    }
  });

  it("leaves out what is not wanted and reads the rest right", () => {
    const all = tile.read(2, 2 + part.length, at).houses;
    const some = tile.read(2, 2 + part.length, at, (first) => first === 12).houses;
    expect(some).toEqual(all.filter(({ number }) => number.first === 12));
    expect(some.length).toBeGreaterThan(1);
  });
});

describe("a packed world of a hundred thousand houses", () => {
  /** Streets of one name in many places, so that nothing is easy. */
  function crowded() {
    const collector = new AddressCollector();
    const draw = randomFrom(3);
    for (let street = 0; street < 2500; street++) {
      const name = `${["Main", "Oak", "Elm", "Maple", "Cedar"][street % 5]} ${["Street", "Avenue", "Road"][street % 3]}`;
      const city = `Town ${"abcdefghijklmnopqrstuvwxyz"[street % 26]}${street % 97}`;
      const context = collector.context({ ...NO_CONTEXT, city, stateCode: "IL", state: "Illinois", countryCode: "US" });
      const id = collector.street(name, context, `${60000 + (street % 500)}`);
      const [lat, lon] = [38 + draw() * 4, -91 + draw() * 4];
      for (let n = 1; n <= 40; n++)
        collector.house(id, parseHouseNumber(`${n * 2}`)!, { latitude: lat + n * 2e-4, longitude: lon });
    }
    return collector;
  }
  const objects = new Map([...packAddresses(crowded())].map(({ key, bytes }) => [key, bytes]));

  it("takes at most ten bytes a house, in objects of bounded size", () => {
    const sizes = [...objects.values()].map(({ length }) => length);
    expect(sizes.reduce((a, b) => a + b) / 100_000).toBeLessThan(10);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
  });

  it("costs no query more than its budget of reads, however hostile", async () => {
    const most = BUDGET.near + BUDGET.words * BUDGET.rounds + BUDGET.heads;
    const queries = ["a", "1", "main", "main street", "40 main street", "1 2 3 4 5 6 7 8 9 10 11 12", "x".repeat(256)];
    queries.push(
      "town town town town street avenue road main oak elm maple cedar il us 60000 40 41 42",
      "mian stret",
      "40 oak st town a0",
    );
    for (const text of queries) {
      for (const open of [false, true]) {
        for (const near of [undefined, { latitude: 40, longitude: -89 }]) {
          const reads: string[] = [];
          const source = memorySource(objects);
          const index = new AddressIndex(
            keepDecoded({
              read(key, range) {
                reads.push(key);
                return source.read(key, range);
              },
            }),
          );
          await search([index], text, { layers: new Set(LAYERS), limit: 100, language: "en", open, near });
          const tiles = reads.filter((key) => /names|head\//.test(key)).length;
          const houses = reads.filter((key) => /houses/.test(key)).length;
          expect([text, open, tiles <= most, houses <= most]).toEqual([text, open, true, true]);
          expect(reads.length).toBeLessThan(100);
        }
      }
    }
  });
});
