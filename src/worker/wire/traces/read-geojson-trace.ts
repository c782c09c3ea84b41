import { type FilePoint, pointOf, timed } from "./file-point.ts";

/**
 * Reads the points of a GeoJSON value: LineStrings with times in `coordTimes`, `times` or `timestamps`, or Points with
 * `time` or `timestamp`, alone, as features or in a collection.
 * @returns undefined if it is none of these
 */
export function readGeoJson(value: unknown): FilePoint[] | undefined {
  const { type, features } = (value ?? {}) as Record<string, unknown>;
  // A collection contains features, not collections: RFC 7946, section 3.3.
  if (type === "FeatureCollection" && Array.isArray(features)) return joined(features.map(readFeature));
  return readFeature(value);
}

function readFeature(value: unknown): FilePoint[] | undefined {
  const { type, geometry, properties, coordinates } = (value ?? {}) as Record<string, unknown>;
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
