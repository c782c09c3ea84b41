import { type Coordinate, isCoordinate } from "../geo/coordinate.ts";
import { parseDecimal } from "../geo/decimal.ts";
import type { Color } from "./base/color.ts";
import type { MarkerLook, MarkerSize, OverlayPath } from "./overlay.ts";
import { MAX_LABEL, type MarkerGroup } from "./overlay-parameters.ts";
import { COLOR_RULE, colorIn, MAX_LINE_WIDTH, SectionError } from "./overlay-sections.ts";
import { type Pictogram, SYMBOLS } from "./style/pictograms.ts";

/**
 * GeoJSON (RFC 7946) whose features are styled by the properties of simplestyle 1.1
 * (github.com/mapbox/simplestyle-spec):
 *
 *     points   marker-color, marker-size, marker-symbol
 *     lines    stroke, stroke-opacity, stroke-width
 *     areas    those of lines for their outline, fill, fill-opacity
 *
 * Other properties are ignored, because GeoJSON may contain any.
 */
interface GeojsonOverlay {
  markers: MarkerGroup[];
  paths: OverlayPath[];
}

/** simplestyle's defaults for missing properties. */
const GREY = "#555555";
const MARKER_GREY = "#7e7e7e";
const SIZES: Readonly<Record<string, MarkerSize>> = { small: "small", medium: "normal", large: "large" };

/** Names of Maki's icons (a set that simplestyle names) for which there is a pictogram of another name. */
const MAKI: Readonly<Record<string, Pictogram>> = {
  restaurant: "food",
  cafe: "food",
  bar: "food",
  "fast-food": "food",
  grocery: "shop",
  clothing: "shop",
  museum: "culture",
  monument: "culture",
  "town-hall": "culture",
  hospital: "health",
  pharmacy: "health",
  ...{
    college: "school",
    library: "school",
    "park-alt1": "park",
    garden: "park",
    rail: "station",
    "rail-light": "tram",
  },
  "rail-metro": "station",
  airfield: "airport",
  harbor: "ferry",
  building: "home",
  embassy: "flag",
};

/** No real map nests collections deeper than this. */
const MAX_DEPTH = 8;

type Json = Record<string, unknown>;

/** @param geojson a FeatureCollection, a Feature or a geometry, parsed. @throws SectionError */
export function readGeojson(geojson: unknown): GeojsonOverlay {
  const overlay: GeojsonOverlay = { markers: [], paths: [] };
  readObject(geojson, "", overlay, 0);
  return overlay;
}

function readObject(value: unknown, at: string, overlay: GeojsonOverlay, depth: number): void {
  const object = objectAt(value, at);
  if (depth > MAX_DEPTH) throw wrong(at, "Nested too deeply.");
  if (object.type === "FeatureCollection") {
    for (const [i, feature] of listAt(object.features, `${at}features`).entries())
      readObject(feature, `${at}features[${i}].`, overlay, depth + 1);
  } else if (object.type === "Feature") {
    // A feature without a geometry is allowed, and shows nothing.
    if (object.geometry !== null)
      readGeometry(object.geometry, `${at}geometry.`, new Look((object.properties ?? {}) as Json, at), overlay, depth);
  } else readGeometry(object, at, new Look({}, at), overlay, depth);
}

function readGeometry(value: unknown, at: string, look: Look, overlay: GeojsonOverlay, depth: number): void {
  const geometry = objectAt(value, at);
  if (depth > MAX_DEPTH) throw wrong(at, "Nested too deeply.");
  if (geometry.type === "GeometryCollection") {
    for (const [i, part] of listAt(geometry.geometries, `${at}geometries`).entries())
      readGeometry(part, `${at}geometries[${i}].`, look, overlay, depth + 1);
    return;
  }
  const name = `${at}coordinates`;
  const { coordinates } = geometry;
  const points = (list: unknown, where: string, least: number): Coordinate[] => {
    const positions = listAt(list, where).map((position, i) => positionAt(position, `${where}[${i}]`));
    if (positions.length < least) throw wrong(where, `At least ${least} positions.`);
    return positions;
  };
  const each = (read: (part: unknown, where: string) => void) => {
    for (const [i, part] of listAt(coordinates, name).entries()) read(part, `${name}[${i}]`);
  };
  const line = (list: unknown, where: string) => overlay.paths.push({ ...look.line(), points: points(list, where, 2) });
  const area = (rings: unknown, where: string) => {
    const [outer, ...holes] = listAt(rings, where).map((ring, i) => points(ring, `${where}[${i}]`, 4));
    if (!outer) throw wrong(where, "At least one ring.");
    overlay.paths.push({ ...look.area(), points: outer, holes });
  };
  const marker = (locations: Coordinate[]) => overlay.markers.push({ ...look.marker(), icon: undefined, locations });
  if (geometry.type === "Point") marker([positionAt(coordinates, name)]);
  else if (geometry.type === "MultiPoint") marker(points(coordinates, name, 1));
  else if (geometry.type === "LineString") line(coordinates, name);
  else if (geometry.type === "MultiLineString") each(line);
  else if (geometry.type === "Polygon") area(coordinates, name);
  else if (geometry.type === "MultiPolygon") each(area);
  else throw wrong(`${at}type`, "No such type of GeoJSON.");
}

/** Style from the properties of a feature. */
class Look {
  readonly #properties: Json;
  readonly #at: string;

  constructor(properties: Json, at: string) {
    this.#properties = properties;
    this.#at = at;
  }

  marker(): MarkerLook {
    const size = this.#text("marker-size", "medium");
    if (!Object.hasOwn(SIZES, size)) throw this.#wrong("marker-size", "Valid values: small, medium, large.");
    const symbol = this.#text("marker-symbol", "");
    const known = SYMBOLS.find((name) => name === symbol) ?? (Object.hasOwn(MAKI, symbol) ? MAKI[symbol] : undefined);
    // Letters and digits are shown in the pin; an unknown symbol is drawn as a plain pin.
    const isLabel = !known && symbol !== "" && [...symbol].length <= MAX_LABEL;
    return {
      color: this.#color("marker-color", MARKER_GREY),
      size: SIZES[size],
      ...(known && { symbol: known }),
      ...(isLabel && { label: symbol.toUpperCase() }),
    };
  }

  line(): Omit<OverlayPath, "points"> {
    const width = this.#number("stroke-width", 2, MAX_LINE_WIDTH);
    return { stroke: this.#seen("stroke", 1), width, border: [255, 255, 255, 1], borderWidth: 0 };
  }

  area(): Omit<OverlayPath, "points"> {
    return { ...this.line(), fill: this.#seen("fill", 0.6) };
  }

  #seen(name: "stroke" | "fill", opacity: number): Color {
    const [red, green, blue, alpha] = this.#color(name, GREY);
    return [red, green, blue, alpha * this.#number(`${name}-opacity`, opacity, 1)];
  }

  #color(name: string, usual: string): Color {
    const text = this.#text(name, usual);
    // simplestyle also allows colors without a hash.
    const color = colorIn(text) ?? (/^[0-9a-f]{3}([0-9a-f]{3})?$/i.test(text) ? colorIn(`#${text}`) : undefined);
    if (!color) throw this.#wrong(name, COLOR_RULE);
    return color;
  }

  #number(name: string, usual: number, most: number): number {
    const given = this.#properties[name];
    const value =
      given === undefined || given === null || given === ""
        ? usual
        : typeof given === "string"
          ? parseDecimal(given)
          : Number(given);
    if (!(value >= 0 && value <= most)) throw this.#wrong(name, `Valid range: [0, ${most}].`);
    return value;
  }

  #text(name: string, usual: string): string {
    const given = this.#properties[name];
    return given === undefined || given === null || given === "" ? usual : String(given);
  }

  #wrong(name: string, rule: string): SectionError {
    return wrong(`${this.#at}properties.${name}`, rule);
  }
}

function objectAt(value: unknown, at: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw wrong(at, "Expected an object of GeoJSON.");
}

function listAt(value: unknown, at: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw wrong(at, "Expected a list.");
}

function positionAt(value: unknown, at: string): Coordinate {
  const [longitude, latitude] = Array.isArray(value) ? value : [];
  if (typeof longitude === "number" && typeof latitude === "number" && isCoordinate(latitude, longitude))
    return { latitude, longitude };
  throw wrong(at, "Expected [longitude, latitude] with longitude in [-180, 180] and latitude in [-90, 90].");
}

const wrong = (at: string, rule: string) => new SectionError(at === "" ? rule : `${at.replace(/\.$/, "")}: ${rule}`);
