import { ByteWriter } from "../geo/bytes/bytes.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { slugsOf } from "./categories.ts";
import type { Chain } from "./chains.ts";
import { detailsText, type PlaceDetails, readDetails } from "./details.ts";
import { ADDRESS_PARTS, type Place, type PlaceAddress, type PlaceKey, placeId } from "./place.ts";

/**
 * A tile of places, little endian, in columns, so that a search reads only what it compares. n places, those of the
 * tile's own cell (`home`) before its visitors: places whose center is elsewhere, but whose footprint reaches into the
 * cell.
 *
 *     0   u32  magic "GPLC"
 *     4   u16  version
 *     6   u16  c, number of chains
 *     8   u32  home
 *     12  u32  n
 *     16  i32  × n  latitude [1e-7 degrees]
 *         i32  × n  longitude
 *         u32  × n  upper half of the key (place.ts)
 *         u32  × n  lower half
 *         u32  × n  end of the name in the text, the start is the end before
 *         u32  × 3c ends of the chains' slugs, names and domains, in turn, counted on from the last name
 *         u32  × n  end of the address: number, street, city, state's code, postal code, with line breaks between; or nothing
 *         u32  × n  end of the details (details.ts), or nothing
 *         u16  × n  footprint [meters]
 *         u16  × n  chain, 65535 = none
 *         u8   × 4n rows of the category table, 255 = none
 *         text, UTF-8
 *
 * Version 2 had no details; version 1 neither domains (2c ends) nor addresses; both are still read.
 */
export const PLACES_VERSION = 3;
const MAGIC = 0x434c5047;
const HEADER = 16;
const NO_CHAIN = 0xffff;
const NO_CATEGORY = 255;
/** A place has at most this many category paths; more are dropped, last first. */
const CATEGORIES_EACH = 4;
const DECODER = new TextDecoder();

/** A place to be written into a tile. */
export interface PlaceRecord {
  key: PlaceKey;
  name: string;
  chain?: Chain;
  /** Rows of the category table. */
  categories: readonly number[];
  location: Coordinate;
  footprint: number;
  address?: PlaceAddress;
  details?: PlaceDetails;
}

/** Size of a record in a tile in bytes, without its chain's names. */
export function sizeOf(record: PlaceRecord): number {
  return 36 + record.name.length + addressText(record).length + detailsText(record.details).length;
}

function addressText({ address }: PlaceRecord): string {
  if (!address) return "";
  const { number, street, city, stateCode, postalCode } = address;
  const all = `${number}\n${street}\n${city}\n${stateCode}\n${postalCode}`;
  const text =
    all.split("\n").length === ADDRESS_PARTS.length
      ? all
      : ADDRESS_PARTS.map((part) => address[part].replaceAll("\n", " ")).join("\n");
  return text.trim() === "" ? "" : text;
}

export function encodeTile(home: readonly PlaceRecord[], visitors: readonly PlaceRecord[]): Uint8Array {
  const records = [...home, ...visitors];
  const n = records.length;
  const chains = new Map<string, { index: number; chain: Chain }>();
  for (const { chain } of records) {
    if (chain && !chains.has(chain.slug) && chains.size < NO_CHAIN)
      chains.set(chain.slug, { index: chains.size, chain });
  }
  const text = new ByteWriter(64 * n + 1024);
  const ends: number[] = [];
  const add = (value: string) => {
    text.rawText(value);
    ends.push(text.length);
  };
  for (const { name } of records) add(name);
  for (const { chain } of chains.values()) for (const one of [chain.slug, chain.name, chain.domain ?? ""]) add(one);
  for (const record of records) add(addressText(record));
  for (const { details } of records) add(detailsText(details));
  const columns = layout(n, ends.length);
  const bytes = new Uint8Array(columns.text + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, PLACES_VERSION, true);
  view.setUint16(6, chains.size, true);
  view.setUint32(8, home.length, true);
  view.setUint32(12, n, true);
  records.forEach((record, i) => {
    view.setInt32(columns.latitudes + 4 * i, Math.round(record.location.latitude * 1e7), true);
    view.setInt32(columns.longitudes + 4 * i, Math.round(record.location.longitude * 1e7), true);
    view.setUint32(columns.highs + 4 * i, record.key.high, true);
    view.setUint32(columns.lows + 4 * i, record.key.low, true);
    view.setUint16(columns.footprints + 2 * i, Math.min(65535, Math.round(record.footprint)), true);
    const chain = record.chain && chains.get(record.chain.slug);
    view.setUint16(columns.chains + 2 * i, chain ? chain.index : NO_CHAIN, true);
    for (let k = 0; k < CATEGORIES_EACH; k++) {
      bytes[columns.categories + CATEGORIES_EACH * i + k] = record.categories[k] ?? NO_CATEGORY;
    }
  });
  ends.forEach((end, i) => {
    view.setUint32(columns.ends + 4 * i, end, true);
  });
  bytes.set(text.view(), columns.text);
  return bytes;
}

function layout(n: number, texts: number) {
  const latitudes = HEADER;
  const longitudes = latitudes + 4 * n;
  const highs = longitudes + 4 * n;
  const lows = highs + 4 * n;
  const ends = lows + 4 * n;
  const footprints = ends + 4 * texts;
  const chainColumn = footprints + 2 * n;
  const categories = chainColumn + 2 * n;
  return {
    latitudes,
    longitudes,
    highs,
    lows,
    ends,
    footprints,
    chains: chainColumn,
    categories,
    text: categories + CATEGORIES_EACH * n,
  };
}

/** A tile in its binary form; strings are decoded only for the requested places. */
export class PlaceTile {
  readonly count: number;
  readonly home: number;
  /** [1e-7 degrees] */
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  readonly footprints: Uint16Array;
  /** Index into `chainTable`, or beyond it for none. */
  readonly chains: Uint16Array;
  readonly #categories: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #text: Uint8Array;
  readonly #chainCount: number;
  readonly #textsPerChain: number;
  /** The number of the first address among the strings; undefined in a tile without any. */
  readonly #addressesAt: number | undefined;
  /** The same of the details. */
  readonly #detailsAt: number | undefined;
  #chainTable: Chain[] | undefined;

  /** Throws on bytes that are no tile of this version. */
  constructor(source: Uint8Array) {
    // Columns of four bytes must be aligned to four bytes.
    const bytes = source.byteOffset % 4 === 0 ? source : source.slice();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw new Error("not a tile of places");
    const version = view.getUint16(4, true);
    if (version < 1 || version > PLACES_VERSION)
      throw new Error(`places of version ${version}, this reader knows 1 to ${PLACES_VERSION}`);
    this.#chainCount = view.getUint16(6, true);
    this.#textsPerChain = version === 1 ? 2 : 3;
    this.home = view.getUint32(8, true);
    this.count = view.getUint32(12, true);
    const chainTexts = this.#textsPerChain * this.#chainCount;
    const texts = this.count + chainTexts + (version - 1) * this.count;
    const columns = layout(this.count, texts);
    if (columns.text > bytes.length || this.home > this.count) throw new Error("a tile of places is cut short");
    const { buffer, byteOffset } = bytes;
    this.latitudes = new Int32Array(buffer, byteOffset + columns.latitudes, this.count);
    this.longitudes = new Int32Array(buffer, byteOffset + columns.longitudes, this.count);
    this.highs = new Uint32Array(buffer, byteOffset + columns.highs, this.count);
    this.lows = new Uint32Array(buffer, byteOffset + columns.lows, this.count);
    this.#ends = new Uint32Array(buffer, byteOffset + columns.ends, texts);
    this.#addressesAt = version === 1 ? undefined : this.count + chainTexts;
    this.#detailsAt = version < 3 ? undefined : 2 * this.count + chainTexts;
    this.footprints = new Uint16Array(buffer, byteOffset + columns.footprints, this.count);
    this.chains = new Uint16Array(buffer, byteOffset + columns.chains, this.count);
    this.#categories = bytes.subarray(columns.categories, columns.text);
    this.#text = bytes.subarray(columns.text);
    // Strings are decoded on request: too late to skip only this tile.
    if (texts > 0 && this.#ends[texts - 1] > this.#text.length) throw new Error("a tile of places is cut short");
  }

  get chainTable(): readonly Chain[] {
    this.#chainTable ??= Array.from({ length: this.#chainCount }, (_, i) => {
      const at = this.count + this.#textsPerChain * i;
      const domain = this.#textsPerChain > 2 ? this.#string(at + 2) : "";
      return { slug: this.#string(at), name: this.#string(at + 1), ...(domain !== "" && { domain }) };
    });
    return this.#chainTable;
  }

  /** Returns whether one of the place's rows is in the set. */
  hasCategory(i: number, rows: ReadonlySet<number>): boolean {
    for (let k = i * CATEGORIES_EACH; k < (i + 1) * CATEGORIES_EACH; k++) {
      if (this.#categories[k] === NO_CATEGORY) return false;
      if (rows.has(this.#categories[k])) return true;
    }
    return false;
  }

  place(i: number): Place {
    const rows: number[] = [];
    for (let k = i * CATEGORIES_EACH; k < (i + 1) * CATEGORIES_EACH; k++) {
      if (this.#categories[k] !== NO_CATEGORY) rows.push(this.#categories[k]);
    }
    const chain = this.chainTable[this.chains[i]];
    return {
      id: placeId({ high: this.highs[i], low: this.lows[i] }),
      name: this.#string(i),
      ...(chain && { chain }),
      categories: slugsOf(rows),
      location: { latitude: this.latitudes[i] / 1e7, longitude: this.longitudes[i] / 1e7 },
      footprint: this.footprints[i],
      ...this.#address(i),
    };
  }

  /** Other details of a place; decoded only when requested. */
  details(i: number): PlaceDetails | undefined {
    return this.#detailsAt === undefined ? undefined : readDetails(this.#string(this.#detailsAt + i));
  }

  /** The place with a key, visitors included; −1 if there is none. */
  indexOf({ high, low }: PlaceKey): number {
    for (let i = 0; i < this.count; i++) if (this.lows[i] === low && this.highs[i] === high) return i;
    return -1;
  }

  #address(i: number): { address?: PlaceAddress } {
    const text = this.#addressesAt === undefined ? "" : this.#string(this.#addressesAt + i);
    if (text === "") return {};
    const [number = "", street = "", city = "", stateCode = "", postalCode = ""] = text.split("\n");
    return { address: { number, street, city, stateCode, postalCode } };
  }

  #string(i: number): string {
    return DECODER.decode(this.#text.subarray(i === 0 ? 0 : this.#ends[i - 1], this.#ends[i]));
  }
}
