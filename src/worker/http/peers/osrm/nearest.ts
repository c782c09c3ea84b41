import { z } from "zod";
import { stopOf } from "../../../../core/routing/route/router.ts";
import { NO_ROAD_DATA, roadsFor } from "../../../answers/routes/road-router.ts";
import { number } from "../../../wire/input/fields.ts";
import { endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "./coordinates.ts";
import { approachFields, ignoredFields, pointsOf } from "./fields.ts";
import { coreModeOf, json, OSRM, osrmError } from "./osrm.ts";
import { waypoint } from "./write-route.ts";

export const osrmNearest = endpoint({
  ...OSRM,
  name: "osrmNearest",
  countedAs: "distance",
  path: "/osrm/nearest/v1/:profile/:coordinates",
  summary: "Returns the roads nearest to a coordinate, as OSRM's nearest service does.",
  query: z.strictObject({
    number: number({ min: 1, max: 100, integer: true })
      .default(1)
      .meta({ description: "maximum number of roads, 1 to 100" }),
    ...approachFields,
    ...ignoredFields,
  }),
  async handle(call) {
    const { params, query } = call;
    const coordinates = coordinatesOf(params.coordinates, 1, 1);
    const mode = coreModeOf(params.profile);
    const [point] = pointsOf(coordinates, query);
    const { router, trouble } = await roadsFor(call, coordinates);
    const found = await router?.nearest(point, { mode }, query.number);
    if (!found || found.length === 0) throw osrmError("NoSegment", trouble ?? (router ? NO_ROAD_NEAR : NO_ROAD_DATA));
    return json({ code: "Ok", waypoints: found.map((road) => waypoint(stopOf(road))) });
  },
});

const NO_ROAD_NEAR = "Could not find a matching segment for the coordinate.";
