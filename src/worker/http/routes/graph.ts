import { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { graphAround } from "../../../core/routing/route/graph-around.ts";
import { roadsUnreadable, routerFor } from "../../answers/routes/road-router.ts";
import { coordinate, number } from "../../wire/input/fields.ts";
import { modeField, profileOf } from "../../wire/routes/route-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

/** A dense city has some three thousand pieces in this radius [m]. */
const MAX_RADIUS_METRES = 500;

const pairOf = ({ longitude, latitude }: Coordinate) => [longitude, latitude];

export const routeGraph = endpoint({
  name: "routeGraph",
  method: "GET",
  path: "/v1/route/graph",
  level: "secret",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Returns the road graph around a point as GeoJSON, to find out why a route is as it is.",
  description:
    "A LineString per piece of road between two junctions, and a Point per junction. `forward` and `backward` are travel times in seconds along the line and against it; a direction that the mode may not use is absent. The numbers of pieces and junctions change with each import.",
  query: z.object({
    coordinates: coordinate(),
    mode: modeField().default("car"),
    radius: number({ min: 1, max: MAX_RADIUS_METRES }).default(100).meta({ description: "meters" }),
  }),
  response: z.object({
    type: z.literal("FeatureCollection"),
    features: z.array(
      z.object({
        type: z.literal("Feature"),
        properties: z.object({
          tile: z.number(),
          piece: z.number().optional(),
          junction: z.number().optional(),
          length: z.number().optional().meta({ description: "meters" }),
          forward: z.number().optional().meta({ description: "seconds" }),
          backward: z.number().optional().meta({ description: "seconds" }),
          road: z.record(z.string(), z.unknown()).optional().meta({ description: "properties from the map data" }),
          signs: z.record(z.string(), z.unknown()).optional().meta({ description: "properties of the junction" }),
        }),
        geometry: z.union([
          z.object({ type: z.literal("LineString"), coordinates: z.array(z.array(z.number())) }),
          z.object({ type: z.literal("Point"), coordinates: z.array(z.number()) }),
        ]),
      }),
    ),
  }),
  errors: [503],
  async handle(call) {
    const { coordinates, mode, radius } = call.query;
    let isDamaged = false;
    const router = await routerFor(call, [coordinates], () => {
      isDamaged = true;
    });
    const metric = router?.metric({ mode: profileOf(mode) });
    const graph = router && metric ? await graphAround(router.store, coordinates, metric, radius) : undefined;
    if (isDamaged) throw roadsUnreadable();
    const roads = (graph?.pieces ?? []).map(({ tile, piece, line, record, length, forward, backward }) => ({
      type: "Feature" as const,
      properties: { tile, piece, length, forward, backward, road: { ...record } },
      geometry: { type: "LineString" as const, coordinates: line.map(pairOf) },
    }));
    const junctions = (graph?.nodes ?? []).map(({ tile, node, location, record }) => ({
      type: "Feature" as const,
      properties: { tile, junction: node, signs: record && { ...record } },
      geometry: { type: "Point" as const, coordinates: pairOf(location) },
    }));
    return { type: "FeatureCollection" as const, features: [...roads, ...junctions] };
  },
});
