import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import { findEvent } from "../../db/customers/events.ts";
import { findUser } from "../../db/customers/users.ts";
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
  const user = await findUser(env.DB, scope, id.slice(0, USER_ID_LENGTH));
  if (!user) return undefined;
  await deviceTrackerOf(env, scope, user.deviceId).deliver();
  return findEvent(env, scope, id);
}

/** Removes an event that is in the database from its tracker, which could send it again. */
export async function forgetSource({ env, caller: { scope } }: Pick<Call, "env" | "caller">, doc: string) {
  const { _id, user } = JSON.parse(doc) as TrackEvent;
  if (user.deviceId !== undefined) await deviceTrackerOf(env, scope, user.deviceId).forgetEvent(_id);
}
