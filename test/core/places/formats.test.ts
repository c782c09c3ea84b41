import { describe, expect, it } from "vitest";
import { cellReach } from "../../../src/core/geo/cells/cell-tree.ts";
import { ancestorOf, cellAt } from "../../../src/core/geo/cells/cells.ts";
import { Airports, encodeAirports } from "../../../src/core/places/airports.ts";
import { Directory, encodeDirectory } from "../../../src/core/places/directory.ts";
import { decodeParts, encodeIds, encodeParts, PlaceIds, partsFor } from "../../../src/core/places/ids.ts";
import { encodeKeyFilter, KeyFilter } from "../../../src/core/places/key-filter.ts";
import { encodeTile, type PlaceRecord, PlaceTile, sizeOf } from "../../../src/core/places/tile.ts";

/*
 * Objects as releases have written them. They are in buckets of deployments, so a reader must read these bytes, and a
 * writer that writes other bytes needs a new version.
 */
const TILE =
  "R1BMQwMAAQABAAAAAgAAAOBHMx2AaWf/ADq4vQAtMQEBAAAQAgAAAAIBAAADAAAABQAAAAkAAAATAAAAHgAAACoAAABCAAAAQgAAAEkAAABJAAAALAEFAAAA//8DEf///////0NhZsOpUGFya251bGwtY2FmZXNOdWxsIENhZsOpc251bGwuZXhhbXBsZTEyCkpheSBTdApTYWxlbQpNVAo1OTk5OTErMSA0MDY=";
const AIRPORTS = "R1BMQQEAAQBRTVoAR1BMQwMAAAABAAAAAQAAAIBpZ/8ALTEBAgAAAAMAAAAEAAAABAAAAAQAAAAFAP//Af///1BvcnQ=";
const DIRECTORY = "R1BMRAEAAAABAAAAAAAAAAAGAAAAyaJCwBmBHUBzir1xEQEA";
const IDS = "R1BMSQEAAAABAAAAAAAAAAAGAAAAyaJCAgEAAAcAAAA=";
const PARTS = "R1BMTgEAAAAEAAAA";
const KEYS = "R1BMSwEAAAAAAQCAAABAAAAgAAAQAAII";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** The same bytes at an odd offset of a larger buffer, as a part of a response may be. */
function unaligned(bytes: Uint8Array): Uint8Array {
  const moved = new Uint8Array(bytes.length + 3);
  moved.set(bytes, 3);
  return moved.subarray(3);
}

const HERE = { latitude: 48.99, longitude: -111.2 };
const CELL = 10327248863235;
const CAFE: PlaceRecord = {
  key: { high: 0x10000001, low: 258 },
  name: "Café",
  categories: [3, 17],
  location: HERE,
  footprint: 300,
  chain: { slug: "null-cafes", name: "Null Cafés", domain: "null.example" },
  address: { number: "12", street: "Jay St", city: "Salem", stateCode: "MT", postalCode: "59999" },
  details: { phone: "+1 406" },
};
const PORT: PlaceRecord = {
  key: { high: 2, low: 3 },
  name: "Port",
  categories: [1],
  location: { latitude: -1, longitude: 2 },
  footprint: 5,
};

describe("a tile of places", () => {
  const visitor = { ...PORT, name: "Park", categories: [] };

  it("is written as it always was", () => {
    expect(textOf(encodeTile([CAFE], [visitor]))).toBe(TILE);
  });

  it("is read as it was written, wherever it is in memory", () => {
    for (const bytes of [bytesOf(TILE), unaligned(bytesOf(TILE))]) {
      const tile = new PlaceTile(bytes);
      expect([tile.home, tile.count]).toEqual([1, 2]);
      expect(tile.place(0)).toMatchObject({
        id: "706c61631000000100000102",
        name: "Café",
        location: HERE,
        footprint: 300,
        address: CAFE.address,
        chain: CAFE.chain,
      });
      expect(tile.place(1)).toEqual({
        id: "706c61630000000200000003",
        name: "Park",
        categories: [],
        location: PORT.location,
        footprint: 5,
      });
      expect([tile.details(0), tile.details(1)]).toEqual([CAFE.details, undefined]);
      expect([tile.indexOf(CAFE.key), tile.indexOf(PORT.key)]).toEqual([0, 1]);
      expect([tile.indexOf({ high: 2, low: 258 }), tile.indexOf({ high: 0x10000001, low: 3 })]).toEqual([-1, -1]);
      expect([new Set([17]), new Set([4])].map((rows) => tile.hasCategory(0, rows))).toEqual([true, false]);
      expect(tile.hasCategory(1, new Set([255]))).toBe(false);
    }
  });

  it("keeps four categories of a place, and a footprint that fits", () => {
    const [many] = [encodeTile([{ ...CAFE, categories: [0, 1, 2, 3, 4], footprint: 70_000 }], [])];
    const tile = new PlaceTile(many);
    expect([3, 4].map((row) => tile.hasCategory(0, new Set([row])))).toEqual([true, false]);
    expect(tile.place(0).footprint).toBe(65_535);
  });

  it("takes about as many bytes as its places are reckoned with", () => {
    const places = Array.from({ length: 500 }, (_, i) => ({ ...CAFE, name: `Cafe number ${i}`, chain: undefined }));
    const reckoned = places.reduce((sum, place) => sum + sizeOf(place), 0);
    expect(Math.abs(encodeTile(places, []).length - reckoned)).toBeLessThan(0.1 * reckoned);
    expect(sizeOf({ ...PORT, name: "" })).toBe(36);
  });

  it("of another version, of none, or of something else is rejected", () => {
    for (const version of [0, 4]) {
      const bytes = bytesOf(TILE);
      bytes[4] = version;
      expect(() => new PlaceTile(bytes)).toThrow(`places of version ${version}`);
    }
    expect(() => new PlaceTile(bytesOf(AIRPORTS))).toThrow("not a tile of places");
  });
});

describe("airports", () => {
  it("are written as they always were, and found by their code", () => {
    expect(textOf(encodeAirports([{ iata: "QMZ", place: PORT }]))).toBe(AIRPORTS);
    for (const bytes of [bytesOf(AIRPORTS), unaligned(bytesOf(AIRPORTS))]) {
      const airports = new Airports(bytes);
      expect(airports.withCode("qmz")).toMatchObject([{ id: "706c61630000000200000003", name: "Port" }]);
      expect(airports.withCode("QM")).toEqual([]);
    }
  });

  it("of another version or of something else are rejected", () => {
    const newer = bytesOf(AIRPORTS);
    newer[4] = 2;
    expect(() => new Airports(newer)).toThrow("airports of version 2");
    expect(() => new Airports(bytesOf(TILE))).toThrow("not a list of airports");
    expect(() => new Airports(new Uint8Array(7))).toThrow("not a list of airports");
  });

  it("are all found that share a code", () => {
    const airports = new Airports(
      encodeAirports([
        { iata: "AAA", place: PORT },
        { iata: "QMZ", place: { ...PORT, name: "First" } },
        { iata: "QMZ", place: { ...PORT, name: "Second" } },
      ]),
    );
    expect(airports.withCode("QMZ").map(({ name }) => name)).toEqual(["First", "Second"]);
  });
});

describe("a directory", () => {
  const entry = { cell: CELL, center: { latitude: 49.5, longitude: -111.5 }, radius: 70_000.2 };

  it("is written as it always was", () => {
    expect(textOf(encodeDirectory([entry]))).toBe(DIRECTORY);
  });

  it("finds the tile of a point, from resolution 3 to 7, and none elsewhere", () => {
    for (const bytes of [bytesOf(DIRECTORY), unaligned(bytesOf(DIRECTORY))]) {
      const directory = new Directory(bytes);
      expect(directory.tileOf(CELL)).toBe(CELL);
      expect(directory.tileOf(cellAt(cellReach(CELL).center))).toBe(CELL);
      expect(directory.tileOf(cellAt({ latitude: 10, longitude: 10 }))).toBeUndefined();
    }
    for (let resolution = 2; resolution <= 8; resolution++) {
      const tile = ancestorOf(cellAt(HERE), resolution);
      const others = [1, 2, 3].map((i) => cellAt({ latitude: 10 * i, longitude: 20 }, 4));
      const directory = new Directory(encodeDirectory([tile, ...others].map((cell) => ({ ...entry, cell }))));
      expect([resolution, directory.tileOf(cellAt(HERE))]).toEqual([
        resolution,
        resolution >= 3 && resolution <= 7 ? tile : undefined,
      ]);
    }
  });

  it("finds tiles that reach into a circle, nearest first", () => {
    const at = (latitude: number, cell: number) => ({ cell, center: { latitude, longitude: 0 }, radius: 1000 });
    const directory = new Directory(encodeDirectory([at(0.02, 1), at(0, 2), at(0.05, 3), at(0.02, 4)]));
    const found = (radius: number) => directory.tilesWithin({ latitude: 0, longitude: 0 }, radius);
    // One hundredth of a degree is 1,112 m.
    expect(found(1300).map(({ cell }) => cell)).toEqual([2, 1, 4]);
    expect(found(1200).map(({ cell }) => cell)).toEqual([2]);
    expect(found(5000).map(({ cell, distance }) => [cell, Math.round(distance / 10)])).toEqual([
      [2, 0],
      [1, 122],
      [4, 122],
      [3, 456],
    ]);
  });

  it("of another version, cut short, or of something else is rejected", () => {
    const newer = bytesOf(DIRECTORY);
    newer[4] = 2;
    expect(() => new Directory(newer)).toThrow("a directory of version 2");
    expect(() => new Directory(bytesOf(IDS))).toThrow("not a directory of places");
    expect(() => new Directory(bytesOf(DIRECTORY).subarray(0, 35))).toThrow("cut short");
    expect(() => new Directory(new Uint8Array(15))).toThrow("not a directory of places");
  });
});

describe("ids of places", () => {
  it("are written as they always were", () => {
    expect(textOf(encodeIds([{ cell: CELL, high: 7, low: 258 }]))).toBe(IDS);
    expect(textOf(encodeParts(4))).toBe(PARTS);
  });

  it("are read wherever they are in memory", () => {
    for (const bytes of [bytesOf(IDS), unaligned(bytesOf(IDS))]) {
      const ids = new PlaceIds(bytes);
      expect(ids.cellOf({ high: 7, low: 258 })).toBe(CELL);
      expect([ids.cellOf({ high: 8, low: 258 }), ids.cellOf({ high: 7, low: 259 })]).toEqual([undefined, undefined]);
    }
    expect(decodeParts(bytesOf(PARTS))).toBe(4);
    expect(decodeParts(unaligned(bytesOf(PARTS)))).toBe(4);
  });

  it.each([
    [0, 1],
    [2048, 1],
    [2049, 2],
    [4097, 4],
    [1_000_000, 512],
  ])("of %i places are in %i objects", (count, parts) => {
    expect(partsFor(count)).toBe(parts);
  });

  it("of another version, cut short, or of something else are rejected", () => {
    const newer = (text: string) => bytesOf(text).map((byte, i) => (i === 4 ? 2 : byte));
    expect(() => new PlaceIds(newer(IDS))).toThrow("ids of places of version 2");
    expect(() => new PlaceIds(bytesOf(DIRECTORY))).toThrow("no ids of places");
    expect(() => new PlaceIds(bytesOf(IDS).subarray(0, 31))).toThrow("cut short");
    for (const bytes of [newer(PARTS), bytesOf(IDS), bytesOf(PARTS).subarray(0, 11)])
      expect(() => decodeParts(bytes)).toThrow("not a number of objects");
  });
});

describe("a filter of keys", () => {
  it("is written as it always was, and knows its key wherever it is in memory", () => {
    expect(textOf(encodeKeyFilter([{ high: 7, low: 258 }]))).toBe(KEYS);
    for (const bytes of [bytesOf(KEYS), unaligned(bytesOf(KEYS))]) {
      const filter = new KeyFilter(bytes);
      expect([filter.mayHave({ high: 7, low: 258 }), filter.mayHave({ high: 8, low: 258 })]).toEqual([true, false]);
    }
  });

  it("of another version or of something else is rejected", () => {
    const newer = bytesOf(KEYS);
    newer[4] = 2;
    expect(() => new KeyFilter(newer)).toThrow("version 2");
    expect(() => new KeyFilter(bytesOf(IDS))).toThrow();
  });

  it("without bits has no key", () => {
    expect(new KeyFilter(bytesOf(KEYS).subarray(0, 8)).mayHave({ high: 7, low: 258 })).toBe(false);
  });
});
