import { ByteReader, type ByteWriter } from "../../../../core/geo/bytes/bytes.ts";
import type { TextCache } from "../../../../core/geo/bytes/text-cache.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import type { EntryKind } from "../../../../core/geocoding/entry/entry.ts";
import { type Names, readNames, writeNames } from "../../../../core/geocoding/index/entry-record.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { LEVEL_TAGS } from "./address-levels.ts";

/**
 * Collected records as bytes, until the towns and regions are known. `order` numbers all of
 * them: of two equal records the first one is used, and sums of coordinates are computed in this order.
 */
export type Raw =
  /** A house of an extract. */
  | { kind: "house"; order: number; at: Coordinate; tags: Tags; street: string }
  /** A house of an interpolation line. */
  | { kind: "between"; order: number; at: Coordinate; tags: Tags; street: string; number: string; computed: boolean }
  /** A row of a file with addresses: number of its source (sources.ts), number of its precision (PRECISIONS). */
  | { kind: "row"; order: number; at: Coordinate; tags: Tags; street: string; source: number; precision: number }
  /** `confidence`: of a place that another source may overrule, in hundredths. */
  | {
      kind: "place";
      order: number;
      at: Coordinate;
      tags: Tags;
      name: string;
      importance: number;
      names: Names;
      confidence?: number;
    }
  | { kind: "locality"; order: number; at: Coordinate; name: string; importance: number; names: Names }
  | {
      kind: "region";
      order: number;
      at: Coordinate;
      name: string;
      importance: number;
      names: Names;
      region: EntryKind;
      country: string;
    }
  /** A line of a street, or of a path; its town and regions are those of its middle, `at`. */
  | {
      kind: "line";
      order: number;
      at: Coordinate;
      name: string;
      names: Names;
      line: readonly Coordinate[];
      isPath: boolean;
    };

/** `Raw` without its number. */
export type Found = Raw extends infer One ? (One extends Raw ? Omit<One, "order"> : never) : never;

const KINDS = ["house", "between", "row", "place", "locality", "region", "line"] as const;

/** Whether the record that begins there is a piece of a line. */
export const isLine = (bytes: Uint8Array, start: number): boolean => KINDS[bytes[start]] === "line";

/** Tags of the location of an element, and of the kind of a house. */
const TAGS = [
  "addr:housenumber",
  "addr:city",
  "addr:postcode",
  "addr:state",
  "addr:province",
  "addr:country",
  "addr:unit",
  "addr:flats",
  "building",
  ...LEVEL_TAGS,
] as const;

/** The number of a record takes as many bytes whatever it is, so that it can be raised where it stands (`raiseOrder`). */
const ORDER_BYTES = 5;

/** Counts the record that begins at `start` from `first` on, instead of from 0: threads number what they find separately. */
export function raiseOrder(bytes: Uint8Array, start: number, first: number): void {
  const at = start + 1;
  const own = bytes[at] + (bytes[at + 1] << 8) + (bytes[at + 2] << 16) + bytes[at + 3] * 2 ** 24;
  let order = first + own;
  for (let i = 0; i < ORDER_BYTES; i++) {
    bytes[at + i] = order % 256;
    order = Math.floor(order / 256);
  }
}

/** Source and precision of a row. */
const ROW_BYTES = 3;
/** Where they are: after kind, number and position. */
const ROW_AT = 1 + ORDER_BYTES + 16;

/** Replaces the number of the source of a row that begins at `start`: files number their sources from 0. */
export function renumberSource(bytes: Uint8Array, start: number, numbers: readonly number[]): void {
  if (KINDS[bytes[start]] !== "row") return;
  const at = start + ROW_AT;
  const number = numbers[bytes[at] + (bytes[at + 1] << 8)];
  bytes[at] = number & 255;
  bytes[at + 1] = number >> 8;
}

export function writeRaw(out: ByteWriter, raw: Found, order: number): void {
  out.byte(KINDS.indexOf(raw.kind));
  out.u32(order);
  out.byte(order / 2 ** 32);
  out.f64(raw.at.latitude);
  out.f64(raw.at.longitude);
  if (raw.kind === "row") {
    out.byte(raw.source & 255);
    out.byte(raw.source >> 8);
    out.byte(raw.precision);
  }
  if (raw.kind === "house" || raw.kind === "row" || raw.kind === "between") {
    writeTags(out, raw.tags);
    out.text(raw.street);
    if (raw.kind === "between") {
      out.text(raw.number);
      out.byte(raw.computed ? 1 : 0);
    }
    return;
  }
  out.text(raw.name);
  writeNames(out, raw.names);
  if (raw.kind === "line") {
    writeLine(out, raw.line);
    out.byte(raw.isPath ? 1 : 0);
    return;
  }
  out.f64(raw.importance);
  if (raw.kind === "place") {
    writeTags(out, raw.tags);
    out.byte(raw.confidence === undefined ? 0 : raw.confidence + 1);
  }
  if (raw.kind === "region") {
    out.text(raw.region);
    out.text(raw.country);
  }
}

/** A row of a file as `writeRow` writes it; a reader fills the same one again and again. Texts are "" where there is none. */
export interface Row {
  latitude: number;
  longitude: number;
  source: number;
  precision: number;
  number: string;
  city: string;
  postcode: string;
  /** A code. */
  state: string;
  province: string;
  country: string;
  unit: string;
  street: string;
}

/** As `writeRaw` writes it, without its tags as an object. */
export function writeRow(out: ByteWriter, row: Row, order: number): void {
  out.byte(KINDS.indexOf("row"));
  out.u32(order);
  out.byte(order / 2 ** 32);
  out.f64(row.latitude);
  out.f64(row.longitude);
  out.byte(row.source & 255);
  out.byte(row.source >> 8);
  out.byte(row.precision);
  const { number, city, postcode, state, province, country, unit } = row;
  // Bits in the order of TAGS.
  out.byte(
    (number === "" ? 0 : 1) |
      (city === "" ? 0 : 2) |
      (postcode === "" ? 0 : 4) |
      (state === "" ? 0 : 8) |
      (province === "" ? 0 : 16) |
      (country === "" ? 0 : 32) |
      (unit === "" ? 0 : 64),
  );
  if (number !== "") out.text(number);
  if (city !== "") out.text(city);
  if (postcode !== "") out.text(postcode);
  if (state !== "") out.text(state);
  if (province !== "") out.text(province);
  if (country !== "") out.text(country);
  if (unit !== "") out.text(unit);
  out.text(row.street);
}

export function readRaw(reader: ByteReader, texts: TextCache): Raw {
  const kind = KINDS[reader.byte()];
  const order = reader.u32() + reader.byte() * 2 ** 32;
  const at = { latitude: reader.f64(), longitude: reader.f64() };
  if (kind === "house") return { kind, order, at, tags: readTags(reader, texts), street: texts.text(reader) };
  if (kind === "row") {
    const source = reader.byte() + (reader.byte() << 8);
    const precision = reader.byte();
    return { kind, order, at, source, precision, tags: readTags(reader, texts), street: texts.text(reader) };
  }
  if (kind === "between") {
    const [tags, street, number] = [readTags(reader, texts), texts.text(reader), texts.text(reader)];
    return { kind, order, at, tags, street, number, computed: reader.byte() === 1 };
  }
  const name = texts.text(reader);
  const names = readNames(reader);
  if (kind === "line") return { kind, order, at, name, names, line: readLine(reader), isPath: reader.byte() === 1 };
  const importance = reader.f64();
  if (kind === "place") {
    const tags = readTags(reader, texts);
    const confidence = reader.byte();
    return { kind, order, at, name, names, importance, tags, ...(confidence > 0 && { confidence: confidence - 1 }) };
  }
  if (kind === "locality") return { kind, order, at, name, names, importance };
  const region = reader.text() as EntryKind;
  return { kind, order, at, name, names, importance, region, country: reader.text() };
}

/** The text that identifies a record: the number of a house, the name of another entry. */
interface Outline {
  kind: Raw["kind"];
  at: Coordinate;
  text: string;
}

export function readOutline(reader: ByteReader, texts: TextCache): Outline {
  const kind = KINDS[reader.byte()];
  reader.skip(ORDER_BYTES);
  const at = { latitude: reader.f64(), longitude: reader.f64() };
  if (kind !== "house" && kind !== "row" && kind !== "between") return { kind, at, text: texts.text(reader) };
  if (kind === "row") reader.skip(ROW_BYTES);
  const isNumbered = (reader.unsigned() & 1) === 1;
  return { kind, at, text: isNumbered ? texts.text(reader) : "" };
}

function writeTags(out: ByteWriter, tags: Tags): void {
  let present = 0;
  for (let i = 0; i < TAGS.length; i++) if (tags[TAGS[i]] !== undefined) present += 2 ** i;
  out.unsigned(present);
  for (const key of TAGS) if (tags[key] !== undefined) out.text(tags[key]);
}

function readTags(reader: ByteReader, texts: TextCache): Tags {
  const tags: Record<string, string> = {};
  for (let i = 0, left = reader.unsigned(); left > 0; i++, left = Math.floor(left / 2))
    if (left % 2 === 1) tags[TAGS[i]] = texts.text(reader);
  return tags;
}

/** Lines of extracts are on the grid of 1e-7 degrees. */
const FINE = 1e7;

export function writeLine(out: ByteWriter, line: readonly Coordinate[]): void {
  out.unsigned(line.length);
  let [lat, lon] = [0, 0];
  for (const { latitude, longitude } of line) {
    const [y, x] = [Math.round(latitude * FINE), Math.round(longitude * FINE)];
    out.signed(y - lat);
    out.signed(x - lon);
    [lat, lon] = [y, x];
  }
}

export function readLine(reader: ByteReader): Coordinate[] {
  let [lat, lon] = [0, 0];
  return Array.from({ length: reader.unsigned() }, () => {
    lat += reader.signed();
    lon += reader.signed();
    return { latitude: lat / FINE, longitude: lon / FINE };
  });
}

/** Records one after the other, each with its length in front. */
export function* recordsIn(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  const reader = new ByteReader(bytes);
  while (reader.at < bytes.length) {
    const length = reader.unsigned();
    const start = reader.at;
    reader.skip(length);
    yield { start, end: start + length };
  }
}
