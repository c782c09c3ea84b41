import { deleteOldDeadLetters, deleteOldEvents, oldUsers, scopesWithOutlived } from "../db/retention.ts";
import type { Env } from "../env.ts";
import { forgetUsers } from "./forget-users.ts";

/** What one round may delete: a round has a bounded number of statements and calls, and the next one goes on. */
const MOST_SCOPES = 100;
const MOST_EVENTS = 100_000;
const MOST_USERS = 200;
const MOST_DEAD_LETTERS = 20_000;

/**
 * Deletes what has outlived the time its project keeps it. What is left over by a round is the oldest of the next, so it
 * may be cut off anywhere.
 */
export async function retentionRound(env: Env, now: number): Promise<void> {
  let events = MOST_EVENTS;
  for (const outlived of await scopesWithOutlived(env.DB, "events", now, MOST_SCOPES)) {
    if (events <= 0) break;
    events -= await deleteOldEvents(env.DB, outlived, events);
  }
  let users = MOST_USERS;
  for (const outlived of await scopesWithOutlived(env.DB, "users", now, MOST_SCOPES)) {
    if (users <= 0) break;
    const some = await oldUsers(env.DB, outlived, users);
    await forgetUsers(env, outlived.scope, some);
    users -= some.length;
  }
  await deleteOldDeadLetters(env.DB, now, MOST_DEAD_LETTERS);
}
