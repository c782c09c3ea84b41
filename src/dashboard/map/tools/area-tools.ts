import { parseCoordinate } from "../../../geo/coordinate.ts";
import { get, NOTHING, pointsOf, type Tool } from "./tool.ts";

/** What is made of the map itself: an area in reach, a picture. */

/** Kept only for as long as it takes to read its area; should the page be closed meanwhile, it deletes itself [ms]. */
const ISOCHRONE_LIVES_MS = 5 * 60_000;

export const AREA_TOOLS: readonly Tool[] = [
  {
    ...{ id: "isochrone", title: "Isochrone", writes: true },
    about: "The area within minutes of travel. It is made as a disabled geofence, read, and deleted at once.",
    fields: [
      { name: "coordinates", label: "From", kind: "place", required: true },
      { name: "radius", label: "Minutes", kind: "number", usual: "10" },
      { name: "mode", label: "By", kind: "choice", options: ["car", "truck", "foot", "bike"], usual: "car" },
    ],
    request: ({ coordinates, radius, mode }) => {
      const at = parseCoordinate(coordinates);
      return {
        method: "POST",
        path: "/v1/geofences",
        level: "secret",
        body: {
          description: "Isochrone of the tools page",
          type: "isochrone",
          coordinates: at ? [at.longitude, at.latitude] : coordinates,
          radius: Number(radius || 10),
          mode: mode || "car",
          enabled: false,
          deleteAfter: new Date(Date.now() + ISOCHRONE_LIVES_MS).toISOString(),
        },
      };
    },
    draw: (
      { geofence }: { geofence: { geometry: { coordinates: number[][][] } } },
      { coordinates, radius = "10" },
    ) => ({
      ...NOTHING,
      points: pointsOf(coordinates),
      areas: [{ rings: geofence.geometry.coordinates, name: `${radius || 10} min` }],
      summary: `${geofence.geometry.coordinates[0].length - 1} corners`,
    }),
  },
  {
    ...{ id: "static", title: "Static map", about: "A map as a picture, for a mail or a page." },
    fields: [
      { name: "center", label: "Centre", kind: "place" },
      { name: "zoom", label: "Zoom", kind: "number", usual: "14" },
      { name: "width", label: "Width", kind: "number", usual: "600" },
      { name: "height", label: "Height", kind: "number", usual: "400" },
      { name: "scale", label: "Scale", kind: "choice", options: ["1", "2", "3"], usual: "1" },
      {
        name: "style",
        label: "Style",
        kind: "text",
        usual: "radar-default-v1",
        hint: "radar-light-v1, radar-dark-v1, or an id",
      },
      { name: "markers", label: "Markers", kind: "places" },
      { name: "path", label: "Path", kind: "places" },
      { name: "format", label: "Format", kind: "choice", options: ["png", "svg"], usual: "png" },
    ],
    request: (values) => get("/maps/static", values),
  },
];
