import { z } from "zod";
import { oneOf } from "../../../wire/input/fields.ts";
import { profileOf } from "../../../wire/routes/route-fields.ts";
import { endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "./coordinates.ts";
import {
  approachFields,
  excludeField,
  ignoredFields,
  pointsOf,
  routeFormFields,
  waypointsField,
  waypointsOf,
} from "./fields.ts";
import { json, modeOf, OSRM, trafficOf } from "./osrm.ts";
import { NO_TEXT, noRoute, osrmRoutes } from "./routes.ts";

/** As many as directions have. */
export const MAX_COORDINATES = 25;
const MAX_ALTERNATIVES = 3;

const ALTERNATIVES_RULE = `Valid values: true, false, or a number from 0 to ${MAX_ALTERNATIVES}.`;

/** Up to so many alternatives; `true` is two, as in directions. */
export const alternativesField = () =>
  z
    .string({ error: ALTERNATIVES_RULE })
    .transform((value, context) => {
      const most = value === "true" ? 2 : value === "false" ? 0 : /^\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
      if (most >= 0) return Math.min(most, MAX_ALTERNATIVES);
      context.addIssue({ code: "custom", message: ALTERNATIVES_RULE });
      return z.NEVER;
    })
    .default(0)
    .meta({ type: "string", description: `other routes, with exactly two coordinates. ${ALTERNATIVES_RULE}` });

export const osrmRoute = endpoint({
  ...OSRM,
  name: "osrmRoute",
  countedAs: "directions",
  path: "/osrm/route/v1/:profile/:coordinates",
  summary: "Returns the fastest route through up to 25 coordinates in order, as OSRM's route service does.",
  query: z.strictObject({
    ...routeFormFields,
    alternatives: alternativesField(),
    ...approachFields,
    waypoints: waypointsField(),
    exclude: excludeField(),
    continue_straight: oneOf(["default", "true", "false"]).default("default").meta({
      description: "`true`: each leg continues in the direction in which the previous one arrives",
    }),
    ...ignoredFields,
  }),
  async handle(call) {
    const { params, query } = call;
    const coordinates = coordinatesOf(params.coordinates, 2, MAX_COORDINATES);
    const mode = modeOf(params.profile);
    const found = await osrmRoutes(call, {
      form: query,
      stops: waypointsOf(query.waypoints, coordinates.length),
      locations: pointsOf(coordinates, query),
      mode,
      traffic: trafficOf(params.profile),
      avoid: query.exclude,
      options: { mode: profileOf(mode), straightOn: query.continue_straight === "true" },
      alternatives: coordinates.length === 2 ? query.alternatives : 0,
      telling: query.steps ? NO_TEXT : undefined,
    });
    const [first] = found.routes;
    if (!first) throw noRoute(found, coordinates, "NoRoute");
    const routes = found.routes.map(({ route }) => route);
    return json({ code: "Ok", routes, ...(!query.skip_waypoints && { waypoints: first.waypoints }) });
  },
});
