import { z } from "zod";
import { structuresOf } from "../../../core/elevation/profile.ts";
import { LANGUAGE_CODES, languageOf } from "../../../core/routing/guidance/text/translation.ts";
import { atFactor, type GuidedLeg } from "../../../core/routing/route/guided-leg.ts";
import { type Leg, NoRoad, type Route } from "../../../core/routing/route/router.ts";
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
import { endpoint } from "../serve/endpoint.ts";
import { etaCorrectorOf } from "./eta-corrector.ts";

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
  query: z.object({
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
  }),
  response: z.object({
    routes: z.array(routeShape),
    unavailable: z.string().optional().meta({
      description: "why `routes` is empty",
    }),
  }),
  async handle(call) {
    const { query } = call;
    const { locations, units, geometry, heading, alternatives, lang, departureTime } = query;
    const headings = perLocation("headings", query.headings, locations.length);
    const reaches = perLocation("radiuses", query.radiuses, locations.length);
    if (headings && heading !== undefined) throw invalid("headings", "Set only one of heading and headings.");
    if (alternatives && locations.length !== 2) throw invalid("alternatives", "Only with exactly two locations.");
    const mode = profileOf(query.mode);
    const vehicle = vehicleFor(query.vehicle, [query.mode]);
    const roads = await roadsFor(call, locations);
    const router = roads.isApart ? undefined : roads.router;
    if (!router) return { routes: [], unavailable: roads.trouble ?? NO_ROAD_DATA };
    const departure = departureFrom(router, locations[0], departureTime);
    const snapping = { heading, headings, reach: query.maxSnapDistance, reaches, curbside: query.curbside };
    const anywhere = { mode, ...(await avoidanceOf(router, query)), departure, vehicle, ...snapping };
    const areas = await areasOf(call, router, query);
    const options = { ...anywhere, areas };
    const telling = { lang: languageOf(lang), units };
    const wire = { units, geometry, mode: query.mode };
    try {
      const climbs = await climbsFor(call, mode);
      const factorOf = query.mode === "car" ? etaCorrectorOf(call, locations[0], departureTime) : undefined;
      const guided = async (route: Route): Promise<GuidedLeg[]> => {
        const [leg] = router.guide(route, locations, telling);
        return [factorOf ? atFactor(leg, await factorOf(route.legs[0], 0)) : leg];
      };
      const found = alternatives
        ? await Promise.all((await router.routeWithAlternatives(locations[0], locations[1], options)).map(guided))
        : [router.guidedLegs(locations, options, telling, factorOf)];
      const routes: z.input<typeof routeShape>[] = [];
      for (const legs of found) routes.push(...(await routeByLegs(legs, wire, climbs)));
      if (routes.length > 0) return { routes };
      if (roads.trouble !== undefined) return { routes, unavailable: roads.trouble };
      if (areas && (await connects(router.legs(locations, anywhere))))
        return { routes, unavailable: ONLY_THROUGH_AREAS };
      const isOthers = vehicle && (await connects(router.legs(locations, { ...options, vehicle: undefined })));
      return { routes, unavailable: isOthers ? NOT_FOR_VEHICLE : NOT_CONNECTED };
    } catch (error) {
      if (error instanceof NoRoad) return { routes: [], unavailable: roads.trouble ?? noRoadNear(error) };
      throw error;
    }
  },
});

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
): Promise<z.input<typeof routeShape>[]> {
  const writer = new RouteWriter(wire);
  for await (const leg of legs) {
    if (!leg) return [];
    writer.add(leg, await climbs?.(leg.line, structuresOf(leg.passages())));
  }
  return [writer.finish()];
}
