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
  // Trackers first, because they create the events: afterwards no event is in transit to a sender. One that fails is asked again by
  // the next run; the others are forgotten now.
  const forgotten: { id: string; deviceId: string }[] = [];
  let failure: unknown;
  for (const user of users) {
    try {
      await deviceTrackerOf(env, scope, user.deviceId).forget(scope, user.id);
      forgotten.push(user);
    } catch (error) {
      failure ??= error;
    }
  }
  if (forgotten.length > 0) await forgetTraces(env, scope, forgotten);
  if (failure !== undefined) throw failure;
}

/** What is left of users outside of their trackers. */
async function forgetTraces(env: Env, scope: number, users: readonly { id: string; deviceId: string }[]) {
  const ids = users.map(({ id }) => id);
  const webhooks = await webhookIds(env.DB, scope);
  await Promise.all(webhooks.map((id) => webhookSenderOf(env, scope, id).forgetUsers(ids)));
  await deleteDeadLettersOf(env.DB, scope, ids);
  await forgetContributions(env, scope, users);
}
