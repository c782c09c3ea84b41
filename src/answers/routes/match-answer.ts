import { z } from "zod";
import type { Coordinate } from "../../geo/coordinate.ts";
import { distanceQuantity, speedQuantity, type Units } from "../../geo/units.ts";
import type { Course } from "../../routing/match/course.ts";
import { type MatchedTrace, match as matchTrace } from "../../routing/match/match.ts";
import { type RoadPart, roadParts } from "../../routing/match/road-attributes.ts";
import { tidied } from "../../routing/match/trace.ts";
import type { Router } from "../../routing/route/router.ts";
import { coordinateShape, geometryShape, quantityShape, wireCoordinate, wireLine } from "../../wire/quantities.ts";
import type { Attribute, MatchQuestion } from "../../wire/routes/match-body.ts";
import { GPX_BREAK, GPX_TAIL, GPX_TRACK_END, gpxHead, gpxPlace, gpxTrack } from "../../wire/traces/gpx.ts";

const partShape = z.object({
  roadClass: z.string().optional(),
  speedLimit: quantityShape.optional(),
  speed: quantityShape.optional().meta({ description: "travel speed over at least 60 m, if the trace has times" }),
  names: z.array(z.string()).optional(),
  startLocation: coordinateShape,
  endLocation: coordinateShape,
  originalIndex: z.number().optional(),
});

export const matchShape = z.object({
  matchedPath: z.array(coordinateShape.extend({ originalIndex: z.number() })),
  roadAttributes: z.array(partShape).optional(),
  geometry: geometryShape,
  distance: quantityShape,
  type: z.literal("FeatureCollection").optional().meta({ description: "with `format=geojson`" }),
  features: z
    .array(
      z.object({
        type: z.literal("Feature"),
        properties: z.record(z.string(), z.unknown()),
        geometry: z.object({ type: z.literal("LineString"), coordinates: z.array(z.array(z.number())) }),
      }),
    )
    .optional(),
});

/** The matched trace in the requested format: a string is GPX. Without roads nothing is matched. */
export async function matchAnswer(
  router: Router | undefined,
  query: MatchQuestion,
): Promise<z.input<typeof matchShape> | string> {
  const { trace, options, roadAttributes, units, geometry, tidy, format } = query;
  const kept = tidy ? tidied(trace) : trace.map((_, i) => i);
  const thinned = kept.map((i) => trace[i]);
  const found: MatchedTrace = router
    ? await matchTrace(router, thinned, options)
    : { points: [], courses: [], distance: 0 };
  const points = found.points.map(({ index, location }) => ({ index: kept[index], location }));
  if (format === "gpx") return gpxOf(query, found, kept);
  const timeOf = (index: number) => thinned[index].time;
  const parts = found.courses
    .flatMap((course) => (roadAttributes ? roadParts(course, timeOf) : []))
    .map((part) => (part.index === undefined ? part : { ...part, index: kept[part.index] }));
  return {
    matchedPath: points.map(({ index, location }) => ({ ...rounded(location), originalIndex: index })),
    ...(roadAttributes ? { roadAttributes: parts.map((part) => wirePart(part, roadAttributes, units)) } : {}),
    geometry: wireLine(
      found.courses.flatMap(({ line }) => line),
      geometry,
    ),
    distance: distanceQuantity(found.distance, units),
    ...(format === "geojson" ? featuresOf(query, found.courses, parts) : {}),
  };
}

/** A feature per road segment, or without requested attributes, per part of the trace. */
function featuresOf(
  { roadAttributes, units }: MatchQuestion,
  courses: readonly Course[],
  parts: readonly RoadPart[],
): Pick<z.input<typeof matchShape>, "type" | "features"> {
  const features = roadAttributes
    ? parts.map((part) => {
        const { startLocation: _, endLocation: __, ...properties } = wirePart(part, roadAttributes, units);
        return feature(part.line, properties);
      })
    : courses.map((course) => feature(course.line, { distance: distanceQuantity(course.distance, units) }));
  return { type: "FeatureCollection", features };
}

function feature(line: readonly Coordinate[], properties: Record<string, unknown>) {
  const coordinates = line.map(({ latitude, longitude }) => [longitude, latitude]);
  return { type: "Feature" as const, properties, geometry: { type: "LineString" as const, coordinates } };
}

function wirePart(part: RoadPart, wanted: readonly Attribute[], units: Units): z.input<typeof partShape> {
  const { roadClass, names, speedLimit, speed, start, end, index } = part;
  return {
    ...(wanted.includes("roadClass") ? { roadClass } : {}),
    ...(wanted.includes("speedLimit") && speedLimit !== undefined
      ? { speedLimit: speedQuantity(speedLimit, units) }
      : {}),
    ...(wanted.includes("speed") && speed !== undefined ? { speed: speedQuantity(speed * 3.6, units) } : {}),
    ...(wanted.includes("names") ? { names } : {}),
    startLocation: wireCoordinate(start),
    endLocation: wireCoordinate(end),
    ...(index === undefined ? {} : { originalIndex: index }),
  };
}

/** The snapped points of the trace, a segment per part. */
function gpxOf({ trace }: MatchQuestion, { points, courses }: MatchedTrace, kept: readonly number[]): string {
  const places = new Map(points.map(({ index, location }) => [index, location]));
  const segments = courses.map((course) =>
    indicesOn(course)
      .flatMap((index) => {
        const place = places.get(index);
        const { time } = trace[kept[index]];
        return place ? [gpxPlace({ ...rounded(place), at: time === undefined ? undefined : time * 1000 })] : [];
      })
      .join(""),
  );
  return gpxHead() + gpxTrack("matched") + segments.join(GPX_BREAK) + GPX_TRACK_END + GPX_TAIL;
}

const indicesOn = ({ stretches }: Course): number[] =>
  stretches.flatMap(({ points }) => points.map(({ index }) => index));

/** Rounds to the grid of the roads: more digits would be noise. */
function rounded({ latitude, longitude }: Coordinate): Coordinate {
  return { latitude: Math.round(latitude * 1e6) / 1e6, longitude: Math.round(longitude * 1e6) / 1e6 };
}
