import { Malformed, ProtobufReader } from "../../../core/geo/bytes/protobuf.ts";
import type { TagSelection } from "./selection.ts";

/** Field 21 of a Way, bytes: ours, in the element store only (way-lines.ts). */
export const PLACES_KEY = 21 * 8 + 2;

/** Keys of a Node's, Way's or Relation's fields: packed numbers of the strings of its tags. */
const KEYS = 2 * 8 + 2;
const VALUES = 3 * 8 + 2;

/** Field numbers of PrimitiveGroup: what a group holds. */
export const GROUP_NODES = 1;
export const GROUP_DENSE = 2;
export const GROUP_WAYS = 3;
export const GROUP_RELATIONS = 4;

/**
 * A PrimitiveBlock opened: its strings, its groups and its scale.
 *
 *     PrimitiveBlock {1: StringTable {1: text…}, 2: PrimitiveGroup…, 17: granularity, 19: offset of latitude, 20: of longitude}
 */
export class Block {
  readonly bytes: Uint8Array;
  readonly groups: [start: number, end: number][] = [];
  /** Positions of the fields of granularity and offsets, to copy them unchanged. */
  readonly scale: [start: number, end: number][] = [];
  #granularity = 100;
  #latitudeOffset = 0;
  #longitudeOffset = 0;
  #table: [start: number, end: number] = [0, 0];
  readonly #stringStarts: number[] = [];
  readonly #stringEnds: number[] = [];
  readonly #strings: (string | undefined)[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    const reader = new ProtobufReader(bytes);
    while (reader.more) {
      const start = reader.at;
      const key = reader.varint();
      if (key === 10) {
        const table = reader.message();
        this.#table = [table.at, table.end];
        this.#readStrings(table);
      } else if (key === 18) {
        this.groups.push([reader.field(), reader.at]);
      } else if (key === 136) this.#granularity = reader.varint();
      else if (key === 152) this.#latitudeOffset = reader.int64();
      else if (key === 160) this.#longitudeOffset = reader.int64();
      else reader.skip(key & 7);
      if (key === 136 || key === 152 || key === 160) this.scale.push([start, reader.at]);
    }
  }

  #readStrings(table: ProtobufReader): void {
    while (table.more) {
      const key = table.varint();
      if (key !== 10) {
        table.skip(key & 7);
        continue;
      }
      this.#stringStarts.push(table.field());
      this.#stringEnds.push(table.at);
    }
  }

  /** The table of strings as it is. */
  strings(): Uint8Array {
    return this.bytes.subarray(...this.#table);
  }

  get stringCount(): number {
    return this.#stringStarts.length;
  }

  string(index: number): string {
    const known = this.#strings[index];
    if (known !== undefined) return known;
    if (!(index < this.#stringStarts.length)) throw new Malformed("a string that is not in its table");
    const { buffer, byteOffset } = this.bytes;
    const start = this.#stringStarts[index];
    const text = Buffer.from(buffer, byteOffset + start, this.#stringEnds[index] - start).toString("utf8");
    this.#strings[index] = text;
    return text;
  }

  /** Whether it may be one of these texts, judging by its length and its first byte. */
  mayBe(index: number, wanted: WantedTexts): boolean {
    const start = this.#stringStarts[index];
    return wanted.has(this.#stringEnds[index] - start, this.bytes[start]);
  }

  stringBytes(index: number): Uint8Array {
    return this.bytes.subarray(this.#stringStarts[index], this.#stringEnds[index]);
  }

  /** Raw latitude → whole 1e-7 degrees. */
  latitudeE7(raw: number): number {
    return Math.round((this.#latitudeOffset + this.#granularity * raw) / 100);
  }

  longitudeE7(raw: number): number {
    return Math.round((this.#longitudeOffset + this.#granularity * raw) / 100);
  }

  /** The selection in terms of this block's string numbers. */
  matcher(selection: TagSelection | undefined): TagMatcher {
    return new TagMatcher(this, selection);
  }
}

/** Lengths of texts that are distinguished. */
const LENGTHS = 64;

/** The keys and values of a selection by their lengths and first bytes: what is none of these is none of them. */
class WantedTexts {
  readonly #shapes = new Uint8Array(256 * LENGTHS);

  add(text: string): void {
    const bytes = Buffer.from(text);
    this.#shapes[shapeOf(bytes.length, bytes[0])] = 1;
  }

  has(length: number, first: number): boolean {
    return this.#shapes[shapeOf(length, first)] === 1;
  }
}

/** An empty text has no first byte. */
const shapeOf = (length: number, first: number | undefined) =>
  length === 0 ? 0 : (first ?? 0) * LENGTHS + Math.min(length, LENGTHS - 1);

const requiredTexts = new WeakMap<readonly string[], WantedTexts>();

function requiredOf(selection: readonly string[]): WantedTexts {
  const known = requiredTexts.get(selection);
  if (known) return known;
  const wanted = new WantedTexts();
  for (const tag of selection) {
    const equals = tag.indexOf("=");
    wanted.add(equals < 0 ? tag : tag.slice(0, equals));
    if (equals >= 0) wanted.add(tag.slice(equals + 1));
  }
  requiredTexts.set(selection, wanted);
  return wanted;
}

/** Returns for one block whether a pair of string numbers is a wanted tag, without making strings. */
export class TagMatcher {
  /** Everything is wanted, tags or not. */
  readonly all: boolean;
  /** No element of this block can be wanted. */
  readonly none: boolean;
  /** Per string: 0 = no wanted key, 1 = key wanted with any value, 2 = look at the value. */
  readonly #keys: Uint8Array;
  readonly #pairs = new Set<number>();

  constructor(block: Block, selection: TagSelection | undefined) {
    this.all = selection === true;
    this.#keys = new Uint8Array(this.all ? 0 : block.stringCount);
    let any = this.all;
    if (selection !== undefined && selection !== true && selection.length > 0) {
      const numbers = new Map<string, number>();
      const wanted = requiredOf(selection);
      // Most strings are names: they are not even decoded.
      for (let i = 0; i < block.stringCount; i++) if (block.mayBe(i, wanted)) numbers.set(block.string(i), i);
      for (const tag of selection) {
        const equals = tag.indexOf("=");
        const key = numbers.get(equals < 0 ? tag : tag.slice(0, equals));
        if (key === undefined) continue;
        if (equals < 0) this.#keys[key] = 1;
        else {
          const value = numbers.get(tag.slice(equals + 1));
          if (value === undefined) continue;
          if (this.#keys[key] === 0) this.#keys[key] = 2;
          this.#pairs.add(key * 67108864 + value);
        }
        any = true;
      }
    }
    this.none = !any;
  }

  /**
   * Whether a Way or Relation message may carry a wanted tag: most do not, and are passed over with nothing made of them. Of one that
   * is malformed, the result is true.
   */
  mayMatch(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.all) return true;
    let [keys, keysEnd, values, valuesEnd] = [-1, 0, -1, 0];
    const cursor = { at: start };
    while (cursor.at < end && (keys < 0 || values < 0)) {
      const key = varintAt(bytes, cursor);
      if ((key & 7) === 0) {
        while (bytes[cursor.at++] > 0x7f);
        continue;
      }
      if ((key & 7) !== 2) return true;
      const length = varintAt(bytes, cursor);
      if (key === KEYS) [keys, keysEnd] = [cursor.at, cursor.at + length];
      else if (key === VALUES) [values, valuesEnd] = [cursor.at, cursor.at + length];
      cursor.at += length;
    }
    if (cursor.at > end || keysEnd > end || valuesEnd > end) return true;
    if (keys < 0 || values < 0) return false;
    const value = { at: values };
    cursor.at = keys;
    while (cursor.at < keysEnd) {
      if (value.at >= valuesEnd) return true;
      if (this.matches(varintAt(bytes, cursor), varintAt(bytes, value))) return true;
    }
    return false;
  }

  matches(key: number, value: number): boolean {
    const wanted = this.#keys[key];
    return wanted === 1 || (wanted === 2 && this.#pairs.has(key * 67108864 + value));
  }
}

/** A number of at most 28 bits, as those of strings and fields are; of a larger one, or beyond the end, some other number. */
function varintAt(bytes: Uint8Array, cursor: { at: number }): number {
  let byte = bytes[cursor.at++];
  let value = byte & 0x7f;
  for (let shift = 7; byte > 0x7f && shift < 28; shift += 7) {
    byte = bytes[cursor.at++];
    value |= (byte & 0x7f) << shift;
  }
  return value;
}

/** One packed list read number by number. */
export type Packed = ProtobufReader | undefined;

/**
 * The fields of a Node, Way or Relation message, its packed lists still packed. Ways and relations have `id` as int64.
 */
export class ElementFields {
  id = 0;
  latitude = 0;
  longitude = 0;
  keys: Packed;
  values: Packed;
  /** Way: node ids as deltas. Relation: role strings. */
  list8: Packed;
  /** Relation: member ids as deltas. */
  list9: Packed;
  /** Relation: member types. */
  list10: Packed;
  /** Way of the element store: where its nodes are (way-lines.ts). */
  places: Packed;

  constructor(kind: number, message: ProtobufReader) {
    const { at, end, bytes } = message;
    const reader = new ProtobufReader(bytes, at, end);
    while (reader.more) {
      const key = reader.varint();
      if (key === 8) this.id = kind === GROUP_NODES ? reader.signed() : reader.int64();
      else if (key === KEYS) this.keys = reader.message();
      else if (key === VALUES) this.values = reader.message();
      else if (key === 64) this.latitude = reader.signed();
      else if (key === 72) this.longitude = reader.signed();
      else if (key === 66) this.list8 = reader.message();
      else if (key === 74) this.list9 = reader.message();
      else if (key === 82) this.list10 = reader.message();
      else if (key === PLACES_KEY) this.places = reader.message();
      else reader.skip(key & 7);
    }
  }

  /** Does it carry a wanted tag? Reads the packed tags from the start and leaves them there. */
  matched(matcher: TagMatcher): boolean {
    if (matcher.all) return true;
    if (matcher.none || !this.keys || !this.values) return false;
    const keys = new ProtobufReader(this.keys.bytes, this.keys.at, this.keys.end);
    const values = new ProtobufReader(this.values.bytes, this.values.at, this.values.end);
    while (keys.more) if (matcher.matches(keys.varint(), values.varint())) return true;
    return false;
  }
}
