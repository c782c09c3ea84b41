import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatLiveList, type LiveBuild, parseLiveList } from "../../src/core/geo/builds/manifest.ts";
import { ByteReader, ByteWriter } from "../../src/core/geo/bytes/bytes.ts";
import { decodeCellList, encodeCellList } from "../../src/core/geo/cells/cell-list.ts";
import { cellAt } from "../../src/core/geo/cells/cells.ts";
import {
  ENTRY_KINDS,
  type House,
  LANGUAGES,
  PRECISIONS,
  PROPERTY_TYPES,
} from "../../src/core/geocoding/entry/entry.ts";
import { decodeCoverage, encodeCoverage } from "../../src/core/geocoding/index/coverage.ts";
import { DetailsTile, encodeDetails, encodeDetailsTile } from "../../src/core/geocoding/index/details-tile.ts";
import { decodePrefixes, encodePrefixes } from "../../src/core/geocoding/index/layout.ts";
import { encodeNames, NamesTile } from "../../src/core/geocoding/index/names-tile.ts";
import { encodeDirectory as encodeAddressTiles, TileDirectory } from "../../src/core/geocoding/index/tile-directory.ts";
import { TilePositions } from "../../src/core/geocoding/index/tile-positions.ts";
import { TileSet } from "../../src/core/geocoding/index/tile-set.ts";
import { encodeWordBlock, WordBlock } from "../../src/core/geocoding/index/word-block.ts";
import { compareHouseNumbers, parseHouseNumber } from "../../src/core/geocoding/words/house-number.ts";
import { Airports, encodeAirports } from "../../src/core/places/airports.ts";
import { Directory, encodeDirectory as encodePlaceTiles } from "../../src/core/places/directory.ts";
import { placeId } from "../../src/core/places/place.ts";
import { encodeTile as encodePlaces, type PlaceRecord, PlaceTile } from "../../src/core/places/tile.ts";
import { REGION_KINDS, REGION_RANKS } from "../../src/core/regions/region.ts";
import {
  decodeEdges,
  decodeTile as decodeRegions,
  encodeTile as encodeRegions,
} from "../../src/core/regions/tile-format.ts";
import { samples } from "../support/night.ts";
import { OBJECTS } from "./fixed.ts";

/** Whatever a format can say comes back as it was said. Numbers are such that they are exact on the format's grid. */
function holds<T>(values: fc.Arbitrary<T>, check: (value: T) => void): void {
  fc.assert(
    fc.property(values, (value) => {
      check(value);
    }),
    { seed: 7, numRuns: samples(60, 200) },
  );
}

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const name = text.filter((one) => one !== "");
const u32 = fc.nat(0xffffffff);
const latitude = fc.integer({ min: -9_000_000, max: 9_000_000 });
const longitude = fc.integer({ min: -18_000_000, max: 18_000_000 });
/** On the grid of 1e-5 degrees. */
const point = fc.record({ latitude, longitude }).map((one) => ({
  latitude: one.latitude / 1e5,
  longitude: one.longitude / 1e5,
}));
const cells = fc.uniqueArray(
  point.map((one) => cellAt(one, 5)),
  { maxLength: 20 },
);

describe("bytes", () => {
  it("give back integers of any size, texts and bytes, in the order they came", () => {
    const unsigned = fc.oneof(fc.nat(300), fc.maxSafeNat(), fc.constantFrom(0, 127, 128, 2 ** 31, 2 ** 53 - 1));
    const signed = fc.oneof(fc.integer(), fc.integer({ min: -(2 ** 52) + 1, max: 2 ** 52 - 1 }));
    const content = fc.array(fc.tuple(unsigned, signed, u32, fc.nat(255), text, fc.uint8Array({ maxLength: 20 })));
    holds(content, (rows) => {
      const out = new ByteWriter(1);
      for (const [a, b, c, d, e, f] of rows) {
        out.unsigned(a);
        out.signed(b);
        out.u32(c);
        out.byte(d);
        out.text(e);
        out.bytes(f);
      }
      const reader = new ByteReader(out.finish());
      for (const [a, b, c, d, e, f] of rows) {
        expect([reader.unsigned(), reader.signed(), reader.u32(), reader.byte()]).toEqual([a, b, c, d]);
        expect(reader.text()).toBe(e);
        expect(reader.copy(f.length)).toEqual(f);
      }
      expect(() => reader.unsigned()).toThrow("ends before its time");
    });
  });
});

describe("lists", () => {
  it("of cells", () => {
    holds(cells, (list) => expect([...decodeCellList(encodeCellList(list))].sort()).toEqual([...list].sort()));
  });

  it("of prefixes", () => {
    holds(fc.array(text), (list) => expect(decodePrefixes(encodePrefixes(list))).toEqual(list));
  });

  it("of words with the tiles that have them", () => {
    const few = fc.uniqueArray(fc.nat(20_000), { maxLength: 8 });
    const many = fc.uniqueArray(fc.nat(400), { minLength: 40, maxLength: 400 });
    const tiles = fc.oneof(few, many).map((list) => list.sort((a, b) => a - b));
    holds(fc.dictionary(name, tiles, { maxKeys: 20 }), (lists) => {
      const words = Object.keys(lists).sort();
      const block = new WordBlock(encodeWordBlock(words, (word) => lists[word]));
      for (const word of words) {
        const found = new TileSet();
        block.addTo(found, block.indexOf(word));
        expect(tilesIn(found)).toEqual(lists[word]);
        expect(found.size).toBe(lists[word].length);
      }
    });
  });

  it("of address counts", () => {
    holds(fc.dictionary(name, fc.maxSafeNat(), { maxKeys: 10 }), (counts) => {
      const coverage = new Map(Object.entries(counts));
      expect(decodeCoverage(encodeCoverage(coverage))).toEqual(coverage);
    });
  });

  it("of live builds, with all that older programs did not write or without", () => {
    const bounds = fc.tuple(longitude, latitude, longitude, latitude);
    const build: fc.Arbitrary<LiveBuild> = fc.record(
      {
        name,
        id: fc.stringMatching(/^[0-9a-f]{16}$/),
        areas: fc.array(bounds, { maxLength: 3 }),
        layers: fc.dictionary(name, fc.nat(9)),
        layerAreas: fc.dictionary(name, fc.array(bounds, { maxLength: 3 })),
        checksum: fc.constant("crc32c" as const),
        sources: fc.array(fc.record({ name, url: text, licence: text })),
        previous: fc.array(text),
      },
      { requiredKeys: ["name", "id", "areas", "layers", "sources", "previous"] },
    );
    holds(fc.array(build, { maxLength: 4 }), (builds) => {
      // As JSON has it: without prototypes, −0 as 0.
      const plain = JSON.parse(JSON.stringify(builds));
      expect(parseLiveList(formatLiveList(builds)).builds).toEqual(plain);
      expect(parseLiveList(JSON.stringify({ version: 1, builds })).builds).toEqual(plain);
    });
  });
});

describe("addresses", () => {
  it("keep names, words, positions and where the details are", () => {
    const context = fc.record({
      city: text,
      borough: text,
      neighborhood: text,
      county: text,
      stateCode: text,
      state: text,
      countryCode: text,
    });
    const entry = fc.record({
      kind: fc.constantFrom(...ENTRY_KINDS),
      name: text,
      context,
      postalCode: text,
      at: point,
      importance: fc.nat(255),
      names: fc.uniqueArray(fc.tuple(fc.constantFrom(...LANGUAGES), text), { maxLength: 4, selector: ([one]) => one }),
      details: fc.nat(5000),
    });
    holds(fc.array(entry, { maxLength: 12 }), (entries) => {
      const all = entries.map(({ at, ...rest }) => ({ ...rest, ...at }));
      const tile = new NamesTile(
        encodeNames(
          all,
          all.map(({ details }) => details),
        ),
      );
      expect(tile.count).toBe(all.length);
      let before = 0;
      all.forEach((one, i) => {
        expect([tile.kind(i), tile.name(i), tile.postalCode(i), tile.importances[i]]).toEqual([
          ...[one.kind, one.name, one.postalCode, one.importance],
        ]);
        expect(tile.context(i)).toEqual(one.context);
        expect([tile.latitudes[i] / 1e5, tile.longitudes[i] / 1e5]).toEqual([one.latitude + 0, one.longitude + 0]);
        for (const [language, other] of one.names) expect(tile.nameIn(i, language)).toBe(other);
        expect([tile.details[i], tile.details[i + 1]]).toEqual([before, before + one.details]);
        before += one.details;
      });
    });
  });

  it("keep houses in the order of their numbers, and lines", () => {
    const number = fc.oneof(
      fc.nat(9999).map(String),
      fc.tuple(fc.integer({ min: 1, max: 999 }), fc.nat(99)).map(([a, b]) => `${a}-${String(b).padStart(2, "0")}`),
      fc.tuple(fc.nat(99), fc.constantFrom("a", " bis", "/2", "B-C")).map(([a, b]) => `${a}${b}`),
      fc.constantFrom("A 7", "007", "1 2", "Haus 3"),
    );
    const house = fc.record({
      number,
      location: point,
      units: fc.array(text, { maxLength: 3 }),
      computed: fc.boolean(),
      plus4: fc.option(fc.stringMatching(/^\d{4}$/), { nil: undefined }),
      propertyType: fc.option(fc.constantFrom(...PROPERTY_TYPES), { nil: undefined }),
      origin: fc.record({
        precision: fc.constantFrom(...PRECISIONS),
        sources: fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 3 }),
      }),
    });
    const line = fc.array(point, { maxLength: 5 });
    holds(
      fc.tuple(point, fc.array(house, { maxLength: 8 }), fc.array(line, { maxLength: 3 })),
      ([origin, list, lines]) => {
        const houses = list.map((one): House => ({ ...one, number: parseHouseNumber(one.number)! }));
        const part = encodeDetails(origin, houses, lines);
        const tile = new DetailsTile(encodeDetailsTile([new Uint8Array(3), part]));
        const read = tile.read(3, 3 + part.length, origin);
        const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
        expect(plain(read.houses)).toEqual(plain([...houses].sort((a, b) => compareHouseNumbers(a.number, b.number))));
        expect(plain(read.lines)).toEqual(plain(lines));
      },
    );
  });

  it("keep the list of their tiles", () => {
    holds(cells, (list) => {
      const { cells: found, tiles } = new TileDirectory(encodeAddressTiles(list));
      expect([...found]).toEqual([...list].sort((a, b) => a - b));
      expect(Array.from(tiles, (tile) => list[tile])).toEqual([...found]);
    });
  });
});

describe("places", () => {
  const chain = fc.record({ slug: name, name: text });
  const record: fc.Arbitrary<PlaceRecord> = fc.record(
    {
      key: fc.record({ high: u32, low: u32 }),
      name: text,
      chain,
      categories: fc.constant([]),
      location: point,
      footprint: fc.nat(65_535),
    },
    { requiredKeys: ["key", "name", "categories", "location", "footprint"] },
  );

  it("keep their tiles", () => {
    holds(fc.tuple(fc.array(record, { maxLength: 8 }), fc.array(record, { maxLength: 4 })), ([home, visitors]) => {
      const tile = new PlaceTile(encodePlaces(home, visitors));
      expect([tile.home, tile.count]).toEqual([home.length, home.length + visitors.length]);
      // Of two chains with one slug the first one's name counts.
      const chains = new Map([...home, ...visitors].reverse().map((one) => [one.chain?.slug, one.chain]));
      [...home, ...visitors].forEach((one, i) => {
        const { id, location, ...rest } = tile.place(i);
        expect(id).toBe(placeId(one.key));
        expect(location.latitude).toBeCloseTo(one.location.latitude, 7);
        expect(location.longitude).toBeCloseTo(one.location.longitude, 7);
        const known = one.chain && chains.get(one.chain.slug);
        expect(rest).toEqual({
          name: one.name,
          categories: [],
          footprint: one.footprint,
          ...(known && { chain: known }),
        });
      });
    });
  });

  it("keep the tiles of a directory, and airports by their codes", () => {
    holds(cells, (list) => {
      const directory = new Directory(
        encodePlaceTiles(list.map((cell) => ({ cell, center: { latitude: 1, longitude: 2 }, radius: 500 }))),
      );
      const near = directory.tilesWithin({ latitude: 1, longitude: 2 }, 10).map(({ cell }) => cell);
      expect(near).toEqual([...list].sort((a, b) => a - b));
    });
    holds(fc.array(fc.tuple(fc.stringMatching(/^[A-Z]{3}$/), record), { maxLength: 5 }), (list) => {
      const airports = new Airports(encodeAirports(list.map(([iata, place]) => ({ iata, place }))));
      for (const [iata] of list) {
        const own = list.filter(([code]) => code === iata).map(([, place]) => place.name);
        expect(airports.withCode(iata.toLowerCase()).map((place) => place.name)).toEqual(own);
      }
    });
  });
});

describe("regions", () => {
  it("keep what is in a tile, and its borders edge by edge", () => {
    const region = fc.record(
      {
        kind: fc.constantFrom(...REGION_KINDS),
        rank: fc.constantFrom(...REGION_RANKS),
        code: text,
        name: text,
        country: text,
        state: text,
        dma: fc.record({ code: name, name: text }),
      },
      { requiredKeys: ["kind", "rank", "code", "name", "country", "state"] },
    );
    const step = fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: -5000, max: 5000 }));
    const border = fc.tuple(longitude, latitude, fc.array(step, { minLength: 1, maxLength: 6 }));
    const cell = cellAt({ latitude: 48.99, longitude: -111.2 }, 4);
    holds(
      fc.tuple(fc.array(region, { minLength: 1, maxLength: 5 }), fc.array(border, { maxLength: 4 })),
      ([regions, borders]) => {
        const sets = [[], regions.map((_, i) => i), [0]];
        const chains = borders.map(([x, y, steps], i) => {
          const xs = [x];
          const ys = [y];
          for (const [dx, dy] of steps) {
            xs.push(xs[xs.length - 1] + dx);
            ys.push(ys[ys.length - 1] + dy);
          }
          return { set: 1 + (i % 2), xs, ys };
        });
        // The centre and two children hold something, one of them near a border.
        const bytes = encodeRegions({ cell, regions, sets, tree: [1, 4, 5, 0, 0, 0, 0, 7], chains });
        const tile = decodeRegions(bytes);
        expect(tile.regions).toEqual(regions);
        expect(tile.sets).toEqual(sets);
        expect([...tile.values]).toEqual([4, 5, 7]);
        const edges = decodeEdges(bytes, tile.chainsAt);
        const expected = chains.flatMap(({ set, xs, ys }) =>
          xs.slice(1).map((x, i) => [xs[i], ys[i], x - xs[i], ys[i + 1] - ys[i], set]),
        );
        expect([...edges.x].map((x, i) => [x, edges.y[i], edges.dx[i], edges.dy[i], edges.set[i]])).toEqual(expected);
      },
    );
  });
});

function tilesIn(set: TileSet): number[] {
  const weights = new Float64Array(set.end);
  set.addWeight(weights, 1);
  const tiles: number[] = [];
  for (let tile = 0; tile < weights.length; tile++) if (weights[tile] > 0) tiles.push(tile);
  return tiles;
}

describe("an object that is cut short", () => {
  const READERS: Record<string, (bytes: Uint8Array) => unknown> = {
    "cell list": decodeCellList,
    "tile of regions": (bytes) => decodeEdges(bytes, decodeRegions(bytes).chainsAt),
    "directory of places": (bytes) => new Directory(bytes),
    "address tiles": (bytes) => new TileDirectory(bytes),
    "address names": (bytes) => new NamesTile(bytes),
    "address prefixes": decodePrefixes,
    "address positions": (bytes) => new TilePositions(bytes),
    "address words": (bytes) => new WordBlock(bytes),
    "address coverage": decodeCoverage,
  };

  it.each(Object.keys(READERS))("%s: is refused wherever the cut is, and never half an answer", (name) => {
    const whole = OBJECTS[name]();
    READERS[name](whole);
    for (let length = 0; length < whole.length; length++) expect(() => READERS[name](whole.slice(0, length))).toThrow();
  });
});
