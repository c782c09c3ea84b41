import { z } from "zod";
import { getJson, postJson, ToolError } from "../base/api.ts";
import { latitude, longitude, pairOf, spotFields, spotOf, wirePlaceOf } from "../base/places.ts";
import { listOf, resultOf } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { fenceLine, type WireFence } from "./fence-line.ts";
import { simpleArea } from "./geometry.ts";

export const listFences = tool({
  name: "list_fences",
  title: "List geofences",
  description:
    "Lists the project's geofences: near a place (the nearest edge first, only enabled ones), or all by tag or text, the newest first. Lists near a place work with every key; the others need a secret key or a signed-in member.",
  input: z.object({
    ...spotFields,
    radius: z.number().min(1).max(1_000_000).optional().describe("meters around the place; default unlimited"),
    tag: z.string().max(256).optional(),
    externalId: z.string().max(256).optional().describe("with tag: this geofence"),
    query: z.string().max(256).optional().describe("part of a description, tag or externalId; or an id"),
    limit: z.number().int().min(1).max(100).default(20),
    before: z.string().max(64).optional().describe("to continue a list: the time that its result states"),
    includeGeometry: z.boolean().default(false).describe("adds simplified outlines of polygons"),
  }),
  async run({ place, latitude, longitude, radius, tag, externalId, query, limit, before, includeGeometry }, api) {
    const line = (fence: WireFence) => ({
      ...fenceLine(fence),
      ...(includeGeometry && fence.geometry && fence.type !== "circle" && simpleArea([fence.geometry.coordinates], 40)),
    });
    if (place !== undefined || latitude !== undefined || longitude !== undefined) {
      if ((query ?? externalId ?? before) !== undefined)
        throw new ToolError("Near a place, set only radius, tag and limit. For a text, leave out the place.");
      const at = await spotOf(api, { place, latitude, longitude });
      const { geofences } = await getJson<{ geofences: WireFence[] }>(api, "/v1/search/geofences", {
        near: pairOf(at),
        radius,
        tags: tag,
        limit,
        includeGeometry,
      });
      const { items, ...rest } = listOf(geofences.map(line), () => "Set a larger limit or a smaller radius.", {
        hasMore: geofences.length === limit,
      });
      const summary = `${geofences.length} geofences, the nearest first.`;
      return resultOf(summary, { place: wirePlaceOf(at), geofences: items, ...rest });
    }
    const { meta, geofences } = await getJson<{
      meta: { hasMore: boolean };
      geofences: (WireFence & { createdAt: string })[];
    }>(api, "/v1/geofences", { limit, tag, externalId, search: query, createdBefore: before });
    const { items, ...rest } = listOf(
      geofences.map(line),
      (shown) =>
        shown > 0 ? `Call list_fences again with before ${geofences[shown - 1].createdAt}.` : "Leave out the geometry.",
      { hasMore: meta.hasMore },
    );
    const summary = `${geofences.length}${meta.hasMore ? " or more" : ""} geofences, the newest first.`;
    return resultOf(summary, { geofences: items, ...rest });
  },
});

export const createFence = tool({
  name: "create_fence",
  title: "Create a geofence",
  description:
    "Creates a geofence: a circle around a place, a polygon, or the area reachable within some minutes (isochrone). Users who enter or leave it then generate events. Never replaces one. Needs a secret key, or a member with the role write.",
  writes: true,
  input: z.object({
    description: z.string().trim().min(1).max(1024),
    tag: z.string().max(256).optional().describe("a group, such as stores"),
    externalId: z.string().max(256).optional().describe("your id within the tag; needs tag"),
    shape: z.enum(["circle", "polygon", "isochrone"]).default("circle"),
    ...spotFields,
    radius: z.number().min(10).max(10_000).optional().describe("circle: meters; default 100"),
    minutes: z.number().min(1).max(60).optional().describe("isochrone: travel time"),
    mode: z.enum(["car", "truck", "foot", "bike"]).optional().describe("isochrone: default car"),
    polygon: z
      .array(z.object({ latitude, longitude }))
      .min(3)
      .max(1999)
      .optional()
      .describe("polygon: its corners in order; the ring is closed automatically"),
  }),
  async run({ description, tag, externalId, shape, radius, minutes, mode, polygon, ...spot }, api) {
    const named = { description, tag, externalId, type: shape };
    if (shape === "polygon") {
      if (!polygon) throw new ToolError("polygon: Set the corners of the polygon.");
      const ring = polygon.map(({ latitude, longitude }) => [longitude, latitude]);
      const [first, last] = [ring[0], ring[ring.length - 1]];
      if (first[0] !== last[0] || first[1] !== last[1]) ring.push(first);
      return created({ ...named, coordinates: ring });
    }
    if (polygon) throw new ToolError("polygon is only for the shape polygon.");
    if (shape === "isochrone" && minutes === undefined)
      throw new ToolError("minutes: Set the travel time of the isochrone.");
    if (shape === "circle" && minutes !== undefined)
      throw new ToolError("minutes is only for the shape isochrone; a circle has a radius in meters.");
    const at = await spotOf(api, spot);
    const size = shape === "circle" ? { radius: radius ?? 100 } : { radius: minutes, mode };
    return created({ ...named, coordinates: [at.longitude, at.latitude], ...size }, { place: wirePlaceOf(at) });

    async function created(body: object, more: object = {}) {
      const { geofence } = await postJson<{ geofence: WireFence }>(api, "/v1/geofences", body);
      const live = api.live ? "live" : "test";
      return resultOf(`Created in the ${live} environment.`, { geofence: fenceLine(geofence), ...more });
    }
  },
});
