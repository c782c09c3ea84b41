import { ByteReader, type ByteWriter, beginObject, decodeText, openVersions } from "../../geo/bytes/bytes.ts";
import { Interned, internedTexts } from "../../geo/bytes/interned.ts";
import { packObject, unpackObject } from "../../geo/bytes/packed.ts";
import {
  ADDRESSES_VERSION,
  ADDRESSES_VERSIONS,
  CONTEXT_PARTS,
  type Context,
  codeOfName,
  ENTRY_KINDS,
  type EntryKind,
  GRID,
  kindOfCode,
  LANGUAGES,
  type Language,
  type LanguageName,
  languageOfCode,
  type NameKind,
  NO_CONTEXT,
} from "../entry/entry.ts";
import { tokensOf } from "../words/normalise.ts";

/**
 * The names of a tile and their search words. Integers are LEB128, signed ones zigzag (geo/bytes/bytes.ts):
 *
 *     "GADN", u32 version
 *     t, c, n, k       numbers of texts, contexts, entries, words
 *     t × text         length, UTF-8; text 0 is ""
 *     c × context      texts of city, borough, neighborhood, county, state code, state, country code
 *                      (before version 5 without the neighborhood)
 *     n × entry        kind + 8 × is a block + 16 × number of other names (before version 5: kind + 8 × the number); texts of name; context; text of postal code;
 *                      latitude and longitude less those of the entry before [1e-5 degrees, signed];
 *                      importance (byte); length of its details in the tile of details;
 *                      other names: language + 16 × kind (entry.ts), text
 *     k × word         in order: bytes shared with the word before, length of the rest, the rest;
 *                      number of entries, then entries, each less the one before
 *
 * Entries come by importance, then name: the first entries of a word are the best.
 */
const MAGIC = "GADN";
/** A block of regions repeats names of other blocks, in many scripts: it is packed (geo/bytes/packed.ts). */
const PACKED = "GADZ";
export const packNames = (tile: Uint8Array): Uint8Array => packObject(PACKED, ADDRESSES_VERSION, tile);

/** Names of an entry besides its own: countries have some in each language and script. */
export const MAX_NAMES = 127;

export type Aliases = readonly (readonly [language: Language | "", name: string, kind?: NameKind])[];

/** An entry to be written into a tile. */
export interface NewEntry {
  kind: EntryKind;
  name: string;
  context: Context;
  postalCode: string;
  latitude: number;
  longitude: number;
  /** 0 … 255 */
  importance: number;
  names?: readonly LanguageName[];
  /**
   * More names, with "" for a language that is none of ours: a block of regions stores only those that are found or shown
   * in it (pack-head.ts).
   */
  aliases?: Aliases;
  /** Of a street whose houses are in no order: a block (Street, collector.ts). */
  isBlock?: boolean;
  /** Of a place that another source may overrule while an import is built, in hundredths; not stored. */
  confidence?: number;
}

/**
 * @param details length of each entry's details, in the order of the entries
 * @param wordsAt the words that an entry is found by, by its position
 */
export function encodeNames(
  entries: readonly NewEntry[],
  details: readonly number[],
  wordsAt: (i: number) => Iterable<string> = (i) => wordsOf(entries[i]),
): Uint8Array {
  const texts = internedTexts();
  const contexts = new Interned<Context>((context) => contextTexts(context).join("\n"));
  const postings = new Map<string, number[]>();
  entries.forEach((entry, i) => {
    texts.add(entry.name);
    texts.add(entry.postalCode);
    contexts.add(entry.context);
    for (const [, name] of entry.names ?? []) texts.add(name);
    for (const word of wordsAt(i)) {
      const list = postings.get(word);
      if (list) list.push(i);
      else postings.set(word, [i]);
    }
  });
  for (const context of contexts.values) for (const text of contextTexts(context)) texts.add(text);
  const words = [...postings.keys()].sort();
  const out = beginObject(MAGIC, ADDRESSES_VERSION);
  for (const count of [texts.values.length, contexts.values.length, entries.length, words.length]) out.unsigned(count);
  for (const text of texts.values) out.text(text);
  for (const context of contexts.values) for (const text of contextTexts(context)) out.unsigned(texts.add(text));
  let [lat, lon] = [0, 0];
  entries.forEach((entry, i) => {
    const others = (entry.names ?? []).slice(0, MAX_NAMES);
    out.unsigned(ENTRY_KINDS.indexOf(entry.kind) + (entry.isBlock ? 8 : 0) + 16 * others.length);
    out.unsigned(texts.add(entry.name));
    out.unsigned(contexts.add(entry.context));
    out.unsigned(texts.add(entry.postalCode));
    const [y, x] = [Math.round(entry.latitude * GRID), Math.round(entry.longitude * GRID)];
    out.signed(y - lat);
    out.signed(x - lon);
    [lat, lon] = [y, x];
    out.byte(Math.max(0, Math.min(255, Math.round(entry.importance))));
    out.unsigned(details[i]);
    for (const other of others) {
      out.unsigned(codeOfName(other));
      out.unsigned(texts.add(other[1]));
    }
  });
  writeWords(out, words, (word) => postings.get(word)!);
  return out.finish();
}

const contextTexts = (context: Context): string[] => CONTEXT_PARTS.map((part) => context[part]);

/** The distinct words an entry is found by. */
export function wordsOf({ name, names }: Pick<NewEntry, "name" | "names">): Set<string> {
  const words = new Set(tokensOf(name));
  for (const [, other] of names ?? []) for (const word of tokensOf(other)) words.add(word);
  return words;
}

/** Words in order, each with an ascending list of integers. */
function writeWords(out: ByteWriter, words: readonly string[], listOf: (word: string) => readonly number[]): void {
  let before: Uint8Array = new Uint8Array();
  for (const word of words) {
    before = writeWord(out, word, before);
    const list = listOf(word);
    out.unsigned(list.length);
    let last = 0;
    for (const value of list) {
      out.unsigned(value - last);
      last = value;
    }
  }
}

/** Writes a word after the previous one, which is given as its bytes; returns its own bytes. */
export function writeWord(out: ByteWriter, word: string, before: Uint8Array): Uint8Array {
  const bytes = new TextEncoder().encode(word);
  let shared = 0;
  while (shared < before.length && shared < bytes.length && before[shared] === bytes[shared]) shared++;
  out.unsigned(shared);
  out.unsigned(bytes.length - shared);
  out.bytes(bytes.subarray(shared));
  return bytes;
}

function skipList(reader: ByteReader): void {
  for (let values = reader.unsigned(); values > 0; values--) reader.unsigned();
}

/** Words in order, with lists that are decoded on request. */
export class WordTable {
  readonly words: string[];
  readonly #lists: Uint32Array;
  readonly #bytes: Uint8Array;

  /** @param skip moves past the data of one word */
  constructor(reader: ByteReader, count: number, skip: (reader: ByteReader) => void = skipList) {
    this.#bytes = reader.bytes;
    this.words = new Array(count);
    this.#lists = new Uint32Array(count);
    let buffer = new Uint8Array(64);
    for (let i = 0; i < count; i++) {
      const shared = reader.unsigned();
      const length = reader.unsigned();
      if (shared + length > buffer.length) {
        const larger = new Uint8Array(2 * (shared + length));
        larger.set(buffer);
        buffer = larger;
      }
      const start = reader.at;
      reader.skip(length);
      buffer.set(reader.bytes.subarray(start, reader.at), shared);
      this.words[i] = decodeWord(buffer, shared + length);
      this.#lists[i] = reader.at;
      skip(reader);
    }
  }

  /** A reader at the data of a word, for callers that store something other than lists. */
  listAt(i: number): ByteReader {
    return new ByteReader(this.#bytes, this.#lists[i]);
  }

  /** The position of the first word that is not before the given one. */
  lowerBound(word: string): number {
    let low = 0;
    let high = this.words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.words[middle] < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** −1 when there is no such word. */
  indexOf(word: string): number {
    const at = this.lowerBound(word);
    return this.words[at] === word ? at : -1;
  }

  each(i: number, visit: (value: number) => void): void {
    // As ByteReader.unsigned, written out: this is the innermost loop of a search. The constructor has walked all
    // lists.
    const bytes = this.#bytes;
    let at = this.#lists[i];
    const next = () => {
      let byte = bytes[at++];
      if (byte < 128) return byte;
      let value = byte & 127;
      for (let scale = 128; ; scale *= 128) {
        byte = bytes[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    let value = 0;
    for (let left = next(); left > 0; left--) {
      value += next();
      visit(value);
    }
  }
}

/** Most words are ASCII and short: faster than a TextDecoder. */
function decodeWord(buffer: Uint8Array, length: number): string {
  let word = "";
  for (let i = 0; i < length; i++) {
    if (buffer[i] > 127) return decodeText(buffer, 0, length);
    word += String.fromCharCode(buffer[i]);
  }
  return word;
}

/** A tile in memory: columns; texts are decoded to strings on request. */
export class NamesTile {
  readonly count: number;
  /** Index into ENTRY_KINDS. */
  readonly kinds: Uint8Array;
  readonly contexts: Uint32Array;
  /** Index of the text; 0 if there is none. */
  readonly postalCodes: Uint32Array;
  /** [1e-5 degrees] */
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  readonly importances: Uint8Array;
  /** Where an entry's details begin in the tile of details; one more at the end. */
  readonly details: Uint32Array;
  readonly words: WordTable;
  readonly #names: Uint32Array;
  readonly #blocks = new Set<number>();
  readonly #others = new Map<number, (readonly [language: number, text: number])[]>();
  readonly #bytes: Uint8Array;
  readonly #textEnds: Uint32Array;
  readonly #textStarts: Uint32Array;
  readonly #texts: (string | undefined)[];
  readonly #contexts: Context[];

  /** @throws Error on bytes that are no tile of this version */
  constructor(object: Uint8Array) {
    const bytes = unpackObject(object, PACKED, ADDRESSES_VERSIONS, "a packed tile of names");
    const { reader, version } = openVersions(bytes, MAGIC, ADDRESSES_VERSIONS, "a tile of names");
    const [t, c, n, k] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
    if (t + c + n + k > bytes.length) throw new Error("a tile of names is cut short");
    this.#bytes = bytes;
    this.#textStarts = new Uint32Array(t);
    this.#textEnds = new Uint32Array(t);
    this.#texts = new Array(t);
    for (let i = 0; i < t; i++) {
      const length = reader.unsigned();
      this.#textStarts[i] = reader.at;
      reader.skip(length);
      this.#textEnds[i] = reader.at;
    }
    const parts = version < 5 ? CONTEXT_PARTS.filter((part) => part !== "neighborhood") : CONTEXT_PARTS;
    this.#contexts = Array.from({ length: c }, () => {
      const context = { ...NO_CONTEXT };
      for (const part of parts) context[part] = this.text(reader.unsigned());
      return context;
    });
    this.count = n;
    this.kinds = new Uint8Array(n);
    this.#names = new Uint32Array(n);
    this.contexts = new Uint32Array(n);
    this.postalCodes = new Uint32Array(n);
    this.latitudes = new Int32Array(n);
    this.longitudes = new Int32Array(n);
    this.importances = new Uint8Array(n);
    this.details = new Uint32Array(n + 1);
    let [lat, lon, detail] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      const head = reader.unsigned();
      this.kinds[i] = head % 8;
      if (version >= 5 && (head & 8) !== 0) this.#blocks.add(i);
      this.#names[i] = reader.unsigned();
      this.contexts[i] = reader.unsigned();
      this.postalCodes[i] = reader.unsigned();
      lat += reader.signed();
      lon += reader.signed();
      this.latitudes[i] = lat;
      this.longitudes[i] = lon;
      this.importances[i] = reader.byte();
      this.details[i] = detail;
      detail += reader.unsigned();
      const others = Math.floor(head / (version < 5 ? 8 : 16));
      if (others > 0) {
        this.#others.set(
          i,
          Array.from({ length: others }, () => [reader.unsigned(), reader.unsigned()] as const),
        );
      }
    }
    this.details[n] = detail;
    this.words = new WordTable(reader, k);
  }

  kind(i: number): EntryKind {
    return ENTRY_KINDS[this.kinds[i]];
  }

  name(i: number): string {
    return this.text(this.#names[i]);
  }

  /** Whether the houses of a street are in no order along a line. */
  isBlock(i: number): boolean {
    return this.#blocks.has(i);
  }

  /** The main name in a language, where the data has it. */
  nameIn(i: number, language: Language): string | undefined {
    const wanted = LANGUAGES.indexOf(language);
    const found = this.#others.get(i)?.find(([number]) => number === wanted);
    return found && this.text(found[1]);
  }

  /** Every other name, with its language and kind. */
  namesOf(i: number): LanguageName[] {
    return (this.#others.get(i) ?? []).map(
      ([code, text]) => [languageOfCode(code), this.text(text), kindOfCode(code)] as const,
    );
  }

  /** The kinds of `otherNames`, in their order; its `name` is a main one. */
  kindsOfNames(i: number): NameKind[] {
    return (this.#others.get(i) ?? []).map(([code]) => kindOfCode(code));
  }

  /** Bytes of the object, unpacked. */
  get size(): number {
    return this.#bytes.length;
  }

  /** Every other name. */
  otherNames(i: number): string[] {
    return (this.#others.get(i) ?? []).map(([, text]) => this.text(text));
  }

  context(i: number): Context {
    return this.#contexts[this.contexts[i]];
  }

  /** By its number in `contexts`. */
  contextAt(number: number): Context {
    return this.#contexts[number];
  }

  postalCode(i: number): string {
    return this.text(this.postalCodes[i]);
  }

  hasDetails(i: number): boolean {
    return this.details[i + 1] > this.details[i];
  }

  text(i: number): string {
    this.#texts[i] ??= decodeText(this.#bytes, this.#textStarts[i], this.#textEnds[i]);
    return this.#texts[i];
  }
}
