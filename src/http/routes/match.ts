import { z } from "zod";
import type { Coordinate } from "../../geo/coordinate.ts";
import { distanceQuantity, speedQuantity, type Units } from "../../geo/units.ts";
import { type MatchedTrace, match as matchTrace } from "../../routing/match/match.ts";
import { type RoadPart, roadParts } from "../../routing/match/road-attributes.ts";
import { coordinateShape, geometryShape, quantityShape, wireCoordinate, wireLine } from "../../wire/quantities.ts";
import { endpoint } from "../serve/endpoint.ts";
import { coordinate, datetime, json, number, optionalListOf } from "../serve/fields.ts";
import { routerFor } from "./road-router.ts";
import { geometryField, modeField, profileOf, unitsField } from "./route-fields.ts";

const MAX_POINTS = 1000;
const PATH_RULE = `Expected 2 to ${MAX_POINTS} points {"coordinates": "latitude,longitude", "createdAt"?, "accuracy"?}.`;
const ATTRIBUTES = ["speedLimit", "names", "roadClass"] as const;
type Attribute = (typeof ATTRIBUTES)[number];

const point = z.object(
  {
    coordinates: coordinate(),
    createdAt: datetime().nullish(),
    accuracy: number({ min: 0 }).nullish().meta({ description: "metres" }),
  },
  { error: PATH_RULE },
);

const partShape = z.object({
  roadClass: z.string().optional(),
  speedLimit: quantityShape.optional(),
  names: z.array(z.string()).optional(),
  startLocation: coordinateShape,
  endLocation: coordinateShape,
  originalIndex: z.number().optional(),
});

export const match = endpoint({
  name: "match",
  method: "POST",
  path: "/v1/route/match",
  level: "publishable",
  role: "read",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Snaps a trace of 2 to 1,000 points to the roads most likely travelled.",
  description:
    "Points that fit no road are left out of `matchedPath`; where the trace breaks off (more than 2.5 km between points, or roads that do not connect) it goes on with the next part, and `distance` counts the parts. Best results come with points less than 10 seconds apart that tell their `accuracy`. `roadAttributes` are given per road piece from start to end; `originalIndex` names the point that lies on it.",
  body: z.object({
    path: json(
      z.array(point, { error: PATH_RULE }).min(2, { error: PATH_RULE }).max(MAX_POINTS, { error: PATH_RULE }),
    ).meta({ description: PATH_RULE }),
    mode: modeField().default("car"),
    roadAttributes: optionalListOf(ATTRIBUTES),
    units: unitsField(),
    geometry: geometryField().default("polyline6"),
  }),
  response: z.object({
    matchedPath: z.array(coordinateShape.extend({ originalIndex: z.number() })),
    roadAttributes: z.array(partShape).optional(),
    geometry: geometryShape,
    distance: quantityShape,
  }),
  async handle(call) {
    const { path, mode, roadAttributes, units, geometry } = call.body;
    const trace = path.map(({ coordinates, createdAt, accuracy }) => ({
      ...coordinates,
      ...(createdAt == null ? {} : { time: createdAt / 1000 }),
      ...(accuracy == null ? {} : { accuracy }),
    }));
    const router = await routerFor(call, trace);
    const matched: MatchedTrace = router
      ? await matchTrace(router, trace, { mode: profileOf(mode) })
      : { points: [], courses: [], distance: 0 };
    const { points, courses, distance } = matched;
    return {
      matchedPath: points.map(({ index, location }) => ({ ...rounded(location), originalIndex: index })),
      ...(roadAttributes
        ? { roadAttributes: courses.flatMap(roadParts).map((part) => wirePart(part, roadAttributes, units)) }
        : {}),
      geometry: wireLine(
        courses.flatMap(({ line }) => line),
        geometry,
      ),
      distance: distanceQuantity(distance, units),
    };
  },
});

function wirePart(part: RoadPart, wanted: readonly Attribute[], units: Units): z.input<typeof partShape> {
  const { roadClass, names, speedLimit, start, end, index } = part;
  return {
    ...(wanted.includes("roadClass") ? { roadClass } : {}),
    ...(wanted.includes("speedLimit") && speedLimit !== undefined
      ? { speedLimit: speedQuantity(speedLimit, units) }
      : {}),
    ...(wanted.includes("names") ? { names } : {}),
    startLocation: wireCoordinate(start),
    endLocation: wireCoordinate(end),
    ...(index === undefined ? {} : { originalIndex: index }),
  };
}

/** To the grid of the roads: more digits would be noise. */
function rounded({ latitude, longitude }: Coordinate): Coordinate {
  return { latitude: Math.round(latitude * 1e6) / 1e6, longitude: Math.round(longitude * 1e6) / 1e6 };
}
