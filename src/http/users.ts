import { z } from "zod";
import { USER_CELL_RESOLUTION } from "../db/tracked.ts";
import { findUser, findUserRecords, listUsers, userDocs, userPositions } from "../db/users.ts";
import { ancestorOf, cellRange, resolutionOf } from "../geo/cells.ts";
import { coverCircle } from "../geo/cover.ts";
import { haversine } from "../geo/distance.ts";
import { deviceTrackerOf } from "../objects/stubs.ts";
import type { UserState } from "../tracking/types.ts";
import { endpoint } from "./endpoint.ts";
import { invalid, notFound } from "./errors.ts";
import { coordinate, datetime, metadataFilter, number, oneOf } from "./fields.ts";
import { userShape, wireUser } from "./wire.ts";

const chapter = "Users";

export const listAllUsers = endpoint({
  name: "listUsers",
  method: "GET",
  path: "/v1/users",
  level: "secret",
  chapter,
  summary: "Lists users, newest update first.",
  query: z.object({
    limit: number({ min: 1, max: 1000, integer: true }).default(100),
    updatedBefore: datetime().optional(),
    updatedAfter: datetime().optional(),
  }),
  response: z.object({ users: z.array(userShape) }),
  async handle({ query, caller, env }) {
    const { docs, hasMore } = await listUsers(env.DB, caller.scope, query);
    return { meta: { hasMore }, users: docs.map(fromDoc) };
  },
});

export const getUser = endpoint({
  name: "getUser",
  method: "GET",
  path: "/v1/users/:id",
  level: "secret",
  chapter,
  summary: "A user by _id, userId or deviceId; of several records the one updated last.",
  response: z.object({ user: userShape }),
  errors: [404],
  async handle({ params, caller, env }) {
    const doc = await findUser(env.DB, caller.scope, params.id);
    if (!doc) throw notFound("User");
    return { user: fromDoc(doc) };
  },
});

export const deleteUser = endpoint({
  name: "deleteUser",
  method: "DELETE",
  path: "/v1/users/:id",
  level: "secret",
  chapter,
  summary: "Deletes a user by _id, userId or deviceId with all its records and events.",
  errors: [404],
  async handle({ params, caller, env }) {
    const records = await findUserRecords(env.DB, caller.scope, params.id);
    if (records.length === 0) throw notFound("User");
    for (const { id, deviceId } of records) {
      await deviceTrackerOf(env, caller.scope, deviceId).forget(caller.scope, id);
    }
    return {};
  },
});

export const searchUsers = endpoint({
  name: "searchUsers",
  method: "GET",
  path: "/v1/search/users",
  level: "secret",
  chapter: "Search",
  summary: "Users near a location, sorted by distance.",
  query: z.object({
    near: coordinate(),
    radius: number({ min: 100, max: 10_000 }).default(1000).meta({ description: "metres" }),
    mode: oneOf(["car", "truck", "foot", "bike"]).optional(),
    metadata: metadataFilter(),
    limit: number({ min: 1, max: 100, integer: true }).default(10),
  }),
  response: z.object({ users: z.array(userShape) }),
  async handle({ query, caller, env }) {
    const { near, radius, mode, metadata, limit } = query;
    if (mode !== undefined)
      throw invalid("mode", "Search by travel time needs road data, which this installation does not have.");
    // Users lie in cells of one resolution; a finer cell of the cover stands for the cell it is in.
    const cells = coverCircle(near, radius).map((cell) =>
      ancestorOf(cell, Math.min(resolutionOf(cell), USER_CELL_RESOLUTION)),
    );
    const ranges = [...new Set(cells)].map(cellRange);
    const positions = await userPositions(env.DB, caller.scope, ranges, metadata);
    const nearest = positions
      .map(({ id, latitude, longitude }) => ({
        id,
        metres: haversine(near.latitude, near.longitude, latitude, longitude),
      }))
      .filter(({ metres }) => metres <= radius)
      .sort((a, b) => a.metres - b.metres || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
    const docs = await userDocs(
      env.DB,
      caller.scope,
      nearest.map(({ id }) => id),
    );
    return { users: nearest.flatMap(({ id }) => docs.get(id) ?? []).map(fromDoc) };
  },
});

function fromDoc(doc: string) {
  return wireUser(JSON.parse(doc) as UserState);
}
