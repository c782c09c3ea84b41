import type { Bounds } from "../../geo/builds/manifest.ts";
import { ProtobufReader, ProtobufWriter } from "../../geo/bytes/protobuf.ts";

/**
 * The PMTiles archive format, version 3 (github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md):
 *
 *     bytes 0–126   header: magic "PMTiles", version 3, offsets of the sections, zooms, bounds
 *     root directory · metadata (JSON) · leaf directories · tile data, each at the offset in the header
 *
 * Numbers are little-endian. Directories are columns of varints, compressed.
 */
export const HEADER_BYTES = 127;
const MAGIC = "PMTiles";
const VERSION = 3;

/** As the header numbers compressions. */
const UNCOMPRESSED = 1;
export const GZIP = 2;
/** As the header numbers tile types. */
export const MVT = 1;

interface Section {
  offset: number;
  length: number;
}

export interface Header {
  root: Section;
  metadata: Section;
  leaves: Section;
  tiles: Section;
  /** How many tiles are addressed, directory entries, and different tiles. */
  addressed: number;
  entries: number;
  contents: number;
  clustered: boolean;
  internalCompression: number;
  tileCompression: number;
  tileType: number;
  minZoom: number;
  maxZoom: number;
  bounds: Bounds;
}

export interface DirectoryEntry {
  tileId: number;
  /** From the start of the tile data, or of the leaf directories. */
  offset: number;
  length: number;
  /** How many tiles from this id on share the bytes; 0 when the entry is a leaf directory. */
  run: number;
}

/** @throws Error when the bytes are no archive of version 3 with vector tiles, plain or gzipped */
export function decodeHeader(bytes: Uint8Array): Header {
  if (bytes.length < HEADER_BYTES || new TextDecoder().decode(bytes.subarray(0, 7)) !== MAGIC) {
    throw new Error("this is no PMTiles archive");
  }
  if (bytes[7] !== VERSION) throw new Error(`this PMTiles archive has version ${bytes[7]}, not ${VERSION}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const number = (at: number) => Number(view.getBigUint64(at, true));
  const section = (at: number): Section => ({ offset: number(at), length: number(at + 8) });
  const degrees = (at: number) => view.getInt32(at, true) / 1e7;
  const header: Header = {
    root: section(8),
    metadata: section(24),
    leaves: section(40),
    tiles: section(56),
    addressed: number(72),
    entries: number(80),
    contents: number(88),
    clustered: bytes[96] === 1,
    internalCompression: bytes[97],
    tileCompression: bytes[98],
    tileType: bytes[99],
    minZoom: bytes[100],
    maxZoom: bytes[101],
    bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
  };
  if (header.tileType !== MVT)
    throw new Error(`this PMTiles archive has tiles of type ${header.tileType}, not vector tiles`);
  for (const compression of [header.internalCompression, header.tileCompression]) {
    if (compression !== GZIP && compression !== UNCOMPRESSED) {
      throw new Error(`this PMTiles archive has compression ${compression}; gzip and none are known`);
    }
  }
  return header;
}

export function encodeHeader(header: Header): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  bytes.set(new TextEncoder().encode(MAGIC));
  bytes[7] = VERSION;
  const view = new DataView(bytes.buffer);
  const number = (at: number, value: number) => view.setBigUint64(at, BigInt(value), true);
  const sections = [header.root, header.metadata, header.leaves, header.tiles];
  sections.forEach(({ offset, length }, i) => {
    number(8 + 16 * i, offset);
    number(16 + 16 * i, length);
  });
  number(72, header.addressed);
  number(80, header.entries);
  number(88, header.contents);
  bytes[96] = header.clustered ? 1 : 0;
  bytes[97] = header.internalCompression;
  bytes[98] = header.tileCompression;
  bytes[99] = header.tileType;
  bytes[100] = header.minZoom;
  bytes[101] = header.maxZoom;
  const [west, south, east, north] = header.bounds;
  const degrees = [west, south, east, north];
  degrees.forEach((value, i) => {
    view.setInt32(102 + 4 * i, Math.round(value * 1e7), true);
  });
  bytes[118] = Math.min(header.maxZoom, 14);
  view.setInt32(119, Math.round(((west + east) / 2) * 1e7), true);
  view.setInt32(123, Math.round(((south + north) / 2) * 1e7), true);
  return bytes;
}

/** A directory that is no longer compressed. */
export function decodeDirectory(bytes: Uint8Array): DirectoryEntry[] {
  const reader = new ProtobufReader(bytes);
  const count = reader.varint();
  const entries: DirectoryEntry[] = [];
  let id = 0;
  for (let i = 0; i < count; i++) {
    id += reader.varint();
    entries.push({ tileId: id, offset: 0, length: 0, run: 0 });
  }
  for (const entry of entries) entry.run = reader.varint();
  for (const entry of entries) entry.length = reader.varint();
  entries.forEach((entry, i) => {
    const offset = reader.varint();
    // 0: directly after the previous entry
    entry.offset = offset === 0 && i > 0 ? entries[i - 1].offset + entries[i - 1].length : offset - 1;
  });
  return entries;
}

/** A directory's entries where they are not objects: for each column the value of entry i. */
type EntryColumns = Record<keyof DirectoryEntry, (i: number) => number>;

export function encodeDirectory(entries: readonly DirectoryEntry[]): Uint8Array {
  return encodeEntries(entries.length, {
    tileId: (i) => entries[i].tileId,
    run: (i) => entries[i].run,
    length: (i) => entries[i].length,
    offset: (i) => entries[i].offset,
  });
}

export function encodeEntries(count: number, { tileId, run, length, offset }: EntryColumns): Uint8Array {
  const out = new ProtobufWriter();
  out.varint(count);
  for (let i = 0; i < count; i++) out.varint(i === 0 ? tileId(0) : tileId(i) - tileId(i - 1));
  for (let i = 0; i < count; i++) out.varint(run(i));
  for (let i = 0; i < count; i++) out.varint(length(i));
  for (let i = 0; i < count; i++) {
    const behind = i > 0 && offset(i) === offset(i - 1) + length(i - 1);
    out.varint(behind ? 0 : offset(i) + 1);
  }
  return out.finish();
}

/** The entry that contains a tile or leads to the leaf that may; undefined if the directory has none. */
export function findEntry(entries: readonly DirectoryEntry[], id: number): DirectoryEntry | undefined {
  let low = 0;
  let high = entries.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (entries[middle].tileId <= id) low = middle + 1;
    else high = middle - 1;
  }
  const entry = entries[high];
  if (!entry) return undefined;
  return entry.run === 0 || id < entry.tileId + entry.run ? entry : undefined;
}
