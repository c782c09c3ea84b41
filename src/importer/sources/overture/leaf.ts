import type { ColumnMetaData, DecodedArray, SchemaElement } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import type { ColumnDecoder, Compressors, DataPage, PageHeader, SchemaTree } from "hyparquet/src/types.js";

/**
 * One column of a row group as the file has it: the numbers of its values, and each distinct value once where the file has a dictionary.
 * hyparquet can also make an object of each row; for a million addresses that takes ten times as long, and most of it is garbage.
 */
export interface Leaf {
  /** Number of the value of each entry; -1 for null. */
  readonly entries: Int32Array;
  /** Texts, bytes or numbers. */
  readonly values: readonly unknown[];
  /** Of a list: where the entries of each row begin, and where the last row ends. Otherwise each row has one entry. */
  readonly starts: Int32Array | undefined;
}

/** Column and element of a schema, from the root. */
export type SchemaPath = readonly SchemaElement[];

/** @throws Error for what is damaged, or for a list of lists */
export function decodeLeaf(
  bytes: Uint8Array<ArrayBuffer>,
  column: ColumnMetaData,
  path: SchemaPath,
  rows: number,
  compressors: Compressors,
): Leaf {
  const decoder = decoderOf(column, path, compressors);
  const builder = new LeafBuilder(path, Number(column.num_values), rows);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  while (!builder.isComplete && reader.offset < bytes.length - 1) {
    const header = parquetHeader(reader);
    const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    if (header.dictionary_page_header) builder.dictionary(readDictionary(page, header, decoder));
    else {
      const found = readPage(page, header, decoder);
      if (found) builder.page(found);
    }
  }
  return builder.finish();
}

interface Page extends DataPage {
  /** Of entries, and of lists without any. */
  count: number;
  /** Its values are numbers of those of the dictionary. */
  isIndexed: boolean;
}

function readPage(bytes: Uint8Array, header: PageHeader, decoder: ColumnDecoder): Page | undefined {
  const one = header.data_page_header ?? header.data_page_header_v2;
  // A page of an index.
  if (!one) return undefined;
  const { codec, compressors } = decoder;
  const page = header.data_page_header
    ? readDataPage(
        decompressPage(bytes, Number(header.uncompressed_page_size), codec, compressors),
        header.data_page_header,
        decoder,
      )
    : readDataPageV2(bytes, header, decoder);
  return { ...page, count: one.num_values, isIndexed: one.encoding.endsWith("_DICTIONARY") };
}

function readDictionary(bytes: Uint8Array, header: PageHeader, { type, element, codec, compressors }: ColumnDecoder) {
  const page = decompressPage(bytes, Number(header.uncompressed_page_size), codec, compressors);
  const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 };
  return readPlain(reader, type, header.dictionary_page_header?.num_values ?? 0, element.type_length);
}

class LeafBuilder {
  readonly #path: SchemaPath;
  readonly #isText: boolean;
  /** Definition level of a value that is not null. */
  readonly #whole: number;
  /** Definition level from which on a list has an entry. */
  readonly #entry: number;
  readonly #entries: Int32Array;
  readonly #starts: Int32Array | undefined;
  readonly #values: unknown[] = [];
  readonly #expected: number;
  #levels = 0;
  #count = 0;
  #rows = 0;

  constructor(path: SchemaPath, expected: number, rows: number) {
    const below = path.slice(1);
    const repeated = below.findIndex(({ repetition_type: kind }) => kind === "REPEATED");
    const level = (elements: SchemaPath) => elements.filter(({ repetition_type: kind }) => kind !== "REQUIRED").length;
    const { converted_type: converted, logical_type: logical } = path[path.length - 1];
    this.#path = path;
    this.#isText = converted === "UTF8" || converted === "ENUM" || logical?.type === "STRING";
    this.#whole = level(below);
    this.#entry = level(below.slice(0, repeated + 1));
    this.#entries = new Int32Array(expected);
    if (repeated >= 0) this.#starts = new Int32Array(rows + 1);
    this.#expected = expected;
    if (below.filter(({ repetition_type: kind }) => kind === "REPEATED").length > 1)
      throw new Error(`${this.#name} has lists inside of lists`);
  }

  get isComplete(): boolean {
    return this.#levels >= this.#expected;
  }

  dictionary(values: DecodedArray): void {
    this.#add(values);
  }

  page({ definitionLevels: definitions, repetitionLevels: repetitions, dataPage, count, isIndexed }: Page): void {
    const first = isIndexed ? 0 : this.#values.length;
    if (!isIndexed) this.#add(dataPage);
    const [entries, starts, whole, entry] = [this.#entries, this.#starts, this.#whole, this.#entry];
    const hasNulls = definitions !== undefined && definitions.length > 0;
    let at = this.#count;
    let value = 0;
    for (let i = 0; i < count; i++) {
      const definition = hasNulls ? definitions[i] : whole;
      if (starts && repetitions[i] === 0) starts[this.#rows++] = at;
      if (definition === whole) {
        entries[at++] = isIndexed ? (dataPage[value] as number) : first + value;
        value++;
      } else if (!starts || definition >= entry) entries[at++] = -1;
    }
    this.#count = at;
    this.#levels += count;
  }

  finish(): Leaf {
    const [entries, starts] = [this.#entries.subarray(0, this.#count), this.#starts];
    const rows = starts ? this.#rows : this.#count;
    const expected = starts ? starts.length - 1 : this.#expected;
    if (rows !== expected) throw new Error(`${this.#name} has ${rows} of ${expected} rows`);
    if (starts) starts[rows] = this.#count;
    return { entries, values: this.#values, starts };
  }

  get #name(): string {
    return this.#path
      .slice(1)
      .map(({ name }) => name)
      .join(".");
  }

  #add(values: DecodedArray): void {
    const own = this.#values;
    for (let i = 0; i < values.length; i++) own.push(this.#isText ? textOfBytes(values[i] as Uint8Array) : values[i]);
  }
}

const DECODER = new TextDecoder();

/** Most texts are short and ASCII, and for those a decoder takes longer. */
function textOfBytes(bytes: Uint8Array): string {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] > 127) return DECODER.decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

function decoderOf(column: ColumnMetaData, path: SchemaPath, compressors: Compressors): ColumnDecoder {
  const tree = path.map((element, i): SchemaTree => ({ element, children: [], count: 0, path: [`${i}`] }));
  return {
    pathInSchema: column.path_in_schema,
    type: column.type,
    element: path[path.length - 1],
    schemaPath: tree,
    codec: column.codec,
    // Values are converted here.
    parsers: {} as ColumnDecoder["parsers"],
    compressors,
  };
}
