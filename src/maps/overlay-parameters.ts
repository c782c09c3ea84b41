import { type Coordinate, parseCoordinate } from "../geo/coordinate.ts";
import { decodeLine } from "../geo/polyline.ts";
import { type Color, parseColor } from "./color.ts";
import type { OverlayPath } from "./overlay.ts";

/**
 * The texts of `markers` and `path`: sections between bars, options first, then locations. An error names the section
 * that it is in.
 */
export class SectionError extends Error {}

/** One `markers` parameter: all its locations look the same. */
export interface MarkerGroup {
  color: Color;
  small: boolean;
  /** URL of a picture, or the id of an uploaded one. */
  icon: string | undefined;
  locations: Coordinate[];
}

export const MAX_MARKERS = 500;
export const MAX_PATH_POINTS = 10_000;
export const MAX_ICON_URLS = 5;
/** [pixels] */
export const MAX_LINE_WIDTH = 64;

const DEFAULT_COLOR: Color = [0x00, 0x02, 0x57, 1];
const WHITE: Color = [255, 255, 255, 1];
const COLOR_RULE = "Expected 0xRRGGBB or the name of a CSS color.";
const LOCATION_RULE = 'Expected "latitude,longitude" with latitude in [-90, 90] and longitude in [-180, 180].';

/** `color:red|size:small|40.7,-73.9|40.8,-73.8` → a group of markers. @throws SectionError */
export function parseMarkers(text: string): MarkerGroup {
  const group: MarkerGroup = { color: DEFAULT_COLOR, small: false, icon: undefined, locations: [] };
  text.split("|").forEach((section, index) => {
    if (section.trim() === "") return;
    const option = optionOf(section);
    if (!option) {
      group.locations.push(locationOf(section, index));
      return;
    }
    if (group.locations.length > 0) throw broken(index, section, "Options come before the locations.");
    const { name, value } = option;
    if (name === "color") group.color = colorOf(value, section, index);
    else if (name === "size") {
      const size = value.toLowerCase();
      if (size !== "small" && size !== "normal") throw broken(index, section, "Valid values: small, normal.");
      group.small = size === "small";
    } else if (name === "icon") {
      if (value === "") throw broken(index, section, "Expected a URL or the id of an uploaded icon.");
      group.icon = value;
    }
  });
  if (group.locations.length === 0) throw new SectionError("It has no location.");
  return group;
}

/** `stroke:0xff0000|width:4|enc:_p~iF~ps|U_ulL` → a path. @throws SectionError */
export function parsePath(text: string): OverlayPath {
  const path = { points: [] as Coordinate[], stroke: DEFAULT_COLOR, width: 3, border: WHITE, borderWidth: 2 };
  splitPath(text).forEach((section, index) => {
    if (section.trim() === "") return;
    const encoded = /^\s*(enc6?):/i.exec(section);
    if (encoded) {
      const decimals = encoded[1].length === 4 ? 6 : 5;
      path.points.push(...polylineOf(section.slice(encoded[0].length), decimals, section, index));
      return;
    }
    const option = optionOf(section);
    if (!option) {
      path.points.push(locationOf(section, index));
      return;
    }
    if (path.points.length > 0) throw broken(index, section, "Options come before the locations.");
    const { name, value } = option;
    if (name === "stroke") path.stroke = colorOf(value, section, index);
    else if (name === "border") path.border = colorOf(value, section, index);
    else if (name === "width") path.width = pixelsOf(value, section, index);
    else if (name === "borderwidth") path.borderWidth = pixelsOf(value, section, index);
  });
  if (path.points.length === 0) throw new SectionError("It has no location.");
  return path;
}

/**
 * Sections of a path. An encoded polyline is made of the characters 63 to 126, and the bar is 124: nearly every line of
 * 6 decimals has some. After `enc:` a bar separates only where something follows that no polyline contains: the digit,
 * sign, dot or blank a location begins with, or another `enc:`.
 */
function splitPath(text: string): string[] {
  const start = /(^|\|)\s*enc6?:/i.exec(text);
  if (!start) return text.split("|");
  const head = text.slice(0, start.index);
  const tail = text.slice(start.index + start[1].length);
  const sections = tail.split(/\|(?=\s*enc6?:|[-+.\d\s])/i);
  return [...(start[1] === "|" || head !== "" ? head.split("|") : []), ...sections];
}

/** Names of options begin with a letter; unknown options are ignored, as unknown parameters are. */
function optionOf(section: string): { name: string; value: string } | undefined {
  const match = /^\s*([a-z]+)\s*:(.*)$/is.exec(section);
  return match ? { name: match[1].toLowerCase(), value: match[2].trim() } : undefined;
}

function locationOf(section: string, index: number): Coordinate {
  const location = parseCoordinate(section);
  if (!location) throw broken(index, section, LOCATION_RULE);
  return location;
}

function colorOf(value: string, section: string, index: number): Color {
  const hex = /^(?:0x|#)([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(value);
  const color = hex ? parseColor(`#${hex[1]}`) : /^[a-z]+$/i.test(value) ? parseColor(value) : undefined;
  if (!color) throw broken(index, section, COLOR_RULE);
  return color;
}

function pixelsOf(value: string, section: string, index: number): number {
  const pixels = value === "" ? Number.NaN : Number(value);
  if (!(pixels >= 0 && pixels <= MAX_LINE_WIDTH)) throw broken(index, section, `Valid range: [0, ${MAX_LINE_WIDTH}].`);
  return pixels;
}

function polylineOf(encoded: string, decimals: 5 | 6, section: string, index: number): Coordinate[] {
  const wrong = (why: string) =>
    broken(index, section, `${why} Expected a polyline encoded with ${decimals} decimals.`);
  if (encoded === "") throw wrong("The polyline is empty.");
  let numbers = 0;
  for (let i = 0; i < encoded.length; i++) {
    const code = encoded.charCodeAt(i);
    if (code < 63 || code > 126) throw wrong(`The polyline has the character "${encoded[i]}".`);
    // A chunk below 32 ends a number.
    if (code - 63 < 32) numbers++;
  }
  if (encoded.charCodeAt(encoded.length - 1) - 63 >= 32 || numbers % 2 === 1) throw wrong("The polyline is cut off.");
  if (numbers / 2 > MAX_PATH_POINTS) throw broken(index, section, `A path may have up to ${MAX_PATH_POINTS} points.`);
  const points = decodeLine(encoded, decimals);
  for (const { latitude, longitude } of points) {
    // A route may go on beyond the 180th meridian.
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360)) throw wrong("The polyline leaves the Earth.");
  }
  return points;
}

function broken(index: number, section: string, rule: string): SectionError {
  const shown = section.length > 60 ? `${section.slice(0, 57)}...` : section;
  return new SectionError(`Section ${index + 1} ("${shown}"): ${rule}`);
}
