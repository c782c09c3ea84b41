import type { CsvRow, Separator } from "./csv.ts";
import { GEOFENCE_COLUMNS, GEOFENCE_FIELDS } from "./geofence-file.ts";
import { isObject } from "./is-object.ts";
import { fromHarmless } from "./write-csv.ts";

/**
 * Rows of a table and features of GeoJSON as the fields of POST /v1/geofences. That endpoint's rules validate the
 * fields; this file only converts what a file represents differently.
 */
type Fields = Record<string, unknown>;

/** A row of a file: its fields, or the problem. */
export interface FileRow {
  /** From 1, without the header row. */
  row: number;
  line?: number;
  /** Id of the geofence that was exported as this row. */
  id?: string;
  fields?: Fields;
  wrong?: { message: string; param?: string };
}

export interface FileRows {
  rows: FileRow[];
  /** Unknown columns or properties. */
  ignored: string[];
}

/** Normalizes names: "External ID", "external_id" and "externalid" are the same. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const KNOWN = new Map<string, string>([
  ...[...GEOFENCE_COLUMNS, "latitude", "longitude"].map((name) => [plain(name), name] as const),
  // Names used by drawing programs.
  ...(["name", "title"] as const).map((name) => [name, "description"] as const),
  ...(["lat", "lng", "lon"] as const).map((name) => [name, name === "lat" ? "latitude" : "longitude"] as const),
]);
/** Exported files have these; they are ignored. */
const NOT_WRITTEN = ["createdAt", "updatedAt"];

/** Numbers for which a spreadsheet uses a decimal comma if its columns are separated by semicolons. */
const NUMBERS = ["radius", "dwellThreshold", "tripApproachingThreshold", "speedLimit", "latitude", "longitude"];

export function fieldsOfTable(names: readonly string[], rows: readonly CsvRow[], separator: Separator): FileRows {
  const fields = names.map((name) => KNOWN.get(plain(name)));
  const ignored = names.filter((name, i) => name !== "" && fields[i] === undefined);
  return {
    ignored,
    rows: rows.map(({ line, cells }, i): FileRow => {
      const place = { row: i + 1, line };
      if (cells.length > names.length) {
        return { ...place, wrong: { message: "The row has more cells than the file has columns." } };
      }
      const own: Fields = {};
      fields.forEach((field, i) => {
        const cell = cells[i]?.trim() ?? "";
        if (field !== undefined && cell !== "" && !NOT_WRITTEN.includes(field))
          own[field] ??= cellValue(field, cell, separator);
      });
      return { ...place, ...withShape(own) };
    }),
  };
}

function cellValue(field: string, cell: string, separator: Separator): string {
  if (NUMBERS.includes(field) && separator !== "," && /^-?\d+,\d+$/.test(cell)) return cell.replace(",", ".");
  if (field === "enabled" || field === "stopDetection" || field === "type" || field === "mode")
    return cell.toLowerCase();
  return fromHarmless(cell);
}

/**
 * Converts latitude and longitude to coordinates, derives a missing type from the coordinates, and separates the _id.
 */
function withShape({ _id, latitude, longitude, ...fields }: Fields): Pick<FileRow, "id" | "fields"> {
  if (fields.coordinates === undefined && latitude !== undefined && longitude !== undefined) {
    fields.coordinates = [longitude, latitude];
  }
  fields.type ??= typeOf(fields.coordinates);
  return { fields, ...(typeof _id === "string" ? { id: _id } : {}) };
}

function typeOf(coordinates: unknown): string | undefined {
  if (Array.isArray(coordinates)) return Array.isArray(coordinates[0]) ? "polygon" : "circle";
  if (typeof coordinates !== "string") return undefined;
  return /^\s*\[\s*\[/.test(coordinates) ? "polygon" : "circle";
}

/** The features of a FeatureCollection, or a single Feature; undefined for anything else. */
export function featuresOf(geojson: unknown): unknown[] | undefined {
  if (!isObject(geojson)) return undefined;
  if (geojson.type === "FeatureCollection" && Array.isArray(geojson.features)) return geojson.features;
  return geojson.type === "Feature" ? [geojson] : undefined;
}

/**
 * The name of a coordinate system other than that of GeoJSON. RFC 7946 removed "crs": files that still have one are
 * from older programs, and may contain meters.
 */
export function foreignSystem(geojson: unknown): string | undefined {
  if (!isObject(geojson) || !isObject(geojson.crs)) return undefined;
  const { properties } = geojson.crs;
  const name = isObject(properties) && typeof properties.name === "string" ? properties.name : "unknown";
  return /CRS84|EPSG:{1,2}4326$/i.test(name) ? undefined : name;
}

export function fieldsOfFeatures(features: readonly unknown[]): FileRows {
  const ignored = new Set<string>();
  const rows = features.map((feature, i): FileRow => {
    const row = i + 1;
    if (!isObject(feature) || feature.type !== "Feature")
      return { row, wrong: { message: "This is not a GeoJSON Feature." } };
    const own: Fields = {};
    const properties = isObject(feature.properties) ? feature.properties : {};
    for (const [name, value] of Object.entries(properties)) {
      const field = KNOWN.get(plain(name));
      if (field === undefined && name !== "center") ignored.add(name);
      else if (field !== undefined && value !== null && !NOT_WRITTEN.includes(field)) own[field] ??= value;
    }
    const { latitude: _, longitude: __, ...fields } = own;
    const shape = shapeOf(feature.geometry, fields.type, properties.center);
    if ("message" in shape) return { row, wrong: { ...shape, param: "coordinates" }, fields };
    return { row, ...withShape({ ...fields, ...shape }) };
  });
  return { rows, ignored: [...ignored] };
}

type Shape = { type: string; coordinates: unknown } | { message: string };

/**
 * Converts a geometry to the type and coordinates of a geofence. An exported isochrone is rebuilt around its center.
 */
function shapeOf(geometry: unknown, type: unknown, center: unknown): Shape {
  if (!isObject(geometry)) return { message: "The feature has no geometry." };
  const { coordinates } = geometry;
  if (type === "isochrone") {
    return { type, coordinates: flat(geometry.type === "Point" ? coordinates : center) };
  }
  if (geometry.type === "Point") return { type: "circle", coordinates: flat(coordinates) };
  if (geometry.type === "Polygon") return ringOf(coordinates);
  if (geometry.type !== "MultiPolygon") {
    return { message: `A ${String(geometry.type)} is no area. Use a Polygon, or a Point with a radius.` };
  }
  const parts = Array.isArray(coordinates) ? coordinates : [];
  if (parts.length === 1) return ringOf(parts[0]);
  return { message: `A MultiPolygon of ${parts.length} parts: a geofence has one. Make a feature of each part.` };
}

export function holesMessage(holes: number): string {
  return `A polygon with ${holes} ${holes === 1 ? "hole" : "holes"}: a geofence has none. Leave them out, or cut it into parts.`;
}

function ringOf(rings: unknown): Shape {
  if (!Array.isArray(rings) || rings.length === 0) return { message: "The polygon has no ring." };
  if (rings.length > 1) return { message: holesMessage(rings.length - 1) };
  const [ring] = rings as unknown[];
  return { type: "polygon", coordinates: Array.isArray(ring) ? ring.map(flat) : ring };
}

/** A position without its altitude. */
function flat(position: unknown): unknown {
  return Array.isArray(position) && position.length > 2 ? position.slice(0, 2) : position;
}

/** The fields that a file may have, for the reference. */
export const IMPORT_FIELDS = GEOFENCE_FIELDS.join(", ");
