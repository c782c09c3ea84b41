import { z } from "zod";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { parseDecimal } from "../../../../core/geo/decimal.ts";
import type { RoutePoint } from "../../../../core/routing/route/router.ts";
import { flag, oneOf } from "../../../wire/input/fields.ts";
import { checkCount, osrmError, perCoordinate } from "./osrm.ts";

/** Parameters that the services of OSRM, and those of Mapbox, share. */

/** The engine never looks for a road farther than this [m]. */
const MAX_REACH = 5000;

const reachOf = (text: string) => {
  if (text === "unlimited") return MAX_REACH;
  const metres = parseDecimal(text);
  return metres >= 0 ? Math.min(metres, MAX_REACH) : undefined;
};

const radiusesField = () =>
  perCoordinate(reachOf, "Expected meters, or unlimited.").meta({
    type: "string",
    description: "maximum distance to a road [m], `unlimited`: 5000, separated by `;`",
  });

/** A direction of travel, and how far a road may differ from it [degrees]. */
export interface Bearing {
  heading: number;
  range: number;
}

const bearingOf = (text: string): Bearing | undefined => {
  const [heading, range, ...more] = text.split(",").map(parseDecimal);
  const isValid = more.length === 0 && heading >= 0 && heading <= 360 && range >= 0 && range <= 180;
  return isValid ? { heading, range } : undefined;
};

const bearingsField = () =>
  perCoordinate(bearingOf, 'Expected "bearing,range" in [0, 360] and [0, 180].').meta({
    type: "string",
    description: "direction of travel and how far the road may differ from it, `90,45`, separated by `;`",
  });

const approachOf = (text: string) => (text === "unrestricted" ? false : text === "curb" ? true : undefined);

export const approachesField = () =>
  perCoordinate(approachOf, "Expected unrestricted or curb.").meta({
    type: "string",
    description: "`curb`: on its side of the road; `unrestricted`; separated by `;`",
  });

/** Where the coordinates may be left and reached. */
export const approachFields = {
  radiuses: radiusesField(),
  bearings: bearingsField(),
  approaches: approachesField(),
};

export type Approaches = z.output<z.ZodObject<typeof approachFields>>;

/** The coordinates with their own radius, direction and side. @throws ApiError 400 if a list has another length */
export function pointsOf(
  coordinates: readonly Coordinate[],
  { radiuses, bearings, approaches }: Approaches,
): RoutePoint[] {
  const count = coordinates.length;
  checkCount("radiuses", radiuses, count);
  checkCount("bearings", bearings, count);
  checkCount("approaches", approaches, count);
  return coordinates.map((point, i) => {
    const bearing = bearings?.[i];
    // Within half a turn to both sides, all directions are allowed.
    const direction = bearing && bearing.range < 180 ? bearing : undefined;
    const [reach, curbside] = [radiuses?.[i], approaches?.[i]];
    const isPlain = reach === undefined && !direction && curbside === undefined;
    return isPlain ? point : { ...point, approach: { reach, curbside, ...direction } };
  });
}

/** "0;2": indexes of coordinates. `all`: all of them. */
export function indexesField(description: string) {
  const rule = 'Expected numbers of coordinates, from 0, separated by ";", or all.';
  return z
    .string({ error: rule })
    .transform((value, context): number[] | "all" => {
      if (value === "all") return "all";
      const indexes = value.split(";", 1100).map((part) => (/^\d{1,4}$/.test(part.trim()) ? Number(part) : Number.NaN));
      if (!indexes.some(Number.isNaN)) return indexes;
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description });
}

/** @throws ApiError 400 for an index that is not one of the coordinates */
export function indexesOf(name: string, given: number[] | "all" | undefined, count: number): number[] {
  if (given === undefined || given === "all") return Array.from({ length: count }, (_, i) => i);
  const wrong = given.find((index) => index >= count);
  if (wrong !== undefined) throw osrmError("InvalidOptions", `${name}: There is no coordinate ${wrong}.`);
  return given;
}

/** The numbers of the coordinates where a leg ends. @throws ApiError 400 without the first or the last */
export function waypointsOf(given: number[] | "all" | undefined, count: number): number[] {
  const stops = indexesOf("waypoints", given, count);
  const isAscending = stops.every((stop, i) => i === 0 || stop > stops[i - 1]);
  if (isAscending && stops[0] === 0 && stops[stops.length - 1] === count - 1) return stops;
  throw osrmError("InvalidOptions", "waypoints: Expected ascending numbers with the first and the last coordinate.");
}

export const waypointsField = () =>
  indexesField("numbers of the coordinates where a leg ends, with the first and the last; default: all");

const ANNOTATIONS = ["distance", "duration", "speed", "weight", "datasources"] as const;
export type Annotation = (typeof ANNOTATIONS)[number] | "maxspeed";

const ANNOTATION_RULE = `Valid values: true, false, or some of ${ANNOTATIONS.join(", ")}. Ids of nodes are not stored.`;

/** `more`: what another API has in addition. */
export const annotationsField = (rule = ANNOTATION_RULE, more: readonly Annotation[] = []) =>
  z
    .string({ error: rule })
    .transform((value, context): ReadonlySet<Annotation> => {
      if (value === "false" || value === "") return new Set();
      if (value === "true") return new Set(ANNOTATIONS);
      const names = value.split(",", 20) as Annotation[];
      if (names.every((name) => (ANNOTATIONS as readonly string[]).includes(name) || more.includes(name)))
        return new Set(names);
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .default(new Set())
    .meta({ type: "string", description: `of each segment of the geometry. ${rule}` });

/** The form of a route. */
export const routeFormFields = {
  steps: flag().default(false).meta({ description: "with steps" }),
  geometries: oneOf(["polyline", "polyline6", "geojson"])
    .default("polyline")
    .meta({ description: "polyline: 5 decimals, polyline6: 6" }),
  overview: oneOf(["simplified", "full", "false"]).default("simplified").meta({
    description: "geometry of the complete route: simplified for a map that shows all of it, all points, or none",
  }),
  annotations: annotationsField(),
};

const EXCLUDES = { toll: "tolls", motorway: "highways", ferry: "ferries" } as const;

type Avoided = (typeof EXCLUDES)[keyof typeof EXCLUDES] | "borderCrossings";

/** @param more what another API has in addition */
export function excludeField(more: Readonly<Record<string, Avoided>> = {}) {
  const all: Readonly<Record<string, Avoided>> = { ...EXCLUDES, ...more };
  const rule = `Valid values: ${Object.keys(all).join(", ")}, separated by commas.`;
  return z
    .string({ error: rule })
    .transform((value, context) => {
      const names = value === "" ? [] : value.split(",", 10);
      if (names.every((name) => Object.hasOwn(all, name))) return names.map((name) => all[name]);
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: `roads to avoid where there is another route: ${rule}` });
}

/** Parameters of all services of OSRM that change nothing here. */
export const ignoredFields = {
  hints: z.string().optional().meta({ description: "ignored: every coordinate is looked up" }),
  generate_hints: z.string().optional().meta({ description: "ignored: hints are empty" }),
  snapping: oneOf(["default", "any"]).optional().meta({ description: "ignored: roads that the profile may use" }),
  skip_waypoints: flag().default(false).meta({ description: "leave `waypoints` out of the response" }),
};
