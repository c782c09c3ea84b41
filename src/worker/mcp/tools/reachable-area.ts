import { z } from "zod";
import { distance } from "../../../core/geo/distance.ts";
import { getJson, ToolError } from "../base/api.ts";
import { departureTime, mode, pairOf, spotFields, spotOf, wirePlaceOf } from "../base/places.ts";
import { resultOf, round1, round6 } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { simpleArea } from "./geometry.ts";
import { avoid } from "./route.ts";

interface Area {
  properties: { area: number };
  geometry: { coordinates: [number, number][][][] };
}

export const reachableArea = tool({
  name: "reachable_area",
  title: "Reachable area",
  description:
    "Computes the area that is reachable from a place within a travel time or distance (an isochrone): its size, its bounds and how far it extends; the outline on request. To track who enters it, use create_fence with the shape isochrone.",
  input: z.object({
    ...spotFields,
    minutes: z.number().min(1).max(60).optional(),
    metres: z.number().min(50).max(100_000).optional().describe("instead of minutes: the distance along roads"),
    mode,
    departureTime,
    avoid,
    includeGeometry: z.boolean().default(false).describe("adds a simplified GeoJSON outline"),
  }),
  async run({ minutes, metres, mode, departureTime, avoid, includeGeometry, ...spot }, api) {
    if ((minutes === undefined) === (metres === undefined)) throw new ToolError("Set either minutes or metres.");
    const at = await spotOf(api, spot);
    const { features } = await getJson<{ features: Area[] }>(api, "/v1/route/isochrone", {
      origin: pairOf(at),
      minutes,
      metres,
      mode,
      departureTime,
      avoid: avoid?.join(","),
    });
    const place = wirePlaceOf(at);
    const [found] = features;
    if (!found)
      return resultOf("No road of this mode is near. Try another mode, or a place closer to a road.", { place });
    const points = found.geometry.coordinates.flatMap(([outer]) => outer ?? []);
    const longitudes = points.map(([longitude]) => longitude);
    const latitudes = points.map(([, latitude]) => latitude);
    const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b));
    const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b));
    const farthest = points.reduce(
      (far, [longitude, latitude]) => Math.max(far, distance(at, { latitude, longitude })),
      0,
    );
    const km2 = found.properties.area / 1e6;
    const data = {
      place,
      mode,
      ...(minutes !== undefined ? { minutes } : { metres }),
      squareKilometres: km2 < 10 ? Math.round(km2 * 100) / 100 : Math.round(km2),
      farthestKilometres: round1(farthest / 1000),
      bounds: {
        south: round6(least(latitudes)),
        west: round6(least(longitudes)),
        north: round6(most(latitudes)),
        east: round6(most(longitudes)),
      },
      parts: found.geometry.coordinates.length,
      ...(includeGeometry && simpleArea(found.geometry.coordinates)),
    };
    return resultOf(`The area has ${data.squareKilometres} km² and extends up to ${data.farthestKilometres} km.`, data);
  },
});
