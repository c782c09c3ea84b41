import { coverCircle, coverPolygon } from "../../../../src/core/geo/cells/cover.ts";
import { LIMITED_ENDPOINTS } from "../../../../src/core/limits/table.ts";
import { polygonShape } from "../../../../src/core/tracking/types/shape.ts";
import { type Json, makeWorld, sql, type World } from "../../../support/world.ts";

/** A project whose limits no test reaches: for tests of anything but limits. With regions and places if `geodata`. */
export function openWorld(
  settings: Json = {},
  geodata = false,
  database: "DB" | "DB_2" | "DB_EU" = "DB",
): Promise<World> {
  const rateLimits = Object.fromEntries(LIMITED_ENDPOINTS.map((name) => [name, 100_000]));
  return makeWorld({ geodata, settings: { ...settings, rateLimits }, database });
}

/** A geofence to be put into the database: a body of POST, and what the platform would add. Times are ISO texts. */
export interface Planted extends Json {
  id: string;
  description: string;
  /** [longitude, latitude] of a circle, or the ring of a polygon. */
  coordinates: number[] | number[][];
  /** [m]; absent for a polygon */
  radius?: number;
  createdAt?: number;
  updatedAt?: number;
}

/**
 * Puts many test geofences into a world in one statement. Must come before the first request of the world: machines
 * believe what they know of a key for some seconds.
 */
export async function plant(world: World, fences: readonly Planted[]): Promise<void> {
  const scope = world.id * 2;
  await sql("INSERT INTO fence_epoch VALUES (?, 1)", scope);
  await sql(
    `INSERT INTO geofence (scope, id, tag, external_id, description, type, latitude, longitude, radius, ring, metadata,
       enabled, disable_after, delete_after, user_ids, cover, created_at, updated_at, epoch)
     SELECT ?1, value->>'id', value->>'tag', value->>'externalId', value->>'description', value->>'type',
       value->>'latitude', value->>'longitude', value->>'radius', value->>'ring', value->>'metadata', value->>'enabled',
       value->>'disableAfter', value->>'deleteAfter', value->>'userIds', value->>'cover', value->>'createdAt',
       value->>'updatedAt', 1 FROM json_each(?2)`,
    scope,
    JSON.stringify(fences.map(rowOf)),
  );
}

function rowOf({ coordinates, radius, enabled = true, createdAt = 1, updatedAt = createdAt, ...rest }: Planted): Json {
  const time = (at: unknown) => (at === undefined ? undefined : Date.parse(String(at)));
  return {
    ...rest,
    ...(radius === undefined ? polygonRow(coordinates as number[][]) : circleRow(coordinates as number[], radius)),
    enabled: Number(enabled),
    disableAfter: time(rest.disableAfter),
    deleteAfter: time(rest.deleteAfter),
    createdAt,
    updatedAt,
  };
}

function circleRow([longitude, latitude]: number[], radius: number): Json {
  return { latitude, longitude, radius, cover: coverCircle({ latitude, longitude }, radius) };
}

function polygonRow(ring: number[][]): Json {
  const { center, reach } = polygonShape(ring);
  return { ...center, radius: reach, ring, cover: coverPolygon(ring) };
}
