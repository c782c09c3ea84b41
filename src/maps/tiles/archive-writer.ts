import type { Bounds } from "../../geo/manifest.ts";
import { type DirectoryEntry, encodeDirectory, encodeHeader, GZIP, HEADER_BYTES, type Header, MVT } from "./pmtiles.ts";

/**
 * The version of a basemap's archive as builds record it: the layout and the schema. Tied to the bytes that are written
 * by test/maps/versions.test.ts. Layout and history: docs/formats/basemap.md.
 */
export const BASEMAP_VERSION = 1;

/** Header and root directory together, so that one read opens the archive (PMTiles specification, "Root directory"). */
const FIRST_BYTES = 16_384;
/** Tiles compressed at the same time. */
const AT_ONCE = 64;

/** What the platform provides: gzip that makes the same bytes from the same bytes, and a hash of bytes. */
export interface Packing {
  gzip(bytes: Uint8Array): Promise<Uint8Array>;
  digest(bytes: Uint8Array): string;
}

/** Takes tiles by ascending number and makes a clustered PMTiles archive of them. Equal tiles are kept once. */
export class TileArchiveWriter {
  readonly #packing: Packing;
  readonly #entries: DirectoryEntry[] = [];
  readonly #blobs: Uint8Array[] = [];
  readonly #known = new Map<string, { offset: number; length: number }>();
  #waiting: { tileId: number; bytes: Uint8Array }[] = [];
  #offset = 0;
  #addressed = 0;

  constructor(packing: Packing) {
    this.#packing = packing;
  }

  async add(tileId: number, bytes: Uint8Array): Promise<void> {
    this.#waiting.push({ tileId, bytes });
    if (this.#waiting.length >= AT_ONCE) await this.#flush();
  }

  /** Compression costs the most, so equal tiles (the open sea) are found before it. */
  async #flush(): Promise<void> {
    const tiles = this.#waiting.map(({ tileId, bytes }) => ({
      tileId,
      bytes,
      hash: this.#packing.digest(bytes),
    }));
    this.#waiting = [];
    const fresh = new Map(tiles.filter(({ hash }) => !this.#known.has(hash)).map(({ hash, bytes }) => [hash, bytes]));
    const packed = await Promise.all(
      [...fresh].map(async ([hash, bytes]) => ({ hash, bytes: await this.#packing.gzip(bytes) })),
    );
    for (const { hash, bytes } of packed) {
      this.#known.set(hash, { offset: this.#offset, length: bytes.length });
      this.#blobs.push(bytes);
      this.#offset += bytes.length;
    }
    for (const { tileId, hash } of tiles) this.#address(tileId, this.#known.get(hash)!);
  }

  #address(tileId: number, place: { offset: number; length: number }): void {
    this.#addressed++;
    const before = this.#entries[this.#entries.length - 1];
    if (before && before.offset === place.offset && before.tileId + before.run === tileId) before.run++;
    else this.#entries.push({ tileId, ...place, run: 1 });
  }

  /** The archive's bytes, and how many tiles it addresses and holds. */
  async finish(options: {
    bounds: Bounds;
    minZoom: number;
    maxZoom: number;
    metadata: Record<string, unknown>;
  }): Promise<{ bytes: Uint8Array; addressed: number; contents: number }> {
    await this.#flush();
    const { root, leaves } = await this.#directories();
    const metadata = await this.#packing.gzip(new TextEncoder().encode(JSON.stringify(options.metadata)));
    const section = (offset: number, length: number) => ({ offset, length });
    const header: Header = {
      root: section(HEADER_BYTES, root.length),
      metadata: section(HEADER_BYTES + root.length, metadata.length),
      leaves: section(HEADER_BYTES + root.length + metadata.length, leaves.length),
      tiles: section(HEADER_BYTES + root.length + metadata.length + leaves.length, this.#offset),
      addressed: this.#addressed,
      entries: this.#entries.length,
      contents: this.#known.size,
      clustered: true,
      internalCompression: GZIP,
      tileCompression: GZIP,
      tileType: MVT,
      minZoom: options.minZoom,
      maxZoom: options.maxZoom,
      bounds: options.bounds,
    };
    const bytes = joined([encodeHeader(header), root, metadata, leaves, ...this.#blobs]);
    return { bytes, addressed: this.#addressed, contents: this.#known.size };
  }

  /** One root while it fits into the first read; else leaves of equal size, doubled until the root of leaves fits. */
  async #directories(): Promise<{ root: Uint8Array; leaves: Uint8Array }> {
    const entries = this.#entries;
    const room = FIRST_BYTES - HEADER_BYTES;
    const whole = await this.#packing.gzip(encodeDirectory(entries));
    if (whole.length <= room) return { root: whole, leaves: new Uint8Array() };
    for (let size = 4096; ; size *= 2) {
      const leaves: Uint8Array[] = [];
      const pointers: DirectoryEntry[] = [];
      let offset = 0;
      for (let i = 0; i < entries.length; i += size) {
        const leaf = await this.#packing.gzip(encodeDirectory(entries.slice(i, i + size)));
        pointers.push({ tileId: entries[i].tileId, offset, length: leaf.length, run: 0 });
        leaves.push(leaf);
        offset += leaf.length;
      }
      const root = await this.#packing.gzip(encodeDirectory(pointers));
      if (root.length <= room) return { root, leaves: joined(leaves) };
    }
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
