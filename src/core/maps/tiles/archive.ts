import {
  type DirectoryEntry,
  decodeDirectory,
  decodeHeader,
  findEntry,
  GZIP,
  HEADER_BYTES,
  type Header,
} from "./pmtiles.ts";
import { tileId } from "./tile-id.ts";

/** Reads so many bytes from an offset of the archive; fewer at its end. */
export type RangeReader = (offset: number, length: number) => Promise<Uint8Array>;

/** Keeps decoded directories; `bytes` is their size in memory. */
export interface DirectoryCache {
  get(key: string): readonly DirectoryEntry[] | undefined;
  put(key: string, directory: readonly DirectoryEntry[], bytes: number): void;
}

/** The first read contains the header and, as the specification guarantees, the entire root directory. */
const FIRST_READ = 16_384;
/** Root, then at most three leaves: the specification's bound. */
const MAX_DEPTH = 4;
/** Size of a directory entry in memory [bytes]. */
const ENTRY_BYTES = 80;

/**
 * A PMTiles archive read through a range reader. Header and root are read once; leaves go through the cache. Custom
 * code instead of the package `pmtiles`, which is as fast and four times as large: docs/decisions/maps.md.
 */
export class TileArchive {
  readonly header: Header;
  readonly #root: readonly DirectoryEntry[];
  readonly #read: RangeReader;
  readonly #leaves: DirectoryCache;

  private constructor(header: Header, root: readonly DirectoryEntry[], read: RangeReader, leaves: DirectoryCache) {
    this.header = header;
    this.#root = root;
    this.#read = read;
    this.#leaves = leaves;
  }

  /** @throws Error if it is not an archive of a known kind */
  static async open(read: RangeReader, leaves: DirectoryCache): Promise<TileArchive> {
    const start = await read(0, FIRST_READ);
    const header = decodeHeader(start);
    const { offset, length } = header.root;
    const packed =
      offset + length <= start.length ? start.subarray(offset, offset + length) : await read(offset, length);
    const root = decodeDirectory(await inflate(packed, header.internalCompression));
    return new TileArchive(header, root, read, leaves);
  }

  /** Its size in memory [bytes]. */
  get weight(): number {
    return HEADER_BYTES + this.#root.length * ENTRY_BYTES;
  }

  /** The tile's decompressed bytes; undefined if the archive has none there. `read`: replaces the default reader. */
  async tile(z: number, x: number, y: number, read = this.#read): Promise<Uint8Array | undefined> {
    const { header } = this;
    if (z < header.minZoom || z > header.maxZoom) return undefined;
    const id = tileId(z, x, y);
    let directory = this.#root;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const entry = findEntry(directory, id);
      if (!entry) return undefined;
      if (entry.run > 0) {
        const packed = await read(header.tiles.offset + entry.offset, entry.length);
        return inflate(packed, header.tileCompression);
      }
      directory = await this.#leaf(entry, read);
    }
    throw new Error("the directories of this PMTiles archive are nested too deep");
  }

  /** The metadata as stored in the archive. */
  async metadata(): Promise<Record<string, unknown>> {
    const { offset, length } = this.header.metadata;
    const text = await inflate(await this.#read(offset, length), this.header.internalCompression);
    return JSON.parse(new TextDecoder().decode(text));
  }

  async #leaf({ offset, length }: DirectoryEntry, read: RangeReader): Promise<readonly DirectoryEntry[]> {
    const key = `${offset}+${length}`;
    const known = this.#leaves.get(key);
    if (known) return known;
    const packed = await read(this.header.leaves.offset + offset, length);
    const leaf = decodeDirectory(await inflate(packed, this.header.internalCompression));
    this.#leaves.put(key, leaf, leaf.length * ENTRY_BYTES);
    return leaf;
  }
}

async function inflate(bytes: Uint8Array, compression: number): Promise<Uint8Array> {
  if (compression !== GZIP) return bytes;
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body!.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
