import { z } from "zod";
import { type Coordinate, parseCoordinate } from "../../../core/geo/coordinate.ts";
import type { Mode } from "../../../core/routing/graph/modes.ts";
import { SNAP_AVOIDS, type SnapAvoid } from "../../../core/routing/store/snap.ts";
import { invalid } from "../../platform/errors.ts";
import { COORDINATE_RULE, datetime, listOf, number, oneOf, optionalListOf } from "../input/fields.ts";

/** Parameters and shapes that the routing endpoints share. */
const TRAVEL_MODES = ["car", "truck", "foot", "bike", "motorbike"] as const;
export type TravelMode = (typeof TRAVEL_MODES)[number];
const AVOIDS = ["tolls", "highways", "ferries", "borderCrossings", "lowEmissionZones"] as const;
const GEOMETRIES = ["linestring", "polyline5", "polyline6"] as const;

const MODES_TEXT =
  "truck: 4.11 m high, 2.6 m wide, 18 m long, 36 t, at most 90 km/h, no dangerous goods; car: 2 m, 1.9 m, 4.8 m, 2 t; `vehicle` sets others; motorbike travels as car";
export const modeField = () => oneOf(TRAVEL_MODES).meta({ description: MODES_TEXT });
export const modesField = () => listOf(TRAVEL_MODES).meta({ description: MODES_TEXT });
export const unitsField = () => oneOf(["metric", "imperial"]).default("imperial");
const AVOID_TEXT =
  "roads to avoid; one is used where there is no other route. lowEmissionZones: for car, truck and motorbike";
export const avoidField = () => listOf(AVOIDS).optional().meta({ description: AVOID_TEXT });
export const optionalAvoidField = () => optionalListOf(AVOIDS).meta({ description: AVOID_TEXT });
export const geometryField = () => oneOf(GEOMETRIES);
export const departureField = () =>
  datetime().optional().meta({
    description:
      "departure time, default now; restrictions that apply at some hours (closed roads, one-way streets, turns, speed limits) apply at the local time when they are reached, and if the operator has imported historical speeds (`npm run import -- --speeds`), cars, trucks and motorbikes use those of that local time",
  });

const TRAFFIC = ["live", "typical"] as const;
export type Traffic = (typeof TRAFFIC)[number];
export const trafficField = (byDefault: Traffic = "live") =>
  oneOf(TRAFFIC)
    .default(byDefault)
    .meta({
      description: `live: if the project has learning enabled, times by car and motorbike that begin within 15 minutes from now follow what its devices report; typical: they do not. Default: ${byDefault}`,
    });

/** A road farther than this from a point is never used [m]; see `SNAP_REACH`. */
const MAX_SNAP_METRES = 5000;

export const snapAvoidField = () =>
  listOf([...SNAP_AVOIDS, "none"])
    .default([...SNAP_AVOIDS])
    .transform((kinds): readonly SnapAvoid[] => kinds.filter((kind) => kind !== "none"))
    .meta({
      description:
        "kinds of roads on which a location is not placed if another road is at most 100 m farther; motorway: with its ramps; `none`: the nearest road in any case. No effect with a heading. Default: tunnel,bridge,motorway,ferry",
    });

export const maxSnapField = () =>
  number({ above: 0, max: MAX_SNAP_METRES }).optional().meta({
    description: "maximum distance from a location to a road [m], default 5000; without a road, there is no route",
  });

export const radiusesField = () =>
  numberPerLocation({ above: 0, max: MAX_SNAP_METRES }).meta({
    type: "string",
    description: 'as `maxSnapDistance`, one number per location, separated by "|"; an empty one: `maxSnapDistance`',
  });

export const headingsField = () =>
  numberPerLocation({ min: 0, max: 360 }).meta({
    type: "string",
    description:
      'direction of travel at each location, separated by "|" (degrees: north 0, east 90); an empty one: any direction',
  });

/** "50||100": a number or nothing for each location. `perLocation` checks how many there are. */
function numberPerLocation(range: { min?: number; above?: number; max: number }) {
  const one = number(range);
  const low = range.above === undefined ? `[${range.min}` : `(${range.above}`;
  const rule = `Expected a number in ${low}, ${range.max}] or nothing for each location, separated by "|".`;
  return z
    .string({ error: rule })
    .transform((value, context): (number | undefined)[] => {
      const numbers: (number | undefined)[] = [];
      for (const part of value.split("|", MAX_LOCATIONS + 1)) {
        const text = part.trim();
        const parsed = text === "" ? undefined : one.safeParse(text);
        if (parsed && !parsed.success) {
          context.addIssue({ code: "custom", message: rule });
          return z.NEVER;
        }
        numbers.push(parsed?.data);
      }
      return numbers;
    })
    .optional();
}

/** More numbers than any endpoint accepts locations need not be parsed. */
const MAX_LOCATIONS = 100;

/** @throws ApiError 400 if a list has not one item per location */
export function perLocation<T>(param: string, list: readonly T[] | undefined, count: number): readonly T[] | undefined {
  if (list === undefined || list.length === count) return list;
  throw invalid(param, `Expected one value per location: ${count}, separated by "|".`);
}

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
export function profileOf(mode: TravelMode): Mode {
  return mode === "motorbike" ? "car" : mode;
}
