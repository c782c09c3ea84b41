import { z } from "zod";
import { type Api, callForBytes, getJson, ToolError } from "../base/api.ts";
import { MAP_APP } from "../base/map-app.ts";
import { locate, mode, pairOf, spotFields, spotOf, where, wirePlaceOf } from "../base/places.ts";
import { resultOf } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import type { Route } from "./route.ts";

const PATH_COLOR = "#2f6feb";
/** [pixels] */
const ROUTE_WIDTH = 5;

export const renderMap = tool({
  name: "render_map",
  title: "Render a map",
  description:
    "Draws a map image: around a place, with markers, or with a route between two places. The view fits the markers and the route unless a place and zoom are set.",
  app: MAP_APP,
  input: z.object({
    ...spotFields,
    zoom: z.number().min(1).max(22).optional().describe("with a place; default 15"),
    markers: z.array(where).max(26).optional().describe("places to mark with A, B, C …"),
    from: where.optional().describe("draws the route from here"),
    to: where.optional().describe("to here"),
    mode,
    width: z.number().int().min(100).max(1024).default(600),
    height: z.number().int().min(100).max(1024).default(400),
    style: z.string().max(64).optional().describe("the id of a map style"),
  }),
  async run({ place, latitude, longitude, zoom, markers = [], from, to, mode, width, height, style }, api) {
    if ((from === undefined) !== (to === undefined)) throw new ToolError("Set both from and to for a route.");
    const hasCenter = place !== undefined || latitude !== undefined || longitude !== undefined;
    if (!hasCenter && markers.length === 0 && from === undefined)
      throw new ToolError("Set a place, markers, or from and to.");
    const center = hasCenter ? await spotOf(api, { place, latitude, longitude }) : undefined;
    const located = await locate(api, [
      ...markers.map((one, i) => [`markers ${i + 1}`, one] as const),
      ...(from !== undefined && to !== undefined
        ? ([
            ["from", from],
            ["to", to],
          ] as const)
        : []),
    ]);
    const ends = located.slice(markers.length);
    const body = {
      width,
      height,
      style,
      ...(center && { center: pairOf(center), zoom: zoom ?? 15 }),
      markers: [
        ...(center ? [{ locations: [pairOf(center)] }] : []),
        ...located.slice(0, markers.length).map((one, i) => ({
          label: String.fromCharCode(65 + i),
          locations: [pairOf(one)],
        })),
        ...ends.map((one, i) => ({ color: i === 0 ? "green" : "red", locations: [pairOf(one)] })),
      ],
      ...(ends.length === 2 && { path: await pathOf(api, ends.map(pairOf), mode) }),
    };
    const { bytes, headers } = await callForBytes(api, { method: "POST", path: "/maps/static", body });
    const image = {
      type: "image",
      data: toBase64(bytes),
      mimeType: headers.get("content-type") ?? "image/png",
    } as const;
    const data = {
      ...(center && { place: wirePlaceOf(center) }),
      ...(markers.length > 0 && {
        markers: located
          .slice(0, markers.length)
          .map((one, i) => ({ label: String.fromCharCode(65 + i), ...wirePlaceOf(one) })),
      }),
      ...(ends.length === 2 && { from: wirePlaceOf(ends[0]), to: wirePlaceOf(ends[1]) }),
      ...(headers.get("x-graticule-attribution") && { attribution: headers.get("x-graticule-attribution") }),
    };
    return resultOf(`A map of ${width} × ${height} pixels.`, data, [image]);
  },
});

/** The route between two positions as a path of the map. */
async function pathOf(api: Api, locations: readonly string[], mode: string | undefined) {
  const { routes, unavailable } = await getJson<{
    routes: (Omit<Route, "geometry"> & { geometry: { polyline: string } })[];
    unavailable?: string;
  }>(api, "/v1/route/directions", { locations: locations.join("|"), mode, geometry: "polyline6" });
  const [route] = routes;
  if (!route) throw new ToolError(`${unavailable ?? "There is no route."} Draw the places as markers instead.`);
  return { stroke: PATH_COLOR, width: ROUTE_WIDTH, locations: [`enc6:${route.geometry.polyline}`] };
}

/** Bytes per call: a number of arguments that every engine accepts. */
const CHUNK = 8192;

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(i, i + CHUNK)));
  return btoa(parts.join(""));
}
