import { describeError } from "../../../platform/describe-error.ts";
import type { Env } from "../../../platform/env.ts";
import { CALLS, type ForgetCall } from "../../../platform/processes.ts";
import { onFencesChanged, onForgetProject } from "./caller.ts";

/** Projects that changed and that helper processes may still know. */
const changed = new Set<number>();

onForgetProject((project) => changed.add(project));
// A helper that reads the project's key again reads the epoch of its geofences with it.
onFencesChanged((scope) => changed.add(Math.floor(scope / 2)));

/** Makes helper processes forget the projects that a request has changed. Not a promise if it changed none, or there are no helpers. */
export function tellHelpers(env: Env): Promise<unknown> | undefined {
  if (changed.size === 0) return undefined;
  const call: ForgetCall = { projects: [...changed] };
  changed.clear();
  return env.HELPERS && askHelpers(env, CALLS.forget, call);
}

/**
 * A call of all helper processes. @returns their texts by their numbers, without those that do not respond: they read what changed within ten
 * seconds, and write what they count within half a minute
 */
export async function askHelpers({ HELPERS }: Env, path: string, call: unknown = {}): Promise<Record<string, string>> {
  if (!HELPERS) return {};
  try {
    const response = await HELPERS.fetch(`http://helpers${path}`, { method: "POST", body: JSON.stringify(call) });
    return await response.json();
  } catch (error) {
    console.error(JSON.stringify({ what: "helpers", error: describeError(error) }));
    return {};
  }
}
