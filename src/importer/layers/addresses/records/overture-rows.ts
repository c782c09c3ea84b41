import { isCoordinate } from "../../../../core/geo/coordinate.ts";
import { PRECISIONS } from "../../../../core/geocoding/entry/entry.ts";
import { distinctLists, sourceColumn, textColumn } from "../../../sources/overture/columns.ts";
import type { Leaf } from "../../../sources/overture/leaf.ts";
import type { RowReader } from "../../../sources/overture/row-reader.ts";
import { pointOf } from "../../../sources/overture/wkb.ts";
import { unshouted } from "../../../sources/unshouted.ts";
import { encodePlaced, housesOfRow, Placer } from "./place-records.ts";
import type { Row } from "./raw-record.ts";

/** Of a chunk of rows. */
const CHUNK_BYTES = 1024 * 1024;

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
  read(columns, part, keep) {
    const names = new Map<string, string>();
    const plain = (text: string) => unshouted(text, names);
    const points = pointsOf(columns.leaf("geometry"), columns.rows);
    const country = textColumn(columns.leaf("country"));
    const number = textColumn(columns.leaf("number"), houseOf);
    const street = textColumn(columns.leaf("street"), plain);
    const unit = textColumn(columns.leaf("unit"));
    const postcode = textColumn(columns.leaf("postcode"));
    const town = textColumn(columns.leaf("postal_city"), plain);
    const levels = distinctLists([columns.leaf("address_levels/value")], (list) => new Levels(list, plain));
    const source = sourceColumn(columns);
    const houses = new Map<string, number>();
    let placer = new Placer(CHUNK_BYTES + 4096);
    const hand = () => {
      if (placer.count > 0) part.chunk(encodePlaced(placer.finish()));
      placer = new Placer(CHUNK_BYTES + 4096);
    };
    const row: Row = { ...NO_ROW };
    for (let i = 0; i < columns.rows; i++) {
      const [latitude, longitude] = [points[2 * i + 1], points[2 * i]];
      if (!isCoordinate(latitude, longitude)) {
        part.skip("address without a position");
        continue;
      }
      const code = country(i);
      if (!keep(longitude, latitude, code)) continue;
      const [house, road] = [number(i), street(i)];
      if (house === "" || road === "") {
        part.skip("address without a street or a number");
        continue;
      }
      const { city, state, province } = levels(i).in(code);
      const { dataset, license } = source(i);
      row.latitude = latitude;
      row.longitude = longitude;
      row.source = part.dataset(dataset, license);
      row.number = house;
      row.city = town(i) || city;
      row.postcode = postcodeOf(postcode(i), code);
      row.state = state;
      row.province = province;
      row.country = code;
      row.unit = unit(i);
      row.street = road;
      let count = houses.get(house);
      if (count === undefined) {
        count = housesOfRow(house);
        houses.set(house, count);
      }
      placer.row(row, count);
      part.row(longitude, latitude);
      if (placer.length >= CHUNK_BYTES) hand();
    }
    hand();
  },
};

const NO_ROW: Row = {
  latitude: 0,
  longitude: 0,
  source: 0,
  precision: PRECISION,
  number: "",
  city: "",
  postcode: "",
  state: "",
  province: "",
  country: "",
  unit: "",
  street: "",
};

/** "" for what is no number. */
function houseOf(text: string): string {
  const number = plainNumber(text);
  return NO_NUMBER.test(number) ? "" : number;
}

/** Most numbers are plain. */
const PLAIN = /^[\dA-Za-z/ -]*$/;

const plainNumber = (text: string): string =>
  PLAIN.test(text) ? text : text.normalize("NFKC").replace(DASHES, "-").trim();

/** Longitude and latitude of each row; NaN where it has none. */
function pointsOf(leaf: Leaf | undefined, rows: number): Float64Array {
  const points = new Float64Array(2 * rows).fill(Number.NaN);
  for (let i = 0; leaf && i < rows; i++) {
    const value = leaf.entries[i] < 0 ? undefined : leaf.values[leaf.entries[i]];
    const at = value instanceof Uint8Array ? pointOf(value) : undefined;
    if (!at) continue;
    points[2 * i] = at.longitude;
    points[2 * i + 1] = at.latitude;
  }
  return points;
}

interface NamedPlace {
  city: string;
  /** A code, or "". */
  state: string;
  /** The name where there is no code. */
  province: string;
}

/** The levels of addresses, which those of one town share; the country says which of them is the town. */
class Levels {
  readonly #texts: readonly string[];
  readonly #plain: (text: string) => string;
  #country: string | undefined;
  #place: NamedPlace = { city: "", state: "", province: "" };

  constructor(texts: readonly string[], plain: (text: string) => string) {
    this.#texts = texts;
    this.#plain = plain;
  }

  in(country: string): NamedPlace {
    if (country !== this.#country) {
      const [first = ""] = this.#texts;
      const state = this.#texts.length > 1 ? first : "";
      const city = this.#plain(cityOf(this.#texts, country));
      this.#country = country;
      this.#place = isCode(state) ? { city, state, province: "" } : { city, state: "", province: this.#plain(state) };
    }
    return this.#place;
  }
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
  return code.length === 8 && country === "BR" ? `${code.slice(0, 5)}-${code.slice(5)}` : code;
}
