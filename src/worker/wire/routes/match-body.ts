import { z } from "zod";
import type { Pace } from "../../../core/geo/pace.ts";
import type { MatchOptions } from "../../../core/routing/match/match.ts";
import type { TracePoint } from "../../../core/routing/match/trace.ts";
import { invalid, required } from "../../platform/errors.ts";
import { coordinate, datetime, flag, json, number, oneOf, optionalListOf } from "../input/fields.ts";
import type { FilePoint } from "../traces/file-point.ts";
import { readGeoJson } from "../traces/read-geojson-trace.ts";
import { readGpx } from "../traces/read-gpx.ts";
import { geometryField, modeField, profileOf, unitsField } from "./route-fields.ts";

const ATTRIBUTES = ["speedLimit", "speed", "names", "roadClass"] as const;
export type Attribute = (typeof ATTRIBUTES)[number];
const FORMATS = ["json", "geojson", "gpx"] as const;

/** Maximum characters of a GPX file. */
const MAX_FILE = 4_000_000;

const ruleOf = (most: number) =>
  `Expected 2 to ${most} points {"coordinates": "latitude,longitude", "createdAt"?, "accuracy"?}.`;

/** The body of a match with at most this many points. `gap`: the default gap that splits a trace [s]. */
export function matchBody(most: number, gap?: number) {
  const rule = ruleOf(most);
  const point = z.object(
    {
      coordinates: coordinate(),
      createdAt: datetime().nullish(),
      accuracy: number({ min: 0 }).nullish().meta({ description: "meters" }),
    },
    { error: rule },
  );
  const gapField = number({ min: 1, max: 86_400 });
  return z.object({
    path: json(z.array(point, { error: rule }).min(2, { error: rule }).max(most, { error: rule }))
      .optional()
      .meta({ description: `${rule} Or \`gpx\`, or \`geojson\`.` }),
    gpx: z
      .string({ error: "Must be a GPX file." })
      .max(MAX_FILE, { error: `At most ${MAX_FILE} characters.` })
      .optional()
      .meta({ description: "instead of `path`, a GPX file: its tracks, routes or waypoints" }),
    geojson: json(z.unknown()).optional().meta({
      type: "object",
      description:
        "instead of `path`, GeoJSON: LineStrings, with times in `properties.coordTimes`, or Points with `properties.time`",
    }),
    mode: modeField().default("car"),
    roadAttributes: optionalListOf(ATTRIBUTES),
    units: unitsField(),
    geometry: geometryField().default("polyline6"),
    tidy: flag()
      .default(false)
      .meta({ description: "remove points less than 10 m from the previous one, for traces with a point per second" }),
    gap: (gap === undefined ? gapField.optional() : gapField.default(gap)).meta({
      description: "a gap longer than this splits the trace [s]",
    }),
    format: oneOf(FORMATS).default("json").meta({
      description:
        "geojson: a FeatureCollection with a feature per road segment if `roadAttributes` are requested, otherwise one per part of the trace; gpx: the snapped points, a segment per part",
    }),
  });
}

type MatchBody = z.output<ReturnType<typeof matchBody>>;

/** A trace and its matching options. */
export interface MatchQuestion extends Pick<MatchBody, "roadAttributes" | "units" | "geometry" | "tidy" | "format"> {
  trace: TracePoint[];
  options: MatchOptions;
}

/** @throws ApiError 400 if there is no trace, more than one, or one that is too short or too long */
export async function matchQuestion(body: MatchBody, most: number, pace: Pace): Promise<MatchQuestion> {
  const { path, gpx, geojson, mode, roadAttributes, units, geometry, tidy, format, gap } = body;
  const given = [path, gpx, geojson].filter((value) => value !== undefined).length;
  if (given > 1) throw invalid(gpx === undefined ? "geojson" : "gpx", "Set only one of path, gpx and geojson.");
  const trace =
    path?.map(({ coordinates, createdAt, accuracy }) => ({
      ...coordinates,
      ...(createdAt == null ? {} : { time: createdAt / 1000 }),
      ...(accuracy == null ? {} : { accuracy }),
    })) ??
    (gpx === undefined ? undefined : pointsOf("gpx", await readGpx(gpx, most, pace), most)) ??
    (geojson === undefined ? undefined : pointsOf("geojson", readGeoJson(geojson), most));
  if (!trace) throw required("path", ruleOf(most));
  const options = { mode: profileOf(mode), ...(gap === undefined ? {} : { gap }) };
  return { trace, options, roadAttributes, units, geometry, tidy, format };
}

function pointsOf(param: string, points: FilePoint[] | undefined, most: number): TracePoint[] {
  if (!points || points.length < 2 || points.length > most)
    throw invalid(param, `Expected 2 to ${most} points with positions.`);
  return points.map(({ latitude, longitude, at }) => ({
    latitude,
    longitude,
    ...(at === undefined ? {} : { time: at / 1000 }),
  }));
}
