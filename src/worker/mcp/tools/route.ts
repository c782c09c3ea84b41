import { z } from "zod";
import { getJson } from "../base/api.ts";
import { departureTime, labelledEnds, locate, mode, pairOf, where } from "../base/places.ts";
import { listOf, resultOf, round1 } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { simpleLine } from "./geometry.ts";

interface Quantity {
  value: number;
  text: string;
}
interface Step {
  distance: Quantity;
  duration: Quantity;
  instructions: string;
}
export interface Route {
  distance: Quantity;
  duration: Quantity;
  geometry: { coordinates: [number, number][] };
  legs: { distance: Quantity; duration: Quantity; steps: Step[] }[];
}

export const avoid = z
  .array(z.enum(["tolls", "highways", "ferries", "borderCrossings"]))
  .max(4)
  .optional();

export const route = tool({
  name: "route",
  title: "Route",
  description:
    "Computes the fastest route between places given by name or coordinates: distance, travel time and turn-by-turn steps. For many pairs use compare_travel_times; for vehicles with stops use plan_fleet.",
  input: z.object({
    from: where,
    to: where,
    via: z.array(where).max(23).optional().describe("stops between, in this order"),
    mode,
    departureTime,
    avoid,
    units: z.enum(["metric", "imperial"]).default("metric").describe("of the texts"),
    includeSteps: z.boolean().default(true),
    firstStep: z.number().int().min(1).default(1).describe("to continue a truncated list of steps"),
    includeGeometry: z.boolean().default(false).describe("adds a simplified GeoJSON line"),
  }),
  async run({ from, to, via = [], mode, departureTime, avoid, units, includeSteps, firstStep, includeGeometry }, api) {
    const places = await locate(api, [
      ["from", from],
      ...via.map((one, i) => [`via ${i + 1}`, one] as const),
      ["to", to],
    ]);
    const { routes, unavailable } = await getJson<{ routes: Route[]; unavailable?: string }>(
      api,
      "/v1/route/directions",
      {
        locations: places.map(pairOf).join("|"),
        mode,
        departureTime,
        avoid: avoid?.join(","),
        units,
        geometry: "linestring",
      },
    );
    const ends = labelledEnds(places);
    const [found] = routes;
    if (!found) {
      const why = unavailable ?? "There is no route.";
      return resultOf(`${why} Check that both ends are near roads of this mode, or try another mode.`, ends);
    }
    const steps = found.legs.flatMap(({ steps }, leg) =>
      steps.map(({ instructions, distance, duration }, i) => ({
        ...(places.length > 2 && i === 0 && { leg: leg + 1 }),
        instruction: instructions,
        distance: distance.text,
        minutes: round1(duration.value),
      })),
    );
    const { items, ...rest } = listOf(
      steps.slice(firstStep - 1),
      (shown) => `Call route again with firstStep ${firstStep + shown}.`,
      { room: includeGeometry ? 5_500 : 11_000 },
    );
    const data = {
      ...ends,
      mode,
      distance: found.distance.text,
      minutes: round1(found.duration.value),
      ...(places.length > 2 && {
        legs: found.legs.map(({ distance, duration }) => ({
          distance: distance.text,
          minutes: round1(duration.value),
        })),
      }),
      ...(includeSteps && { steps: items, stepsList: { ...rest, total: steps.length } }),
      ...(includeGeometry && { geometry: simpleLine(found.geometry.coordinates) }),
    };
    return resultOf(`The fastest ${mode} route: ${found.distance.text}, ${found.duration.text}.`, data);
  },
});
