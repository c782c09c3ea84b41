import { deleteDeadLettersOf } from "../../db/customers/dead-letters.ts";
import { webhookIds } from "../../db/customers/webhooks.ts";
import type { Env } from "../../platform/env.ts";
import { deviceTrackerOf } from "../tracker/device-tracker-stub.ts";
import { webhookSenderOf } from "../webhooks/webhook-sender-stub.ts";
import { forgetContributions } from "./forget-contributions.ts";

/**
 * Deletes users with all their data: state, rows, events, queued webhook messages, dead letters, and what they contributed to
 * learned speeds.
 */
export async function forgetUsers(
  env: Env,
  scope: number,
  users: readonly { id: string; deviceId: string }[],
): Promise<void> {
  // Trackers first, because they create the events: afterwards no event is in transit to a sender.
  for (const { id, deviceId } of users) await deviceTrackerOf(env, scope, deviceId).forget(scope, id);
  const ids = users.map(({ id }) => id);
  const webhooks = await webhookIds(env.DB, scope);
  await Promise.all(webhooks.map((id) => webhookSenderOf(env, scope, id).forgetUsers(ids)));
  await deleteDeadLettersOf(env.DB, scope, ids);
  await forgetContributions(env, scope, users);
}
