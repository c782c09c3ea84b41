import { PMTiles, type RangeResponse, type Source, zxyToTileId } from "pmtiles";
import { describe, expect, it } from "vitest";
import { TileArchive } from "../../../../src/core/maps/tiles/archive.ts";
import { type DirectoryEntry, decodeHeader, encodeHeader } from "../../../../src/core/maps/tiles/pmtiles.ts";
import { tileId, tileOfId } from "../../../../src/core/maps/tiles/tile-id.ts";
import { samples } from "../../../support/night.ts";
import { WholeArchive } from "./whole-archive.ts";

/** The archive as the reference implementation reads it. */
class MemorySource implements Source {
  readonly #bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  getKey = () => "memory";
  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    return { data: new Uint8Array(this.#bytes.slice(offset, offset + length)).buffer };
  }
}

function openInMemory(bytes: Uint8Array) {
  const reads: [number, number][] = [];
  const leaves = new Map<string, readonly DirectoryEntry[]>();
  const open = TileArchive.open(
    async (offset, length) => {
      reads.push([offset, length]);
      return bytes.subarray(offset, offset + length);
    },
    { get: (key) => leaves.get(key), put: (key, leaf) => void leaves.set(key, leaf) },
  );
  return { open, reads };
}

/** Bytes that differ from tile to tile, with every seventh like its neighbours. */
function bytesFor(id: number): Uint8Array {
  const seed = Math.floor(id / 7) % 3 === 0 ? 12 : id;
  return Uint8Array.from({ length: 20 + (seed % 50) }, (_, i) => (seed * 31 + i * 7) % 256);
}

async function archiveOf(ids: readonly number[]) {
  const writer = new WholeArchive();
  for (const id of ids) await writer.add(id, bytesFor(id));
  return writer.finish({ bounds: [-10, -20, 30, 40], minZoom: 0, maxZoom: 9, metadata: { name: "test" } });
}

describe("a tile's number", () => {
  it("is the reference's, on every tile of the first zooms and far out", () => {
    for (let z = 0; z <= 6; z++) {
      for (let x = 0; x < 2 ** z; x++) {
        for (let y = 0; y < 2 ** z; y++) expect(tileId(z, x, y)).toBe(zxyToTileId(z, x, y));
      }
    }
    expect(tileId(20, 1_048_575, 3)).toBe(zxyToTileId(20, 1_048_575, 3));
  });

  it("leads back to the tile", () => {
    for (let id = 0; id < 30_000; id += 7) {
      const { z, x, y } = tileOfId(id);
      expect(tileId(z, x, y)).toBe(id);
    }
  });
});

describe("an archive", () => {
  it("gives each tile back, here and in the reference implementation", async () => {
    const ids = Array.from({ length: 400 }, (_, i) => i * 3 + (i % 2));
    const { bytes, contents } = await archiveOf(ids);
    expect(contents).toBeLessThan(ids.length);
    const ours = await openInMemory(bytes).open;
    const theirs = new PMTiles(new MemorySource(bytes));
    for (let id = 0; id < 1205; id++) {
      const { z, x, y } = tileOfId(id);
      const tile = await ours.tile(z, x, y);
      const reference = await theirs.getZxy(z, x, y);
      expect(tile).toEqual(ids.includes(id) ? bytesFor(id) : undefined);
      expect(reference && new Uint8Array(reference.data)).toEqual(tile);
    }
    expect(await theirs.getMetadata()).toEqual({ name: "test" });
    expect(await theirs.getHeader()).toMatchObject({ minLon: -10, maxLat: 40, specVersion: 3, tileType: 1 });
  });

  it("with more tiles than a root holds has leaves, and a tile takes one read more", async () => {
    // Gaps that do not compress away.
    const ids: number[] = [];
    for (let i = 0, id = 0, seed = 1; i < samples(5_500, 12_000); i++) {
      seed = (seed * 48_271) % 2_147_483_647;
      id += 1 + (seed % 29);
      ids.push(id);
    }
    const { bytes } = await archiveOf(ids);
    const { open, reads } = openInMemory(bytes);
    const archive = await open;
    expect(archive.header.leaves.length).toBeGreaterThan(0);
    expect(archive.header.root.offset + archive.header.root.length).toBeLessThanOrEqual(16_384);
    expect(reads).toEqual([[0, 16_384]]);
    const theirs = new PMTiles(new MemorySource(bytes));
    for (let i = 0; i < ids.length; i += samples(1_397, 397)) {
      const { z, x, y } = tileOfId(ids[i]);
      expect(await archive.tile(z, x, y)).toEqual(bytesFor(ids[i]));
      const reference = await theirs.getZxy(z, x, y);
      expect(new Uint8Array(reference!.data)).toEqual(bytesFor(ids[i]));
    }
    const before = reads.length;
    const { z, x, y } = tileOfId(ids[0]);
    await archive.tile(z, x, y);
    expect(reads.length).toBe(before + 1);
  });

  it("is the same bytes from the same tiles", async () => {
    const ids = [0, 1, 2, 3, 4, 70, 71, 90];
    expect((await archiveOf(ids)).bytes).toEqual((await archiveOf(ids)).bytes);
  });

  it("of another kind is refused, with what it is", async () => {
    const { bytes } = await archiveOf([0]);
    const header = decodeHeader(bytes);
    expect(() => decodeHeader(new Uint8Array(200))).toThrow("no PMTiles");
    expect(() => decodeHeader(Uint8Array.from(bytes, (byte, i) => (i === 7 ? 2 : byte)))).toThrow("version 2");
    expect(() => decodeHeader(encodeHeader({ ...header, tileType: 2 }))).toThrow("type 2");
    expect(() => decodeHeader(encodeHeader({ ...header, tileCompression: 4 }))).toThrow("compression 4");
  });
});
