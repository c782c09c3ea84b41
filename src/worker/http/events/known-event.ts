import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import { findEvent } from "../../db/customers/events.ts";
import { findUserRecords } from "../../db/customers/users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import type { Call } from "../serve/endpoint.ts";

/** Length of the user's _id, with which the _id of an event begins. */
const USER_ID_LENGTH = 24;

/** An event, JSON TrackEvent, also if it has just been generated or its device could not reach the database since. */
export async function knownEvent({ env, caller: { scope } }: Pick<Call, "env" | "caller">, id: string) {
  await settleWrites(env);
  const doc = await findEvent(env, scope, id);
  if (doc !== undefined) return doc;
  const [user] = await findUserRecords(env.DB, scope, id.slice(0, USER_ID_LENGTH));
  if (!user) return undefined;
  await deviceTrackerOf(env, scope, user.deviceId).deliver();
  return findEvent(env, scope, id);
}

/** How old a user can be whose tracker has not written it to the database yet [ms]. */
const NEW_MS = 60_000;

/**
 * Is it the _id of an event of a user so new that the database may not know it? Those of other users are found by asking
 * their trackers. The _id of a user begins with the time of its creation (tracker/id.ts).
 */
export function isOfNewUser(id: string, now: number): boolean {
  return /^[0-9a-f]{32}$/.test(id) && Math.abs(now - Number.parseInt(id.slice(0, 8), 16) * 1000) < NEW_MS;
}

/** Removes an event that is in the database from its tracker, which could send it again. */
export async function forgetSource({ env, caller: { scope } }: Pick<Call, "env" | "caller">, doc: string) {
  const { _id, user } = JSON.parse(doc) as TrackEvent;
  if (user.deviceId !== undefined) await deviceTrackerOf(env, scope, user.deviceId).forgetEvent(_id);
}
