import type { RoadRecord } from "../../../../core/routing/graph/road-record.ts";
import { Column } from "./column.ts";

/** Records of roads as columns: record r is the JSON text in bytes[starts[r]] … bytes[starts[r + 1]]. */
interface RecordColumns {
  bytes: Uint8Array;
  starts: Float64Array;
}

/** The different records of a graph, by number. Each is parsed when it is asked for. */
export class RoadRecords {
  readonly columns: RecordColumns;
  readonly #text: Buffer;

  constructor(columns: RecordColumns) {
    this.columns = columns;
    this.#text = bufferOver(columns.bytes);
  }

  get count(): number {
    return this.columns.starts.length - 1;
  }

  get(number: number): RoadRecord {
    return JSON.parse(this.text(number)) as RoadRecord;
  }

  /** The record as `JSON.stringify` writes it. */
  text(number: number): string {
    const { starts } = this.columns;
    return this.#text.toString("utf8", starts[number], starts[number + 1]);
  }
}

/** Most bytes that all records may take: what a Buffer can look at. */
const MAX_BYTES = 2 ** 32;
/** A record is about this long, with its name [bytes]. */
const DEFAULT_RECORD_BYTES = 160;

/**
 * Numbers records in the order they come, equal ones once, as `Interned` does, but keeps their texts as bytes in one
 * column and finds them through a table of numbers (open addressing): a country has millions, one for every street.
 */
export class RecordTable {
  readonly #bytes: Column<Uint8Array>;
  readonly #starts: Column<Float64Array>;
  /** By record: is it of a roundabout? */
  readonly #rings: Column<Uint8Array>;
  /** Hash of a text → number + 1 of the record, in the first free place after it. */
  #places = new Int32Array(1024);
  /** By record: its hash, so that a larger table needs no text. */
  readonly #hashes: Column<Int32Array>;
  #scratch = Buffer.alloc(4096);

  /** `expected`: how many there may be, for the space to reserve. */
  constructor(expected = 0) {
    this.#bytes = new Column(Uint8Array, "bytes of road names", expected * DEFAULT_RECORD_BYTES, MAX_BYTES);
    this.#starts = new Column(Float64Array, "records of roads", expected + 1);
    this.#rings = new Column(Uint8Array, "records of roads", expected);
    this.#hashes = new Column(Int32Array, "records of roads", expected);
    this.#starts.push(0);
  }

  get count(): number {
    return this.#hashes.length;
  }

  isRing(number: number): boolean {
    return this.#rings.at(number) === 1;
  }

  get(number: number): RoadRecord {
    const [from, to] = [this.#starts.at(number), this.#starts.at(number + 1)];
    return JSON.parse(bufferOver(this.#bytes.values).toString("utf8", from, to)) as RoadRecord;
  }

  add(record: RoadRecord): number {
    const text = JSON.stringify(record);
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 6);
    const length = this.#scratch.write(text, "utf8");
    const hash = hashOf(this.#scratch, length);
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (; this.#places[place] !== 0; place = (place + 1) & mask) {
      const known = this.#places[place] - 1;
      if (this.#hashes.at(known) === hash && this.#holds(known, length)) return known;
    }
    const number = this.#hashes.length;
    const start = this.#bytes.extend(length);
    for (let i = 0; i < length; i++) this.#bytes.set(start + i, this.#scratch[i]);
    this.#starts.push(start + length);
    this.#rings.push(record.junction === undefined ? 0 : 1);
    this.#hashes.push(hash);
    this.#places[place] = number + 1;
    if (this.#hashes.length * 2 > this.#places.length) this.#enlarge();
    return number;
  }

  finish(): RoadRecords {
    return new RoadRecords({ bytes: this.#bytes.values, starts: this.#starts.values });
  }

  #holds(number: number, length: number): boolean {
    const start = this.#starts.at(number);
    if (this.#starts.at(number + 1) - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes.at(start + i) !== this.#scratch[i]) return false;
    return true;
  }

  #enlarge(): void {
    const places = new Int32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (let number = 0; number < this.#hashes.length; number++) {
      let place = this.#hashes.at(number) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.#places = places;
  }
}

/** FNV-1a (Fowler, Noll & Vo 1991) in 32 bits. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash ^ (hash >>> 15);
}

const bufferOver = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
