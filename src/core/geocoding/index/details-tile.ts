import { ByteReader, ByteWriter, beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import {
  ADDRESSES_VERSION,
  ADDRESSES_VERSIONS,
  FIRST_ORIGIN,
  GRID,
  type House,
  type Origin,
  PRECISIONS,
  PROPERTY_TYPES,
} from "../entry/entry.ts";
import { compareHouseNumbers, parseHouseNumber } from "../words/house-number.ts";

/**
 * Details that a tile of names omits: the houses of its streets and the streets' lines; only read for streets that are
 * among the best results.
 *
 *     "GADH", u32 version, then the details of the entries one after the other (lengths are in the tile of names):
 *
 *     number of houses, then for each, by number:
 *         (first − the first before) × 16 + 8 × computed + 4 × has more + form
 *         form 0: nothing more          "20"
 *         form 1: text of the rest      "20 bis" → " bis"
 *         form 2: second × 2 + padded   "217-14" → 28; padded: two digits, "217-04" → 9
 *         form 3: the whole text        "A 7"
 *         more: number of units × 16 + 8 × has another origin than the house before + 4 × has a ZIP+4 add-on +
 *               property type + 1, or 0 (PROPERTY_TYPES), texts of the units, the add-on,
 *               the origin: number of sources × 4 + precision (PRECISIONS), numbers of the sources (sources.ts);
 *               without more, property type and origin are those of the house before, for the first FIRST_ORIGIN
 *               (before version 4: number of units × 8, and no origin)
 *         latitude and longitude less those before, of the entry at first [1e-5 degrees, signed]
 *     number of lines, for each: number of points, then points as above, continuing from the last
 */
const MAGIC = "GADH";
const HEADER = 8;
const NONE: readonly string[] = [];

export type Path = readonly Coordinate[];

export interface Details {
  houses: House[];
  lines: Path[];
}

export function encodeDetails(origin: Coordinate, houses: readonly House[], lines: readonly Path[]): Uint8Array {
  if (houses.length === 0 && lines.length === 0) return new Uint8Array();
  const out = new ByteWriter();
  let lat = Math.round(origin.latitude * GRID);
  let lon = Math.round(origin.longitude * GRID);
  const position = ({ latitude, longitude }: Coordinate) => {
    const [y, x] = [Math.round(latitude * GRID), Math.round(longitude * GRID)];
    out.signed(y - lat);
    out.signed(x - lon);
    [lat, lon] = [y, x];
  };
  const sorted = [...houses].sort((a, b) => compareHouseNumbers(a.number, b.number));
  out.unsigned(sorted.length);
  let first = 0;
  let before = 0;
  let originBefore = FIRST_ORIGIN;
  for (const house of sorted) {
    const { number, units, computed, location, origin = originBefore } = house;
    const form = formOf(number.text, number.first);
    const kind = house.propertyType ? PROPERTY_TYPES.indexOf(house.propertyType) + 1 : 0;
    const other = !isSameOrigin(origin, originBefore);
    const more = units.length > 0 || house.plus4 !== undefined || kind !== before || other;
    before = kind;
    originBefore = origin;
    out.unsigned((number.first - first) * 16 + (computed ? 8 : 0) + (more ? 4 : 0) + form.form);
    first = number.first;
    if (form.text !== undefined) out.text(form.text);
    if (form.second !== undefined) out.unsigned(form.second);
    if (more) {
      out.unsigned(units.length * 16 + (other ? 8 : 0) + (house.plus4 === undefined ? 0 : 4) + kind);
      for (const unit of units) out.text(unit);
      if (house.plus4 !== undefined) out.unsigned(Number(house.plus4));
      if (other) {
        out.unsigned(origin.sources.length * 4 + PRECISIONS.indexOf(origin.precision));
        for (const source of origin.sources) out.unsigned(source);
      }
    }
    position(location);
  }
  out.unsigned(lines.length);
  for (const line of lines) {
    out.unsigned(line.length);
    for (const point of line) position(point);
  }
  return out.finish();
}

function isSameOrigin(a: Origin, b: Origin): boolean {
  return (
    a === b ||
    (a.precision === b.precision &&
      a.sources.length === b.sources.length &&
      a.sources.every((source, i) => source === b.sources[i]))
  );
}

function readOrigin(reader: ByteReader): Origin {
  const head = reader.unsigned();
  const sources = Array.from({ length: head >> 2 }, () => reader.unsigned());
  return { precision: PRECISIONS[head & 3], sources };
}

function formOf(text: string, first: number): { form: number; text?: string; second?: number } {
  // "1 2" would be read as 12, "007" as 7: text that does not begin with the canonical number is stored in full.
  if (/^\d+/.exec(text)?.[0] !== String(first)) return { form: 3, text };
  if (text === String(first)) return { form: 0 };
  const pair = /^\d+-(0\d|[1-9]\d*|0)$/.exec(text);
  if (pair) return { form: 2, second: Number(pair[1]) * 2 + (pair[1].length === 2 && pair[1].startsWith("0") ? 1 : 0) };
  return { form: 1, text: text.slice(String(first).length) };
}

export function encodeDetailsTile(parts: readonly Uint8Array[]): Uint8Array {
  const out = beginObject(MAGIC, ADDRESSES_VERSION);
  for (const part of parts) out.bytes(part);
  return out.finish();
}

/** A tile of details, checked; entries are decoded one by one. */
export class DetailsTile {
  readonly #bytes: Uint8Array;
  readonly #hasOrigins: boolean;

  constructor(bytes: Uint8Array) {
    this.#hasOrigins = openVersions(bytes, MAGIC, ADDRESSES_VERSIONS, "a tile of house numbers").version >= 4;
    this.#bytes = bytes;
  }

  /**
   * @param start,end the entry's range, from its tile of names
   * @param wanted filters houses by their first number, which is much faster than decoding them all
   */
  read(start: number, end: number, origin: Coordinate, wanted?: (first: number) => boolean): Details {
    if (start === end) return { houses: [], lines: [] };
    const reader = new ByteReader(this.#bytes.subarray(0, HEADER + end), HEADER + start);
    let lat = Math.round(origin.latitude * GRID);
    let lon = Math.round(origin.longitude * GRID);
    const position = (): Coordinate => {
      lat += reader.signed();
      lon += reader.signed();
      return { latitude: lat / GRID, longitude: lon / GRID };
    };
    const houses: House[] = [];
    let first = 0;
    let kind = 0;
    let source = this.#hasOrigins ? FIRST_ORIGIN : undefined;
    const unit = this.#hasOrigins ? 16 : 8;
    for (let left = reader.unsigned(); left > 0; left--) {
      const head = reader.unsigned();
      first += Math.floor(head / 16);
      const skipped = wanted !== undefined && !wanted(first);
      const text = skipped ? skipText(head & 3, reader) : textOf(head & 3, first, reader);
      const more = (head & 4) === 0 ? kind : reader.unsigned();
      const units = more < unit ? NONE : Array.from({ length: Math.floor(more / unit) }, () => reader.text());
      const plus4 = (more & 4) === 0 ? undefined : String(reader.unsigned()).padStart(4, "0");
      if (source && (more & 8) !== 0) source = readOrigin(reader);
      kind = more & 3;
      const location = position();
      if (skipped) continue;
      // Most are plain numbers, which need no parsing.
      const number =
        (head & 3) === 0 ? { text, first, key: text } : (parseHouseNumber(text) ?? { text, first, key: text });
      const house: House = { number, units, computed: (head & 8) !== 0, location };
      if (plus4 !== undefined) house.plus4 = plus4;
      if (kind > 0) house.propertyType = PROPERTY_TYPES[kind - 1];
      if (source) house.origin = source;
      houses.push(house);
    }
    const lines = Array.from({ length: reader.unsigned() }, () => Array.from({ length: reader.unsigned() }, position));
    return { houses, lines };
  }
}

function skipText(form: number, reader: ByteReader): string {
  if (form === 2) reader.unsigned();
  else if (form !== 0) reader.skip(reader.unsigned());
  return "";
}

function textOf(form: number, first: number, reader: ByteReader): string {
  if (form === 0) return String(first);
  if (form === 1) return first + reader.text();
  if (form === 3) return reader.text();
  const second = reader.unsigned();
  return `${first}-${second % 2 === 1 ? "0" : ""}${Math.floor(second / 2)}`;
}
