import { z } from "zod";
import { ancestorOf, cellRange, resolutionOf } from "../../../core/geo/cells/cells.ts";
import { coverCircle } from "../../../core/geo/cells/cover.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { Mode } from "../../../core/routing/graph/modes.ts";
import { reach, TOP_SPEED } from "../../../core/routing/reach/reach.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import { roadsUnreadable, routerFor } from "../../answers/routes/road-router.ts";
import { deleteTripsNaming } from "../../db/customers/trips.ts";
import { findUser, findUserRecords, listUsers, userDocs, userPositions } from "../../db/customers/users.ts";
import { USER_CELL_REACH, USER_CELL_RESOLUTION } from "../../db/customers/writes.ts";
import { forgetUsers } from "../../objects/rounds/forget-users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import type { Asker } from "../../platform/call.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import {
  coordinate,
  datetime,
  json,
  metadataFilter,
  number,
  optionalList,
  optionalText,
  pageLimit,
  text,
} from "../../wire/input/fields.ts";
import { modeField, profileOf } from "../../wire/routes/route-fields.ts";
import { userShape, wireUser } from "../../wire/user.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";

const chapter = "Users";

/** Maximum and default travel time of a search. */
const MAX_MINUTES = 60;
const DEFAULT_MINUTES = 10;

/** Lower bound of a degree of latitude [m]. */
const DEGREE = 110_000;

/** Most segments of one user. */
const MAX_SEGMENTS = 100;

/** Filters of user lists and exports. */
export const userFilterFields = {
  updatedBefore: datetime().optional(),
  updatedAfter: datetime().optional(),
  search: optionalText().meta({ description: "part of a userId, deviceId or description; or an _id" }),
  metadata: metadataFilter(),
  segment: optionalText().meta({ description: "the externalId of a segment, set by you or computed" }),
  userTags: tagFilter(),
};

function tagFilter() {
  return optionalList().meta({ description: "only users with one of these tags" });
}

export const listAllUsers = endpoint({
  name: "listUsers",
  method: "GET",
  path: "/v1/users",
  level: "secret",
  chapter,
  summary: "Lists users, newest update first.",
  query: z.object({
    limit: pageLimit(100),
    ...userFilterFields,
  }),
  response: z.object({ users: z.array(userShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    await settleWrites(env);
    const { docs, hasMore } = await listUsers(env.DB, caller.scope, query);
    return { meta: { hasMore }, users: writeRows(call, "users", docs, fromDoc) };
  },
});

export const getUser = endpoint({
  name: "getUser",
  method: "GET",
  path: "/v1/users/:id",
  level: "secret",
  chapter,
  summary: "Returns a user by _id, userId or deviceId; the record updated last if there are several.",
  response: z.object({ user: userShape }),
  errors: [404],
  async handle(call) {
    const { params, caller, env } = call;
    const { scope } = caller;
    await settleWrites(env);
    const doc = await findUser(env.DB, scope, params.id);
    if (!doc) throw notFound("User");
    // The tracker may be ahead of the database. A row that was put into the database directly has no tracker.
    const { id, deviceId } = doc;
    const state = await deviceTrackerOf(env, scope, deviceId).user(id);
    if (!state) return { user: writeRow(call, "users", doc.doc, fromDoc) };
    return { user: writeRow(call, "users", state.computed ? await withStoredSegments(call, state) : state, wireUser) };
  },
});

export const deleteUser = endpoint({
  name: "deleteUser",
  method: "DELETE",
  path: "/v1/users/:id",
  level: "secret",
  chapter,
  summary: "Deletes a user by _id, userId or deviceId with all its records, events and queued webhook messages.",
  description:
    "Also a user that has only conversions or trips, on every device. Geofences, campaigns and segments that name a userId are your own settings: change them yourself.",
  errors: [404],
  async handle({ params, caller, env }) {
    await settleWrites(env);
    const records = await findUserRecords(env.DB, caller.scope, params.id);
    await forgetUsers(env, caller.scope, records);
    const isRecord = records.some(({ id }) => id === params.id);
    const hadTrips = !isRecord && (await deleteTripsNaming(env.DB, caller.scope, params.id));
    if (records.length === 0 && !hadTrips) throw notFound("User");
    return {};
  },
});

/** A tracker's state with the segments of its row, from which time has removed some (segment-round.ts). */
async function withStoredSegments({ caller, env, now }: Pick<Call, "caller" | "env" | "now">, state: UserState) {
  const { computed } = state;
  if (computed?.due === undefined || computed.due > now) return state;
  const doc = (await userDocs(env.DB, caller.scope, [state._id])).get(state._id);
  return { ...state, computed: doc === undefined ? computed : ((JSON.parse(doc) as UserState).computed ?? computed) };
}

const SEGMENTS_RULE = `Must be a list of up to ${MAX_SEGMENTS} segments.`;

export const setUserSegments = endpoint({
  name: "setUserSegments",
  method: "PUT",
  path: "/v1/users/:id/segments",
  level: "secret",
  chapter,
  summary: "Sets the segments of a user, by _id, userId or deviceId. Replaces its previous segments.",
  description:
    "Applies to every matching record; the response has the one updated last. The user has its `segments` from now on; a concurrent track may still return it without them.",
  body: z.object({
    segments: json(
      z
        .array(z.object({ description: text(), externalId: text() }), { error: SEGMENTS_RULE })
        .max(MAX_SEGMENTS, { error: SEGMENTS_RULE }),
    ).meta({ description: "each {description, externalId}; an empty list removes the user from all" }),
  }),
  response: z.object({ user: userShape }),
  errors: [404],
  async handle(call) {
    const { params, body, caller, env } = call;
    await settleWrites(env);
    const records = await findUserRecords(env.DB, caller.scope, params.id);
    const states: UserState[] = [];
    for (const { id, deviceId } of records) {
      const state = await deviceTrackerOf(env, caller.scope, deviceId).setSegments(id, body.segments);
      if (state) states.push(state);
    }
    if (states.length === 0) throw notFound("User");
    const newest = states.reduce((newest, one) => (one.updatedAt > newest.updatedAt ? one : newest));
    return { user: writeRow(call, "users", newest, wireUser) };
  },
});

export const searchUsers = endpoint({
  name: "searchUsers",
  method: "GET",
  path: "/v1/search/users",
  level: "secret",
  chapter: "Search",
  summary: "Returns users near a location, sorted by distance, or by travel time if a mode is set.",
  description: `With \`mode\`, \`radius\` is a travel time of 1 to ${MAX_MINUTES} minutes (default ${DEFAULT_MINUTES}); users more than 500 m from every road of the mode are not found.`,
  query: z.object({
    near: coordinate(),
    radius: number({ min: 1, max: 10_000 })
      .optional()
      .meta({
        description: `Meters, 100 to 10000 (default 1000); with mode: minutes, 1 to ${MAX_MINUTES} (default ${DEFAULT_MINUTES}).`,
      }),
    mode: modeField().optional(),
    metadata: metadataFilter(),
    userTags: tagFilter(),
    limit: number({ min: 1, max: 100, integer: true }).default(10),
  }),
  response: z.object({ users: z.array(userShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    const { near, radius, mode, metadata, userTags, limit } = query;
    await settleWrites(env);
    const positionsWithin = async (metres: number) => {
      const positions = await userPositions(
        env.DB,
        caller.scope,
        userRanges(near, metres),
        [near.latitude - metres / DEGREE, near.latitude + metres / DEGREE],
        { metadata, userTags },
      );
      return positions
        .map((position) => ({ ...position, metres: distance(near, position) }))
        .filter((position) => position.metres <= metres);
    };
    const found = mode
      ? await byTravelTime(call, near, minutesOf(radius), profileOf(mode), limit, positionsWithin)
      : (await positionsWithin(metresOf(radius))).map(({ id, metres }) => ({ id, far: metres }));
    const nearest = found.sort((a, b) => a.far - b.far || (a.id < b.id ? -1 : 1)).slice(0, limit);
    const docs = await userDocs(
      env.DB,
      caller.scope,
      nearest.map(({ id }) => id),
    );
    const rows = nearest.flatMap(({ id }) => docs.get(id) ?? []);
    return { users: writeRows(call, "users", rows, fromDoc) };
  },
});

function metresOf(radius = 1000): number {
  if (radius < 100) throw invalid("radius", "Valid range: [100, 10000].");
  return radius;
}

function minutesOf(radius = DEFAULT_MINUTES): number {
  if (radius < 1 || radius > MAX_MINUTES)
    throw invalid("radius", `Valid range with a mode: [1, ${MAX_MINUTES}] minutes.`);
  return radius;
}

/** A user is near the center of its cell, not always inside. Finer cells are replaced by their ancestors at the users' resolution. */
function userRanges(near: Coordinate, metres: number) {
  const cells = coverCircle(near, metres + USER_CELL_REACH).map((cell) =>
    ancestorOf(cell, Math.min(resolutionOf(cell), USER_CELL_RESOLUTION)),
  );
  return [...new Set(cells)].map(cellRange);
}

async function byTravelTime(
  call: Asker,
  near: Coordinate,
  minutes: number,
  mode: Mode,
  most: number,
  positionsWithin: (metres: number) => Promise<{ id: string; latitude: number; longitude: number }[]>,
): Promise<{ id: string; far: number }[]> {
  let isDamaged = false;
  const router = await routerFor(call, [near], () => {
    isDamaged = true;
  });
  if (!router && isDamaged) throw roadsUnreadable();
  if (!router) throw invalid("mode", "Search by travel time needs road data, which isn't imported near this point.");
  const within = minutes * 60;
  const positions = await positionsWithin(within * TOP_SPEED[mode]);
  const times = await reach(router, near, positions, { mode, within, most });
  return positions.map(({ id }, i) => ({ id, far: times[i] })).filter(({ far }) => far <= within);
}

function fromDoc(doc: string) {
  return wireUser(JSON.parse(doc) as UserState);
}
