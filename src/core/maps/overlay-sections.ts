import { type Coordinate, parseCoordinate } from "../geo/coordinate.ts";
import { parseDecimal } from "../geo/decimal.ts";
import { decodeLine } from "../geo/shapes/polyline.ts";
import { type Color, parseColor } from "./base/color.ts";

/**
 * Common parser of `markers` and `path`: sections between bars, options first, then locations. An error includes its
 * section.
 */
export class SectionError extends Error {}

export const MAX_PATH_POINTS = 10_000;
/** [pixels] */
export const MAX_LINE_WIDTH = 64;

export const DEFAULT_COLOR: Color = [0x00, 0x02, 0x57, 1];
export const COLOR_RULE = "Expected 0xRRGGBB or the name of a CSS color.";
const LOCATION_RULE =
  'Expected "latitude,longitude" as decimal degrees with latitude in [-90, 90] and longitude in [-180, 180].';

/** One section of a parameter: its text, and its index, from 0. */
export interface Section {
  text: string;
  index: number;
}

/** Position of a name: names are looked up before sections are parsed. */
export type PlaceOf = (name: string) => Coordinate | undefined;

export const noPlaces: PlaceOf = () => undefined;

/**
 * Sections of a parameter, without empty ones. An encoded polyline is made of the characters 63 to 126, and the bar is
 * 124: nearly every line of 6 decimals contains some. After `enc:` a bar separates only where something follows that no
 * polyline contains: the digit, sign, dot or space that begins a location, another `enc:`, or `hole:`.
 */
export function sectionsOf(text: string): Section[] {
  const start = /(^|\|)\s*enc6?:/i.exec(text);
  const parts = (() => {
    if (!start) return text.split("|");
    const head = text.slice(0, start.index);
    const tail = text.slice(start.index + start[1].length);
    return [
      ...(start[1] === "|" || head !== "" ? head.split("|") : []),
      ...tail.split(/\|(?=\s*(?:enc6?|hole):|[-+.\d\s])/i),
    ];
  })();
  return parts.map((part, index) => ({ text: part, index })).filter((section) => section.text.trim() !== "");
}

/** Names of options begin with a letter, and are the same in any case. */
export function optionOf({ text }: Section): { name: string; value: string } | undefined {
  const match = /^\s*([a-z][a-z-]*)\s*:(.*)$/is.exec(text);
  return match ? { name: match[1].toLowerCase(), value: match[2].trim() } : undefined;
}

/** Returns the place name of a section that is neither an option nor numbers. */
export function nameOf(section: Section): string | undefined {
  if (optionOf(section) || !/\p{L}/u.test(section.text)) return undefined;
  return parseCoordinate(section.text) ? undefined : section.text.trim();
}

export function locationOf(section: Section, placeOf: PlaceOf): Coordinate {
  const location = parseCoordinate(section.text);
  if (location) return location;
  const name = nameOf(section);
  const place = name === undefined ? undefined : placeOf(name);
  if (place) return place;
  throw broken(
    section,
    placeOf === noPlaces || name === undefined ? LOCATION_RULE : "No place of this name was found.",
  );
}

export function colorOf(value: string, section: Section): Color {
  const color = colorIn(value);
  if (!color) throw broken(section, COLOR_RULE);
  return color;
}

/** `0xRRGGBB`, `#RGB`, `#RRGGBBAA`, `tomato` → the color. */
export function colorIn(value: string): Color | undefined {
  const hex = /^(?:0x|#)([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(value);
  return hex ? parseColor(`#${hex[1]}`) : /^[a-z]+$/i.test(value) ? parseColor(value) : undefined;
}

export function pixelsOf(value: string, section: Section): number {
  const pixels = parseDecimal(value);
  if (!(pixels >= 0 && pixels <= MAX_LINE_WIDTH)) throw broken(section, `Valid range: [0, ${MAX_LINE_WIDTH}].`);
  return pixels;
}

export function flagOf(value: string, section: Section): boolean {
  const known = { true: true, "1": true, false: false, "0": false }[value.toLowerCase()];
  if (known === undefined) throw broken(section, "Valid values: true, false.");
  return known;
}

export function choiceOf<T extends string>(values: readonly T[], value: string, section: Section): T {
  const found = values.find((known) => known === value.toLowerCase());
  if (found === undefined) throw broken(section, `Valid values: ${values.join(", ")}.`);
  return found;
}

/** The points behind `enc:` or `enc6:`; undefined for a section without. */
export function polylineIn(section: Section): Coordinate[] | undefined {
  const [prefix, kind] = /^\s*(enc6?):/i.exec(section.text) ?? [];
  if (prefix === undefined) return undefined;
  return polylineOf(section.text.slice(prefix.length), kind?.length === 4 ? 6 : 5, section);
}

function polylineOf(encoded: string, decimals: 5 | 6, section: Section): Coordinate[] {
  const wrong = (why: string) => broken(section, `${why} Expected a polyline encoded with ${decimals} decimals.`);
  if (encoded === "") throw wrong("The polyline is empty.");
  let numbers = 0;
  for (let i = 0; i < encoded.length; i++) {
    const code = encoded.charCodeAt(i);
    if (code < 63 || code > 126) throw wrong(`The polyline has the character "${encoded[i]}".`);
    // A chunk below 32 ends a number.
    if (code - 63 < 32) numbers++;
  }
  if (encoded.charCodeAt(encoded.length - 1) - 63 >= 32 || numbers % 2 === 1) throw wrong("The polyline is cut off.");
  if (numbers / 2 > MAX_PATH_POINTS) throw broken(section, `A path may have up to ${MAX_PATH_POINTS} points.`);
  const points = decodeLine(encoded, decimals);
  for (const { latitude, longitude } of points) {
    // A route may continue beyond the 180th meridian.
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360)) throw wrong("The polyline leaves the Earth.");
  }
  return points;
}

/** Rejects unknown options: otherwise a misspelled option would be noticed only by looking at the map. */
export const unknownOption = (section: Section, known: readonly string[]): SectionError =>
  broken(section, `No such option. Options: ${known.join(", ")}.`);

export function broken({ text, index }: Section, rule: string): SectionError {
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return new SectionError(`Section ${index + 1} ("${shown}"): ${rule}`);
}
