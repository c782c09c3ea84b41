import { z } from "zod";
import type { UserState } from "../../../core/tracking/types/state.ts";
import {
  deleteGeofence,
  findGeofence,
  type GeofenceName,
  type GeofenceRow,
  insertGeofence,
  listGeofences,
  PairTaken,
  updateGeofence,
  upsertGeofence,
  usersInside,
} from "../../db/customers/geofences.ts";
import { newId } from "../../objects/tracker/id.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { ApiError, invalid, notFound } from "../../platform/errors.ts";
import { geofenceShape, wireGeofence } from "../../wire/geofence.ts";
import {
  coordinate,
  datetime,
  flag,
  metadataFilter,
  number,
  optionalList,
  optionalText,
  pageLimit,
} from "../../wire/input/fields.ts";
import { userShape, wireUser } from "../../wire/user.ts";
import { noteFenceEpoch } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";
import { fencesNearest } from "./fences-around.ts";
import { geofenceBody, geofenceValues } from "./geofence-body.ts";

const chapter = "Geofences";
const one = z.object({ geofence: geofenceShape });

/** With more results than this, geometries must be omitted. */
const MAX_WITH_GEOMETRY = 100;

export const createGeofence = endpoint({
  name: "createGeofence",
  method: "POST",
  path: "/v1/geofences",
  level: "secret",
  chapter,
  summary: "Creates a geofence.",
  description: "409 when a geofence with this tag and externalId exists; PUT replaces it.",
  body: geofenceBody,
  response: one,
  errors: [409],
  async handle(call) {
    const { body, caller, env, now } = call;
    const written = await insertGeofence(env.DB, caller.scope, newId(now), await geofenceValues(body, call), now);
    if (!written) throw pairTaken();
    noteFenceEpoch(caller.scope, written.epoch);
    return { geofence: wireGeofence(written.row) };
  },
});

export const upsertGeofenceByPair = endpoint({
  name: "upsertGeofence",
  method: "PUT",
  path: "/v1/geofences/:tag/:externalId",
  level: "secret",
  chapter,
  summary: "Creates the geofence with this tag and externalId, or replaces it.",
  body: geofenceBody,
  response: one,
  async handle(call) {
    const { body, params, caller, env, now } = call;
    const { tag, externalId } = pairOf(params);
    const values = await geofenceValues({ ...body, tag, externalId }, call);
    const written = await upsertGeofence(env.DB, caller.scope, newId(now), values, now);
    noteFenceEpoch(caller.scope, written.epoch);
    return { geofence: wireGeofence(written.row) };
  },
});

export const updateGeofenceById = endpoint({
  name: "updateGeofence",
  method: "PUT",
  path: "/v1/geofences/:id",
  level: "secret",
  chapter,
  summary: "Replaces the geofence with this id.",
  body: geofenceBody,
  response: one,
  errors: [404, 409],
  async handle(call) {
    const { body, params, caller, env, now } = call;
    try {
      const written = await updateGeofence(env.DB, caller.scope, params.id, await geofenceValues(body, call), now);
      if (!written) throw notFound("Geofence");
      noteFenceEpoch(caller.scope, written.epoch);
      return { geofence: wireGeofence(written.row) };
    } catch (error) {
      throw error instanceof PairTaken ? pairTaken() : error;
    }
  },
});

/** The filters of lists and exports of geofences. */
export const geofenceFilterFields = {
  createdBefore: datetime().optional(),
  createdAfter: datetime().optional(),
  updatedBefore: datetime().optional(),
  updatedAfter: datetime().optional(),
  tag: optionalText(),
  externalId: optionalText(),
  search: optionalText().meta({ description: "part of a description, tag or externalId; or an _id" }),
  metadata: metadataFilter(),
};

export const listAllGeofences = endpoint({
  name: "listGeofences",
  method: "GET",
  path: "/v1/geofences",
  level: "secret",
  chapter,
  summary: "Lists geofences, newest first.",
  query: z.object({
    limit: pageLimit(100),
    ...geofenceFilterFields,
  }),
  response: z.object({ geofences: z.array(geofenceShape) }),
  async handle(call) {
    const { query, caller, env, now } = call;
    const { rows, hasMore } = await listGeofences(env.DB, caller.scope, query, now);
    return { meta: { hasMore }, geofences: writeRows(call, "geofences", rows, (row) => wireGeofence(row)) };
  },
});

async function getGeofence(call: Call, name: GeofenceName) {
  const row = await findGeofence(call.env.DB, call.caller.scope, name, call.now);
  if (!row) throw notFound("Geofence");
  return row;
}

function shown(call: Call, row: GeofenceRow) {
  return writeRow(call, "geofences", row, (one) => wireGeofence(one));
}

export const getGeofenceByPair = endpoint({
  name: "getGeofence",
  method: "GET",
  path: "/v1/geofences/:tag/:externalId",
  level: "secret",
  chapter,
  summary: "Returns the geofence with this tag and externalId.",
  response: one,
  errors: [404],
  handle: async (call) => ({ geofence: shown(call, await getGeofence(call, pairOf(call.params))) }),
});

export const getGeofenceById = endpoint({
  name: "getGeofenceById",
  method: "GET",
  path: "/v1/geofences/:id",
  level: "secret",
  chapter,
  summary: "Returns the geofence with this id.",
  response: one,
  errors: [404],
  handle: async (call) => ({ geofence: shown(call, await getGeofence(call, { id: call.params.id })) }),
});

export const deleteGeofenceByPair = endpoint({
  name: "deleteGeofence",
  method: "DELETE",
  path: "/v1/geofences/:tag/:externalId",
  level: "secret",
  chapter,
  summary: "Deletes the geofence with this tag and externalId. Users inside exit it with their next update.",
  errors: [404],
  handle: (call) => remove(call, pairOf(call.params)),
});

export const deleteGeofenceById = endpoint({
  name: "deleteGeofenceById",
  method: "DELETE",
  path: "/v1/geofences/:id",
  level: "secret",
  chapter,
  summary: "Deletes the geofence with this id. Users inside exit it with their next update.",
  errors: [404],
  handle: (call) => remove(call, { id: call.params.id }),
});

async function remove({ env, caller, now }: Call, name: GeofenceName) {
  const epoch = await deleteGeofence(env.DB, caller.scope, name, now);
  if (epoch === undefined) throw notFound("Geofence");
  noteFenceEpoch(caller.scope, epoch);
  return {};
}

const usersQuery = z.object({ limit: number({ min: 1, max: 1000, integer: true }).default(100) });
const usersResponse = z.object({ users: z.array(userShape) });

export const usersInGeofenceByPair = endpoint({
  name: "geofenceUsers",
  method: "GET",
  path: "/v1/geofences/:tag/:externalId/users",
  level: "secret",
  chapter,
  summary: "Lists the users who are inside the geofence now, newest update first.",
  query: usersQuery,
  response: usersResponse,
  errors: [404],
  handle: async (call) => inside(call, await getGeofence(call, pairOf(call.params)), call.query.limit),
});

export const usersInGeofenceById = endpoint({
  name: "geofenceUsersById",
  method: "GET",
  path: "/v1/geofences/:id/users",
  level: "secret",
  chapter,
  summary: "Lists the users who are inside the geofence now, newest update first.",
  description: "If no geofence has this id, uses the geofence with this tag and the externalId `users`.",
  query: usersQuery,
  response: usersResponse.partial().extend(one.partial().shape),
  errors: [404],
  async handle(call) {
    const { id } = call.params;
    const found = await findGeofence(call.env.DB, call.caller.scope, { id }, call.now);
    if (found) return inside(call, found, call.query.limit);
    return { geofence: shown(call, await getGeofence(call, pairOf({ tag: id, externalId: "users" }))) };
  },
});

async function inside(call: Call, fence: GeofenceRow, limit: number) {
  await settleWrites(call.env);
  const { docs, hasMore } = await usersInside(call.env.DB, call.caller.scope, fence.id, limit);
  const write = (doc: string) => wireUser(JSON.parse(doc) as UserState);
  return { meta: { hasMore }, users: writeRows(call, "users", docs, write) };
}

export const searchGeofences = endpoint({
  name: "searchGeofences",
  method: "GET",
  path: "/v1/search/geofences",
  level: "publishable",
  chapter: "Search",
  summary: "Returns the enabled geofences near a location, sorted by the distance to their edge.",
  query: z.object({
    near: coordinate(),
    limit: number({ min: 1, max: 1000, integer: true })
      .default(100)
      .meta({
        description: `Maximum number of results, 1 to 1000; more than ${MAX_WITH_GEOMETRY} need includeGeometry=false.`,
      }),
    radius: number({ above: 0 }).optional().meta({ description: "meters; absent: unlimited" }),
    tags: optionalList(),
    metadata: metadataFilter(),
    includeGeometry: flag().default(true),
  }),
  response: z.object({ geofences: z.array(geofenceShape) }),
  async handle(call) {
    const { query, caller, now } = call;
    const { near, limit, radius, tags, metadata, includeGeometry } = query;
    if (limit > MAX_WITH_GEOMETRY && includeGeometry) {
      throw invalid("limit", `More than ${MAX_WITH_GEOMETRY} results need includeGeometry=false.`);
    }
    const records = await fencesNearest(call, near, { limit, radius, tags, metadata, activeAt: now });
    // Callers with a publishable key must not see the users of a geofence.
    const visible = caller.secret
      ? records
      : records.map((record) => ({ ...record, userIds: null, segments: null, ip: null }));
    return { geofences: writeRows(call, "geofences", visible, (record) => wireGeofence(record, includeGeometry)) };
  },
});

function pairOf({ tag, externalId }: Readonly<Record<string, string>>): { tag: string; externalId: string } {
  if (tag.length > 256) throw invalid("tag", "Must be a string of 1 to 256 characters.");
  if (externalId.length > 256) throw invalid("externalId", "Must be a string of 1 to 256 characters.");
  return { tag, externalId };
}

function pairTaken(): ApiError {
  return new ApiError(409, "A geofence with this tag and externalId exists. Use PUT to replace it.");
}
