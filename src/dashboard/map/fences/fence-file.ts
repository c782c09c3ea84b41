import { readCsvPiece, separatorOf } from "../../../worker/wire/tables/csv.ts";
import { pairFault, ringFault } from "./ring-check.ts";

/**
 * Parses a file of geofences in the browser before it is sent, and finds invalid rows. The server parses it again and
 * decides; this check needs no request, and draws the rows on the map.
 */
export interface FenceFile {
  format: "geojson" | "csv";
  rows: FileRow[];
}

interface FileRow {
  /** From 1; of CSV without the header. */
  row: number;
  name: string;
  geometry?: { type: "Point"; coordinates: number[] } | { type: "Polygon"; coordinates: number[][][] };
  fault?: string;
}

/** Largest body that an import takes [bytes]; the server says the same. */
export const MAX_BYTES = 10 * 1024 * 1024;

/** @throws Error with a sentence when nothing of it can be used */
export function readFenceFile(name: string, text: string): FenceFile {
  if (text.trim() === "") throw new Error("The file is empty.");
  const looksLikeJson = /^\s*[{[]/.test(text);
  if (looksLikeJson || /\.(geo)?json$/i.test(name)) return { format: "geojson", rows: readGeoJson(text) };
  return { format: "csv", rows: readRows(text) };
}

function readGeoJson(text: string): FileRow[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not valid JSON: ${(error as Error).message}.`);
  }
  const { type, features } = parsed as { type?: unknown; features?: unknown };
  if (type === "Feature") return [rowOf(parsed, 0)];
  if (type !== "FeatureCollection" || !Array.isArray(features))
    throw new Error(`Expected a GeoJSON FeatureCollection, but this is ${describeType(type)}.`);
  if (features.length === 0) throw new Error("The FeatureCollection has no features.");
  return features.map(rowOf);
}

const describeType = (type: unknown) => (typeof type === "string" ? `a ${type}` : "an object without a type");

function rowOf(feature: unknown, index: number): FileRow {
  const { geometry, properties } = (feature ?? {}) as {
    geometry?: { type?: unknown; coordinates?: unknown };
    properties?: Record<string, unknown> | null;
  };
  const name = String(properties?.description ?? properties?.name ?? properties?.externalId ?? `Feature ${index + 1}`);
  return { row: index + 1, name, ...shapeOf(geometry?.type, geometry?.coordinates) };
}

function shapeOf(type: unknown, coordinates: unknown): Pick<FileRow, "geometry" | "fault"> {
  if (type === "Point") {
    const fault = pairFault(coordinates);
    return fault ? { fault } : { geometry: { type, coordinates: coordinates as number[] } };
  }
  if (type !== "Polygon")
    return { fault: `Expected a Polygon, or a Point with a radius, but this is ${describeType(type)}.` };
  if (!Array.isArray(coordinates) || !Array.isArray(coordinates[0])) return { fault: "The polygon has no ring." };
  const fault =
    coordinates.length > 1 ? "A geofence cannot have holes. Only one ring is allowed." : ringFault(coordinates[0]);
  // A ring at fault is drawn all the same where it can be: seeing the crossing says more than its number.
  const drawable = (coordinates[0] as unknown[]).every((pair) => pairFault(pair) === undefined);
  return { fault, ...(drawable ? { geometry: { type, coordinates: coordinates as number[][][] } } : {}) };
}

/** Names as the server reads them: "External ID", "external_id" and "externalid" are one. */
const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function readRows(text: string): FileRow[] {
  const separator = separatorOf(text);
  const [header, ...rows] = readCsvPiece(text, 1, true, separator).rows;
  const names = header.cells.map((cell) => plainName(cell.trim()));
  const column = (...some: string[]) => names.findIndex((name) => some.includes(name));
  const columns = {
    description: column("description", "name", "title"),
    externalId: column("externalid"),
    coordinates: column("coordinates"),
    latitude: column("latitude", "lat"),
    longitude: column("longitude", "lng", "lon"),
  };
  const hasPlace = columns.coordinates >= 0 || (columns.latitude >= 0 && columns.longitude >= 0);
  if (columns.description < 0 || !hasPlace) {
    const missing = columns.description < 0 ? '"description"' : '"coordinates", or "latitude" and "longitude"';
    throw new Error(
      `The first row must contain the column names, including ${missing}. It is "${header.cells.join(", ").slice(0, 120)}".`,
    );
  }
  if (rows.length === 0) throw new Error("There are no rows after the header.");
  return rows.map(({ cells }, index) => {
    const cell = (name: keyof typeof columns) => cells[columns[name]]?.trim() ?? "";
    const row = { row: index + 1, name: cell("description") || cell("externalId") || `Row ${index + 1}` };
    if (cells.length > names.length)
      return { ...row, fault: `It has ${cells.length} cells, but the header has ${names.length}.` };
    if (cell("coordinates") === "" && columns.latitude >= 0)
      return { ...row, ...shapeOf("Point", [numberOf(cell("longitude")), numberOf(cell("latitude"))]) };
    const coordinates = coordinatesOf(cell("coordinates"));
    if (coordinates === undefined) return { ...row, fault: "coordinates: expected JSON, such as [-73.99,40.70]." };
    const isPair = Array.isArray(coordinates) && typeof coordinates[0] === "number";
    const rings = Array.isArray((coordinates as unknown[][])[0]?.[0]) ? coordinates : [coordinates];
    return { ...row, ...(isPair ? shapeOf("Point", coordinates) : shapeOf("Polygon", rings)) };
  });
}

/** A number of a spreadsheet, which may have a decimal comma. */
function numberOf(cell: string): number | undefined {
  const value = Number(cell.replace(",", "."));
  return cell === "" || !Number.isFinite(value) ? undefined : value;
}

function coordinatesOf(cell: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(cell);
    if (!Array.isArray(parsed)) return undefined;
    // [[lon, lat], …] and [[[lon, lat], …]] are both polygons.
    return parsed;
  } catch {
    return undefined;
  }
}
