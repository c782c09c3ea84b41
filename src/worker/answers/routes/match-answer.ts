import { type Climb, structuresOf, sumOfClimbs } from "../../../core/elevation/profile.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distanceQuantity, speedQuantity, type Units } from "../../../core/geo/units.ts";
import type { Course } from "../../../core/routing/match/course.ts";
import { type MatchedTrace, match as matchTrace } from "../../../core/routing/match/match.ts";
import { type RoadPart, roadParts } from "../../../core/routing/match/road-attributes.ts";
import { tidied } from "../../../core/routing/match/trace.ts";
import type { Router } from "../../../core/routing/route/router.ts";
import { wireClimb } from "../../wire/directions.ts";
import { wireCoordinate, wireLine } from "../../wire/quantities.ts";
import type { Attribute, MatchQuestion } from "../../wire/routes/match-body.ts";
import type { MatchAnswer } from "../../wire/routes/match-shape.ts";
import { GPX_BREAK, GPX_TAIL, GPX_TRACK_END, gpxHead, gpxPlace, gpxTrack } from "../../wire/traces/gpx.ts";

import type { ClimbOfRoads } from "./climbs.ts";

/** The matched trace in the requested format: a string is GPX. Without roads nothing is matched. */
export async function matchAnswer(
  router: Router | undefined,
  query: MatchQuestion,
  climbs?: ClimbOfRoads,
): Promise<MatchAnswer | string> {
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
  const climb = climbs && (await climbOf(found.courses, climbs));
  return {
    matchedPath: points.map(({ index, location }) => ({ ...rounded(location), originalIndex: index })),
    ...(roadAttributes ? { roadAttributes: parts.map((part) => wirePart(part, roadAttributes, units)) } : {}),
    geometry: wireLine(
      found.courses.flatMap(({ line }) => line),
      geometry,
    ),
    distance: distanceQuantity(found.distance, units),
    ...wireClimb(climb, units),
    ...(format === "geojson" ? featuresOf(query, found.courses, parts) : {}),
  };
}

/** The climb of all parts; undefined where the ground of one is unknown, and without any. */
async function climbOf(courses: readonly Course[], climbs: ClimbOfRoads): Promise<Climb | undefined> {
  if (courses.length === 0) return undefined;
  const found: (Climb | undefined)[] = [];
  for (const { line, stretches } of courses) {
    const passages = stretches.map(({ tile, edge, from, to }) => {
      const { bridge, tunnel } = tile.recordOf(tile.pieceOf(edge));
      return { distance: (tile.lengthOf(edge) * (to - from)) / 10, isStructure: bridge === true || tunnel === true };
    });
    found.push(await climbs(line, structuresOf(passages)));
  }
  return sumOfClimbs(found);
}

/** A feature per road segment, or without requested attributes, per part of the trace. */
function featuresOf(
  { roadAttributes, units }: MatchQuestion,
  courses: readonly Course[],
  parts: readonly RoadPart[],
): Pick<MatchAnswer, "type" | "features"> {
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

function wirePart(
  part: RoadPart,
  wanted: readonly Attribute[],
  units: Units,
): NonNullable<MatchAnswer["roadAttributes"]>[number] {
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
