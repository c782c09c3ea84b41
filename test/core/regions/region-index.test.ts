import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { buildTiles } from "../../../src/core/regions/build-tiles.ts";
import { countryName, flagOf, type Region, regionId } from "../../../src/core/regions/region.ts";
import {
  IMPORT_TILES,
  RegionIndex,
  type TileReader,
  tileKey,
  tilesFrom,
  WORLD_TILES,
} from "../../../src/core/regions/region-index.ts";
import type { RegionShape } from "../../../src/core/regions/region-shape.ts";
import { resolve } from "../../../src/core/regions/resolve.ts";

const square = (west: number, south: number, east: number, north: number) => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ],
];

function region(kind: Region["kind"], code: string, more: Partial<Region> = {}): Region {
  return { kind, rank: "base", code, name: `${code} name`, country: "US", state: "", ...more };
}

/** Tiles of some shapes; keeps the keys that were asked of the bucket. */
function build(shapes: RegionShape[], resolution = WORLD_TILES): { tiles: TileReader; reads: string[] } {
  const objects = new Map<string, Uint8Array>();
  for (const { cell, bytes } of buildTiles(shapes, resolution)) objects.set(tileKey(cell), bytes);
  const memory = memorySource(objects);
  const reads: string[] = [];
  const tiles = tilesFrom({
    read(key, range) {
      reads.push(key);
      return memory.read(key, range);
    },
  });
  return { tiles, reads };
}

//      -80      -75      -70
//   45  ┌────────┬────────┐
//       │  NJ    │  NY    │  and the sea around
//       │  ┌ 34001 ┐      │
//   40  └──┴─────┴─┴──────┘
const WORLD: RegionShape[] = [
  { ...region("country", "US"), rings: square(-80, 40, -70, 45) },
  { ...region("state", "NJ"), rings: square(-80, 40, -75, 45) },
  { ...region("state", "NY"), rings: square(-75, 40, -70, 45) },
  {
    ...region("county", "34001", { state: "NJ", dma: { code: "504", name: "Philadelphia" } }),
    rings: square(-79, 40, -74, 42),
  },
];

describe("regions of a point", () => {
  it("are country with flag, state, county and the county's market area", async () => {
    const index = new RegionIndex([], build(WORLD).tiles);
    expect(await index.regionsAt({ latitude: 41, longitude: -78 })).toEqual({
      country: { code: "US", name: "United States", flag: "🇺🇸" },
      state: { code: "NJ", name: "NJ name" },
      county: { code: "34001", name: "34001 name" },
      dma: { code: "504", name: "Philadelphia" },
    });
  });

  it("are none on the sea", async () => {
    expect(await new RegionIndex([], build(WORLD).tiles).regionsAt({ latitude: 41, longitude: -60 })).toEqual({});
  });

  it("leave out a county that belongs to the neighbouring state", async () => {
    const answer = await new RegionIndex([], build(WORLD).tiles).regionsAt({ latitude: 41, longitude: -74.5 });
    expect(answer.state?.code).toBe("NY");
    expect(answer.county).toBeUndefined();
    expect(answer.dma).toBeUndefined();
  });

  it("are read once and then known", async () => {
    const world = build(WORLD);
    const index = new RegionIndex([], world.tiles);
    const point = { latitude: 41, longitude: -78 };
    const first = await index.regionsAt(point);
    expect(await index.regionsAt(point)).toBe(first);
    await index.regionsAt({ latitude: -41, longitude: -60 });
    await index.regionsAt({ latitude: -41, longitude: -60 });
    expect(world.reads).toHaveLength(2);
  });

  it("come from the import where it has a tile, from the world base elsewhere, and cost one read each", async () => {
    const world = build(WORLD);
    const fine: RegionShape[] = [
      ...WORLD,
      { ...region("state", "NY", { rank: "import", name: "New York" }), rings: square(-76, 40, -70, 45) },
      { ...region("postalCode", "11201", { rank: "import", name: "11201" }), rings: square(-74.1, 40.5, -74, 40.6) },
    ];
    const imported = build(fine, IMPORT_TILES);
    const index = new RegionIndex([imported.tiles], world.tiles);
    const answer = await index.regionsAt({ latitude: 40.55, longitude: -74.05 });
    expect(answer.state).toEqual({ code: "NY", name: "New York" });
    expect(answer.postalCode).toEqual({ code: "11201", name: "11201" });
    expect([imported.reads.length, world.reads.length]).toEqual([1, 0]);
    expect((await index.regionsAt({ latitude: 42, longitude: -75.5 })).state?.name).toBe("New York");
    expect(await index.regionsAt({ latitude: 0, longitude: 0 })).toEqual({});
    expect([imported.reads.length, world.reads.length]).toEqual([3, 1]);
  });

  it("of two imports that both have the point are put together", async () => {
    const postal: RegionShape[] = [
      ...WORLD,
      { ...region("postalCode", "08001", { rank: "import" }), rings: square(-78.1, 40.9, -77.9, 41.1) },
    ];
    const town: RegionShape[] = [
      ...WORLD,
      { ...region("locality", "", { rank: "import", name: "Salem" }), rings: square(-78.2, 40.9, -77.9, 41.1) },
    ];
    const index = new RegionIndex([build(postal, IMPORT_TILES).tiles, build(town, IMPORT_TILES).tiles]);
    expect(await index.regionsAt({ latitude: 41, longitude: -78 })).toEqual({
      country: { code: "US", name: "United States", flag: "🇺🇸" },
      state: { code: "NJ", name: "NJ name" },
      county: { code: "34001", name: "34001 name" },
      dma: { code: "504", name: "Philadelphia" },
      locality: { code: "", name: "Salem" },
      postalCode: { code: "08001", name: "08001 name" },
    });
  });

  it("reach out over a coast that is drawn too coarsely, but not far onto the sea", async () => {
    const index = new RegionIndex([], build(WORLD).tiles);
    const harbour = await index.regionsAt({ latitude: 39.97, longitude: -78 });
    expect([harbour.country?.code, harbour.state?.code, harbour.county?.code]).toEqual(["US", "NJ", "34001"]);
    expect(await index.regionsAt({ latitude: 39.94, longitude: -78 })).toEqual({});
  });
});

describe("one answer from many regions", () => {
  it("prefers the import, then the world base, then regions that an import has replaced", () => {
    const [replaced, base, fresh] = (["replaced", "base", "import"] as const).map((rank) =>
      region("country", rank === "base" ? "FR" : "MC", { rank, country: "" }),
    );
    expect(resolve([replaced, base, fresh]).country?.code).toBe("MC");
    expect(resolve([replaced, base]).country?.code).toBe("FR");
    expect(resolve([replaced]).country?.code).toBe("MC");
  });

  it("takes the country from the state when the coast of the countries is coarser", () => {
    expect(resolve([region("state", "NY")])).toEqual({
      country: { code: "US", name: "United States", flag: "🇺🇸" },
      state: { code: "NY", name: "NY name" },
    });
  });

  it("believes the finest build that holds the point, in all kinds together", () => {
    const canada = [region("country", "CA", { country: "CA" }), region("state", "AB", { country: "CA" })];
    const montana = region("state", "MT", { rank: "import" });
    expect(resolve([...canada, montana])).toMatchObject({ country: { code: "US" }, state: { code: "MT" } });
    // A town tells its country too, and a postal code of the other side is none of its.
    const town = region("locality", "", { rank: "import", name: "Sweetgrass" });
    const other = region("postalCode", "T0K", { rank: "import", country: "CA" });
    const answer = resolve([...canada, town, other]);
    expect(answer.country?.code).toBe("US");
    expect([answer.state, answer.postalCode]).toEqual([undefined, undefined]);
  });

  it("believes the finer of two builds that disagree about a border", () => {
    const finer = [region("locality", "", { rank: "import", country: "CA", name: "Coutts" })];
    const coarser = [region("country", "US", { rank: "import" }), region("state", "MT", { rank: "import" })];
    expect(resolve([...finer, ...coarser])).toMatchObject({ country: { code: "CA" }, locality: { name: "Coutts" } });
    expect(resolve([...coarser, ...finer])).toMatchObject({ country: { code: "US" }, state: { code: "MT" } });
    expect(resolve([...coarser, ...finer]).locality).toBeUndefined();
  });

  it("is not in the country whose state an import has replaced so that the point is outside", () => {
    const us = [region("country", "US"), region("state", "MT", { rank: "replaced" })];
    const canada = [region("country", "CA", { country: "CA" }), region("state", "AB", { country: "CA" })];
    expect(resolve([...us, ...canada])).toMatchObject({ country: { code: "CA" }, state: { code: "AB" } });
    expect(resolve(us)).toMatchObject({ country: { code: "US" }, state: { code: "MT" } });
  });

  it("leaves out a state of another country", () => {
    expect(resolve([region("country", "CA", { country: "CA" }), region("state", "WA")]).state).toBeUndefined();
  });
});

describe("a country", () => {
  it("has a name in each of the ten languages and a flag", () => {
    const names = ["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"].map((one) => countryName("DE", one));
    expect(names).toEqual([
      "ألمانيا",
      "Deutschland",
      "Germany",
      "Alemania",
      "Allemagne",
      "ドイツ",
      "독일",
      "Alemanha",
      "Германия",
      "德国",
    ]);
    expect(flagOf("DE")).toBe("🇩🇪");
    expect(flagOf("")).toBe("");
  });

  it("keeps its id from build to build, unlike any state of the same code", () => {
    expect(regionId("country", "CA", "CA")).toMatch(/^[0-9a-f]{24}$/);
    expect(regionId("country", "CA", "CA")).toBe(regionId("country", "CA", "CA"));
    expect(regionId("state", "US", "CA")).not.toBe(regionId("country", "CA", "CA"));
  });
});
