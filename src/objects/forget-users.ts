import { deleteDeadLettersOf } from "../db/dead-letters.ts";
import { webhookIds } from "../db/webhooks.ts";
import type { Env } from "../env.ts";
import { deviceTrackerOf } from "./stubs/device-tracker.ts";
import { webhookSenderOf } from "./stubs/webhook-sender.ts";

/** Deletes users with everything that is known of them: state, rows, events, and what waits or was given up for webhooks. */
export async function forgetUsers(
  env: Env,
  scope: number,
  users: readonly { id: string; deviceId: string }[],
): Promise<void> {
  // First where events come from: what a tracker was handing on has arrived at the senders when it is done.
  for (const { id, deviceId } of users) await deviceTrackerOf(env, scope, deviceId).forget(scope, id);
  const ids = users.map(({ id }) => id);
  const webhooks = await webhookIds(env.DB, scope);
  await Promise.all(webhooks.map((id) => webhookSenderOf(env, scope, id).forgetUsers(ids)));
  await deleteDeadLettersOf(env.DB, scope, ids);
}
