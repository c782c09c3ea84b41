import type { OverlayPath } from "../../../core/maps/overlay.ts";
import { readGeojson } from "../../../core/maps/overlay-geojson.ts";
import {
  MAX_ICON_URLS,
  MAX_MARKERS,
  MAX_PATH_POINTS,
  type MarkerGroup,
  namesIn,
  parseMarkers,
  parsePath,
  SectionError,
  type Written,
} from "../../../core/maps/overlay-parameters.ts";
import { noPlaces, type PlaceOf, type Section } from "../../../core/maps/overlay-sections.ts";
import { invalid } from "../../platform/errors.ts";

/** Maximum characters of a URL. */
export const MAX_URL = 16_384;

export interface OverlayFields {
  markers: MarkerGroup[];
  paths: OverlayPath[];
}

/** The unparsed overlay: its place names have to be looked up first. */
export interface WrittenOverlay {
  markers: Written[];
  paths: Written[];
  /** A string, or a JSON value. */
  geojson?: unknown;
}

/** All `markers` and `path` parameters of a URL, in their order. */
export function writtenInUrl(url: URL): WrittenOverlay {
  const { searchParams } = url;
  if (url.href.length > MAX_URL) {
    const longest = ["markers", "path", "geojson"].sort((a, b) => lengthOf(url, b) - lengthOf(url, a))[0];
    throw invalid(longest, `The URL may have up to ${MAX_URL} characters; use POST for longer overlays.`);
  }
  // As in every query, the text "null" is an absent value.
  const all = (name: string) => searchParams.getAll(name).filter((text) => text !== "null");
  return { markers: all("markers"), paths: all("path"), geojson: all("geojson")[0] };
}

/** The same for a JSON body: a string as in a URL, an object of options with `locations`, or a list of these. */
export function writtenInBody({ markers, path, geojson }: Record<string, unknown>): WrittenOverlay {
  const all = (name: string, value: unknown): Written[] =>
    (value === undefined ? [] : Array.isArray(value) ? value : [value]).map((one) => writtenOf(name, one));
  return { markers: all("markers", markers), paths: all("path", path), geojson };
}

function writtenOf(name: string, value: unknown): Written {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(name, 'Expected texts, or objects such as {"color": "red", "locations": ["40.7,-73.9"]}.');
  const { locations, holes = [], ...options } = value as Record<string, unknown>;
  const texts = (list: unknown, key: string): string[] => {
    const given = typeof list === "string" ? [list] : list;
    if (Array.isArray(given) && given.every((one) => typeof one === "string")) return given;
    throw invalid(name, `${key}: Expected a list of strings such as "40.7,-73.9" or "enc:…".`);
  };
  if (!Array.isArray(holes)) throw invalid(name, "holes: Expected a list of lists of locations.");
  const sections = [
    ...Object.entries(options).map(([option, setting]) => {
      if (typeof setting === "object" && setting !== null)
        throw invalid(name, `${option}: Expected a string or a number.`);
      return `${option}:${setting}`;
    }),
    ...texts(locations, "locations"),
    ...holes.flatMap((hole) => ["hole:", ...texts(hole, "holes")]),
  ];
  return sections.map((text, index): Section => ({ text, index }));
}

/** The names of places among the locations of markers. */
export function namesOf({ markers }: WrittenOverlay): string[] {
  return [...new Set(namesIn(markers))];
}

/** Parses the overlay; errors (400) name the parameter and the section. */
export function overlayFields(
  { markers: givenMarkers, paths: givenPaths, geojson }: WrittenOverlay,
  placeOf: PlaceOf = noPlaces,
): OverlayFields {
  const read = <T>(name: string, given: readonly Written[], parse: (text: Written) => T): T[] =>
    given.map((text, index, all) => explained(name, all.length > 1 ? `No. ${index + 1}. ` : "", () => parse(text)));
  const markers = read("markers", givenMarkers, (text) => parseMarkers(text, placeOf));
  const paths = read("path", givenPaths, parsePath);
  if (geojson !== undefined) {
    const drawn = explained("geojson", "", () => readGeojson(parsed(geojson)));
    markers.push(...drawn.markers);
    paths.push(...drawn.paths);
  }
  const nameOf = (name: "markers" | "path", given: readonly Written[]) => (given.length > 0 ? name : "geojson");
  if (sum(markers.map(({ locations }) => locations.length)) > MAX_MARKERS)
    throw invalid(nameOf("markers", givenMarkers), `Up to ${MAX_MARKERS} markers.`);
  if (sum(paths.map(pointsOf)) > MAX_PATH_POINTS)
    throw invalid(nameOf("path", givenPaths), `Up to ${MAX_PATH_POINTS} points in all paths.`);
  if (new Set(markers.map(({ icon }) => icon).filter((icon) => icon !== undefined)).size > MAX_ICON_URLS)
    throw invalid("markers", `Up to ${MAX_ICON_URLS} different icons.`);
  return { markers, paths };
}

const pointsOf = ({ points, holes = [] }: OverlayPath) => sum([points, ...holes].map(({ length }) => length));

function parsed(geojson: unknown): unknown {
  if (typeof geojson !== "string") return geojson;
  try {
    return JSON.parse(geojson);
  } catch {
    throw new SectionError("It is not valid JSON.");
  }
}

function explained<T>(name: string, which: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SectionError)) throw error;
    throw invalid(name, `${which}${error.message}`);
  }
}

const lengthOf = (url: URL, name: string) => sum(url.searchParams.getAll(name).map((text) => text.length));
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
