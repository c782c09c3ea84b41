import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { childAt } from "../../../src/core/geo/cells/cell-tree.ts";
import { ancestorOf, cellAt } from "../../../src/core/geo/cells/cells.ts";
import { buildTiles } from "../../../src/core/regions/build-tiles.ts";
import { changed, PackedRings, PackedShape } from "../../../src/core/regions/packed-shape.ts";
import { countryName, flagOf, type Region, regionId } from "../../../src/core/regions/region.ts";
import {
  cellOfKey,
  IMPORT_TILES,
  RegionIndex,
  regionsHeld,
  regionsIn,
  tileKey,
  tilesFrom,
  WORLD_TILES,
} from "../../../src/core/regions/region-index.ts";
import { RegionTile } from "../../../src/core/regions/region-tile.ts";
import { resolve } from "../../../src/core/regions/resolve.ts";
import { decodeEdges, decodeTile, encodeTile } from "../../../src/core/regions/tile-format.ts";
import { randomFrom } from "./brute-force.ts";

/** A tile as releases have written it: it is in buckets of deployments. */
const TILE =
  "R1JSRwEIAAJVUw1Vbml0ZWQgU3RhdGVzBTMwMTAxBVRvb2xlAk1UAzc1NQtHcmVhdCBGYWxscwIAAQECAQAAAAIAAwQBBQYHAwABAAIAAYSAgICm+QQBBAUAAAAAAAEBAv+1zQrwgtYEoJwBFKCcASc=";
const CELL = cellAt({ latitude: 48.99, longitude: -111.2 }, 4);
const US: Region = { kind: "country", rank: "base", code: "US", name: "United States", country: "US", state: "" };
const TOOLE: Region = {
  kind: "county",
  rank: "import",
  code: "30101",
  name: "Toole",
  country: "US",
  state: "MT",
  dma: { code: "755", name: "Great Falls" },
};
const CONTENT = {
  cell: CELL,
  regions: [US, TOOLE],
  sets: [[], [0], [0, 1]],
  tree: [1, 4, 5, 0, 0, 0, 0, 0],
  chains: [{ set: 1, xs: [-11_120_000, -11_110_000, -11_100_000], ys: [4_899_000, 4_899_010, 4_898_990] }],
};
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

describe("a tile of regions", () => {
  it("is written as it always was", () => {
    expect(Buffer.from(encodeTile(CONTENT)).toString("base64")).toBe(TILE);
  });

  it("is read as it was written", () => {
    const tile = decodeTile(bytesOf(TILE));
    expect(tile.regions).toEqual([US, TOOLE]);
    expect(tile.sets).toEqual([[], [0], [0, 1]]);
    expect([...tile.leafCells]).toEqual([childAt(CELL, 0), childAt(CELL, 1)]);
    expect([...tile.values]).toEqual([4, 5]);
    const { x, y, dx, dy, set } = decodeEdges(bytesOf(TILE), tile.chainsAt);
    expect([[...x], [...y], [...dx], [...dy], [...set]]).toEqual([
      [-11_120_000, -11_110_000],
      [4_899_000, 4_899_010],
      [10_000, 10_000],
      [10, -20],
      [1, 1],
    ]);
    expect(new RegionTile(bytesOf(TILE)).weight).toBe(14 * bytesOf(TILE).length + 40 * 2);
  });

  it("with any other byte of its magic is rejected, and with a kind or rank that no release knows", () => {
    for (let at = 0; at < 4; at++) {
      const other = bytesOf(TILE).map((byte, i) => (i === at ? byte + 1 : byte));
      expect(() => decodeTile(other)).toThrow("wrong magic");
    }
    // Kind and rank of the first region are after the texts.
    const start = Buffer.from(TILE, "base64").indexOf("Great Falls") + "Great Falls".length + 1;
    for (const at of [start, start + 1]) {
      const other = bytesOf(TILE).map((byte, i) => (i === at ? 9 : byte));
      expect(() => decodeTile(other)).toThrow("unknown kind or rank");
    }
  });

  it("has a key that names its cell", () => {
    expect(tileKey(CELL)).toBe(`regions/${CELL}`);
    expect(cellOfKey(tileKey(CELL))).toBe(CELL);
    expect([WORLD_TILES, IMPORT_TILES]).toEqual([1, 4]);
  });
});

const ring = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];
const BORDER = [
  { ...US, rings: [ring(-120, 40, -100, 49)] },
  { ...US, code: "CA", name: "Canada", country: "CA", rings: [ring(-120, 49, -100, 60)] },
];
const TILES = new Map([...buildTiles(BORDER, IMPORT_TILES)].map(({ cell, bytes }) => [cell, new RegionTile(bytes)]));

describe("squares of a tile", () => {
  it("with a number hold the same regions everywhere, and most points have one", () => {
    const random = randomFrom(5);
    const found = new Map<string, string>();
    let numbered = 0;
    for (let i = 0; i < 4000; i++) {
      const point = { latitude: 48.99 + 0.02 * random(), longitude: -111.2 + 0.02 * random() };
      const own = ancestorOf(cellAt(point), IMPORT_TILES);
      const tile = TILES.get(own)!;
      const square = tile.squareOf(point, own);
      if (square === undefined) continue;
      numbered++;
      const codes = tile
        .regionsAt(point)
        .map(({ code }) => code)
        .join();
      expect(found.get(`${own} ${square}`) ?? codes).toBe(codes);
      found.set(`${own} ${square}`, codes);
    }
    expect(numbered).toBeGreaterThan(2000);
    expect(new Set(found.values())).toEqual(new Set(["US", "CA"]));
  });
});

describe("the region whose edge is nearest", () => {
  const point = { latitude: 48.9, longitude: -111.2 };
  const tile = TILES.get(ancestorOf(cellAt(point), IMPORT_TILES))!;
  const all = () => true;
  // One tenth of a degree is 11,120 m.
  const nearest = (limit: number, wants: (region: Region) => boolean = all) => tile.nearest(point, limit, wants)?.code;

  it("is within the limit, and one that is wanted", () => {
    expect([nearest(11_000), nearest(11_200, ({ code }) => code === "CA")]).toEqual([undefined, "CA"]);
    expect([nearest(11_200, ({ code }) => code === "US"), nearest(50_000, () => false)]).toEqual(["US", undefined]);
  });

  it("takes what a point outside of all regions lacks, where it is not too far", () => {
    const far = (latitude: number) => {
      const shore = { latitude, longitude: -111.2 };
      const cell = cellAt(shore);
      const own = TILES.get(ancestorOf(cell, IMPORT_TILES));
      return [regionsIn(own, shore, cell).country?.code, regionsHeld(own, shore, cell)?.country?.code];
    };
    expect(far(40.01)).toEqual(["US", "US"]);
    expect(far(39.96)).toEqual(["US", undefined]);
    expect(far(39.95)).toEqual([undefined, undefined]);
    const away = { latitude: 0, longitude: 0 };
    expect([regionsIn(undefined, away, cellAt(away)), regionsHeld(undefined, away, cellAt(away))]).toEqual([{}, {}]);
  });
});

describe("an index of regions", () => {
  it("returns each region that holds a point, also several of one kind", async () => {
    const town = { ...US, kind: "locality", name: "Salem", code: "", rings: [ring(-112, 48, -111, 49)] } as const;
    const objects = new Map(
      [...buildTiles([...BORDER, town, { ...town, name: "Greater Salem", rings: [ring(-113, 48, -111, 49)] }], 1)].map(
        ({ cell, bytes }) => [tileKey(cell), bytes],
      ),
    );
    const index = new RegionIndex([], tilesFrom(memorySource(objects)));
    const at = async (longitude: number) =>
      (await index.allRegionsAt({ latitude: 48.5, longitude })).map((one) => one.name);
    expect([await at(-111.5), await at(-112.5), await at(0)]).toEqual([
      ["United States", "Salem", "Greater Salem"],
      ["United States", "Greater Salem"],
      [],
    ]);
  });
});

describe("a packed shape", () => {
  const region: Region = { ...TOOLE, rank: "base" };
  const corners = [
    [1.5, 2.25],
    [-179.9999999, 3],
    [4, -89.5],
  ];

  it.each([
    ["on the grid of OpenStreetMap", corners, Int32Array.BYTES_PER_ELEMENT],
    ["off it", [...corners, [1 / 3, 0]], Float64Array.BYTES_PER_ELEMENT],
    ["off it in its latitude", [[0, 1 / 3], ...corners], Float64Array.BYTES_PER_ELEMENT],
  ])("has the same rings as before, %s", (_, one, bytes) => {
    const rings = [one, [...one].reverse(), []];
    const packed = new PackedRings(rings);
    expect(packed.unpack()).toEqual(rings);
    expect(packed.corners).toBe(2 * one.length);
    const [column, ends] = packed.columns();
    expect(column.length).toBe(4 * one.length * bytes);
    expect([...new Uint32Array(ends.slice().buffer)]).toEqual([one.length, 2 * one.length, 2 * one.length]);
  });

  it("says of its region what was said, and something else in its place", () => {
    const packed = new PackedRings([corners]);
    const shape = new PackedShape(region, packed);
    expect({ ...shape, rings: shape.rings }).toEqual({ ...region, packed, rings: [corners] });
    expect(new PackedShape(US, packed).dma).toBeUndefined();
    const other = changed(shape, { name: "Other", rank: "replaced" });
    expect(other).toBeInstanceOf(PackedShape);
    expect({ ...other }).toEqual({ ...region, name: "Other", rank: "replaced", packed });
    expect(changed(new PackedShape(US, packed), { code: "X" }).dma).toBeUndefined();
    expect(changed({ ...region, rings: [corners] }, { state: "ND" })).toEqual({
      ...region,
      state: "ND",
      rings: [corners],
    });
  });
});

describe("a country", () => {
  it("has its name in English where no language is given, and its code where it has none", () => {
    expect([countryName("DE"), countryName("DE", "fr"), countryName("ZZ")]).toEqual([
      ...["Germany", "Allemagne", "Unknown Region"],
    ]);
    expect(countryName("DE", "fr")).toBe("Allemagne");
  });

  it("has a flag where its code has two letters", () => {
    expect(["de", "US", "", "D", "DEU", "D1"].map(flagOf)).toEqual(["🇩🇪", "🇺🇸", "", "", "", ""]);
  });

  it("keeps the id that it always had", () => {
    expect([regionId("country", "US", "US"), regionId("dma", "US", "501"), regionId("state", "US", "NY")]).toEqual([
      "92881e53217ec1104e71ae9f",
      "01d6da0a35c59a5e9a919073",
      "844e555aebd6006ce2beca7d",
    ]);
  });
});

describe("one answer of several regions", () => {
  const region = (kind: Region["kind"], code: string, more: Partial<Region> = {}): Region => ({
    ...US,
    kind,
    code,
    name: `${kind} ${code}`,
    ...more,
  });

  it("has each kind, and the market area of its county", () => {
    const kinds = ["state", "county", "locality", "borough", "neighborhood", "postalCode"] as const;
    const all = kinds.map((kind) =>
      region(kind, kind === "state" ? "MT" : kind, { state: kind === "state" ? "" : "MT" }),
    );
    const regions = [US, ...all.map((one) => ({ ...one, dma: { code: one.kind, name: "Area" } }))];
    expect(resolve(regions)).toEqual({
      country: { code: "US", name: "United States", flag: "🇺🇸" },
      ...Object.fromEntries(all.map(({ kind, code, name }) => [kind, { code, name }])),
      dma: { code: "county", name: "Area" },
    });
  });

  it("takes the first of a kind, the better rank first, that fits the country and the state", () => {
    const states = [region("state", "ND", { country: "CA" }), region("state", "MT"), region("state", "WY")];
    const counties = [region("county", "1", { state: "WY" }), region("county", "2", { state: "MT" })];
    expect(resolve([US, ...states, ...counties])).toMatchObject({ state: { code: "MT" }, county: { code: "2" } });
    expect(resolve([US, region("state", "MT"), region("state", "WY", { rank: "import" })]).state?.code).toBe("WY");
    expect(resolve([US, region("county", "1", { state: "WY" })]).county?.code).toBe("1");
    expect(resolve([US, region("locality", "", { country: "", state: "" })]).locality?.name).toBe("locality ");
    expect(resolve([])).toEqual({});
  });
});
