import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { encodeTile, POLYGON } from "../../../src/core/maps/tiles/mvt.ts";
import { decodeHeader } from "../../../src/core/maps/tiles/pmtiles.ts";
import { tileId } from "../../../src/core/maps/tiles/tile-id.ts";
import { openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { BASEMAP_KEY } from "../../../src/worker/geodata/build-ground.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { mapTiles } from "../../../src/worker/geodata/map-tiles.ts";
import { forgetGeodata } from "../../../src/worker/geodata/r2-source.ts";
import { WholeArchive } from "../../core/maps/tiles/whole-archive.ts";
import { FakeBucket } from "./fake-bucket.ts";

/** A town of one tile of zoom 4, and the world beneath it. */
const [Z, X, Y] = [4, 8, 7];
const TOWN: [number, number, number, number] = [0, 0, 22.5, 21.943_045_5];
const WORLD: [number, number, number, number] = [-180, -85, 180, 85];
const VIEW = { center: { latitude: 11, longitude: 11 }, zoom: Z, width: 300, height: 300 };

/** A tile that says of whom it is; padded, so that something may be flipped in it. */
function tileOf(kind: string): Uint8Array {
  const parts = [[0, 0, 4096, 0, 4096, 4096, 0, 4096]];
  const names = Array.from({ length: 40 }, (_, i) => ({
    type: POLYGON as typeof POLYGON,
    properties: { kind, name: `${kind} ${(i * 7919) % 1009}` },
    parts,
  }));
  return encodeTile([{ name: "earth", extent: 4096, features: names }]);
}

async function archive(kind: string, tiles: number[], bounds: typeof TOWN): Promise<Uint8Array> {
  const writer = new WholeArchive();
  for (const id of tiles) await writer.add(id, tileOf(kind));
  return (await writer.finish({ bounds, minZoom: Z, maxZoom: Z, metadata: {} })).bytes;
}

async function world() {
  const bucket = new FakeBucket();
  const town = await archive("town", [tileId(Z, X, Y)], TOWN);
  bucket.put(`builds/town/${BASEMAP_KEY}`, town);
  const all = Array.from({ length: 4 ** Z }, (_, i) => tileId(Z, i % 2 ** Z, Math.floor(i / 2 ** Z)));
  bucket.put(
    `builds/base/${BASEMAP_KEY}`,
    await archive(
      "base",
      all.sort((a, b) => a - b),
      WORLD,
    ),
  );
  const build = (name: string, id: string, areas: (typeof TOWN)[]) => ({
    name,
    id,
    areas,
    layers: { basemap: 1 },
    sources: [],
    previous: [],
  });
  const live = Geodata.of(bucket, [build("town", "town", [TOWN]), build("world", "base", [WORLD])]);
  return { bucket, town, live, key: `builds/town/${BASEMAP_KEY}` };
}

/** One map as a request draws it: whose earth is on the tile, what was left out, and whether it may be kept. */
async function draw({ bucket, live }: Awaited<ReturnType<typeof world>>) {
  const leftOut = new Set<string>();
  const basemap = await openBasemap(
    live.reportingTo((what) => leftOut.add(what)),
    bucket,
  );
  const tiles = await mapTiles(basemap, VIEW, unpaced());
  const tile = tiles.find(({ x, y }) => x === X && y === Y)?.tile;
  return { of: tile?.get("earth")?.features[0]?.tags.kind, leftOut: [...leftOut], whole: basemap.whole };
}

beforeEach(() => {
  forgetGeodata();
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const flippedAt = (bytes: Uint8Array, at: number) => {
  const copy = Uint8Array.from(bytes);
  copy[at] ^= 0xff;
  return copy;
};

describe("a basemap that is damaged", () => {
  const damages: [string, (bytes: Uint8Array) => Uint8Array | undefined][] = [
    ["a tile is flipped", (bytes) => flippedAt(bytes, decodeHeader(bytes).tiles.offset + 60)],
    ["a tile's first byte is flipped", (bytes) => flippedAt(bytes, decodeHeader(bytes).tiles.offset)],
    ["its directory is flipped", (bytes) => flippedAt(bytes, decodeHeader(bytes).root.offset + 12)],
    ["its magic is flipped", (bytes) => flippedAt(bytes, 0)],
    ["it is cut off within a tile", (bytes) => bytes.slice(0, -20)],
    ["it is cut off within its header", (bytes) => bytes.slice(0, 50)],
    ["it is gone", () => undefined],
  ];

  it.each(damages)(
    "costs only what it draws, and that is named, while %s; a repair counts within 10 s",
    async (_, damage) => {
      const there = await world();
      const { bucket, key, town } = there;
      const bad = damage(town);
      if (bad) bucket.put(key, bad);
      else bucket.objects.delete(key);
      for (let round = 0; round < 3; round++)
        expect(await draw(there)).toEqual({ of: "base", leftOut: ["basemap"], whole: false });
      bucket.put(key, town);
      vi.setSystemTime(Date.now() + 9000);
      expect(await draw(there)).toEqual({ of: "town", leftOut: [], whole: true });
    },
  );

  it("goes on being drawn by who has read its tile before", async () => {
    const there = await world();
    expect(await draw(there)).toEqual({ of: "town", leftOut: [], whole: true });
    there.bucket.objects.delete(there.key);
    expect(await draw(there)).toEqual({ of: "town", leftOut: [], whole: true });
  });
});
