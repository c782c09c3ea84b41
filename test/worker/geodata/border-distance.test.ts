import { beforeEach, expect, it } from "vitest";
import { changeLiveBuilds, switchedTo } from "../../../src/core/geo/builds/live-list.ts";
import { type Bounds, LIVE_KEY, type Manifest, parseLiveList, WORLD } from "../../../src/core/geo/builds/manifest.ts";
import { SEAL, seal } from "../../../src/core/geo/builds/sealed.ts";
import { encodeCellList } from "../../../src/core/geo/cells/cell-list.ts";
import { buildTiles } from "../../../src/core/regions/build-tiles.ts";
import { IMPORT_TILES, TILE_LIST_KEY, tileKey, WORLD_TILES } from "../../../src/core/regions/region-index.ts";
import type { RegionShape } from "../../../src/core/regions/region-shape.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { forgetGeodata } from "../../../src/worker/geodata/r2-source.ts";
import { distanceToBorder, MAX_BORDER_DISTANCE } from "../../../src/worker/geodata/regions.ts";
import { FakeBucket } from "./fake-bucket.ts";
import { listIn } from "./live-towns.ts";

/**
 * A country of 20° by 20°, with a neighbor in the west and sea around. The import of its south-western corner draws the western border 0.02° farther west than the world base.
 *
 *     world base   |0°                                20°|
 *     import    |−0.02°
 */
const PIXEL = 111_195;
const country = (west: number, rank: RegionShape["rank"], code = "WW", east = 20): RegionShape => ({
  kind: "country",
  rank,
  code,
  name: "W",
  country: code,
  state: "",
  rings: [
    [
      [west, 0],
      [east, 0],
      [east, 20],
      [west, 20],
      [west, 0],
    ],
  ],
});
const NEIGHBOR = country(-20, "base", "VV", 0);
const CORNER: Bounds = [-1, -1, 1, 1];

let bucket: FakeBucket;
async function publish(name: string, id: string, bounds: Bounds, tiles: Iterable<{ cell: number; bytes: Uint8Array }>) {
  const all = [...tiles];
  for (const { cell, bytes } of all) bucket.put(`builds/${id}/${tileKey(cell)}`, seal(bytes));
  const cells = all.map(({ cell }) => cell).sort((a, b) => a - b);
  bucket.put(`builds/${id}/${TILE_LIST_KEY}`, seal(encodeCellList(cells)));
  const layer = { formatVersion: 3, objects: 1, bytes: 1, counts: {} };
  const manifest: Manifest = {
    version: 1,
    id,
    name,
    bounds,
    inputs: [],
    objectsSha256: "",
    checksum: SEAL,
    sources: [],
    layers: { regions: layer },
  };
  await changeLiveBuilds(listIn(bucket), (builds) => switchedTo(builds, manifest, 0));
}

beforeEach(() => {
  bucket = new FakeBucket();
  forgetGeodata();
});

const world = () =>
  publish(WORLD, "f".repeat(16), [-180, -90, 180, 90], buildTiles([country(0, "base"), NEIGHBOR], WORLD_TILES));
const corner = () =>
  publish(
    ...(["corner", "a".repeat(16), CORNER] as const),
    buildTiles(
      [country(-0.02, "import"), country(0, "replaced"), NEIGHBOR],
      IMPORT_TILES,
      ({ x, y, halfWidth }) => Math.hypot(x, y) < 3e5 + 2 * halfWidth,
    ),
  );

function measure(latitude: number, longitude: number, code = "WW") {
  const list = bucket.objects.get(LIVE_KEY);
  const { builds, pages } = parseLiveList(new TextDecoder().decode(list));
  const wanted = { kind: "country" as const, code, country: code };
  return distanceToBorder(Geodata.of(bucket, builds, undefined, pages), { latitude, longitude }, wanted);
}

it("is that of the world base where nothing is imported, up to a limit", async () => {
  await world();
  expect(await measure(5, 0.5)).toBeCloseTo(0.5 * PIXEL * Math.cos((5 * Math.PI) / 180), -3);
  expect(await measure(5, -0.5, "VV")).toBeCloseTo(0.5 * PIXEL * Math.cos((5 * Math.PI) / 180), -3);
  expect(await measure(10, 10)).toBe(MAX_BORDER_DISTANCE);
});

it("is that of the import near its borders, and that of the world base farther in", async () => {
  await world();
  await corner();
  expect(await measure(0.5, 0.01)).toBeCloseTo(0.03 * PIXEL, -2);
  expect(await measure(10, 0.05)).toBeCloseTo(0.05 * PIXEL * Math.cos((10 * Math.PI) / 180), -2);
  const inside = (await measure(0.7, 0.8)) as number;
  expect(inside).toBeGreaterThan(0.69 * PIXEL);
  expect(inside).toBeLessThan(0.82 * PIXEL);
});

it("is not known without geodata, and where something cannot be read", async () => {
  await publish("empty", "b".repeat(16), CORNER, []);
  expect(await measure(0.5, 0.5)).toBeUndefined();
  await world();
  for (const [key, bytes] of bucket.objects)
    if (/regions\/\d/.test(key))
      bucket.put(
        key,
        bytes.map((byte) => byte ^ 1),
      );
  forgetGeodata();
  expect(await measure(0.5, 0.5)).toBeUndefined();
});

it("is not that of a coast, in the world base and in an import that lacks the neighbor", async () => {
  await world();
  expect(await measure(0.01, 10)).toBe(MAX_BORDER_DISTANCE);
  expect(await measure(0.01, 1)).toBeCloseTo(PIXEL, -3);
  await corner();
  // Where the border meets the coast, both count.
  expect(await measure(0.01, 0.01)).toBeCloseTo(0.01 * PIXEL, -2);
  expect(await measure(0.001, 0.7)).toBeGreaterThan(0.69 * PIXEL);
  expect(await measure(0.001, 0.7)).toBeLessThan(0.75 * PIXEL);
});
