import { z } from "zod";
import { flag, text } from "../../../wire/input/fields.ts";
import { profileOf } from "../../../wire/routes/route-fields.ts";
import { vehicleFor } from "../../../wire/routes/vehicle-fields.ts";
import { type Call, endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "../osrm/coordinates.ts";
import { approachFields, pointsOf, routeFormFields, waypointsField, waypointsOf } from "../osrm/fields.ts";
import { json, trafficOf } from "../osrm/osrm.ts";
import { alternativesField, MAX_COORDINATES } from "../osrm/route.ts";
import { noRoute, osrmRoutes } from "../osrm/routes.ts";
import { guidedForm, mapboxRoute, tellingOf, withoutExits } from "./guided-form.ts";
import {
  departField,
  departureAt,
  guidanceFields,
  MAPBOX,
  mapboxAnnotations,
  mapboxExclude,
  mapboxIgnored,
  mapboxMode,
  vehicleFields,
  vehicleOf,
} from "./mapbox.ts";

const fields = {
  ...routeFormFields,
  annotations: mapboxAnnotations(),
  alternatives: alternativesField(),
  ...approachFields,
  waypoints: waypointsField(),
  ...guidanceFields,
  exclude: mapboxExclude(),
  continue_straight: flag().default(false).meta({
    description: "each leg continues in the direction in which the previous one arrives",
  }),
  depart_at: departField(),
  ...vehicleFields,
  ...mapboxIgnored,
};

type Query = z.output<z.ZodObject<typeof fields>>;

async function directionsOf(call: Call<unknown, unknown>, coordinates: string, query: Query) {
  const { owner, profile } = call.params;
  const mode = mapboxMode(owner, profile);
  const points = coordinatesOf(coordinates, 2, MAX_COORDINATES);
  const found = await osrmRoutes(call, {
    form: guidedForm(query),
    stops: waypointsOf(query.waypoints, points.length),
    locations: pointsOf(points, query),
    mode,
    avoid: query.exclude,
    departureTime: departureAt(points[0], query.depart_at),
    traffic: trafficOf(profile),
    options: {
      mode: profileOf(mode),
      straightOn: query.continue_straight,
      vehicle: vehicleFor(vehicleOf(query), [mode], "max_height"),
    },
    alternatives: points.length === 2 ? query.alternatives : 0,
    telling: query.steps ? tellingOf(query) : undefined,
    ...(!query.roundabout_exits && { change: withoutExits }),
  });
  const [first] = found.routes;
  if (!first) throw noRoute(found, points, "NoRoute");
  const routes = found.routes.map(({ route, segments }) => mapboxRoute(route, query, query.annotations, segments));
  return json({ code: "Ok", routes, waypoints: first.waypoints, uuid: call.requestId });
}

const SUMMARY =
  "Returns the fastest route through up to 25 coordinates, with banners and voice, as Mapbox Directions v5 does.";

export const mapboxDirections = endpoint({
  ...MAPBOX,
  name: "mapboxDirections",
  countedAs: "directions",
  method: "GET",
  path: "/mapbox/directions/v5/:owner/:profile/:coordinates",
  summary: SUMMARY,
  query: z.strictObject(fields),
  handle: (call) => directionsOf(call, call.params.coordinates, call.query),
});

export const mapboxDirectionsPost = endpoint({
  ...MAPBOX,
  name: "mapboxDirectionsPost",
  countedAs: "directions",
  method: "POST",
  path: "/mapbox/directions/v5/:owner/:profile",
  summary: SUMMARY,
  description: "The parameters are those of the GET request, in a form.",
  body: z.strictObject({
    coordinates: text(60_000).meta({ description: "longitude,latitude;longitude,latitude…, 1 to 60000 characters" }),
    ...fields,
  }),
  handle: (call) => directionsOf(call, call.body.coordinates, call.body),
});
