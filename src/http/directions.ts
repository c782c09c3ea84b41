import { z } from "zod";
import type { GeometryFormat } from "../geo/polyline.ts";
import { distanceQuantity, durationQuantity, type Units } from "../geo/units.ts";
import { buildSteps, type GuidedStep } from "../routing/guidance/build-steps.ts";
import { LANGUAGES, type Language } from "../routing/guidance/text/translation.ts";
import { pathGeometry } from "../routing/path.ts";
import { type Leg, NoRoad, type Route, type RouteOptions, type Router } from "../routing/router.ts";
import { endpoint } from "./endpoint.ts";
import { invalid } from "./errors.ts";
import { flag, number, oneOf } from "./fields.ts";
import { departureFrom, routerFor } from "./road-router.ts";
import {
  avoidField,
  coordinateShape,
  departureField,
  geometryField,
  geometryShape,
  locationsField,
  modeField,
  profileOf,
  quantityShape,
  unitsField,
  wireCoordinate,
  wireLine,
} from "./route-fields.ts";

const stepShape = z.object({
  distance: quantityShape,
  duration: quantityShape,
  start_location: coordinateShape,
  end_location: coordinateShape,
  bearing_before: z.number(),
  bearing_after: z.number(),
  instructions: z.string(),
  banner_instructions: z.string(),
  voice_instructions: z.string(),
  geometry: geometryShape,
  mode: z.string(),
  manuever: z.string(),
  street_name: z.string(),
  exit_name: z.string().optional(),
});

const legShape = z.object({
  startLocation: coordinateShape,
  endLocation: coordinateShape,
  duration: quantityShape,
  distance: quantityShape,
  geometry: geometryShape,
  steps: z.array(stepShape),
});

const routeShape = z.object({
  duration: quantityShape,
  distance: quantityShape,
  geometry: geometryShape,
  legs: z.array(legShape),
});

export const directions = endpoint({
  name: "directions",
  method: "GET",
  path: "/v1/route/directions",
  level: "publishable",
  chapter: "Routing",
  summary: "The quickest route through up to 25 locations in their order, with turn-by-turn steps.",
  description:
    "`routes` is empty when the roads do not connect the locations, or when there is no road data around them.",
  query: z.object({
    locations: locationsField(2, 25),
    mode: modeField().default("car"),
    units: unitsField(),
    avoid: avoidField(),
    geometry: geometryField().default("polyline6"),
    departureTime: departureField(),
    heading: number({ min: 0, max: 360 }).optional().meta({ description: "degrees: north 0, east 90" }),
    alternatives: flag().default(false).meta({ description: "only with exactly two locations" }),
    lang: oneOf(LANGUAGES).default("en"),
  }),
  response: z.object({ routes: z.array(routeShape) }),
  async handle({ query, env }) {
    const { locations, units, avoid, geometry, heading, alternatives, lang, departureTime } = query;
    if (alternatives && locations.length !== 2) throw invalid("alternatives", "Only with exactly two locations.");
    const mode = profileOf(query.mode);
    const router = await routerFor(env, locations);
    if (!router) return { routes: [] };
    const departure = departureFrom(router, locations[0], departureTime);
    const routes = await routesOf(router, locations, { mode, avoid, heading, departure }, alternatives);
    const wire = { units, geometry, lang, mode: query.mode };
    return { routes: routes.map((route) => wireRoute(router, route, locations, wire)) };
  },
});

/** The routes, or none; a location without a road is the caller's mistake and named. */
async function routesOf(
  router: Router,
  locations: readonly Location[],
  options: RouteOptions,
  alternatives: boolean,
): Promise<Route[]> {
  try {
    if (alternatives) return await router.routeWithAlternatives(locations[0], locations[1], options);
    const route = await router.route(locations, options);
    return route ? [route] : [];
  } catch (error) {
    if (error instanceof NoRoad)
      throw invalid("locations", `There is no road within reach of location ${error.index}.`);
    throw error;
  }
}

interface Wire {
  units: Units;
  geometry: GeometryFormat;
  lang: Language;
  /** As the caller asked. */
  mode: string;
}

type Location = { latitude: number; longitude: number };

/** A route as the API writes it. */
export function wireRoute(
  router: Router,
  route: Route,
  locations: readonly Location[],
  wire: Wire,
): z.input<typeof routeShape> {
  const lines = route.legs.map(pathGeometry);
  const legs = route.legs.map((leg, index) =>
    wireLeg(router, leg, lines[index], locations.slice(index, index + 2), { index, count: route.legs.length }, wire),
  );
  const whole = () => lines.flatMap((line, i) => (i === 0 ? line : line.slice(1)));
  return {
    duration: durationQuantity(route.duration),
    distance: distanceQuantity(route.distance, wire.units),
    geometry: legs.length === 1 ? legs[0].geometry : wireLine(whole(), wire.geometry),
    legs,
  };
}

function wireLeg(
  router: Router,
  leg: Leg,
  line: readonly Location[],
  [origin, destination]: readonly Location[],
  position: { index: number; count: number },
  { units, geometry, lang, mode }: Wire,
): z.input<typeof legShape> {
  const { path, network } = router.view(leg, destination);
  const steps = buildSteps({ ...path, origin }, { lang, units, leg: position }, network);
  return {
    startLocation: wireCoordinate(line[0]),
    endLocation: wireCoordinate(line[line.length - 1]),
    duration: durationQuantity(leg.duration),
    distance: distanceQuantity(leg.distance, units),
    geometry: wireLine(line, geometry),
    steps: steps.map((step) => wireStep(step, units, geometry, mode)),
  };
}

/** Step modes as the API names modes: what is not the caller's own is a ferry, a train, or a bike that is pushed. */
function stepMode(mode: GuidedStep["mode"], asked: string): string {
  if (mode === "ferry" || mode === "train") return mode;
  return mode === "pushing" ? "foot" : asked;
}

function wireStep(step: GuidedStep, units: Units, geometry: GeometryFormat, mode: string): z.input<typeof stepShape> {
  return {
    distance: distanceQuantity(step.distance, units),
    duration: durationQuantity(step.duration),
    start_location: wireCoordinate(step.startLocation),
    end_location: wireCoordinate(step.endLocation),
    bearing_before: Math.round(step.bearingBefore) % 360,
    bearing_after: Math.round(step.bearingAfter) % 360,
    instructions: step.instructions,
    banner_instructions: step.bannerInstructions,
    voice_instructions: step.voiceInstructions,
    geometry: wireLine(step.geometry, geometry),
    mode: stepMode(step.mode, mode),
    manuever: step.maneuver,
    street_name: step.streetName,
    exit_name: step.exitName,
  };
}
