import { z } from "zod";
import { structuresOf } from "../../../core/elevation/profile.ts";
import { LANGUAGE_CODES, languageOf } from "../../../core/routing/guidance/text/translation.ts";
import type { RouteOptions } from "../../../core/routing/route/router.ts";
import { type ClimbOfRoads, climbsFor } from "../../answers/routes/climbs.ts";
import { findRoutes, type GuidedLegs } from "../../answers/routes/find-routes.ts";
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
  snapAvoidField,
  trafficField,
  unitsField,
} from "../../wire/routes/route-fields.ts";
import { vehicleField, vehicleFor } from "../../wire/routes/vehicle-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

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
  traffic: trafficField(),
  vehicle: vehicleField(),
  heading: number({ min: 0, max: 360 }).optional().meta({ description: "degrees: north 0, east 90" }),
  headings: headingsField(),
  maxSnapDistance: maxSnapField(),
  radiuses: radiusesField(),
  snapAvoid: snapAvoidField(),
  curbside: flag().default(false).meta({
    description:
      "arrive at each location on its side of the road (right, or left where traffic keeps left), so that the street need not be crossed; across the street where no way leads to that side; no effect on foot",
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
    const { query } = call;
    const { lang, units, geometry, mode } = query;
    const climbs = await climbsFor(call, profileOf(mode));
    const question = {
      ...query,
      options: optionsOf(query),
      alternatives: query.alternatives ? MAX_ALTERNATIVES : 0,
      telling: { lang: languageOf(lang), units },
    };
    const found = await findRoutes(call, question, (legs) => routeByLegs(legs, { units, geometry, mode }, climbs));
    const { routes, unavailable } = found;
    return unavailable === undefined ? { routes } : { routes, unavailable };
  },
});

type DirectionsQuery = z.output<typeof directionsQuery>;
/** Routes in addition to the best one. */
const MAX_ALTERNATIVES = 2;

/** Options that need no roads. @throws ApiError 400 for parameters that contradict each other */
function optionsOf(query: DirectionsQuery): RouteOptions {
  const { locations, heading, alternatives, curbside, maxSnapDistance: reach, snapAvoid } = query;
  const headings = perLocation("headings", query.headings, locations.length);
  const reaches = perLocation("radiuses", query.radiuses, locations.length);
  if (headings && heading !== undefined) throw invalid("headings", "Set only one of heading and headings.");
  if (alternatives && locations.length !== 2) throw invalid("alternatives", "Only with exactly two locations.");
  const vehicle = vehicleFor(query.vehicle, [query.mode]);
  return { mode: profileOf(query.mode), vehicle, heading, headings, reach, reaches, curbside, snapAvoid };
}

/** The route, or undefined. To save memory on long routes, each leg is written and released before the next search. */
async function routeByLegs(
  legs: GuidedLegs,
  wire: DirectionsWire,
  climbs: ClimbOfRoads | undefined,
): Promise<WireRoute | undefined> {
  const writer = new RouteWriter(wire);
  for await (const leg of legs) {
    if (!leg) return undefined;
    writer.add(leg, await climbs?.(leg.line, structuresOf(leg.passages())));
  }
  return writer.finish();
}
