import { z } from "zod";
import { coverCircle, coverPolygon } from "../../../core/geo/cells/cover.ts";
import { isCoordinate } from "../../../core/geo/coordinate.ts";
import type { Ring } from "../../../core/geo/shapes/polygon.ts";
import { windsAroundPole } from "../../../core/geo/shapes/reach.ts";
import { selfCrossing } from "../../../core/geo/shapes/self-crossing.ts";
import { TooFar } from "../../../core/routing/reach/contours.ts";
import { isochrone } from "../../../core/routing/reach/isochrone.ts";
import { polygonShape } from "../../../core/tracking/types/shape.ts";
import { roadsUnreadable, routerFor } from "../../answers/routes/road-router.ts";
import type { GeofenceValues } from "../../db/customers/geofences.ts";
import type { Asker } from "../../platform/call.ts";
import { invalid, required } from "../../platform/errors.ts";
import {
  datetime,
  dictionary,
  flag,
  json,
  number,
  oneOf,
  optionalPathText,
  text,
  textToNumber,
} from "../../wire/input/fields.ts";
import { holesMessage } from "../../wire/tables/geofence-import.ts";

const COORDINATES_RULE =
  "Expected [longitude, latitude] for a circle or one closed ring of 4 to 2000 [longitude, latitude] for a polygon.";
/** An item of `coordinates`, for the reference. */
const NUMBER_OR_POSITION = { anyOf: [{ type: "number" }, { type: "array", items: { type: "number" } }] } as const;
const MAX_MINUTES = 60;
const HOURS_RULE = 'Expected {"Mon": [["09:00", "17:30"]], …} with days Mon to Sun and times HH:MM.';
const USERS_RULE = "Must be a list of up to 1000 user ids.";
const SEGMENTS_RULE = "Must be a list of up to 100 externalIds of segments.";
const ADDRESSES_RULE = "Must be a list of up to 100 IP addresses.";
const MODES = ["car", "truck", "foot", "bike"] as const;

const TIME = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/;
const time = z.string({ error: HOURS_RULE }).regex(TIME, { error: HOURS_RULE });
const span = z.tuple([time, time], { error: HOURS_RULE });
const spans = z.array(span, { error: HOURS_RULE }).max(10, { error: "A day may have up to 10 spans." });
const days = z.strictObject(
  Object.fromEntries(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((day) => [day, spans.optional()])),
  { error: HOURS_RULE },
);

/** The body of POST and PUT on geofences. */
export const geofenceBody = z.object({
  description: text(1024),
  type: oneOf(["circle", "polygon", "isochrone"]),
  coordinates: json(z.array(z.unknown().meta(NUMBER_OR_POSITION), { error: COORDINATES_RULE })).meta({
    description: `${COORDINATES_RULE} A polygon has no holes.`,
  }),
  radius: number().optional().meta({
    description:
      "circle: meters, 10 to 10000; isochrone: minutes, 1 to 60, less where more than about 500,000 junctions are within reach",
  }),
  mode: oneOf(MODES).optional().meta({ description: "of an isochrone; default car" }),
  tag: optionalPathText(),
  externalId: optionalPathText(),
  metadata: dictionary(16).optional(),
  enabled: flag().optional().meta({ description: "default true" }),
  dwellThreshold: number({ min: 0, max: 10080 }).optional().meta({ description: "minutes" }),
  stopDetection: flag().optional(),
  tripApproachingThreshold: number({ min: 0, max: 1440 }).optional().meta({ description: "minutes" }),
  operatingHours: json(days).optional(),
  speedLimit: number({ min: 1, max: 300 })
    .optional()
    .meta({ description: "km/h, for `user.exceeded_speed_limit` inside, instead of the limit of the road" }),
  disableAfter: datetime().optional(),
  deleteAfter: datetime().optional(),
  userIds: json(z.array(text(), { error: USERS_RULE }).max(1000, { error: USERS_RULE })).optional(),
  segments: json(z.array(text(), { error: SEGMENTS_RULE }).max(100, { error: SEGMENTS_RULE })).optional(),
  ip: json(
    z
      .array(z.string({ error: ADDRESSES_RULE }).max(64, { error: ADDRESSES_RULE }), { error: ADDRESSES_RULE })
      .max(100, {
        error: ADDRESSES_RULE,
      }),
  ).optional(),
});

type GeofenceBody = z.output<typeof geofenceBody>;

/**
 * Body → row, with the rules that concern several fields, such as type and radius. @throws ApiError 400 with the name
 * of the field
 */
export async function geofenceValues(body: GeofenceBody, call: Asker): Promise<GeofenceValues> {
  if (body.deleteAfter !== undefined && body.deleteAfter <= call.now)
    throw invalid("deleteAfter", "Must be in the future.");
  if (body.externalId !== undefined && body.tag === undefined) throw required("tag", "An externalId needs a tag.");
  return {
    tag: body.tag ?? null,
    externalId: body.externalId ?? null,
    description: body.description,
    type: body.type,
    ...(body.type === "isochrone" ? await isochroneValues(body, call) : shapeValues(body)),
    mode: body.mode ?? (body.type === "isochrone" ? "car" : null),
    metadata: asJson(body.metadata),
    enabled: body.enabled ?? true,
    dwellThreshold: body.dwellThreshold ?? null,
    stopDetection: body.stopDetection ?? null,
    tripApproachingThreshold: body.tripApproachingThreshold ?? null,
    operatingHours: asJson(body.operatingHours),
    speedLimit: body.speedLimit ?? null,
    disableAfter: body.disableAfter ?? null,
    deleteAfter: body.deleteAfter ?? null,
    userIds: asJson(body.userIds),
    segments: body.segments && body.segments.length > 0 ? asJson(body.segments) : null,
    ip: asJson(body.ip),
  };
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

type ShapeValues = Pick<GeofenceValues, "latitude" | "longitude" | "radius" | "ring" | "cover">;

function shapeValues(body: GeofenceBody): ShapeValues {
  if (body.type === "polygon") return polygonValues(body.coordinates);
  if (body.radius === undefined) throw required("radius");
  if (body.radius < 10 || body.radius > 10_000) throw invalid("radius", "Valid range: [10, 10000].");
  const [longitude, latitude] = pairOf(body.coordinates);
  const cover = JSON.stringify(coverCircle({ latitude, longitude }, body.radius));
  return { latitude, longitude, radius: body.radius, ring: null, cover };
}

/**
 * The area within `radius` minutes of the point, by the current roads. It is recomputed each time the geofence is
 * written.
 */
async function isochroneValues({ coordinates, radius, mode = "car" }: GeofenceBody, call: Asker): Promise<ShapeValues> {
  if (radius === undefined) throw required("radius");
  if (radius < 1 || radius > MAX_MINUTES) throw invalid("radius", `Valid range: [1, ${MAX_MINUTES}] minutes.`);
  const [longitude, latitude] = pairOf(coordinates);
  // The area is stored: one computed from damaged road data would stay wrong after the data is repaired.
  const router = await routerFor(call, [{ latitude, longitude }], () => {
    throw roadsUnreadable();
  });
  if (!router) throw invalid("type", "An isochrone needs road data, which isn't imported near this point.");
  const ring = await isochrone(router, { latitude, longitude }, { mode, within: radius * 60 }).catch((error) => {
    if (error instanceof TooFar) throw invalid("radius", "Too many roads are within reach; use fewer minutes.");
    throw error;
  });
  if (!ring) throw invalid("coordinates", "No road is near this point.");
  return { latitude, longitude, radius, ring: JSON.stringify(ring), cover: JSON.stringify(coverPolygon(ring)) };
}

function polygonValues(coordinates: readonly unknown[]): ShapeValues {
  const outer = outlineOf(coordinates);
  if (outer.length < 4 || outer.length > 2000) throw invalid("coordinates", COORDINATES_RULE);
  const ring: Ring = outer.map((pair) => pairOf(pair));
  const [first, last] = [ring[0], ring[ring.length - 1]];
  if (first[0] !== last[0] || first[1] !== last[1])
    throw invalid("coordinates", "The first and last position of a ring must be equal.");
  const corners = new Set(ring.map((pair) => pair.join()));
  if (corners.size < 3) throw invalid("coordinates", "A polygon needs at least three different positions.");
  if (windsAroundPole(ring)) throw invalid("coordinates", "A polygon must not wind around a pole.");
  refuseSelfCrossing(ring);
  const { center, reach } = polygonShape(ring);
  return {
    latitude: center.latitude,
    longitude: center.longitude,
    radius: reach,
    ring: JSON.stringify(ring),
    cover: JSON.stringify(coverPolygon(ring)),
  };
}

/** The only ring: as it is, or as in a GeoJSON Polygon. @throws ApiError 400 if it has holes */
function outlineOf(coordinates: readonly unknown[]): readonly unknown[] {
  const isRing = (value: unknown) => Array.isArray(value) && Array.isArray(value[0]);
  if (coordinates.length > 1 && coordinates.every(isRing))
    throw invalid("coordinates", holesMessage(coordinates.length - 1));
  return coordinates.length === 1 && Array.isArray(coordinates[0]) ? (coordinates[0] as unknown[]) : coordinates;
}

/** Points are tested by the even-odd rule: a self-intersecting ring would have unintended holes. */
function refuseSelfCrossing(ring: Ring): void {
  const crossing = selfCrossing(ring);
  if (!crossing) return;
  const [first, second] = crossing.edges;
  const where = `[${crossing.longitude.toFixed(6)}, ${crossing.latitude.toFixed(6)}]`;
  throw invalid("coordinates", `The polygon crosses itself at ${where}, where its edges ${first} and ${second} meet.`);
}

function pairOf(value: unknown): [longitude: number, latitude: number] {
  if (Array.isArray(value) && value.length === 2) {
    // In a form's brackets a number can be a string such as "-74.0".
    const [longitude, latitude] = (value as unknown[]).map(textToNumber);
    if (typeof longitude === "number" && typeof latitude === "number" && isCoordinate(latitude, longitude))
      return [longitude, latitude];
  }
  throw invalid("coordinates", COORDINATES_RULE);
}
