import { createReadStream } from "node:fs";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { isPlaced } from "../common/placed.ts";

/** A line of GeoNames' postal codes: a code, and one of the places that have it. */
export interface PostalPlace {
  at: Coordinate;
  /** ISO 3166-1 alpha-2. */
  country: string;
  code: string;
  place: string;
  state: string;
  /** "" where GeoNames has its own number. */
  stateCode: string;
  county: string;
}

interface PostalBatch {
  places: PostalPlace[];
  /** Lines without a country, a code or a position on Earth. */
  unread: number;
}

/** country, code, place, state, its code, county, its code, community, its code, latitude, longitude, accuracy. */
const COLUMNS = { least: 11, latitude: 9, longitude: 10 } as const;
/** Characters read at a time. */
const CHUNK = 1 << 20;

/**
 * The lines of a file as download.geonames.org/export/zip has them (allCountries.txt, or a country's own): UTF-8, fields between
 * tabs, no header, no quotes. Each code of a country with each of its places once, as far as its lines follow each other.
 */
export async function* readPostalDump(path: string): AsyncGenerator<PostalBatch> {
  const once = new Once();
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: CHUNK })) {
    const lines = (rest + (chunk as string)).split("\n");
    rest = lines.pop() ?? "";
    yield batchOf(lines, once);
  }
  yield batchOf([rest], once);
}

/** Does a file begin with a line of such codes? What was read may end within the line. */
export function isPostalDump(start: string): boolean {
  const line = start.replace(/^\ufeff/, "").split("\n", 1)[0];
  return typeof placeOf(line) === "object";
}

function batchOf(lines: readonly string[], once: Once): PostalBatch {
  const batch: PostalBatch = { places: [], unread: 0 };
  for (const line of lines) {
    const place = placeOf(line.replace(/^\ufeff/, ""));
    if (place === "unread") batch.unread++;
    else if (place && once.isNew(place)) batch.places.push(place);
  }
  return batch;
}

/** Undefined for an empty line. */
function placeOf(line: string): PostalPlace | "unread" | undefined {
  if (line.trim() === "") return undefined;
  const cells = line.split("\t").map((cell) => cell.trim());
  const [country, code, place, state, stateCode, county] = cells;
  const [latitude, longitude] = [Number(cells[COLUMNS.latitude]), Number(cells[COLUMNS.longitude])];
  if (cells.length < COLUMNS.least || !/^[A-Z]{2}$/.test(country) || code === "") return "unread";
  if (cells[COLUMNS.latitude] === "" || cells[COLUMNS.longitude] === "" || !isPlaced(latitude, longitude))
    return "unread";
  const letters = /^[A-Z]{2,3}$/.test(stateCode) ? stateCode : "";
  return { at: { latitude, longitude }, country, code, place, state, stateCode: letters, county };
}

/** Knows the places of the latest code alone: lines of a code follow each other. */
class Once {
  #code = "";
  #places = new Set<string>();

  isNew({ country, code, place }: PostalPlace): boolean {
    const own = `${country} ${code}`;
    if (own !== this.#code) this.#places = new Set();
    this.#code = own;
    if (this.#places.has(place)) return false;
    this.#places.add(place);
    return true;
  }
}
