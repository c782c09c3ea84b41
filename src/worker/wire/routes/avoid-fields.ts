import { z } from "zod";
import { isCoordinate } from "../../../core/geo/coordinate.ts";
import type { Ring } from "../../../core/geo/shapes/polygon.ts";
import { windsAroundPole } from "../../../core/geo/shapes/reach.ts";
import { selfCrossing } from "../../../core/geo/shapes/self-crossing.ts";
import { json, optionalList } from "../input/fields.ts";

const MAX_POLYGONS = 10;
const MAX_CORNERS = 1000;
/** Together with the polygons, at most the engine's MAX_AREAS. */
export const MAX_FENCES = 20;

const POLYGONS_RULE = `Expected a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection, or a list of them, with at most ${MAX_POLYGONS} polygons and ${MAX_CORNERS} positions.`;
const ENTERED =
  "A road that enters an area is not used, from junction to junction; if a route starts or ends in an area, its roads cost twenty times as much, as with `avoid`";

/** Polygons that no route may enter: rings, outline first. */
const avoidPolygonsField = (form: "string" | "object") =>
  json(z.unknown())
    .transform((value, context): Ring[][] | undefined => {
      if (value === undefined || value === null || value === "") return undefined;
      const polygons: Ring[][] = [];
      const problem = addPolygons(value, polygons, 0) ?? (polygons.length === 0 ? POLYGONS_RULE : boundsOf(polygons));
      if (problem === undefined) return polygons;
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    })
    .optional()
    .meta({
      type: form,
      description: `areas to avoid: ${POLYGONS_RULE} ${ENTERED}. At most 128 tiles of roads (about as many thousand junctions).`,
    });

/** The customer's geofences that no route may enter. */
const avoidGeofencesField = () =>
  optionalList({ max: MAX_FENCES }).meta({
    type: "string",
    description: `geofences to avoid,  "tag" or "tag:externalId", separated by commas; at most ${MAX_FENCES} geofences together. Disabled geofences are ignored; a tag without geofences avoids nothing`,
    example: "closed-zones",
  });

const MAX_ZONES = 20;

/** Low-emission zones by name, for the endpoints that have `avoid=lowEmissionZones`. */
export const avoidZonesField = () =>
  optionalList({ max: MAX_ZONES }).meta({
    type: "string",
    description: `names of low-emission zones to avoid (all: \`avoid=lowEmissionZones\`), as in OpenStreetMap, separated by commas; at most ${MAX_ZONES}. For car, truck and motorbike`,
    example: "Umweltzone Heidelberg",
  });

/** The two parameters, for the endpoints of routes; polygons are JSON text in a query. */
export const avoidAreasFields = (form: "string" | "object" = "string") => ({
  avoidPolygons: avoidPolygonsField(form),
  avoidGeofences: avoidGeofencesField(),
});

/** Adds the polygons of a GeoJSON value. Returns an error message if it is invalid. */
function addPolygons(value: unknown, polygons: Ring[][], depth: number): string | undefined {
  if (typeof value !== "object" || value === null || depth > 4) return POLYGONS_RULE;
  const members = membersOf(value as Record<string, unknown>);
  if (members) {
    if (members.length > MAX_POLYGONS) return POLYGONS_RULE;
    for (const member of members) {
      const problem = addPolygons(member, polygons, depth + 1);
      if (problem) return problem;
    }
    return undefined;
  }
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  if (!Array.isArray(coordinates) || coordinates.length === 0) return POLYGONS_RULE;
  if (type === "Polygon") {
    polygons.push(coordinates);
    return undefined;
  }
  if (type !== "MultiPolygon" || !coordinates.every((polygon) => Array.isArray(polygon))) return POLYGONS_RULE;
  polygons.push(...(coordinates as Ring[][]));
  return undefined;
}

function membersOf(value: Record<string, unknown>): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (value.type === "Feature") return [value.geometry];
  const list =
    value.type === "FeatureCollection"
      ? value.features
      : value.type === "GeometryCollection"
        ? value.geometries
        : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** Returns an error message for invalid polygons. */
function boundsOf(polygons: readonly (readonly unknown[])[]): string | undefined {
  if (polygons.length > MAX_POLYGONS) return POLYGONS_RULE;
  let corners = 0;
  for (const rings of polygons) {
    if (rings.length === 0) return POLYGONS_RULE;
    for (const ring of rings) {
      if (!Array.isArray(ring)) return POLYGONS_RULE;
      corners += ring.length;
      if (corners > MAX_CORNERS) return POLYGONS_RULE;
      const problem = ringProblem(ring);
      if (problem) return problem;
    }
  }
  return undefined;
}

function ringProblem(ring: readonly unknown[]): string | undefined {
  const isPosition = (pair: unknown) =>
    Array.isArray(pair) && typeof pair[0] === "number" && typeof pair[1] === "number" && isCoordinate(pair[1], pair[0]);
  if (!ring.every(isPosition)) return "Positions are [longitude, latitude].";
  const corners = ring as Ring;
  const [first, last] = [corners[0], corners[corners.length - 1]];
  if (corners.length < 4 || first[0] !== last[0] || first[1] !== last[1])
    return "A ring has at least four positions, the first and last equal.";
  if (windsAroundPole(corners)) return "A polygon must not wind around a pole.";
  const crossing = selfCrossing(corners);
  if (crossing)
    return `A polygon crosses itself at [${crossing.longitude.toFixed(6)}, ${crossing.latitude.toFixed(6)}].`;
  return undefined;
}
