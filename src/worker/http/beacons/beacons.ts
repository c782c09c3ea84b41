import { z } from "zod";
import { withBeaconNotes } from "../../../core/engagement/phone.ts";
import { ancestorOf, cellRange, resolutionOf } from "../../../core/geo/cells/cells.ts";
import { coverCircle } from "../../../core/geo/cells/cover.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import { timeZoneAt } from "../../../core/regions/time-zone.ts";
import { BEACON_TYPES, type BeaconType } from "../../../core/tracking/types/surroundings.ts";
import {
  BEACON_CELL_RESOLUTION,
  type BeaconName,
  beaconPositions,
  beaconsById,
  deleteBeacon,
  findBeacon,
  listBeacons,
  writeBeacons,
} from "../../db/customers/beacons.ts";
import { campaignsOf } from "../../objects/campaigns/known-campaigns.ts";
import { newId } from "../../objects/tracker/id.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, invalid, notFound } from "../../platform/errors.ts";
import { beaconShape, wireBeacon } from "../../wire/beacon.ts";
import { coordinate, datetime, number, oneOf, optionalText, pageLimit } from "../../wire/input/fields.ts";
import { campaignEpochOf, noteBeaconEpoch } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRows } from "../serve/rows.ts";
import { type BeaconBody, beaconBody, beaconValues } from "./beacon-body.ts";
import { rangedBy } from "./ranged-by.ts";

const chapter = "Beacons";
const one = z.object({ beacon: beaconShape });

export const createBeacon = endpoint({
  name: "createBeacon",
  method: "POST",
  path: "/v1/beacons",
  aliases: ["/api/v1/beacons"],
  level: "secret",
  chapter,
  summary: "Creates a beacon, or updates the one with this tag and externalId.",
  body: beaconBody,
  response: one,
  handle: (call) => upsert(call, call.body),
});

export const upsertBeaconByPair = endpoint({
  name: "upsertBeacon",
  method: "PUT",
  path: "/v1/beacons/:tag/:externalId",
  aliases: ["/api/v1/beacons/:tag/:externalId"],
  level: "secret",
  chapter,
  summary: "Creates the beacon with this tag and externalId, or replaces it.",
  body: beaconBody,
  response: one,
  handle: (call) => upsert(call, { ...call.body, ...pairOf(call.params) }),
});

async function upsert({ caller, env, now }: Call, body: BeaconBody) {
  const values = beaconValues(body);
  const id = newId(now);
  noteBeaconEpoch(caller.scope, await writeBeacons(env.DB, caller.scope, [{ id, createdAt: now, values }], now));
  const { tag, externalId } = values;
  const name = tag !== null && externalId !== null ? { tag, externalId } : { id };
  return { beacon: wireBeacon(await existingBeacon(env, caller.scope, name)) };
}

export const updateBeaconById = endpoint({
  name: "updateBeacon",
  method: "PUT",
  path: "/v1/beacons/:id",
  level: "secret",
  chapter,
  summary: "Replaces the beacon with this id.",
  body: beaconBody,
  response: one,
  errors: [404, 409],
  async handle({ body, params, caller, env, now }) {
    const { scope } = caller;
    const { id } = params;
    const values = beaconValues(body);
    await existingBeacon(env, scope, { id });
    const { tag, externalId } = values;
    const holder = tag !== null && externalId !== null && (await findBeacon(env.DB, scope, { tag, externalId }));
    if (holder && holder.id !== id) throw new ApiError(409, "Another beacon has this tag and externalId.");
    noteBeaconEpoch(scope, await writeBeacons(env.DB, scope, [{ id, createdAt: now, values }], now));
    return { beacon: wireBeacon(await existingBeacon(env, scope, { id })) };
  },
});

export const listAllBeacons = endpoint({
  name: "listBeacons",
  method: "GET",
  path: "/v1/beacons",
  level: "secret",
  chapter,
  summary: "Lists beacons, newest first.",
  query: z.object({
    limit: pageLimit(100),
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
    tag: optionalText(),
    externalId: optionalText(),
  }),
  response: z.object({ beacons: z.array(beaconShape) }),
  async handle(call) {
    const { query, caller, env } = call;
    const { rows, hasMore } = await listBeacons(env.DB, caller.scope, query);
    return { meta: { hasMore }, beacons: writeRows(call, "beacons", rows, wireBeacon) };
  },
});

export const getBeaconByPair = endpoint({
  name: "getBeacon",
  method: "GET",
  path: "/v1/beacons/:tag/:externalId",
  level: "secret",
  chapter,
  summary: "Returns the beacon with this tag and externalId.",
  response: one,
  errors: [404],
  handle: async ({ params, caller, env }) => ({
    beacon: wireBeacon(await existingBeacon(env, caller.scope, pairOf(params))),
  }),
});

export const getBeaconById = endpoint({
  name: "getBeaconById",
  method: "GET",
  path: "/v1/beacons/:id",
  level: "secret",
  chapter,
  summary: "Returns the beacon with this id.",
  response: one,
  errors: [404],
  handle: async ({ params, caller, env }) => ({
    beacon: wireBeacon(await existingBeacon(env, caller.scope, { id: params.id })),
  }),
});

export const deleteBeaconByPair = endpoint({
  name: "deleteBeacon",
  method: "DELETE",
  path: "/v1/beacons/:tag/:externalId",
  level: "secret",
  chapter,
  summary: "Deletes the beacon with this tag and externalId. Users in range exit it with their next update.",
  errors: [404],
  handle: (call) => remove(call, pairOf(call.params)),
});

export const deleteBeaconById = endpoint({
  name: "deleteBeaconById",
  method: "DELETE",
  path: "/v1/beacons/:id",
  level: "secret",
  chapter,
  summary: "Deletes the beacon with this id. Users in range exit it with their next update.",
  errors: [404],
  handle: (call) => remove(call, { id: call.params.id }),
});

async function remove({ env, caller }: Call, name: BeaconName) {
  const epoch = await deleteBeacon(env.DB, caller.scope, name);
  if (epoch === undefined) throw notFound("Beacon");
  noteBeaconEpoch(caller.scope, epoch);
  return {};
}

export const searchBeacons = endpoint({
  name: "searchBeacons",
  method: "GET",
  path: "/v1/search/beacons",
  level: "publishable",
  chapter: "Search",
  summary: "Returns the enabled beacons near a location that a device may range, sorted by distance.",
  description:
    "`meta.settings.beacons` lists the uuids and uids that a device should range wherever it is; if any are set, the SDK ranges only these.",
  query: z.object({
    near: coordinate(),
    radius: number({ above: 0, max: 10_000 }).default(1000).meta({ description: "meters" }),
    limit: number({ min: 1, max: 100, integer: true }).default(10),
    type: oneOf(BEACON_TYPES).optional().meta({
      description: "default: for an iPhone, by its X-Radar-Device-Type or User-Agent, ibeacon; otherwise both",
    }),
  }),
  response: z.object({ beacons: z.array(beaconShape) }),
  meta: z.object({
    settings: z.object({ beacons: z.object({ uuids: z.array(z.string()), uids: z.array(z.string()) }) }),
  }),
  async handle({ query, caller, env, now, request }) {
    const { near, radius, limit, type = rangedBy(request.headers) } = query;
    const { uuids = [], uids = [] } = caller.settings.beacons ?? {};
    const [beacons, book] = await Promise.all([
      beaconsNear(env, caller.scope, near, { radius, limit, type }),
      campaignsOf(env, caller.scope, campaignEpochOf(caller)),
    ]);
    const noted = withBeaconNotes(beacons, book, book && timeZoneAt(near), now);
    return { meta: { settings: { beacons: { uuids, uids } } }, beacons: noted };
  },
});

interface BeaconSearch {
  /** [m] */
  radius: number;
  limit: number;
  /** Only beacons of this type. */
  type?: BeaconType | undefined;
}

/** The enabled beacons nearest to a point, nearest first. */
export async function beaconsNear(
  env: Env,
  scope: number,
  near: Coordinate,
  { radius, limit, type }: BeaconSearch,
): Promise<z.input<typeof beaconShape>[]> {
  const cells = coverCircle(near, radius).map((cell) =>
    ancestorOf(cell, Math.min(resolutionOf(cell), BEACON_CELL_RESOLUTION)),
  );
  const positions = await beaconPositions(env.DB, scope, [...new Set(cells)].map(cellRange), type);
  const nearest = positions
    .map((position) => ({ id: position.id, metres: distance(near, position) }))
    .filter(({ metres }) => metres <= radius)
    .sort((a, b) => a.metres - b.metres || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
  const rows = new Map((await beaconsById(env.DB, scope, nearest)).map((row) => [row.id, row]));
  return nearest.flatMap((id) => rows.get(id) ?? []).map(wireBeacon);
}

/** @throws ApiError 404 */
async function existingBeacon(env: Env, scope: number, name: BeaconName) {
  const row = await findBeacon(env.DB, scope, name);
  if (!row) throw notFound("Beacon");
  return row;
}

function pairOf({ tag, externalId }: Readonly<Record<string, string>>): { tag: string; externalId: string } {
  if (tag.length > 256) throw invalid("tag", "Must be a string of 1 to 256 characters.");
  if (externalId.length > 256) throw invalid("externalId", "Must be a string of 1 to 256 characters.");
  return { tag, externalId };
}
