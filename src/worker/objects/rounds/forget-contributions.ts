import { contributionKeys, liveKey, nameOfUser, stateKey } from "../../../core/routing/learn/keys.ts";
import { LiveSpeeds } from "../../../core/routing/learn/live-speeds.ts";
import { dayOf, weekOfDay } from "../../../core/routing/learn/weeks.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";

/** Maximum keys of one call to the bucket. */
const KEYS_AT_ONCE = 1000;

/** Deletes what users contributed to learned speeds: the next merge does not contain them, and live speeds do not any more. */
export async function forgetContributions(
  env: Env,
  scope: number,
  users: readonly { id: string; deviceId: string }[],
  now = Date.now(),
): Promise<void> {
  const bucket = projectBucket(env);
  const devices = new Set<string>();
  const latest = weekOfDay(dayOf(now));
  const keys: string[] = [];
  for (const { id, deviceId } of users) {
    const name = await nameOfUser(scope, deviceId, id);
    devices.add(name.device);
    keys.push(...contributionKeys(scope, latest, name));
  }
  await forgetLive(bucket, scope, devices);
  // Most projects never enabled it.
  if (!(await bucket.head(stateKey(scope)))) return;
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) await bucket.delete(keys.slice(i, i + KEYS_AT_ONCE));
}

async function forgetLive(bucket: R2Bucket, scope: number, devices: ReadonlySet<string>): Promise<void> {
  const stored = await bucket.get(liveKey(scope));
  if (!stored) return;
  const live = LiveSpeeds.read(await stored.text());
  live.forgetDevices(devices);
  await bucket.put(liveKey(scope), live.write());
}
