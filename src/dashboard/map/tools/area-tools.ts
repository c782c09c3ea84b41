import { getRequest, NOTHING, pointsOf, type Tool } from "./tool.ts";
import { avoid, avoidAreas, departureTime, mode } from "./travel.ts";

/** Tools that return areas: isochrones. */

interface Reached {
  properties: { minutes: number; area: number };
  geometry: { coordinates: number[][][][] };
}

export const AREA_TOOLS: readonly Tool[] = [
  {
    id: "isochrone",
    title: "Travel-time area (isochrone)",
    about: "The areas within a travel time, largest first.",
    fields: [
      { name: "origin", label: "From", kind: "place", required: true },
      { name: "minutes", label: "Minutes", kind: "text", usual: "5,10,15", hint: "1 to 5 values up to 60" },
      mode,
      avoid,
      ...avoidAreas,
      departureTime,
    ],
    request: (values) => getRequest("/v1/route/isochrone", values),
    draw: (answer: { features: Reached[] }, { origin }) => ({
      ...NOTHING,
      points: pointsOf(origin),
      areas: answer.features.flatMap(({ properties, geometry }) =>
        geometry.coordinates.map((rings) => ({ rings, name: `${properties.minutes} min` })),
      ),
      lineup: answer.features.map(({ properties: { minutes, area } }) => ({
        title: `${minutes} min`,
        detail: `${(area / 1e6).toFixed(1)} km²`,
      })),
      summary: answer.features.length === 0 ? "There is no road near this location." : "",
    }),
  },
];
