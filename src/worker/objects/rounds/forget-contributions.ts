import { contributionKeys, nameOfUser, stateKey } from "../../../core/routing/learn/keys.ts";
import { dayOf, weekOfDay } from "../../../core/routing/learn/weeks.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";

/** Maximum keys of one call to the bucket. */
const KEYS_AT_ONCE = 1000;

/** Deletes what users contributed to learned speeds: the next merge does not contain them. */
export async function forgetContributions(
  env: Env,
  scope: number,
  users: readonly { id: string; deviceId: string }[],
  now = Date.now(),
): Promise<void> {
  // Most projects never enabled it.
  if (!(await projectBucket(env).head(stateKey(scope)))) return;
  const latest = weekOfDay(dayOf(now));
  const keys: string[] = [];
  for (const { id, deviceId } of users) {
    keys.push(...contributionKeys(scope, latest, await nameOfUser(scope, deviceId, id)));
  }
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) await projectBucket(env).delete(keys.slice(i, i + KEYS_AT_ONCE));
}
