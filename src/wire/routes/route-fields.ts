import { z } from "zod";
import { type Coordinate, parseCoordinate } from "../../geo/coordinate.ts";
import type { Mode } from "../../routing/graph/modes.ts";
import { COORDINATE_RULE, datetime, listOf, oneOf } from "../input/fields.ts";

/** Parameters and shapes that the routing endpoints share. */
const TRAVEL_MODES = ["car", "truck", "foot", "bike", "motorbike"] as const;
export const AVOIDS = ["tolls", "highways", "ferries", "borderCrossings"] as const;
const GEOMETRIES = ["linestring", "polyline5", "polyline6"] as const;

const MODES_TEXT =
  "truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; motorbike travels as car";
export const modeField = () => oneOf(TRAVEL_MODES).meta({ description: MODES_TEXT });
export const modesField = () => listOf(TRAVEL_MODES).meta({ description: MODES_TEXT });
export const unitsField = () => oneOf(["metric", "imperial"]).default("imperial");
export const avoidField = () => listOf(AVOIDS).optional();
export const geometryField = () => oneOf(GEOMETRIES);
export const departureField = () =>
  datetime().optional().meta({
    description:
      "departure time, default now; if the operator has imported historical speeds (`npm run import -- --speeds`), cars, trucks and motorbikes use those of that local time, otherwise the time has no effect",
  });

/** "lat,lon|lat,lon|…": `min` to `max` locations. */
export function locationsField(min: number, max: number) {
  const rule = `Expected ${min === max ? min : `${min} to ${max}`} locations "latitude,longitude" separated by "|".`;
  return z
    .string({ error: rule })
    .transform((value, context): Coordinate[] => {
      const points: Coordinate[] = [];
      for (const part of value.split("|")) {
        const point = parseCoordinate(part);
        if (!point) {
          context.addIssue({ code: "custom", message: COORDINATE_RULE });
          return z.NEVER;
        }
        points.push(point);
      }
      if (points.length >= min && points.length <= max) return points;
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .meta({
      type: "string",
      format: "latitude,longitude|…",
      description: `${min} to ${max} locations`,
      example: "40.7039,-73.9867|40.7128,-74.006",
    });
}

/** The profile of a mode. */
export function profileOf(mode: (typeof TRAVEL_MODES)[number]): Mode {
  return mode === "motorbike" ? "car" : mode;
}
