import { ByteWriter } from "../../../../geo/bytes/bytes.ts";
import { isCoordinate } from "../../../../geo/coordinate.ts";
import { PRECISIONS } from "../../../../geocoding/entry.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type Keep, type RowReader, sourceOf, textOf } from "../../../sources/overture/row-reader.ts";
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
      const at = geometry[i] instanceof Uint8Array ? pointOf(geometry[i]) : undefined;
      if (!at || !isCoordinate(at.latitude, at.longitude)) {
        part.skip("address without a position");
        continue;
      }
      const code = textOf(country[i]);
      if (!keep(at.longitude, at.latitude, code)) continue;
      const house = textOf(number[i]).normalize("NFKC").replace(DASHES, "-");
      const road = unshouted(textOf(street[i]), names);
      if (house === "" || road === "" || NO_NUMBER.test(house)) {
        part.skip("address without a street or a number");
        continue;
      }
      const levels = levelsOf(address_levels?.[i]);
      const city = textOf(postal_city?.[i]) || cityOf(levels, code);
      const tags: Tags = {
        "addr:housenumber": house,
        ...(city !== "" && { "addr:city": unshouted(city, names) }),
        ...(levels.length > 1 &&
          levels[0] !== "" && { [stateKey(levels[0])]: isCode(levels[0]) ? levels[0] : unshouted(levels[0], names) }),
        ...withText("addr:postcode", postcodeOf(textOf(postcode?.[i]), code)),
        ...withText("addr:unit", textOf(unit?.[i])),
        ...(code !== "" && { "addr:country": code }),
      };
      const { dataset, license } = sourceOf(sources[i]);
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

const isCode = (state: string): boolean => /^[A-Z]{2,3}$/.test(state);
const stateKey = (state: string) => (isCode(state) ? "addr:state" : "addr:province");

const withText = (key: string, text: string): Tags => (text === "" ? {} : { [key]: text });

function levelsOf(levels: unknown): string[] {
  return Array.isArray(levels) ? levels.map((level: { value?: unknown } | null) => textOf(level?.value)) : [];
}

/** The town: the last level, except where a quarter comes after it. */
function cityOf(levels: readonly string[], country: string): string {
  const last = QUARTERS_LAST.has(country) && levels.length > 2 ? levels[1] : levels.at(-1);
  // The only level of a US address is its state.
  return (last === levels[0] && /^[A-Z]{2}$/.test(last ?? "") ? "" : last) ?? "";
}

/** A CEP has a hyphen, which many files lack. */
function postcodeOf(code: string, country: string): string {
  return country === "BR" ? code.replace(/^(\d{5})(\d{3})$/, "$1-$2") : code;
}
