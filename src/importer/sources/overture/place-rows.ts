import { ByteReader, ByteWriter } from "../../../core/geo/bytes/bytes.ts";
import { isCoordinate } from "../../../core/geo/coordinate.ts";
import { type Names, readNames, writeNames } from "../../../core/geocoding/index/entry-record.ts";
import { chainOf } from "../../../core/places/chains.ts";
import type { PlaceDetails } from "../../../core/places/details.ts";
import { rowsOfOverture } from "../../../core/places/overture-categories.ts";
import { hash52, type PlaceAddress, placeKey } from "../../../core/places/place.ts";
import { readPlace, writePlace } from "../../../core/places/place-record.ts";
import type { PlaceRecord } from "../../../core/places/tile.ts";
import { distinctLists, firstColumn, type GroupColumns, listColumn, sourceColumn, textColumn } from "./columns.ts";
import { nameColumns, otherNames } from "./names.ts";
import type { RowReader } from "./row-reader.ts";
import { pointOf } from "./wkb.ts";

const CHUNK_BYTES = 256 * 1024;
/** The radius of a place that is only a point [m]: as of one of OpenStreetMap. */
const POINT_FOOTPRINT = 15;
/** Of a detail: as in OpenStreetMap. */
const MAX_DETAIL_CHARACTERS = 255;

/** A place of Overture that passed the conditions. */
export interface OverturePlace {
  place: PlaceRecord;
  names: Names;
  /** That it exists, in hundredths. */
  confidence: number;
  /** Number of its dataset in the part. */
  dataset: number;
}

/**
 * Overture's places (docs.overturemaps.org/schema/reference/places/place). Columns: id, geometry (a point), names, taxonomy
 * (hierarchy from the general to the special, alternates; before November 2025 only categories), confidence, operating_status, websites, emails,
 * phones, brand (names, wikidata), addresses[] (freeform, locality, postcode, region, country), sources[].
 */
export const placeRows: RowReader = {
  kind: "places",
  columns: [
    "id",
    "geometry",
    "names/primary",
    "names/common/key",
    "names/common/value",
    "taxonomy/hierarchy/*",
    "taxonomy/alternates/*",
    "categories/primary",
    "categories/alternate/*",
    "confidence",
    "operating_status",
    "websites/*",
    "emails/*",
    "phones/*",
    "brand/wikidata",
    "brand/names/primary",
    "brand/names/common/key",
    "brand/names/common/value",
    "addresses/freeform",
    "addresses/locality",
    "addresses/postcode",
    "addresses/region",
    "addresses/country",
    "sources/property",
    "sources/dataset",
    "sources/license",
  ],
  required: ["id", "geometry", "names", "confidence", "addresses"],
  read(columns, part, keep, { confidence: least }) {
    const out = new ByteWriter(CHUNK_BYTES + 4096);
    const record = new ByteWriter(1024);
    const [points, sure] = [columns.leaf("geometry"), columns.leaf("confidence")];
    const status = textColumn(columns.leaf("operating_status"));
    const country = firstColumn(columns.leaf("addresses/country"));
    const source = sourceColumn(columns);
    const read = placeReader(columns);
    for (let i = 0; i < columns.rows; i++) {
      const point = points && points.entries[i] >= 0 ? points.values[points.entries[i]] : undefined;
      const at = point instanceof Uint8Array ? pointOf(point) : undefined;
      if (!at || !isCoordinate(at.latitude, at.longitude)) {
        part.skip("place without a position");
        continue;
      }
      if (!keep(at.longitude, at.latitude, country(i))) continue;
      const confidence = sure && sure.entries[i] >= 0 ? sure.values[sure.entries[i]] : undefined;
      if (status(i) === "permanently_closed") part.skip("place that closed");
      else if (typeof confidence !== "number" || confidence < least) part.skip("place of low confidence");
      else {
        const found = read(i, at);
        if (typeof found === "string") {
          part.skip(found);
          continue;
        }
        const { dataset, license } = source(i);
        record.length = 0;
        record.unsigned(part.dataset(dataset, license));
        record.byte(Math.round(confidence * 100));
        writeNames(record, found.names);
        writePlace(record, found.place);
        out.unsigned(record.length);
        out.bytes(record.view());
        part.row(at.longitude, at.latitude);
        if (out.length >= CHUNK_BYTES) {
          part.chunk(out.finish());
          out.length = 0;
        }
      }
    }
    part.chunk(out.finish());
  },
};

/** The places of a chunk. */
export function* placesIn(chunk: Uint8Array): Generator<OverturePlace> {
  const reader = new ByteReader(chunk);
  while (reader.at < chunk.length) {
    reader.unsigned();
    const dataset = reader.unsigned();
    const confidence = reader.byte();
    const names = readNames(reader);
    yield { dataset, confidence, names, place: readPlace(reader) };
  }
}

/** Reads the place of a row: "…" why there is none. */
function placeReader(columns: GroupColumns) {
  const [id, wikidata] = ["id", "brand/wikidata"].map((name) => textColumn(columns.leaf(name)));
  const [phone, website, email] = ["phones/*", "websites/*", "emails/*"].map((name) => firstColumn(columns.leaf(name)));
  const [freeform, locality, postcode, region] = ["freeform", "locality", "postcode", "region"].map((name) =>
    firstColumn(columns.leaf(`addresses/${name}`)),
  );
  const namesOf = nameColumns(columns, "names");
  const brandOf = nameColumns(columns, "brand/names");
  const categoriesOf = categoryColumn(columns);
  return (
    row: number,
    location: { latitude: number; longitude: number },
  ): { place: PlaceRecord; names: Names } | string => {
    const names = namesOf(row);
    if (!/\p{L}/u.test(names.primary) || /^https?:/i.test(names.primary)) return "place without a name";
    const categories = categoriesOf(row);
    if (categories.length === 0) return "place of a category without a counterpart";
    const brand = brandOf(row);
    const item = wikidata(row);
    const isBranded = brand.primary !== "" || brand.common.size > 0 || item !== "";
    const chain = isBranded ? chainOfBrand(brand.primary, brand.common.get("en"), item) : undefined;
    const address = addressOf(freeform(row), locality(row), region(row), postcode(row));
    const details: PlaceDetails = {
      ...withText("phone", phone(row)),
      ...withText("website", website(row)),
      ...withText("email", email(row)),
      ...withText("brand", brand.primary),
      ...withText("brandWikidata", item),
    };
    const place: PlaceRecord = {
      key: placeKey("overture", hash52(id(row))),
      name: names.primary,
      ...(chain && { chain }),
      categories,
      location,
      footprint: POINT_FOOTPRINT,
      ...(address && { address }),
      ...(Object.keys(details).length > 0 && { details }),
    };
    return { place, names: otherNames(names) };
  };
}

const chainOfBrand = (name: string, english: string | undefined, wikidata: string) =>
  chainOf({
    ...(name !== "" && { brand: name }),
    ...(english !== undefined && { "brand:en": english }),
    ...(wikidata !== "" && { "brand:wikidata": wikidata }),
  });

/** Rows of the table of categories: of the taxonomy, and of rows without it of the older columns. */
function categoryColumn(columns: GroupColumns): (row: number) => number[] {
  const rows = (hierarchy: string[], alternates: string[]) => rowsOfOverture(hierarchy, alternates);
  const taxonomy = distinctLists(
    [columns.leaf("taxonomy/hierarchy/*"), columns.leaf("taxonomy/alternates/*")],
    (...lists) => (lists[0].length > 0 ? rows(lists[0], lists[1]) : undefined),
  );
  const primary = textColumn(columns.leaf("categories/primary"));
  const alternates = listColumn(columns.leaf("categories/alternate/*"));
  return (row) => taxonomy(row) ?? rows([primary(row)], alternates(row));
}

function withText(key: keyof PlaceDetails, text: string): PlaceDetails | undefined {
  return text === "" ? undefined : { [key]: text.slice(0, MAX_DETAIL_CHARACTERS) };
}

/** "12 Main St" and "Hauptstraße 12": Overture's addresses of places are one text. */
function addressOf(freeform: string, city: string, region: string, postalCode: string): PlaceAddress | undefined {
  const line = freeform.split(/[,\n]/, 1)[0].trim();
  if (line === "") return undefined;
  const [, first, rest] = /^(\d{1,6}[A-Za-z]?(?:-\d{1,5})?) (\S.*)$/.exec(line) ?? [];
  const [, road, last] = first === undefined ? (/^(\D.*?) (\d{1,6} ?[A-Za-z]?)$/.exec(line) ?? []) : [];
  const state = region.replace(/^[A-Z]{2}-/, "");
  return {
    number: first ?? last ?? "",
    street: rest ?? road ?? line,
    city,
    stateCode: /^[A-Z]{2,3}$/.test(state) ? state : "",
    postalCode,
  };
}
