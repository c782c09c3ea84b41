import { describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { type ByteWriter, beginObject } from "../../../../src/core/geo/bytes/bytes.ts";
import { cellReach } from "../../../../src/core/geo/cells/cell-tree.ts";
import { cellAt } from "../../../../src/core/geo/cells/cells.ts";
import { distance } from "../../../../src/core/geo/distance.ts";
import { ADDRESSES_VERSION } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { bestTiles } from "../../../../src/core/geocoding/index/best-tiles.ts";
import { encodeCoverage } from "../../../../src/core/geocoding/index/coverage.ts";
import { encodePrefixes } from "../../../../src/core/geocoding/index/layout.ts";
import { writeWord } from "../../../../src/core/geocoding/index/names-tile.ts";
import { packDirectories } from "../../../../src/core/geocoding/index/pack-directories.ts";
import { encodePositions, TilePositions } from "../../../../src/core/geocoding/index/tile-positions.ts";
import { TileSet } from "../../../../src/core/geocoding/index/tile-set.ts";
import { encodeWordBlock } from "../../../../src/core/geocoding/index/word-block.ts";
import { pairsOf, parseQuery } from "../../../../src/core/geocoding/parse/query.ts";
import { randomFrom } from "../sample.ts";

/** As many cells of a country as asked for, some 3 km apart. */
const countryCells = (count: number) => {
  const cells = new Set<number>();
  for (let i = 0; cells.size < count; i++)
    cells.add(cellAt({ latitude: 47 + Math.floor(i / 120) * 0.05, longitude: 5 + (i % 120) * 0.08 }, 6));
  return [...cells];
};
const indexOf = (objects: Iterable<[string, Uint8Array]>) =>
  new AddressIndex(keepDecoded(memorySource(new Map(objects))));
const asked = (text: string) => {
  const { words } = parseQuery(text, false);
  return { words, pairs: pairsOf(words) };
};

describe("the best tiles of some words", () => {
  it("are those that adding up and sorting gives", () => {
    const draw = randomFrom(11);
    for (let round = 0; round < 60; round++) {
      const lists = Array.from({ length: 1 + Math.floor(draw() * 4) }, () => ({
        tiles: [...new Set(Array.from({ length: 1 + Math.floor(draw() * 80) }, () => Math.floor(draw() * 200)))],
        worth: Math.ceil(draw() * 3) / 3,
      }));
      const away = (tile: number) => (round % 2 === 0 ? tile : (tile * 37) % 11);
      const weights = new Map<number, number>();
      for (const { tiles, worth } of lists)
        for (const tile of tiles)
          weights.set(tile, (weights.get(tile) ?? 0) + worth * (1 + 1 / Math.sqrt(tiles.length)));
      const plain = [...weights].sort(([a, weight], [b, other]) => other - weight || away(a) - away(b) || a - b);
      const sets = lists.map(({ tiles, worth }) => {
        const set = new TileSet();
        for (const tile of tiles) set.add(tile);
        return { tiles: set, worth };
      });
      const found = bestTiles(sets, 9, away).map(({ tile, weight }) => [tile, weight]);
      expect(found).toEqual(plain.slice(0, 9));
    }
  });
});

describe("a country of more than five thousand tiles", () => {
  const cells = countryCells(5200);
  const [last, lastOfAll] = [cells.length - 2, cells.length - 1];
  const lists: Record<string, number[]> = {
    // In every tile, as "straße" is; the two with a rare pair are the emptiest.
    hauptstrasse: [...cells.keys()],
    neudorf: [...cells.keys()].filter((tile) => tile % 2 === 1 || tile >= last),
  };
  const objects: [string, Uint8Array][] = [
    ...[...packDirectories(cells)].map(({ key, bytes }): [string, Uint8Array] => [key, bytes]),
    ["addresses/words", encodePrefixes(["hauptstrasse"])],
    ["addresses/words/0", encodeWordBlock(Object.keys(lists), (word) => lists[word])],
    ["addresses/pairs", encodePrefixes(["hauptstrasse neudorf"])],
    ["addresses/pairs/0", encodeWordBlock(["hauptstrasse neudorf"], () => [last, lastOfAll])],
    ["addresses/coverage", encodeCoverage(new Map([["DE", 1]]))],
  ];

  it("loses no tile of a word that stands in all of them", async () => {
    const found = await indexOf(objects).tilesWith(asked("Hauptstrasse Neudorf"), 2, false);
    expect(found.map(({ tile }) => tile)).toEqual([last, lastOfAll]);
    const all = await indexOf(objects).tilesWith(asked("Hauptstrasse"), 10_000, false);
    expect(all).toHaveLength(cells.length);
  });

  it("keeps such a word in an eighth of a byte for each", () => {
    const block = encodeWordBlock(["hauptstrasse"], () => lists.hauptstrasse);
    expect(block.length).toBeLessThan(cells.length / 8 + 40);
  });

  it("opens the nearest of those that are alike", async () => {
    const point = cellReach(cells[3000]).center;
    const [nearest] = await indexOf(objects).tilesWith(asked("Hauptstrasse"), 1, false, point);
    expect(distance(point, cellReach(cells[nearest.tile]).center)).toBeLessThan(1500);
  });

  it("reads less than 50 KB to know what is around a point", () => {
    const sizes = objects.filter(([key]) => key.startsWith("addresses/tiles/")).map(([, bytes]) => bytes.length);
    expect(Math.max(...sizes)).toBeLessThan(50_000);
    expect(sizes.length).toBeGreaterThan(5);
  });
});

describe("roughly where tiles are", () => {
  it("is right within a four-thousandth of the build", () => {
    const cells = countryCells(300);
    const positions = new TilePositions(encodePositions(cells));
    const point = { latitude: 48, longitude: 9 };
    for (const [tile, cell] of cells.entries())
      expect(Math.abs(positions.distance(tile, point) - distance(point, cellReach(cell).center))).toBeLessThan(250);
    expect(positions.distance(300, point)).toBe(Number.POSITIVE_INFINITY);
  });

  it("is known of a single tile, too", () => {
    const cell = cellAt({ latitude: -33, longitude: 179.99 }, 7);
    expect(new TilePositions(encodePositions([cell])).distance(0, cellReach(cell).center)).toBeLessThan(1);
  });
});

describe("a build of version 2", () => {
  const cells = countryCells(40);

  function put(out: ByteWriter, ...values: (number | string)[]): void {
    for (const value of values) {
      if (typeof value === "number") out.unsigned(value);
      else out.text(value);
    }
  }

  function old(magic: string, version: number, write: (out: ByteWriter) => void): Uint8Array {
    const out = beginObject(magic, version);
    write(out);
    return out.finish();
  }

  const objects = (version: number): [string, Uint8Array][] => [
    [
      "addresses/tiles",
      old("GADT", version, (out) => {
        out.unsigned(cells.length);
        for (const cell of cells) {
          const { center, radius } = cellReach(cell);
          out.unsigned(cell);
          out.signed(Math.round(center.latitude * 1e5));
          out.signed(Math.round(center.longitude * 1e5));
          out.unsigned(Math.ceil(radius) + 2);
        }
      }),
    ],
    [
      "addresses/words/0",
      old("GADK", version, (out) => {
        put(out, 1);
        writeWord(out, "oak", new Uint8Array());
        put(out, 3, 7, 10, 3);
      }),
    ],
    ["addresses/words", old("GADP", version, (out) => put(out, 1, "oak"))],
    ["addresses/pairs", old("GADP", version, (out) => out.unsigned(0))],
    ["addresses/coverage", old("GADV", version, (out) => put(out, 1, "DE", 9))],
  ];

  it("is still read, around a point and by words", async () => {
    const index = indexOf(objects(2));
    const point = cellReach(cells[17]).center;
    expect((await index.near(point, 100, 1)).map(({ tile }) => tile)).toEqual([17]);
    expect(await index.tileAt(point)).toBe(17);
    expect((await index.tilesWith(asked("Oak"), 9, false)).map(({ tile }) => tile)).toEqual([7, 17, 20]);
    expect((await index.tilesWith(asked("Oak"), 1, false, point)).map(({ tile }) => tile)).toEqual([17]);
  });

  it.each([
    [1, /version 1, this reader knows versions 2 to 5: import its data again/],
    [ADDRESSES_VERSION + 1, /made by a newer importer/],
  ])("unlike one of version %i, which is refused with what to do", async (version, message) => {
    await expect(indexOf(objects(version)).near(cellReach(cells[0]).center, 100, 1)).rejects.toThrow(message);
  });
});
