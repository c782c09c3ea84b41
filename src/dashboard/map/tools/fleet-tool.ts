import { decodeLine } from "../../../core/geo/shapes/polyline.ts";
import { NOTHING, polygonOf, type Tool } from "./tool.ts";
import { avoidAreas } from "./travel.ts";

interface PlannedRoute {
  vehicle: number;
  description?: string;
  distance: number;
  duration: number;
  geometry?: string;
  steps: { type: string; location?: [longitude: number, latitude: number] }[];
}

interface Plan {
  summary: { routes: number; unassigned: number; distance: number; duration: number };
  routes: PlannedRoute[];
  unassigned: { id: number; type: string; reason: string }[];
  unavailable?: string;
}

/** The routes of many vehicles, from the input of VROOM. */
export const FLEET_TOOL: Tool = {
  ...{ id: "fleet", title: "Fleet", about: "Plans the routes of up to 20 vehicles. Accepts VROOM input." },
  fields: [
    { name: "problem", label: "VROOM JSON", kind: "file", required: true, hint: "vehicles, jobs, shipments" },
    ...avoidAreas,
  ],
  request: ({ problem, avoidPolygons, avoidGeofences }) => {
    const area = polygonOf(avoidPolygons);
    return {
      method: "POST",
      path: "/v1/route/optimize",
      level: "publishable",
      body: {
        ...drawnProblem(problem),
        ...(area ? { avoidPolygons: area } : {}),
        ...(avoidGeofences ? { avoidGeofences } : {}),
      },
    };
  },
  draw: ({ routes, unassigned, summary, unavailable }: Plan) => ({
    ...NOTHING,
    points: routes.flatMap(({ steps }) =>
      steps.flatMap(({ type, location }) =>
        location && type !== "start" && type !== "end" ? [{ longitude: location[0], latitude: location[1] }] : [],
      ),
    ),
    lines: routes.map(({ geometry, steps }) => ({
      pairs: geometry
        ? decodeLine(geometry, 5).map(({ latitude, longitude }) => [longitude, latitude])
        : steps.flatMap(({ location }) => (location ? [location] : [])),
      look: "route" as const,
    })),
    lineup: [
      ...routes.map(({ vehicle, description, steps, distance, duration }) => ({
        title: description ?? `Vehicle ${vehicle}`,
        detail: `${stopsOf(steps)} · ${(distance / 1000).toFixed(1)} km · ${Math.round(duration / 60)} min`,
      })),
      ...unassigned.map(({ type, id, reason }) => ({ title: `${type} ${id} is unassigned`, detail: reason })),
    ],
    summary: unavailable ?? `Vehicles used: ${summary.routes}, unassigned: ${summary.unassigned}`,
  }),
};

function stopsOf(steps: PlannedRoute["steps"]): string {
  const stops = steps.filter(({ type }) => type !== "start" && type !== "end" && type !== "break").length;
  return stops === 1 ? "1 stop" : `${stops} stops`;
}

/** The pasted input, with geometry requested. Invalid JSON is sent as is, so that the API reports the error. */
function drawnProblem(text = ""): Record<string, unknown> {
  try {
    const problem = JSON.parse(text) as Record<string, unknown>;
    return { ...problem, options: { ...(problem.options as object | undefined), g: true } };
  } catch {
    return { vehicles: text };
  }
}
