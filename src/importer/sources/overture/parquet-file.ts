import { type FileHandle, open, stat } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import {
  type AsyncBuffer,
  type ColumnMetaData,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  type RowGroup,
  type SchemaElement,
} from "hyparquet";
import { ImportError } from "../../common/import-error.ts";
import { systemReason } from "../../common/system-reason.ts";
import { fetchPart, isUrl } from "../download.ts";
import type { GroupColumns } from "./columns.ts";
import { decodeLeaf, type Leaf } from "./leaf.ts";

/**
 * Parquet files are read by ranges with hyparquet (MIT, see src/core/archive/write-object.ts), which unpacks Snappy. Overture packs with
 * Zstandard, which Node.js has.
 */
const COMPRESSORS: Compressors = {
  ZSTD: (input, outputLength) => new Uint8Array(zstdDecompressSync(input, { maxOutputLength: outputLength })),
};

/** Chunks of columns with fewer bytes between them are read together. */
const MAX_GAP_BYTES = 64 * 1024;
/** Of a range that is requested at a time. */
const MAX_RANGE_BYTES = 32 * 1024 * 1024;
/** A footer is usually smaller. */
const FOOTER_BYTES = 512 * 1024;

/** A Parquet file on a server or on disk. All of it must be of the version that its beginning is of. */
export class ParquetFile {
  /** A path or a URL. */
  readonly source: string;
  readonly metadata: FileMetaData;
  /** Identifies the content: ETag, or size and time of a file on disk. */
  readonly version: string;
  readonly #reader: RangeReader;

  private constructor(source: string, metadata: FileMetaData, reader: RangeReader) {
    this.source = source;
    this.metadata = metadata;
    this.version = reader.version;
    this.#reader = reader;
  }

  /** @throws ImportError if it cannot be read, or is no Parquet file */
  static async open(source: string, options: UrlOptions = {}): Promise<ParquetFile> {
    const reader = isUrl(source) ? await UrlReader.open(source, options) : await DiskReader.open(source);
    try {
      const { byteLength } = reader;
      const slice = async (start: number, end = byteLength) => bufferOf(await reader.read(start, end - start));
      const file: AsyncBuffer = { byteLength, slice };
      const metadata = await parquetMetadataAsync(file, { initialFetchSize: FOOTER_BYTES, geoparquet: false });
      return new ParquetFile(source, metadata, reader);
    } catch (error) {
      await reader.close();
      if (error instanceof ImportError) throw error;
      throw new ImportError(
        `${source} is not a readable Parquet file: its list of columns and rows is damaged or cut off.`,
      );
    }
  }

  /** Names of its columns, without those inside of others. */
  get columns(): string[] {
    const names: string[] = [];
    const [{ num_children: children = 0 }] = this.metadata.schema;
    let at = 1;
    for (let i = 0; i < children; i++) {
      names.push(this.metadata.schema[at].name);
      at = afterElement(this.metadata.schema, at);
    }
    return names;
  }

  /** Bytes that reading these columns of a row group takes. */
  bytesOf(group: RowGroup, wanted: readonly string[]): number {
    const read = wanted.filter((text) => !isIdle(group, text));
    return rangesOf(group, read).reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /**
   * The columns of a row group. Of a column with fields, only those named: "sources/dataset" of each element of a list, "names/common/key"
   * of each pair of a map, "phones/*" of a list of values.
   *
   * @throws ImportError
   */
  async read(number: number, all: readonly string[]): Promise<GroupColumns> {
    const group = this.metadata.row_groups[number];
    const wanted = all.filter((text) => !isIdle(group, text));
    const pieces: Piece[] = [];
    for (const { start, end } of rangesOf(group, wanted)) {
      for (let at = start; at < end; at += MAX_RANGE_BYTES) {
        const length = Math.min(MAX_RANGE_BYTES, end - at);
        pieces.push({ start: at, bytes: await this.#reader.read(at, length) });
      }
    }
    const rows = Number(group.num_rows);
    const leaf = (name: string): Leaf | undefined => {
      const column = wanted.includes(name) ? columnOf(group, name) : undefined;
      if (!column) return undefined;
      const { start, end } = rangeOf(column);
      const path = pathOf(this.metadata.schema, column.path_in_schema);
      try {
        return decodeLeaf(partOf(pieces, start, end), column, path, rows, COMPRESSORS);
      } catch (error) {
        if (error instanceof ImportError) throw error;
        throw new ImportError(
          `${this.source}, row group ${number}: the column ${name} is damaged, or written in a way unknown here. Download the file again.`,
        );
      }
    };
    return { rows, leaf };
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

/** Position after an element of a schema and everything in it. */
function afterElement(schema: readonly SchemaElement[], at: number): number {
  let next = at + 1;
  for (let left = schema[at].num_children ?? 0; left > 0; left--) next = afterElement(schema, next);
  return next;
}

/** Whether a leaf is wanted: its path has the parts in this order, and ends with the last one. */
function isWanted(path: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((text) => {
    const parts = text.split("/");
    if (path[0] !== parts[0]) return false;
    if (parts.length === 1) return path.length === 1;
    let at = 1;
    for (const part of parts.slice(1)) {
      if (part === "*") return true;
      while (at < path.length && path[at] !== part) at++;
      if (at++ === path.length) return false;
    }
    return at === path.length;
  });
}

/** Whether a column has nothing to read in a group: only nulls, or only empty texts. */
function isIdle(group: RowGroup, text: string): boolean {
  const leaves = group.columns.flatMap(({ meta_data: column }) =>
    column && isWanted(column.path_in_schema, [text]) ? [column] : [],
  );
  return (
    leaves.length > 0 &&
    leaves.every(({ statistics: stats, num_values: values }) =>
      stats?.null_count === values ? true : stats?.min_value === "" && stats.max_value === "",
    )
  );
}

/** The ranges of the wanted columns, neighbors together. */
function rangesOf(group: RowGroup, wanted: readonly string[]): { start: number; end: number }[] {
  const chunks = group.columns
    .flatMap(({ meta_data: column }) => {
      return column && isWanted(column.path_in_schema, wanted) ? [rangeOf(column)] : [];
    })
    .sort((a, b) => a.start - b.start);
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of chunks) {
    const last = ranges.at(-1);
    if (last && start - last.end <= MAX_GAP_BYTES) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** The first leaf with this name. */
function columnOf({ columns }: RowGroup, name: string): ColumnMetaData | undefined {
  return columns.find(({ meta_data: column }) => column !== undefined && isWanted(column.path_in_schema, [name]))
    ?.meta_data;
}

/** Where the bytes of a column are. */
function rangeOf(column: ColumnMetaData): { start: number; end: number } {
  const first = Number(column.dictionary_page_offset ?? column.data_page_offset);
  const start = Math.min(first, Number(column.data_page_offset));
  return { start, end: start + Number(column.total_compressed_size) };
}

/** The elements of a schema from the root to a leaf. */
function pathOf(schema: readonly SchemaElement[], names: readonly string[]): SchemaElement[] {
  const path = [schema[0]];
  let at = 0;
  for (const name of names) {
    const after = afterElement(schema, at);
    at++;
    while (at < after && schema[at].name !== name) at = afterElement(schema, at);
    path.push(schema[at]);
  }
  return path;
}

interface Piece {
  start: number;
  bytes: Uint8Array<ArrayBuffer>;
}

function partOf(pieces: readonly Piece[], start: number, end: number): Uint8Array<ArrayBuffer> {
  const whole = pieces.find((piece) => piece.start <= start && piece.start + piece.bytes.length >= end);
  if (whole) return whole.bytes.subarray(start - whole.start, end - whole.start);
  const part = new Uint8Array(end - start);
  let filled = 0;
  for (const piece of pieces) {
    const from = Math.max(start, piece.start);
    const to = Math.min(end, piece.start + piece.bytes.length);
    if (from >= to) continue;
    part.set(piece.bytes.subarray(from - piece.start, to - piece.start), from - start);
    filled += to - from;
  }
  if (filled !== end - start) throw new Error(`bytes ${start} to ${end} are outside of its columns`);
  return part;
}

const bufferOf = (bytes: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;

interface RangeReader {
  readonly byteLength: number;
  readonly version: string;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Where the bytes of a Parquet file begin. */
const MAGIC = "PAR1";

interface UrlOptions {
  allowHttp?: boolean;
  retryAfter?: number;
}

class UrlReader implements RangeReader {
  readonly byteLength: number;
  readonly version: string;
  readonly #url: string;
  readonly #options: UrlOptions;

  private constructor(url: string, byteLength: number, version: string, options: UrlOptions) {
    this.#url = url;
    this.byteLength = byteLength;
    this.version = version;
    this.#options = options;
  }

  static async open(url: string, options: UrlOptions): Promise<UrlReader> {
    const { bytes, validator, size } = await fetchPart(url, { offset: 0, length: MAGIC.length }, options);
    if (new TextDecoder("latin1").decode(bytes) !== MAGIC) throw new ImportError(`${url} is not a Parquet file.`);
    if (size === undefined || validator === undefined)
      throw new ImportError(`${url} is sent without its size or its version. Download it, and import the file.`);
    return new UrlReader(url, size, validator, options);
  }

  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const { bytes } = await fetchPart(this.#url, { offset, length }, { ...this.#options, validator: this.version });
    if (bytes.length !== length) throw new ImportError(`${this.#url} ends early: at byte ${offset + bytes.length}.`);
    return bytes;
  }

  async close(): Promise<void> {}
}

class DiskReader implements RangeReader {
  readonly byteLength: number;
  readonly version: string;
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle, byteLength: number, version: string) {
    this.#path = path;
    this.#file = file;
    this.byteLength = byteLength;
    this.version = version;
  }

  static async open(path: string): Promise<DiskReader> {
    try {
      const { size, mtimeMs } = await stat(path);
      const reader = new DiskReader(path, await open(path, "r"), size, `${size} ${mtimeMs}`);
      const start = size < MAGIC.length ? "" : new TextDecoder("latin1").decode(await reader.read(0, MAGIC.length));
      if (start === MAGIC) return reader;
      await reader.close();
      throw new ImportError(`${path} is not a Parquet file.`);
    } catch (error) {
      if (error instanceof ImportError) throw error;
      throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
    }
  }

  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await this.#file.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) throw new ImportError(`${this.#path} ends early: at byte ${offset + at}.`);
      at += bytesRead;
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
