import { deleteExpiredGeofences, scopesWithExpiredGeofences } from "../../db/customers/geofences.ts";
import type { Databases } from "../../db/databases.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import { workOnEach } from "./guarded.ts";

/** Geofences read per run; the next run continues. */
const MAX_COUNT = 500;

/** Runs hourly: deletes geofences past their `deleteAfter`. Each change of the geofences of a scope does so, too. */
export async function expireGeofences(env: Databases, now: number): Promise<void> {
  const moving = new MovingScopes(env);
  const scopes = await moving.leftOutOf((except) => scopesWithExpiredGeofences(env.DB, now, MAX_COUNT, except));
  await workOnEach(scopes, (scope) => moving.unlessMoving(scope, () => deleteExpiredGeofences(env.DB, scope, now)));
}
