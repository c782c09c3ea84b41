import type { DecodedArray } from "hyparquet";
import { ByteWriter } from "../../../../geo/bytes/bytes.ts";
import { isCoordinate } from "../../../../geo/coordinate.ts";
import { PRECISIONS } from "../../../../geocoding/entry.ts";
import { type Keep, type RowReader, type RowSource, sourcesOf, textOf } from "../../../sources/overture/row-reader.ts";
import { pointOf } from "../../../sources/overture/wkb.ts";
import { unshouted } from "../../../sources/unshouted.ts";
import { writeRaw } from "./raw-record.ts";

/** Of a chunk of rows. */
const CHUNK_BYTES = 256 * 1024;

/** Overture does not say of a point whether it is the building's or the plot's. */
const PRECISION = PRECISIONS.indexOf("parcel");

/** Countries in which the third level is a quarter of the city, not the city: "bairro", "colonia", "chōme". */
const QUARTERS_LAST = new Set(["BR", "CL", "CO", "JP", "MX"]);

/** Addresses of Japan are written with dashes of several kinds. */
const DASHES = /[‐-―−ー]/g;

/** "S/N", "sin número", "0": a house without a number. */
const NO_NUMBER = /^(?:0+|s\.?\/?n\.?º?|sin n[uú]mero|sem n[uú]mero|-+)$/i;

/**
 * Overture's addresses (docs.overturemaps.org/schema/reference/addresses/address). Columns: geometry (a point), country, number,
 * street, unit, postcode, postal_city, address_levels[].value (from the region to the town), sources[] with property ("" for the
 * whole row), dataset and license.
 */
export const addressRows: RowReader = {
  kind: "addresses",
  columns: [
    "geometry",
    "country",
    "number",
    "street",
    "unit",
    "postcode",
    "postal_city",
    "address_levels/value",
    "sources/property",
    "sources/dataset",
    "sources/license",
  ],
  required: ["geometry", "country", "number", "street", "sources"],
  compact: { geometry: pointsOf, sources: sourcesOf, address_levels: levelsOf },
  async read(columns, rows, part, keep: Keep) {
    const out = new ByteWriter(CHUNK_BYTES + 4096);
    const record = new ByteWriter(512);
    const names = new Map<string, string>();
    let held = 0;
    const hand = () => {
      part.chunk(out.finish());
      out.length = 0;
      held = 0;
    };
    const { geometry, country, number, street, unit, postcode, postal_city, address_levels, sources } = columns;
    for (let i = 0; i < rows; i++) {
      const at = { longitude: geometry[2 * i], latitude: geometry[2 * i + 1] };
      if (!isCoordinate(at.latitude, at.longitude)) {
        part.skip("address without a position");
        continue;
      }
      const code = textOf(country[i]);
      if (!keep(at.longitude, at.latitude, code)) continue;
      const house = plainNumber(textOf(number[i]));
      const road = unshouted(textOf(street[i]), names);
      if (house === "" || road === "" || NO_NUMBER.test(house)) {
        part.skip("address without a street or a number");
        continue;
      }
      const { city, state } = placeOf(address_levels?.[i] ?? NO_LEVELS, code, names);
      const tags: Record<string, string> = { "addr:housenumber": house };
      const town = unshouted(textOf(postal_city?.[i]), names) || city;
      if (town !== "") tags["addr:city"] = town;
      if (state !== "") tags[isCode(state) ? "addr:state" : "addr:province"] = state;
      const postal = postcodeOf(textOf(postcode?.[i]), code);
      if (postal !== "") tags["addr:postcode"] = postal;
      const flat = textOf(unit?.[i]);
      if (flat !== "") tags["addr:unit"] = flat;
      if (code !== "") tags["addr:country"] = code;
      const { dataset, license }: RowSource = sources[i];
      const source = part.dataset(dataset, license);
      record.length = 0;
      writeRaw(record, { kind: "row", at, tags, street: road, source, precision: PRECISION }, held++);
      out.unsigned(record.length);
      out.bytes(record.view());
      part.row(at.longitude, at.latitude);
      if (out.length >= CHUNK_BYTES) hand();
    }
    hand();
  },
};

/** Most numbers are plain. */
const PLAIN = /^[\dA-Za-z/ -]*$/;

const plainNumber = (text: string): string =>
  PLAIN.test(text) ? text : text.normalize("NFKC").replace(DASHES, "-").trim();

/** Longitude and latitude of each row; NaN where it has none. */
function pointsOf(values: DecodedArray): Float64Array {
  const points = new Float64Array(2 * values.length).fill(Number.NaN);
  for (let i = 0; i < values.length; i++) {
    const at = values[i] instanceof Uint8Array ? pointOf(values[i]) : undefined;
    if (at) points.set([at.longitude, at.latitude], 2 * i);
  }
  return points;
}

const NO_LEVELS: readonly string[] = [];

/** The levels of each row; those of a town share one list. */
function levelsOf(values: DecodedArray): (readonly string[])[] {
  const known = new Map<string, readonly string[]>();
  return Array.from(values, (levels: unknown) => {
    if (!Array.isArray(levels)) return NO_LEVELS;
    const texts = levels.map((level: { value?: unknown } | null) => textOf(level?.value));
    const key = texts.join("\n");
    const same = known.get(key);
    if (same) return same;
    known.set(key, texts);
    return texts;
  });
}

interface NamedPlace {
  city: string;
  /** A code, or a name. */
  state: string;
}

const places = new WeakMap<readonly string[], NamedPlace>();

/** Town and state of levels, which rows of one country share. */
function placeOf(levels: readonly string[], country: string, names: Map<string, string>): NamedPlace {
  let known = places.get(levels);
  if (!known) {
    const [first = ""] = levels;
    const state = levels.length > 1 ? first : "";
    known = { city: unshouted(cityOf(levels, country), names), state: isCode(state) ? state : unshouted(state, names) };
    places.set(levels, known);
  }
  return known;
}

const isCode = (state: string): boolean => /^[A-Z]{2,3}$/.test(state);

/** The town: the last level, except where a quarter comes after it. */
function cityOf(levels: readonly string[], country: string): string {
  const last = QUARTERS_LAST.has(country) && levels.length > 2 ? levels[1] : levels.at(-1);
  // The only level of a US address is its state.
  return (last === levels[0] && /^[A-Z]{2}$/.test(last ?? "") ? "" : last) ?? "";
}

/** A CEP has a hyphen, which many files lack. */
function postcodeOf(code: string, country: string): string {
  return country === "BR" && code.length === 8 ? `${code.slice(0, 5)}-${code.slice(5)}` : code;
}
