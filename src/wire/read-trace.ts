import { type Coordinate, isCoordinate } from "../geo/coordinate.ts";

/** A point of a trace as files tell it. */
export interface FilePoint extends Coordinate {
  /** [ms] */
  at?: number;
}

const TAGS = ["trkpt", "rtept", "wpt"] as const;

/**
 * The points of a GPX file (1.0 and 1.1): those of its tracks, or where it has none of its routes, or its waypoints.
 * Undefined where a point has no position.
 */
export function readGpx(text: string): FilePoint[] | undefined {
  for (const tag of TAGS) {
    const points: FilePoint[] = [];
    for (const [, attributes, inner] of text.matchAll(
      new RegExp(`<${tag}\\b([^>]*?)(?:/>|>([\\s\\S]*?)</${tag}\\s*>)`, "g"),
    )) {
      const point = pointOf(attribute(attributes, "lat"), attribute(attributes, "lon"));
      if (!point) return undefined;
      points.push({ ...point, ...timed(inner?.match(/<time>\s*([^<]+?)\s*<\/time>/)?.[1]) });
    }
    if (points.length > 0) return points;
  }
  return [];
}

function attribute(text: string, name: string): number {
  const [, value = ""] = text.match(new RegExp(`\\b${name}\\s*=\\s*["']\\s*([^"']+?)\\s*["']`)) ?? [];
  return value === "" ? Number.NaN : Number(value);
}

/**
 * The points of a GeoJSON value: LineStrings with times in `coordTimes`, `times` or `timestamps`, or Points with
 * `time` or `timestamp`, alone, as features or in a collection. Undefined where it is none of these.
 */
export function readGeoJson(value: unknown): FilePoint[] | undefined {
  const { type, features, geometry, properties, coordinates } = (value ?? {}) as Record<string, unknown>;
  if (type === "FeatureCollection" && Array.isArray(features)) return joined(features.map(readGeoJson));
  if (type === "Feature") return readGeometry(geometry, (properties ?? {}) as Record<string, unknown>);
  return coordinates === undefined ? undefined : readGeometry(value, {});
}

function readGeometry(geometry: unknown, properties: Record<string, unknown>): FilePoint[] | undefined {
  const { type, coordinates } = (geometry ?? {}) as Record<string, unknown>;
  if (!Array.isArray(coordinates)) return undefined;
  const inner = properties.coordinateProperties as Record<string, unknown> | undefined;
  const times = properties.coordTimes ?? properties.times ?? properties.timestamps ?? inner?.times;
  if (type === "Point") return line([coordinates], [properties.time ?? properties.timestamp]);
  if (type === "LineString" || type === "MultiPoint") return line(coordinates, times);
  if (type === "MultiLineString")
    return joined(coordinates.map((part, i) => line(part, Array.isArray(times) ? times[i] : undefined)));
  return undefined;
}

function line(coordinates: unknown, times: unknown): FilePoint[] | undefined {
  if (!Array.isArray(coordinates)) return undefined;
  const points: FilePoint[] = [];
  for (const [i, pair] of coordinates.entries()) {
    const point = Array.isArray(pair) ? pointOf(pair[1], pair[0]) : undefined;
    if (!point) return undefined;
    points.push({ ...point, ...timed(Array.isArray(times) ? times[i] : undefined) });
  }
  return points;
}

function joined(parts: readonly (FilePoint[] | undefined)[]): FilePoint[] | undefined {
  return parts.includes(undefined) ? undefined : (parts as FilePoint[][]).flat();
}

function pointOf(latitude: unknown, longitude: unknown): Coordinate | undefined {
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  return isCoordinate(latitude, longitude) ? { latitude, longitude } : undefined;
}

/** A time as text, or in milliseconds or seconds since 1970; what is none is no time. */
function timed(value: unknown): { at?: number } {
  const at =
    typeof value === "number"
      ? value < 1e11
        ? value * 1000
        : value
      : typeof value === "string"
        ? Date.parse(value)
        : Number.NaN;
  return Number.isFinite(at) ? { at } : {};
}
