import { type GeofenceBody, geofenceBody, geofenceValues } from "../../src/http/geofence-body.ts";
import { validate } from "../../src/http/validate.ts";
import { type Json, makeWorld, sql, type World } from "../support/world.ts";

const ENDPOINTS = [
  ...["track", "context", "config", "searchGeofences", "searchUsers", "createGeofence", "listGeofences"],
  ...["geofenceUsers", "geofenceUsersById", "upsertGeofence", "getGeofence", "deleteGeofence", "updateGeofence"],
  ...["getGeofenceById", "deleteGeofenceById", "listUsers", "getUser", "listEvents", "getEvent", "logs"],
];

/** A project whose limits no test reaches: for tests of anything but limits. */
export function openWorld(settings: Json = {}): Promise<World> {
  const rateLimits = Object.fromEntries(ENDPOINTS.map((name) => [name, 100_000]));
  return makeWorld({ settings: { ...settings, rateLimits } });
}

/** A geofence's row as the test gives it: the body of a POST, and what the platform would add. */
export interface Planted extends Json {
  id: string;
  createdAt?: number;
  updatedAt?: number;
}

/**
 * Puts many test geofences into a world at once, with the values that POST would have written. Must come before the
 * first request of the world: machines believe what they know of a key for some seconds.
 */
export async function plant(world: World, fences: readonly Planted[]): Promise<void> {
  const scope = world.id * 2;
  const rows = fences.map(({ id, createdAt = 1, updatedAt = createdAt, ...body }) => {
    const values = geofenceValues(validate(geofenceBody, body) as GeofenceBody, 0);
    return { ...values, enabled: Number(values.enabled), id, createdAt, updatedAt };
  });
  await sql("INSERT INTO fence_epoch VALUES (?, 1)", scope);
  await sql(
    `INSERT INTO geofence (scope, id, tag, external_id, description, type, latitude, longitude, radius, ring, metadata,
       enabled, disable_after, delete_after, user_ids, cover, created_at, updated_at, epoch)
     SELECT ?1, value->>'id', value->>'tag', value->>'externalId', value->>'description', value->>'type',
       value->>'latitude', value->>'longitude', value->>'radius', value->>'ring', value->>'metadata', value->>'enabled',
       value->>'disableAfter', value->>'deleteAfter', value->>'userIds', value->>'cover', value->>'createdAt',
       value->>'updatedAt', 1 FROM json_each(?2)`,
    scope,
    JSON.stringify(rows),
  );
}
