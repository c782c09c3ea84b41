import { z } from "zod";
import { structuresOf } from "../../../core/elevation/profile.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { LANGUAGE_CODES, languageOf } from "../../../core/routing/guidance/text/translation.ts";
import { atFactor, type GuidedLeg } from "../../../core/routing/route/guided-leg.ts";
import { type Leg, NoRoad, type Route, type RouteOptions, type Router } from "../../../core/routing/route/router.ts";
import { areasOf, NOT_FOR_VEHICLE, ONLY_THROUGH_AREAS } from "../../answers/routes/areas-of.ts";
import { type ClimbOfRoads, climbsFor } from "../../answers/routes/climbs.ts";
import { departureFrom, NO_ROAD_DATA, NOT_CONNECTED, noRoadNear, roadsFor } from "../../answers/routes/road-router.ts";
import { avoidanceOf } from "../../answers/routes/zones-of.ts";
import { invalid } from "../../platform/errors.ts";
import { type DirectionsWire, RouteWriter, routeShape } from "../../wire/directions.ts";
import { flag, number, oneOf } from "../../wire/input/fields.ts";
import { avoidAreasFields, avoidZonesField } from "../../wire/routes/avoid-fields.ts";
import {
  avoidField,
  departureField,
  geometryField,
  headingsField,
  locationsField,
  maxSnapField,
  modeField,
  perLocation,
  profileOf,
  radiusesField,
  unitsField,
} from "../../wire/routes/route-fields.ts";
import { vehicleField, vehicleFor } from "../../wire/routes/vehicle-fields.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { etaCorrectorOf } from "./eta-corrector.ts";

type WireRoute = z.input<typeof routeShape>;

const directionsQuery = z.object({
  locations: locationsField(2, 25),
  mode: modeField().default("car"),
  units: unitsField(),
  avoid: avoidField(),
  avoidZones: avoidZonesField(),
  ...avoidAreasFields(),
  geometry: geometryField().default("polyline6"),
  departureTime: departureField(),
  vehicle: vehicleField(),
  heading: number({ min: 0, max: 360 }).optional().meta({ description: "degrees: north 0, east 90" }),
  headings: headingsField(),
  maxSnapDistance: maxSnapField(),
  radiuses: radiusesField(),
  curbside: flag().default(false).meta({
    description:
      "arrive at each location on its side of the road (right, or left where traffic keeps left), so that the street need not be crossed; no effect on foot",
  }),
  alternatives: flag().default(false).meta({ description: "only with exactly two locations" }),
  lang: oneOf(LANGUAGE_CODES)
    .default("en")
    .meta({ description: "pt and pt-BR: Brazilian Portuguese; pt-PT: European Portuguese" }),
});

export const directions = endpoint({
  name: "directions",
  method: "GET",
  path: "/v1/route/directions",
  level: "publishable",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Returns the fastest route through up to 25 locations in order, with turn-by-turn steps.",
  description:
    "Without a route (see above), `routes` is empty and `unavailable` has the reason. With `heading`, the route starts on a road within 60° of it, if one is near.",
  query: directionsQuery,
  response: z.object({
    routes: z.array(routeShape),
    unavailable: z.string().optional().meta({
      description: "why `routes` is empty",
    }),
  }),
  async handle(call) {
    const { locations } = call.query;
    const wishes = checkWishes(call.query);
    const roads = await roadsFor(call, locations);
    const router = roads.isApart ? undefined : roads.router;
    if (!router) return noRoute(roads.trouble ?? NO_ROAD_DATA);
    const options = await optionsFor(call, router, wishes);
    try {
      const routes = await findRoutes(call, router, options);
      return routes.length > 0 ? { routes } : noRoute(roads.trouble ?? (await reasonFor(router, locations, options)));
    } catch (error) {
      if (error instanceof NoRoad) return noRoute(roads.trouble ?? noRoadNear(error));
      throw error;
    }
  },
});

type DirectionsQuery = z.output<typeof directionsQuery>;
type DirectionsCall = Call<DirectionsQuery>;

const noRoute = (unavailable: string) => ({ routes: [], unavailable });

/** Options that need no roads. @throws ApiError 400 for parameters that contradict each other */
function checkWishes(query: DirectionsQuery) {
  const { locations, heading, alternatives, curbside } = query;
  const headings = perLocation("headings", query.headings, locations.length);
  const reaches = perLocation("radiuses", query.radiuses, locations.length);
  if (headings && heading !== undefined) throw invalid("headings", "Set only one of heading and headings.");
  if (alternatives && locations.length !== 2) throw invalid("alternatives", "Only with exactly two locations.");
  const vehicle = vehicleFor(query.vehicle, [query.mode]);
  return { mode: profileOf(query.mode), vehicle, heading, headings, reach: query.maxSnapDistance, reaches, curbside };
}

async function optionsFor(call: DirectionsCall, router: Router, wishes: ReturnType<typeof checkWishes>) {
  const { query } = call;
  const departure = departureFrom(router, query.locations[0], query.departureTime);
  const avoidance = await avoidanceOf(router, query);
  return { ...wishes, ...avoidance, departure, areas: await areasOf(call, router, query) };
}

/** The first reason for which there is no route. Each one needs a search of its own. */
async function reasonFor(router: Router, locations: readonly Coordinate[], options: RouteOptions): Promise<string> {
  const without = (some: Partial<RouteOptions>) => connects(router.legs(locations, { ...options, ...some }));
  if (options.areas && (await without({ areas: undefined }))) return ONLY_THROUGH_AREAS;
  if (options.vehicle && (await without({ vehicle: undefined }))) return NOT_FOR_VEHICLE;
  return NOT_CONNECTED;
}

/** The routes with their texts; none if the roads do not connect the locations. @throws NoRoad */
async function findRoutes(call: DirectionsCall, router: Router, options: RouteOptions): Promise<WireRoute[]> {
  const { locations, units, geometry, mode, departureTime, lang, alternatives } = call.query;
  const climbs = await climbsFor(call, options.mode);
  const factorOf = mode === "car" ? etaCorrectorOf(call, locations[0], departureTime) : undefined;
  const telling = { lang: languageOf(lang), units };
  const guided = async (route: Route): Promise<GuidedLeg[]> => {
    const [leg] = router.guide(route, locations, telling);
    return [factorOf ? atFactor(leg, await factorOf(route.legs[0], 0)) : leg];
  };
  const found = alternatives
    ? await Promise.all((await router.routeWithAlternatives(locations[0], locations[1], options)).map(guided))
    : [router.guidedLegs(locations, options, telling, factorOf)];
  const routes: WireRoute[] = [];
  for (const legs of found) routes.push(...(await routeByLegs(legs, { units, geometry, mode }, climbs)));
  return routes;
}

/** Whether there is a route for all legs. */
async function connects(legs: AsyncIterable<Leg | undefined>): Promise<boolean> {
  for await (const leg of legs) if (!leg) return false;
  return true;
}

/** The route, or none. To save memory on long routes, each leg is written and released before the next search. */
async function routeByLegs(
  legs: AsyncIterable<GuidedLeg | undefined> | Iterable<GuidedLeg>,
  wire: DirectionsWire,
  climbs: ClimbOfRoads | undefined,
): Promise<WireRoute[]> {
  const writer = new RouteWriter(wire);
  for await (const leg of legs) {
    if (!leg) return [];
    writer.add(leg, await climbs?.(leg.line, structuresOf(leg.passages())));
  }
  return [writer.finish()];
}
