import { z } from "zod";
import { LANGUAGES } from "../../routing/guidance/text/translation.ts";
import type { GuidedLeg } from "../../routing/guided-leg.ts";
import { type Leg, NoRoad } from "../../routing/router.ts";
import { type DirectionsWire, RouteWriter, routeShape, wireRoute } from "../../wire/directions.ts";
import { endpoint } from "../serve/endpoint.ts";
import { invalid } from "../serve/errors.ts";
import { flag, number, oneOf } from "../serve/fields.ts";
import { areasOf, ONLY_THROUGH_AREAS } from "./areas-of.ts";
import { avoidAreasFields } from "./avoid-fields.ts";
import { departureFrom, roadsFor } from "./road-router.ts";
import {
  avoidField,
  departureField,
  geometryField,
  locationsField,
  modeField,
  profileOf,
  unitsField,
} from "./route-fields.ts";

export const directions = endpoint({
  name: "directions",
  method: "GET",
  path: "/v1/route/directions",
  level: "publishable",
  geodataOnly: true,
  chapter: "Routing",
  summary: "The quickest route through up to 25 locations in their order, with turn-by-turn steps.",
  description:
    "`routes` is empty when the roads do not connect the locations, when there is no road data around them, or when it cannot be read at present (the header `x-graticule-left-out: roads` then says so), or when they lie in roads that were imported apart (`x-graticule-left-out: roads-between-imports`). Where there is a way, but through the areas to be avoided alone, `unavailable` says so. A location with no road within 5 km is a mistake (400). Distance names such a mode in `unavailable`; in a matrix the cell is `estimated`.",
  query: z.object({
    locations: locationsField(2, 25),
    mode: modeField().default("car"),
    units: unitsField(),
    avoid: avoidField(),
    ...avoidAreasFields(),
    geometry: geometryField().default("polyline6"),
    departureTime: departureField(),
    heading: number({ min: 0, max: 360 }).optional().meta({ description: "degrees: north 0, east 90" }),
    alternatives: flag().default(false).meta({ description: "only with exactly two locations" }),
    lang: oneOf(LANGUAGES).default("en"),
  }),
  response: z.object({
    routes: z.array(routeShape),
    unavailable: z.string().optional().meta({
      description: "why there is no route: only through the areas to be avoided, or the roads were imported apart",
    }),
  }),
  async handle(call) {
    const { query } = call;
    const { locations, units, avoid, geometry, heading, alternatives, lang, departureTime } = query;
    if (alternatives && locations.length !== 2) throw invalid("alternatives", "Only with exactly two locations.");
    const mode = profileOf(query.mode);
    const { router, isApart, trouble } = await roadsFor(call, locations);
    if (isApart) return { routes: [], unavailable: trouble };
    if (!router) return { routes: [] };
    const departure = departureFrom(router, locations[0], departureTime);
    const anywhere = { mode, avoid, departure };
    const areas = await areasOf(call, router, query);
    const options = { ...anywhere, heading, areas };
    const telling = { lang, units };
    const wire = { units, geometry, mode: query.mode };
    try {
      const routes = alternatives
        ? (await router.routeWithAlternatives(locations[0], locations[1], options)).map((route) =>
            wireRoute(router.guide(route, locations, telling), wire),
          )
        : await routeByLegs(router.guidedLegs(locations, options, telling), wire);
      if (routes.length > 0 || !areas || !(await connects(router.legs(locations, anywhere)))) return { routes };
      return { routes, unavailable: ONLY_THROUGH_AREAS };
    } catch (error) {
      if (error instanceof NoRoad)
        throw invalid("locations", `There is no road within reach of location ${error.index}.`);
      throw error;
    }
  },
});

/** Is there a way along all legs? */
async function connects(legs: AsyncIterable<Leg | undefined>): Promise<boolean> {
  for await (const leg of legs) if (!leg) return false;
  return true;
}

/** The route, or none. Through many places it leads far: each leg is written and let go before the next is looked for. */
async function routeByLegs(
  legs: AsyncIterable<GuidedLeg | undefined>,
  wire: DirectionsWire,
): Promise<z.input<typeof routeShape>[]> {
  const writer = new RouteWriter(wire);
  for await (const leg of legs) {
    if (!leg) return [];
    writer.add(leg);
  }
  return [writer.finish()];
}
