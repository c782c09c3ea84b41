import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { inflateSync, zstdDecompressSync } from "node:zlib";
import { Malformed, ProtobufReader } from "../../../core/geo/bytes/protobuf.ts";
import { ImportError } from "../../common/import-error.ts";
import { systemReason } from "../../common/system-reason.ts";
import { unpackLz4 } from "./lz4.ts";

/**
 * The outer shell of an .osm.pbf file (wiki.openstreetmap.org/wiki/PBF_Format): a chain of
 *
 *     length of BlobHeader [4 bytes, big endian] · BlobHeader {1: type, 3: size of Blob} · Blob
 *
 * A Blob is {1: raw, 2: raw size, 3: zlib, 4: lzma, 6: lz4, 7: zstd}. The first is an OSMHeader, the rest OSMData.
 */
export interface BlobPlace {
  /** Where the Blob message begins in the file [bytes]. */
  offset: number;
  length: number;
}

export interface PbfHeader {
  /** [west, south, east, north] in degrees, when the file says it. */
  bounds?: [number, number, number, number];
  writingProgram?: string;
  /** Replication time of the data [seconds since 1970], when the file says it. */
  timestamp?: number;
  /** Of its replication: the last change it holds, and where the next ones are. */
  sequence?: number;
  replicationUrl?: string;
  /** "Sort.Type_then_ID" */
  sorted?: boolean;
  /** "LocationsOnWays": nodes without tags may be missing, as their places are with the ways. */
  placesOnWays?: boolean;
}

const MAX_HEADER = 64 * 1024;
const MAX_BLOB = 32 * 1024 * 1024;
/** Osmium names it as optional, others as required. */
const PLACES_ON_WAYS = "LocationsOnWays";
const KNOWN_FEATURES = new Set(["OsmSchema-V0.6", "DenseNodes"]);

/** An open .osm.pbf file: its header, and the position of each of its data blobs. */
export class BlobFile {
  readonly path: string;
  readonly size: number;
  readonly header: PbfHeader;
  readonly blobs: readonly BlobPlace[];
  readonly #file: FileHandle;

  private constructor(path: string, size: number, header: PbfHeader, blobs: BlobPlace[], file: FileHandle) {
    this.path = path;
    this.size = size;
    this.header = header;
    this.blobs = blobs;
    this.#file = file;
  }

  /**
   * Opens the file and walks its chain of blobs. Throws ImportError when it is not a PBF, cut off or of unknown kind.
   */
  static async open(path: string): Promise<BlobFile> {
    const file = await open(path).catch((error: unknown) => {
      throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
    });
    try {
      const { size } = await file.stat();
      const { header, blobs } = await walk(path, file, size);
      return new BlobFile(path, size, header, blobs, file);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async readBlob({ offset, length }: BlobPlace): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(new ArrayBuffer(length));
    await readFully(this.path, this.#file, bytes, offset);
    return bytes;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function readFully(path: string, file: FileHandle, into: Uint8Array, offset: number): Promise<void> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, into.length - done, offset + done);
    if (bytesRead === 0) throw truncated(path, offset + done);
    done += bytesRead;
  }
}

async function walk(path: string, file: FileHandle, size: number) {
  let header: PbfHeader | undefined;
  const blobs: BlobPlace[] = [];
  // One read usually holds the length, the header and the next length: headers are some 15 bytes.
  const window = new Uint8Array(Math.min(256, MAX_HEADER));
  let position = 0;
  while (position < size) {
    if (position + 4 > size) throw header ? truncated(path, size) : noPbf(path);
    const here = window.subarray(0, Math.min(window.length, size - position));
    await readFully(path, file, here, position);
    const headerLength = new DataView(window.buffer).getUint32(0);
    if (headerLength === 0 || headerLength > MAX_HEADER) throw header ? damaged(path, position) : noPbf(path);
    if (position + 4 + headerLength > size) throw header ? truncated(path, size) : noPbf(path);
    let headerBytes = here.subarray(4, 4 + headerLength);
    if (headerBytes.length < headerLength) {
      headerBytes = new Uint8Array(headerLength);
      await readFully(path, file, headerBytes, position + 4);
    }
    const { type, length } = readBlobHeader(headerBytes, () => (header ? damaged(path, position) : noPbf(path)));
    const offset = position + 4 + headerLength;
    if (length > MAX_BLOB) throw tooLarge(path, position, `${length} bytes`);
    if (offset + length > size) throw truncated(path, size);
    if (!header) {
      if (type !== "OSMHeader") throw noPbf(path);
      const bytes = new Uint8Array(length);
      await readFully(path, file, bytes, offset);
      header = readHeader(path, unpackBlob(bytes, path, offset));
    } else if (type === "OSMData") blobs.push({ offset, length });
    position = offset + length;
  }
  if (!header) throw noPbf(path);
  return { header, blobs };
}

function readBlobHeader(bytes: Uint8Array, broken: () => ImportError): { type: string; length: number } {
  let type = "";
  let length = -1;
  try {
    const reader = new ProtobufReader(bytes);
    while (reader.more) {
      const key = reader.varint();
      if (key === 10) type = reader.text();
      else if (key === 24) length = reader.varint();
      else reader.skip(key & 7);
    }
  } catch {
    throw broken();
  }
  if (length < 0 || type === "") throw broken();
  return { type, length };
}

/** Blob → its uncompressed content; `offset` is where it is in the file. Throws ImportError when it is damaged or its compression is unknown. */
export function unpackBlob(blob: Uint8Array, path: string, offset = 0): Uint8Array<ArrayBuffer> {
  let rawSize = 0;
  let content: Uint8Array | undefined;
  let unpack = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
  try {
    const reader = new ProtobufReader(blob);
    while (reader.more) {
      const key = reader.varint();
      if (key === 16) rawSize = reader.varint();
      else if ((key & 7) === 2) {
        const field = key >> 3;
        content = reader.view();
        if (field === 3) unpack = (bytes) => inflateSync(bytes, { maxOutputLength: MAX_BLOB });
        else if (field === 7) unpack = (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MAX_BLOB });
        else if (field === 6) unpack = (bytes) => unpackLz4(bytes, Math.min(rawSize, MAX_BLOB));
        else if (field !== 1) {
          throw new ImportError(
            `${basename(path)} is compressed (at byte ${offset}) with ${field === 4 ? "lzma" : "a method unknown here"}. Save it with zlib (osmium cat -o out.osm.pbf in.osm.pbf) and import that.`,
          );
        }
      } else reader.skip(key & 7);
    }
    if (!content) throw new Malformed("an empty blob");
    const bytes = unpack(content);
    if (rawSize > 0 && bytes.length !== rawSize) throw new Malformed("a blob of the wrong size");
    return bytes;
  } catch (error) {
    if (error instanceof ImportError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(path, offset, "unpacked");
    const why = error instanceof Malformed ? error.message : "its compressed bytes are not what was compressed";
    throw new ImportError(`${basename(path)} is damaged near byte ${offset} (${why}). Download it again.`);
  }
}

function readHeader(path: string, bytes: Uint8Array): PbfHeader {
  const header: PbfHeader = {};
  try {
    const reader = new ProtobufReader(bytes);
    while (reader.more) {
      const key = reader.varint();
      if (key === 10) {
        const box = reader.message();
        const edges: Record<number, number> = {};
        while (box.more) {
          const edge = box.varint();
          if ((edge & 7) === 0) edges[edge >> 3] = box.signed() / 1e9;
          else box.skip(edge & 7);
        }
        const [west, east, north, south] = [edges[1], edges[2], edges[3], edges[4]];
        if ([west, east, north, south].every(Number.isFinite)) header.bounds = [west, south, east, north];
      } else if (key === 34) {
        const feature = reader.text();
        if (feature === PLACES_ON_WAYS) header.placesOnWays = true;
        else if (!KNOWN_FEATURES.has(feature)) {
          const advice =
            feature === "HistoricalInformation"
              ? "It is a history file: cut out one moment with osmium time-filter and import that."
              : "Convert it with osmium cat to a plain .osm.pbf and import that.";
          throw new ImportError(
            `${basename(path)} needs the PBF feature "${feature}", which this importer does not know. ${advice}`,
          );
        }
      } else if (key === 130) header.writingProgram = reader.text();
      else if (key === 256) header.timestamp = reader.int64();
      else if (key === 264) header.sequence = reader.int64();
      else if (key === 274) header.replicationUrl = reader.text();
      else if (key === 42) {
        const feature = reader.text();
        if (feature === "Sort.Type_then_ID") header.sorted = true;
        if (feature === PLACES_ON_WAYS) header.placesOnWays = true;
      } else reader.skip(key & 7);
    }
  } catch (error) {
    throw error instanceof ImportError ? error : damaged(path, 0);
  }
  return header;
}

function noPbf(path: string): ImportError {
  return new ImportError(
    `${basename(path)} is not an OpenStreetMap PBF file. Specify an .osm.pbf extract, for example one from download.geofabrik.de.`,
  );
}

function truncated(path: string, size: number): ImportError {
  return new ImportError(`${basename(path)} ends early, after ${size} bytes: it is cut off. Download it again.`);
}

function tooLarge(path: string, offset: number, size: string): ImportError {
  return new ImportError(
    `${basename(path)} holds a blob (${size}) at byte ${offset} that is larger than the 32 MiB of the format: it is damaged, or written by a program that breaks the format. Download it again, or save it again (osmium cat -o out.osm.pbf in.osm.pbf).`,
  );
}

export function damaged(path: string, offset: number, cause?: unknown): ImportError {
  return new ImportError(`${basename(path)} is damaged near byte ${offset}. Download it again.`, { cause });
}
