import { ByteReader, ByteWriter } from "../../../geo/bytes/bytes.ts";
import { isCoordinate } from "../../../geo/coordinate.ts";
import { type Names, readNames, writeNames } from "../../../geocoding/index/entry-record.ts";
import { chainOf } from "../../../places/chains.ts";
import type { PlaceDetails } from "../../../places/details.ts";
import { rowsOfOverture } from "../../../places/overture-categories.ts";
import { hash52, type PlaceAddress, placeKey } from "../../../places/place.ts";
import { readPlace, writePlace } from "../../../places/place-record.ts";
import type { PlaceRecord } from "../../../places/tile.ts";
import { namesIn, otherNames } from "./names.ts";
import { type RowReader, type RowSource, sourceOf, sourcesOf, textOf } from "./row-reader.ts";
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
    "names/common/*",
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
    "brand/names/common/*",
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
  compact: { sources: sourcesOf },
  async read(columns, rows, part, keep, { confidence: least }) {
    const out = new ByteWriter(CHUNK_BYTES + 4096);
    const record = new ByteWriter(1024);
    for (let i = 0; i < rows; i++) {
      const at = columns.geometry[i] instanceof Uint8Array ? pointOf(columns.geometry[i]) : undefined;
      if (!at || !isCoordinate(at.latitude, at.longitude)) {
        part.skip("place without a position");
        continue;
      }
      const [address] = listOf(columns.addresses?.[i]) as Record<string, unknown>[];
      if (!keep(at.longitude, at.latitude, textOf(address?.country))) continue;
      const confidence = columns.confidence[i];
      if (columns.operating_status?.[i] === "permanently_closed") part.skip("place that closed");
      else if (typeof confidence !== "number" || confidence < least) part.skip("place of low confidence");
      else {
        const found = placeOf(columns, i, at, address);
        if (typeof found === "string") {
          part.skip(found);
          continue;
        }
        const { dataset, license }: RowSource = columns.sources?.[i] ?? sourceOf(undefined);
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

type Columns = Parameters<RowReader["read"]>[0];

function placeOf(
  columns: Columns,
  i: number,
  location: { latitude: number; longitude: number },
  address: Record<string, unknown> | undefined,
): { place: PlaceRecord; names: Names } | string {
  const names = namesIn(columns.names[i]);
  if (!/\p{L}/u.test(names.primary) || /^https?:/i.test(names.primary)) return "place without a name";
  const categories = rowsOf(columns, i);
  if (categories.length === 0) return "place of a category without a counterpart";
  const { brand, wikidata } = brandOf(columns.brand?.[i]);
  const chain = chainOf({
    ...(brand.primary !== "" && { brand: brand.primary }),
    ...(brand.common.has("en") && { "brand:en": brand.common.get("en") }),
    ...(wikidata !== "" && { "brand:wikidata": wikidata }),
  } as Record<string, string>);
  const known = addressOf(address);
  const details: PlaceDetails = {
    ...withText("phone", listOf(columns.phones?.[i])[0]),
    ...withText("website", listOf(columns.websites?.[i])[0]),
    ...withText("email", listOf(columns.emails?.[i])[0]),
    ...withText("brand", brand.primary),
    ...withText("brandWikidata", wikidata),
  };
  const place: PlaceRecord = {
    key: placeKey("overture", hash52(textOf(columns.id[i]))),
    name: names.primary,
    ...(chain && { chain }),
    categories,
    location,
    footprint: POINT_FOOTPRINT,
    ...(known && { address: known }),
    ...(Object.keys(details).length > 0 && { details }),
  };
  return { place, names: otherNames(names) };
}

function rowsOf(columns: Columns, i: number): number[] {
  const taxonomy = columns.taxonomy?.[i] as { hierarchy?: unknown; alternates?: unknown } | null | undefined;
  const hierarchy = listOf(taxonomy?.hierarchy).map(textOf);
  if (hierarchy.length > 0) return rowsOfOverture(hierarchy, listOf(taxonomy?.alternates).map(textOf));
  const before = columns.categories?.[i] as { primary?: unknown; alternate?: unknown } | null | undefined;
  return rowsOfOverture([textOf(before?.primary)], listOf(before?.alternate).map(textOf));
}

function brandOf(value: unknown) {
  const { names, wikidata } = (value ?? {}) as { names?: unknown; wikidata?: unknown };
  return { brand: namesIn(names), wikidata: textOf(wikidata) };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function withText(key: keyof PlaceDetails, value: unknown): PlaceDetails {
  const text = textOf(value).slice(0, MAX_DETAIL_CHARACTERS);
  return text === "" ? {} : { [key]: text };
}

/** "12 Main St" and "Hauptstraße 12": Overture's addresses of places are one text. */
function addressOf(address: Record<string, unknown> | undefined): PlaceAddress | undefined {
  const line = textOf(address?.freeform).split(/[,\n]/, 1)[0].trim();
  if (line === "") return undefined;
  const [, first, rest] = /^(\d{1,6}[A-Za-z]?(?:-\d{1,5})?) (\S.*)$/.exec(line) ?? [];
  const [, road, last] = first === undefined ? (/^(\D.*?) (\d{1,6} ?[A-Za-z]?)$/.exec(line) ?? []) : [];
  const state = textOf(address?.region).replace(/^[A-Z]{2}-/, "");
  return {
    number: first ?? last ?? "",
    street: rest ?? road ?? line,
    city: textOf(address?.locality),
    stateCode: /^[A-Z]{2,3}$/.test(state) ? state : "",
    postalCode: textOf(address?.postcode),
  };
}
