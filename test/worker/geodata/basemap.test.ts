import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { type Bounds, LIVE_KEY, type LiveBuild } from "../../../src/core/geo/builds/manifest.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import {
  decodeTile,
  encodeTile,
  POINT,
  POLYGON,
  type TileFeature,
  type TileLayer,
} from "../../../src/core/maps/tiles/mvt.ts";
import { tileId } from "../../../src/core/maps/tiles/tile-id.ts";
import { openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { BASEMAP_KEY } from "../../../src/worker/geodata/build-ground.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { tileAsSent } from "../../../src/worker/geodata/map-tiles.ts";
import { forgetGeodata } from "../../../src/worker/geodata/r2-source.ts";
import { WholeArchive } from "../../core/maps/tiles/whole-archive.ts";
import { FakeBucket } from "./fake-bucket.ts";

/** A whole tile of one kind, with a point of the kind every 256 units. */
function plain(kind: string): Uint8Array {
  const points: TileFeature[] = [];
  for (let x = 128; x < 4096; x += 256) {
    for (let y = 128; y < 4096; y += 256) {
      points.push({ type: POINT, properties: { kind, min_zoom: 1 }, parts: [[x, y]] });
    }
  }
  const square = [-64, -64, 4160, -64, 4160, 4160, -64, 4160];
  return encodeTile([
    { name: "earth", extent: 4096, features: [{ type: POLYGON, properties: { kind }, parts: [square] }] },
    { name: "places", extent: 4096, features: points },
  ]);
}

type Tile = [z: number, x: number, y: number];

async function archive(kind: string, tiles: readonly Tile[], bounds: Bounds, zooms: [number, number]) {
  const writer = new WholeArchive();
  const ids = tiles.map(([z, x, y]) => tileId(z, x, y)).sort((a, b) => a - b);
  for (const id of ids) await writer.add(id, plain(kind));
  const [minZoom, maxZoom] = zooms;
  const metadata = { attribution: `<a href="https://example.com">© ${kind}</a>` };
  return (await writer.finish({ bounds, minZoom, maxZoom, metadata })).bytes;
}

const build = (name: string, areas: Bounds[]): LiveBuild => ({
  name,
  id: `id-${name}`,
  areas,
  layers: { basemap: 1 },
  sources: [{ name, url: "", licence: "" }],
  previous: [],
});

/** Tile 9/256/255: 0 … 0.703° east, 0 … 0.703° north; at lower zooms the world base names places. */
const TILE: Tile = [9, 256, 255];
const WORLD: Bounds = [-180, -85, 180, 85];
const TILE_BOX: Bounds = [0, 0, 0.703_125, 0.703_107_3];
/** The western half of the tile and more. */
const WEST: Bounds = [-0.703_125, 0, 0.351_562_5, 0.703_107_3];
const allTiles = (z: number): Tile[] =>
  Array.from({ length: 4 ** z }, (_, i): Tile => [z, i % 2 ** z, Math.floor(i / 2 ** z)]);

async function bucketWith(builds: Record<string, { bytes: Uint8Array; areas: Bounds[] }>) {
  const bucket = new FakeBucket();
  for (const [name, { bytes }] of Object.entries(builds)) bucket.put(`builds/id-${name}/${BASEMAP_KEY}`, bytes);
  const list = Object.entries(builds).map(([name, { areas }]) => build(name, areas));
  bucket.put(LIVE_KEY, "");
  return { bucket, geodata: Geodata.of(bucket, list) };
}

/** What covers a point of the tile, from the top down: kinds of areas and of named points near it. */
function at(tile: Uint8Array | undefined, x: number, y: number) {
  const layers: TileLayer[] = tile ? decodeTile(tile) : [];
  const kinds = (name: string) =>
    (layers.find((layer) => layer.name === name)?.features ?? [])
      .filter(({ type, parts }) =>
        type === POLYGON
          ? parts.some((ring) => inRing(ring, x, y))
          : Math.abs(parts[0][0] - x) <= 140 && Math.abs(parts[0][1] - y) <= 140,
      )
      .map(({ properties }) => properties.kind);
  return { areas: kinds("earth"), points: [...new Set(kinds("places"))] };
}

function inRing(ring: readonly number[], x: number, y: number): boolean {
  let odd = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  }
  return odd;
}

// Builds of one id are one to the isolate; here each test makes its own.
beforeEach(forgetGeodata);

describe("a tile of the basemap", () => {
  it("that lies wholly in an import is the import's, byte for byte", async () => {
    const { bucket, geodata } = await bucketWith({
      town: { bytes: await archive("town", [TILE], TILE_BOX, [4, 15]), areas: [TILE_BOX] },
      world: { bytes: await archive("world", allTiles(2), WORLD, [0, 2]), areas: [WORLD] },
    });
    const basemap = await openBasemap(geodata, bucket);
    expect(await basemap.tile(...TILE)).toEqual(plain("town"));
    expect(basemap.sources.map(({ name }) => name)).toEqual(["town", "world"]);
  });

  it("is packed once for all who take it packed, and is the same for others", async () => {
    const { bucket, geodata } = await bucketWith({
      town: { bytes: await archive("town", [TILE], TILE_BOX, [4, 15]), areas: [TILE_BOX] },
    });
    const basemap = await openBasemap(geodata, bucket);
    const [z, x, y] = TILE;
    const sent = (gzip: boolean) => tileAsSent(basemap, { z, x, y }, gzip, unpaced());
    const packed = await sent(true);
    expect(new Uint8Array(gunzipSync(packed as Uint8Array))).toEqual(plain("town"));
    expect(await sent(true)).toBe(packed);
    expect(await sent(false)).toEqual(plain("town"));
    expect(await sent(false)).toBe(await sent(false));
    expect(await tileAsSent(basemap, { z: 4, x: 0, y: 0 }, true, unpaced())).toBeUndefined();
  });

  it("at the edge of an import shows the import on its side and the world on the other", async () => {
    const { bucket, geodata } = await bucketWith({
      town: { bytes: await archive("town", [TILE], WEST, [4, 15]), areas: [WEST] },
      world: { bytes: await archive("world", [[8, 128, 127]], WORLD, [0, 8]), areas: [WORLD] },
    });
    const basemap = await openBasemap(geodata, bucket);
    const tile = await basemap.tile(...TILE);
    // Our own archives hold nothing beyond their box; this one is whole, so the import shows on both sides.
    expect(at(tile, 3000, 2000).areas).toEqual(["world", "town"]);
    expect(at(tile, 1000, 2000)).toEqual({ areas: ["town"], points: ["town"] });
    const places = decodeTile(tile!).find(({ name }) => name === "places")!.features;
    const ofWorld = places.filter(({ properties }) => properties.kind === "world").map(({ parts }) => parts[0][0]);
    expect(ofWorld.length).toBeGreaterThan(0);
    expect(Math.min(...ofWorld)).toBeGreaterThan(2048);
  });

  it("at low zooms names the places of the world base within imports, too, so that an import has no edge", async () => {
    const tile: Tile = [7, 64, 63];
    const { bucket, geodata } = await bucketWith({
      town: { bytes: await archive("town", [tile], WORLD, [4, 15]), areas: [[-90, -60, 90, 60]] },
      world: { bytes: await archive("world", [tile], WORLD, [0, 7]), areas: [WORLD] },
    });
    const basemap = await openBasemap(geodata, bucket);
    expect(at(await basemap.tile(...tile), 2000, 2000)).toEqual({ areas: ["town"], points: ["world"] });
  });

  it("keeps the land cover of the world base where an import has none", async () => {
    const tile: Tile = [7, 64, 63];
    const writer = new WholeArchive();
    const square = [-64, -64, 4160, -64, 4160, 4160, -64, 4160];
    const forest: TileFeature = { type: POLYGON, properties: { kind: "forest" }, parts: [square] };
    await writer.add(tileId(...tile), encodeTile([{ name: "landcover", extent: 4096, features: [forest] }]));
    const { bytes } = await writer.finish({ bounds: WORLD, minZoom: 0, maxZoom: 7, metadata: {} });
    const { bucket, geodata } = await bucketWith({
      town: { bytes: await archive("town", [tile], WORLD, [4, 15]), areas: [[-90, -60, 90, 60]] },
      world: { bytes, areas: [WORLD] },
    });
    const composed = decodeTile((await (await openBasemap(geodata, bucket)).tile(...tile)) as Uint8Array);
    const covers = composed.find(({ name }) => name === "landcover")?.features ?? [];
    expect(covers.map(({ properties }) => properties.kind)).toEqual(["forest"]);
  });

  it("outside all imports is the world's, magnified beyond its finest zoom", async () => {
    const { bucket, geodata } = await bucketWith({
      world: { bytes: await archive("world", allTiles(2), WORLD, [0, 2]), areas: [WORLD] },
    });
    const basemap = await openBasemap(geodata, bucket);
    expect(await basemap.tile(2, 3, 1)).toEqual(plain("world"));
    for (const z of [3, 9, 15]) {
      const tile = await basemap.tile(z, 2 ** z - 5, 3);
      expect(at(tile, 2000, 2000).areas).toEqual(["world"]);
    }
    // Of the 16 × 16 points of the tile above, this one holds four.
    const points = decodeTile((await basemap.tile(5, 0, 0))!).find(({ name }) => name === "places");
    expect(points?.features.length).toBe(4);
  });

  it("that several imports hold is the smallest one's", async () => {
    const larger: Bounds = [-50, -30, 50, 50];
    const { bucket, geodata } = await bucketWith({
      country: { bytes: await archive("land", [TILE], larger, [3, 15]), areas: [larger] },
      town: { bytes: await archive("town", [TILE], WEST, [4, 15]), areas: [WEST] },
      world: { bytes: await archive("world", allTiles(2), WORLD, [0, 2]), areas: [WORLD] },
    });
    const basemap = await openBasemap(geodata, bucket);
    const tile = await basemap.tile(...TILE);
    expect(at(tile, 1000, 2000).areas).toEqual(["town"]);
    // East of the town the country; the world nowhere, as the country holds the whole tile.
    expect(at(tile, 3500, 2000).areas).toEqual(["land", "town"]);
    // A town's archive begins at zoom 4, and the country's has no tile before that: the world is not hidden by nothing.
    expect(at(await basemap.tile(3, 4, 3), 2000, 2000).areas).toEqual(["world"]);
  });

  it("beyond the square of the world, or finer than 15, does not exist", async () => {
    const { bucket, geodata } = await bucketWith({
      world: { bytes: await archive("world", allTiles(2), WORLD, [0, 2]), areas: [WORLD] },
    });
    const basemap = await openBasemap(geodata, bucket);
    for (const tile of [
      [2, 4, 0],
      [2, 0, -1],
      [16, 0, 0],
    ] as Tile[]) {
      expect(await basemap.tile(...tile)).toBeUndefined();
    }
  });

  it("is undefined as long as nothing was built", async () => {
    const { bucket, geodata } = await bucketWith({});
    const basemap = await openBasemap(geodata, bucket);
    expect([basemap.isEmpty, basemap.version, await basemap.tile(0, 0, 0)]).toEqual([true, "none", undefined]);
  });

  it("has another version with other builds", async () => {
    const world = { bytes: await archive("world", allTiles(1), WORLD, [0, 1]), areas: [WORLD] };
    const town = { bytes: await archive("town", [TILE], WEST, [4, 15]), areas: [WEST] };
    const alone = await bucketWith({ world });
    const both = await bucketWith({ world, town });
    const versions = await Promise.all(
      [alone, both, both].map(async ({ bucket, geodata }) => (await openBasemap(geodata, bucket)).version),
    );
    expect(versions[0]).not.toBe(versions[1]);
    expect(versions[1]).toBe(versions[2]);
  });
});

describe("an operator's own archive", () => {
  it("takes the place of the imports within its bounds, with its attribution", async () => {
    const { bucket, geodata } = await bucketWith({
      town: { bytes: await archive("town", [TILE], TILE_BOX, [4, 15]), areas: [TILE_BOX] },
      world: { bytes: await archive("world", allTiles(2), WORLD, [0, 2]), areas: [WORLD] },
    });
    bucket.put("maps/planet.pmtiles", await archive("planet", [TILE], TILE_BOX, [0, 15]));
    const basemap = await openBasemap(geodata, bucket, "maps/planet.pmtiles");
    expect(await basemap.tile(...TILE)).toEqual(plain("planet"));
    expect(at(await basemap.tile(4, 2, 2), 2000, 2000).areas).toEqual(["world"]);
    expect(basemap.sources[0]).toMatchObject({ name: "maps/planet.pmtiles", attribution: "© planet" });
  });

  it("that is replaced is opened again", async () => {
    const { bucket, geodata } = await bucketWith({});
    const key = "maps/changing.pmtiles";
    bucket.put(key, await archive("old", [TILE], TILE_BOX, [0, 15]));
    const before = await openBasemap(geodata, bucket, key);
    expect(await before.tile(...TILE)).toEqual(plain("old"));
    // Other offsets, too: what was read of the former must not be used.
    bucket.put(key, await archive("newer", [[4, 0, 0], TILE], TILE_BOX, [0, 15]));
    expect(await before.tile(...TILE)).toEqual(plain("newer"));
    const after = await openBasemap(geodata, bucket, key);
    expect(after.version).not.toBe(before.version);
    expect(await after.tile(...TILE)).toEqual(plain("newer"));
  });

  it("that is not there is an error that names it", async () => {
    const { bucket, geodata } = await bucketWith({});
    await expect(openBasemap(geodata, bucket, "maps/gone.pmtiles")).rejects.toThrow("maps/gone.pmtiles");
  });
});

/** Tile 10/300/400 and one of a finer zoom in it: 74.5° west, 36.6° north. */
const COAST: Tile = [10, 300, 400];
const COAST_BOX: Bounds = [-74.531_25, 36.315_125_1, -74.179_687_5, 36.597_889_1];

describe("an import never hides what it knows nothing of", () => {
  const square = [-64, -64, 4160, -64, 4160, 4160, -64, 4160];
  const area = (kind: string): TileFeature => ({ type: POLYGON, properties: { kind }, parts: [square] });
  const town = (name: string, x: number, y: number): TileFeature => ({
    type: POINT,
    properties: { kind: "locality", kind_detail: "town", name },
    parts: [[x, y]],
  });
  const layer = (name: string, ...features: TileFeature[]): TileLayer => ({ name, extent: 4096, features });

  /** The world has a sea and two towns there, the import what it is given. */
  async function coastWith(...own: TileLayer[]) {
    const world = [
      layer("earth", area("earth")),
      layer("water", area("ocean")),
      layer("places", town("Portus", 1000, 1000), town("Cale", 3000, 3000)),
    ];
    const of = async (layers: TileLayer[], bounds: Bounds) => {
      const writer = new WholeArchive();
      if (layers.length > 0) await writer.add(tileId(...COAST), encodeTile(layers));
      return (await writer.finish({ bounds, minZoom: 10, maxZoom: 10, metadata: {} })).bytes;
    };
    const { bucket, geodata } = await bucketWith({
      streets: { bytes: await of(own, COAST_BOX), areas: [COAST_BOX] },
      world: { bytes: await of(world, WORLD), areas: [WORLD] },
    });
    const tile = await (await openBasemap(geodata, bucket)).tile(...COAST);
    return new Map(decodeTile(tile ?? new Uint8Array()).map(({ name, features }) => [name, features]));
  }
  const names = (features: TileFeature[] = []) => features.map(({ properties }) => properties.name);
  const kinds = (features: TileFeature[] = []) => features.map(({ properties }) => properties.kind);

  it("an import of streets alone leaves the sea where it is, and the towns their names", async () => {
    const street: TileFeature = { type: 2, properties: { kind: "minor_road" }, parts: [[0, 0, 4000, 4000]] };
    const tile = await coastWith(layer("earth", area("earth")), layer("roads", street));
    expect(kinds(tile.get("water"))).toEqual(["ocean"]);
    expect(names(tile.get("places"))).toEqual(["Portus", "Cale"]);
    expect(tile.get("roads")).toHaveLength(1);
  });

  it("an import that knows a coast tells where the sea is, and names its towns itself, once", async () => {
    const tile = await coastWith(
      layer("earth", area("earth")),
      layer("water", { ...area("ocean"), parts: [[0, 0, 100, 0, 100, 100, 0, 100]] }),
      layer("places", town("Porto", 1010, 1005)),
    );
    expect(tile.get("water")?.map(({ parts }) => Math.max(...parts[0]))).toEqual([100]);
    // Portus is Porto by another name, as it lies there; Cale only the world knows.
    expect(names(tile.get("places"))).toEqual(["Cale", "Porto"]);
  });

  it("an import that draws a border nearby leaves out the world's, which runs a little off", async () => {
    const [z, x, y] = COAST;
    const border: TileFeature = { type: 2, properties: { kind: "country" }, parts: [[0, 0, 4000, 4000]] };
    const street: TileFeature = { type: 2, properties: { kind: "minor_road" }, parts: [[0, 0, 4000, 4000]] };
    const archiveOf = async (tiles: [Tile, TileLayer[]][], bounds: Bounds, zooms: [number, number]) => {
      const writer = new WholeArchive();
      for (const [tile, layers] of tiles) await writer.add(tileId(...tile), encodeTile(layers));
      return (await writer.finish({ bounds, minZoom: zooms[0], maxZoom: zooms[1], metadata: {} })).bytes;
    };
    const own = [layer("earth", area("earth")), layer("roads", street)];
    const wide: Tile = [z - 2, x >> 2, y >> 2];
    for (const [known, shown] of [
      [[...own, layer("boundaries", border)], 0],
      [own, 1],
    ] as const) {
      forgetGeodata();
      const { bucket, geodata } = await bucketWith({
        streets: {
          bytes: await archiveOf(
            [
              [wide, [...known]],
              [COAST, own],
            ],
            COAST_BOX,
            [8, 10],
          ),
          areas: [COAST_BOX],
        },
        world: { bytes: await archiveOf([[COAST, [layer("boundaries", border)]]], WORLD, [10, 10]), areas: [WORLD] },
      });
      const tile = decodeTile((await (await openBasemap(geodata, bucket)).tile(...COAST)) ?? new Uint8Array());
      expect(tile.filter(({ name }) => name === "boundaries")).toHaveLength(shown);
    }
  });

  it("has streets where an import has more than the world base, wherever the view is, and lists the imports' areas", async () => {
    const street: TileFeature = { type: 2, properties: { kind: "minor_road" }, parts: [[0, 0, 4000, 4000]] };
    const [z, x, y] = COAST;
    for (const [layers, isKnown] of [
      [[layer("roads", street)], true],
      [[layer("earth", area("earth")), layer("water", area("ocean"))], false],
    ] as const) {
      forgetGeodata();
      const writer = new WholeArchive();
      await writer.add(tileId(...COAST), encodeTile([...layers]));
      const { bytes } = await writer.finish({ bounds: COAST_BOX, minZoom: z, maxZoom: z, metadata: {} });
      const { bucket, geodata } = await bucketWith({ one: { bytes, areas: [COAST_BOX] } });
      const basemap = await openBasemap(geodata, bucket);
      const near = { z: z + 4, x: x * 16 + 5, y: y * 16 + 5 };
      const beside = { ...near, x: (x + 2) * 16 };
      expect(await basemap.hasStreets([near])).toBe(isKnown);
      expect(await basemap.hasStreets([beside, near])).toBe(isKnown);
      expect(await basemap.hasStreets([beside])).toBe(false);
      for (const [i, value] of COAST_BOX.entries()) expect(basemap.areas[0][i]).toBeCloseTo(value, 6);
    }
  });

  it("an import of nothing changes nothing", async () => {
    const tile = await coastWith();
    expect([kinds(tile.get("water")), names(tile.get("places"))]).toEqual([["ocean"], ["Portus", "Cale"]]);
  });
});
