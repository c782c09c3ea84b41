import { liveKey } from "../../../core/routing/learn/keys.ts";
import { LiveSpeeds } from "../../../core/routing/learn/live-speeds.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";

/** New speeds are used after at most this long [ms]. */
const FRESH_MS = 30_000;
/** Projects whose speeds an isolate holds. */
const MAX_PROJECTS = 8;

const cached = new WeakMap<R2Bucket, Map<number, { live: LiveSpeeds | undefined; at: number }>>();

/** How fast the devices of a project go now; undefined if nothing is known. */
export async function liveSpeeds(env: Env, scope: number, now: number): Promise<LiveSpeeds | undefined> {
  const bucket = projectBucket(env);
  const all = cached.get(bucket) ?? new Map<number, { live: LiveSpeeds | undefined; at: number }>();
  cached.set(bucket, all);
  const known = all.get(scope);
  if (known && Math.abs(now - known.at) < FRESH_MS) return known.live;
  let live = known?.live;
  try {
    const stored = await bucket.get(liveKey(scope));
    live = stored ? LiveSpeeds.read(await stored.text()) : undefined;
  } catch (error) {
    // Times without the present traffic are better than none.
    console.warn(`${liveKey(scope)} cannot be read: ${error}`);
  }
  all.delete(scope);
  if (all.size === MAX_PROJECTS) all.delete(all.keys().next().value as number);
  all.set(scope, { live, at: now });
  return live;
}
