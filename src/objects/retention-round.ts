import {
  deleteOldDeadLetters,
  deleteOldEvents,
  deleteOldLocations,
  deleteOldTrips,
  oldUsers,
  scopesWithOutlived,
} from "../db/retention.ts";
import { deleteOldStats } from "../db/stats.ts";
import { deleteOldShares } from "../db/trip-shares.ts";
import type { Env } from "../env.ts";
import { forgetUsers } from "./forget-users.ts";

/** The most one round may delete, so that its statements and calls are bounded; the next round continues. */
const MOST_SCOPES = 100;
const MOST_EVENTS = 100_000;
const MOST_LOCATIONS = 100_000;
const MOST_TRIPS = 2_000;
const MOST_USERS = 200;
const MOST_DEAD_LETTERS = 20_000;
const MOST_SHARES = 1_000;

/**
 * Deletes data past the retention time of its project. The oldest goes first, so a round may stop anywhere: the next
 * one continues there.
 */
export async function retentionRound(env: Env, now: number): Promise<void> {
  for (const [subject, most, deleteOld] of [
    ["events", MOST_EVENTS, deleteOldEvents],
    ["locations", MOST_LOCATIONS, deleteOldLocations],
    ["trips", MOST_TRIPS, deleteOldTrips],
  ] as const) {
    let left: number = most;
    for (const outlived of await scopesWithOutlived(env.DB, subject, now, MOST_SCOPES)) {
      if (left <= 0) break;
      left -= await deleteOld(env.DB, outlived, left);
    }
  }
  let users = MOST_USERS;
  for (const outlived of await scopesWithOutlived(env.DB, "users", now, MOST_SCOPES)) {
    if (users <= 0) break;
    const some = await oldUsers(env.DB, outlived, users);
    await forgetUsers(env, outlived.scope, some);
    users -= some.length;
  }
  await deleteOldDeadLetters(env.DB, now, MOST_DEAD_LETTERS);
  await deleteOldStats(env.DB, now);
  await deleteOldShares(env.DB, now, MOST_SHARES);
}
