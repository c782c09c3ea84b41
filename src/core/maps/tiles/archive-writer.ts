import type { Bounds } from "../../geo/builds/manifest.ts";
import { ArchiveTiles } from "./archive-tiles.ts";
import {
  type DirectoryEntry,
  encodeDirectory,
  encodeEntries,
  encodeHeader,
  GZIP,
  HEADER_BYTES,
  type Header,
  MVT,
} from "./pmtiles.ts";

/**
 * The version of a basemap's archive as builds record it: the layout and the schema. Tied to the bytes that are written
 * by test/core/maps/versions.test.ts. Layout and history: docs/formats/basemap.md.
 */
export const BASEMAP_VERSION = 7;

/** Header and root directory together, so that one read opens the archive (PMTiles specification, "Root directory"). */
const FIRST_BYTES = 16_384;
/** Functions that the platform provides: deterministic gzip, and a hash of bytes (at least 96 bits). */
export interface Packing {
  gzip(bytes: Uint8Array): Promise<Uint8Array>;
  digest(bytes: Uint8Array): Uint8Array;
}

/** A tile's packed bytes, and the digest of the unpacked ones. */
interface PackedTile {
  tileId: number;
  digest: Uint8Array;
  packed: Uint8Array;
}

export interface ArchiveOptions {
  bounds: Bounds;
  minZoom: number;
  maxZoom: number;
  metadata: Record<string, unknown>;
}

/**
 * Accepts tiles by ascending number and creates a clustered PMTiles archive of them. Equal tiles are stored once. Tile
 * data is written immediately by `append`; the head, which precedes it in the archive, is known last.
 */
export class TileArchiveWriter {
  readonly tiles: ArchiveTiles;
  readonly #gzip: Packing["gzip"];
  readonly #append: (bytes: Uint8Array) => Promise<void>;

  /** @param tiles state saved by an interrupted writer */
  constructor(gzip: Packing["gzip"], append: (bytes: Uint8Array) => Promise<void>, tiles = new ArchiveTiles()) {
    this.#gzip = gzip;
    this.#append = append;
    this.tiles = tiles;
  }

  /** Only a tile not seen before is appended. */
  async add({ tileId, digest, packed }: PackedTile): Promise<void> {
    const { tiles } = this;
    const known = tiles.find(digest);
    if (known >= 0) {
      tiles.address(tileId, known);
      return;
    }
    tiles.address(tileId, tiles.addContent(digest, packed.length));
    await this.#append(packed);
  }

  /** Returns the part of the archive before the appended tiles. */
  async head(options: ArchiveOptions): Promise<Uint8Array> {
    const { addressed, entries, contents, bytes } = this.tiles;
    const { root, leaves } = await this.#directories();
    const metadata = await this.#gzip(new TextEncoder().encode(JSON.stringify(options.metadata)));
    const section = (offset: number, length: number) => ({ offset, length });
    const header: Header = {
      root: section(HEADER_BYTES, root.length),
      metadata: section(HEADER_BYTES + root.length, metadata.length),
      leaves: section(HEADER_BYTES + root.length + metadata.length, leaves.length),
      tiles: section(HEADER_BYTES + root.length + metadata.length + leaves.length, bytes),
      addressed,
      entries,
      contents,
      clustered: true,
      internalCompression: GZIP,
      tileCompression: GZIP,
      tileType: MVT,
      minZoom: options.minZoom,
      maxZoom: options.maxZoom,
      bounds: options.bounds,
    };
    return joined([encodeHeader(header), root, metadata, leaves]);
  }

  /** One root if it fits into the first read; else leaves of equal size, doubled until the root of leaves fits. */
  async #directories(): Promise<{ root: Uint8Array; leaves: Uint8Array }> {
    const { entries } = this.tiles;
    const maxBytes = FIRST_BYTES - HEADER_BYTES;
    const whole = await this.#gzip(this.#directory(0, entries));
    if (whole.length <= maxBytes) return { root: whole, leaves: new Uint8Array() };
    for (let size = 4096; ; size *= 2) {
      const leaves: Uint8Array[] = [];
      const pointers: DirectoryEntry[] = [];
      let offset = 0;
      for (let i = 0; i < entries; i += size) {
        const leaf = await this.#gzip(this.#directory(i, Math.min(i + size, entries)));
        pointers.push({ tileId: this.tiles.tileId(i), offset, length: leaf.length, run: 0 });
        leaves.push(leaf);
        offset += leaf.length;
      }
      const root = await this.#gzip(encodeDirectory(pointers));
      if (root.length <= maxBytes) return { root, leaves: joined(leaves) };
    }
  }

  #directory(from: number, to: number): Uint8Array {
    const { tileId, run, length, offset } = this.tiles;
    return encodeEntries(to - from, {
      tileId: (i) => tileId(from + i),
      run: (i) => run(from + i),
      length: (i) => length(from + i),
      offset: (i) => offset(from + i),
    });
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
