import { z } from "zod";
import { getJson, ToolError } from "../base/api.ts";
import { pairOf, spotFields, spotOf, wirePlaceOf } from "../base/places.ts";
import { listOf, resultOf } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { userLine, type WireUser } from "./user-line.ts";

export const findUsers = tool({
  name: "find_users",
  title: "Find users",
  description:
    "Finds the project's users and devices: near a place, inside a geofence, or by a part of a userId, deviceId or description. Without any of them lists all, the newest update first. Needs a secret key or a signed-in member.",
  input: z.object({
    ...spotFields,
    radius: z.number().min(100).max(10_000).optional().describe("meters around the place; default 1000"),
    minutes: z.number().min(1).max(60).optional().describe("instead of radius: travel time by mode"),
    mode: z.enum(["car", "truck", "foot", "bike", "motorbike"]).optional().describe("with minutes; default car"),
    geofence: z.string().min(1).max(520).optional().describe("its id, or tag/externalId: users who are inside now"),
    query: z.string().min(1).max(256).optional().describe("part of a userId, deviceId or description, or an id"),
    limit: z.number().int().min(1).max(100).default(20),
    before: z.string().max(64).optional().describe("to continue a list: the time that its result states"),
  }),
  async run({ place, latitude, longitude, radius, minutes, mode, geofence, query, limit, before }, api) {
    const isNear = place !== undefined || latitude !== undefined || longitude !== undefined;
    if ([isNear, geofence !== undefined, query !== undefined].filter(Boolean).length > 1)
      throw new ToolError("Set only one of a place, geofence and query.");
    if (!isNear) return inFenceOrAll(await usersOf());
    const at = await spotOf(api, { place, latitude, longitude });
    const within = minutes === undefined ? { radius } : { radius: minutes, mode: mode ?? "car" };
    const { users } = await getJson<{ users: WireUser[] }>(api, "/v1/search/users", {
      near: pairOf(at),
      limit,
      ...within,
    });
    const { items, ...rest } = listOf(users.map(userLine), () => "Set a larger limit or a smaller radius.", {
      hasMore: users.length === limit,
    });
    const summary = `${users.length} user${users.length === 1 ? "" : "s"}, the nearest first.`;
    return resultOf(summary, { place: wirePlaceOf(at), users: items, ...rest });

    function usersOf() {
      const path = geofence === undefined ? "/v1/users" : `/v1/geofences/${pathOfFence(geofence)}/users`;
      const filter = geofence === undefined ? { search: query, updatedBefore: before } : {};
      return getJson<{ meta: { hasMore: boolean }; users: WireUser[] }>(api, path, { limit, ...filter });
    }
    function inFenceOrAll({ meta, users }: { meta: { hasMore: boolean }; users: WireUser[] }) {
      const lines = users.map(userLine);
      const next = (shown: number) =>
        geofence === undefined && shown > 0
          ? `Call find_users again with before ${lines[shown - 1].updatedAt}.`
          : "Set a larger limit.";
      const { items, ...rest } = listOf(lines, next, { hasMore: meta.hasMore });
      const where = geofence === undefined ? "" : " inside the geofence";
      const summary = `${users.length}${meta.hasMore ? " or more" : ""} ${users.length === 1 ? "user" : "users"}${where}, the newest update first.`;
      return resultOf(summary, { users: items, ...rest });
    }
  },
});

/** "id", or "tag/externalId", as path segments. */
function pathOfFence(name: string): string {
  const slash = name.indexOf("/");
  return slash < 0
    ? encodeURIComponent(name)
    : `${encodeURIComponent(name.slice(0, slash))}/${encodeURIComponent(name.slice(slash + 1))}`;
}
