import { z } from "zod";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { formatLine, type GeometryFormat, type LineGeometry } from "../../core/geo/shapes/polyline.ts";
import { distanceQuantity, durationQuantity, type Units } from "../../core/geo/units.ts";

/** Distances, durations and lines as serialized by the routing endpoints. */
export const quantityShape = z.object({ value: z.number(), text: z.string() });
export const coordinateShape = z.object({ latitude: z.number(), longitude: z.number() });
export const geometryShape = z
  .union([
    z.object({ polyline: z.string() }),
    z.object({ type: z.literal("LineString"), coordinates: z.array(z.array(z.number())) }),
  ])
  .meta({ description: "{polyline} or a GeoJSON LineString, as `geometry` asks" });

export const connectionShape = z.object({ distance: quantityShape, duration: quantityShape });

export const snappedShape = coordinateShape
  .extend({ distance: quantityShape })
  .meta({ description: "the position on a road that is used for a location, and its distance from the location" });

export const warningsShape = z
  .array(z.string())
  .meta({ description: "what differs from what was asked, such as an end on another island" });

const ELSEWHERE =
  "The roads nearest to a location do not connect to the others: the route begins or ends on another road, more than 100 m farther from it.";

/** The warnings of a route with these ends. */
export const wireWarnings = (isElsewhere: boolean) => isElsewhere && { warnings: [ELSEWHERE] };

/** To 1e-6°, like the line that begins there. */
export function wireSnapped({ location, distance: metres }: { location: Coordinate; distance: number }, units: Units) {
  const [latitude, longitude] = [location.latitude, location.longitude].map(
    (degrees) => Math.round(degrees * 1e6) / 1e6,
  );
  return { latitude, longitude, distance: distanceQuantity(metres, units) };
}

export function wireConnection({ distance: metres, duration }: { distance: number; duration: number }, units: Units) {
  return { distance: distanceQuantity(metres, units), duration: durationQuantity(duration) };
}

export function wireLine(line: readonly Coordinate[], format: GeometryFormat): LineGeometry {
  return formatLine(line, format);
}

export function wireCoordinate({ latitude, longitude }: Coordinate): Coordinate {
  return { latitude, longitude };
}
