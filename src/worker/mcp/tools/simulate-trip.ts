import { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import { getJson, postJson, ToolError } from "../base/api.ts";
import { labelledEnds, locate, mode, pairOf, where } from "../base/places.ts";
import { listOf, resultOf, round1, round6 } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { eventLine, type WireEvent } from "./event-line.ts";
import type { Route } from "./route.ts";

const MAX_UPDATES = 200;

export const simulateTrip = tool({
  name: "simulate_trip",
  title: "Simulate a trip",
  description:
    "Moves a simulated device along a route in the test environment, and returns the events that it generates: use it to try geofences. Only with a test key. The updates are stored like those of a device and end now.",
  writes: true,
  input: z.object({
    from: where,
    to: where,
    via: z.array(where).max(23).optional(),
    mode,
    userId: z.string().min(1).max(256).default("simulated"),
    deviceId: z.string().min(1).max(256).default("simulated-device"),
    updates: z.number().int().min(2).max(MAX_UPDATES).default(50).describe("number of positions along the route"),
    accuracy: z.number().min(1).max(10_000).default(10).describe("meters"),
  }),
  async run({ from, to, via = [], mode, userId, deviceId, updates, accuracy }, api) {
    if (api.live)
      throw new ToolError("simulate_trip works only in the test environment: connect with a prj_test_… key.");
    const places = await locate(api, [
      ["from", from],
      ...via.map((one, i) => [`via ${i + 1}`, one] as const),
      ["to", to],
    ]);
    const { routes, unavailable } = await getJson<{ routes: Route[]; unavailable?: string }>(
      api,
      "/v1/route/directions",
      { locations: places.map(pairOf).join("|"), mode, units: "metric", geometry: "linestring" },
    );
    const [route] = routes;
    if (!route) throw new ToolError(`${unavailable ?? "There is no route."} Choose other places or another mode.`);
    const line = route.geometry.coordinates.map(([longitude, latitude]) => ({ latitude, longitude }));
    const durationMs = route.duration.value * 60_000;
    const now = Date.now();
    const replays = pointsAlong(line, updates).map(({ latitude, longitude }, i, all) => ({
      deviceId,
      userId,
      latitude: round6(latitude),
      longitude: round6(longitude),
      accuracy,
      foreground: true,
      updatedAtMs: Math.round(now - durationMs * (1 - i / (all.length - 1))),
    }));
    const { events, accepted } = await postJson<{ events: WireEvent[]; accepted: number }>(api, "/v1/track/replay", {
      replays,
    });
    const { items, ...rest } = listOf(events.map(eventLine), () => "Call device_history for all events.");
    const summary = `${accepted} updates over ${round1(route.duration.value)} minutes generated ${events.length} event${events.length === 1 ? "" : "s"}.`;
    return resultOf(summary, {
      ...labelledEnds(places),
      userId,
      deviceId,
      distance: route.distance.text,
      events: items,
      ...rest,
    });
  },
});

/** Points in equal distances along a line, with its first and last point. */
function pointsAlong(line: readonly Coordinate[], count: number): Coordinate[] {
  const lengths = line.slice(1).map((to, i) => distance(line[i], to));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const points: Coordinate[] = [];
  let segment = 0;
  let passed = 0;
  for (let i = 0; i < count; i++) {
    const target = (total * i) / (count - 1);
    while (segment < lengths.length - 1 && passed + lengths[segment] < target) passed += lengths[segment++];
    const share = lengths[segment] ? Math.min(1, (target - passed) / lengths[segment]) : 0;
    const [a, b] = [line[segment], line[segment + 1] ?? line[segment]];
    points.push({
      latitude: a.latitude + share * (b.latitude - a.latitude),
      longitude: a.longitude + share * (b.longitude - a.longitude),
    });
  }
  return points;
}
