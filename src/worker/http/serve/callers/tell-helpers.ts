import { describeError } from "../../../platform/describe-error.ts";
import type { Env } from "../../../platform/env.ts";
import { CALLS, type ForgetCall } from "../../../platform/processes.ts";
import { onForgetProject } from "./caller.ts";

/** Projects that changed and that helper processes may still know. */
const changed = new Set<number>();

onForgetProject((project) => changed.add(project));

/** Makes helper processes forget the projects that a request has changed. Not a promise if it changed none, or there are no helpers. */
export function tellHelpers({ HELPERS }: Env): Promise<void> | undefined {
  if (changed.size === 0) return undefined;
  const projects = [...changed];
  changed.clear();
  return HELPERS && tell(HELPERS, { projects });
}

/** What each helper process counts for /metrics, by its number; a helper that does not respond is left out. */
export async function helperFigures({ HELPERS }: Env): Promise<ReadonlyMap<string, string>> {
  try {
    const response = await HELPERS?.fetch(`http://helpers${CALLS.figures}`);
    return new Map(response && Object.entries(await response.json<Record<string, string>>()));
  } catch (error) {
    console.error(JSON.stringify({ what: "helpers", error: describeError(error) }));
    return new Map();
  }
}

async function tell(helpers: NonNullable<Env["HELPERS"]>, call: ForgetCall): Promise<void> {
  try {
    const response = await helpers.fetch(`http://helpers${CALLS.forget}`, {
      method: "POST",
      body: JSON.stringify(call),
    });
    await response.body?.cancel();
  } catch (error) {
    // They read it again within ten seconds.
    console.error(JSON.stringify({ what: "helpers", error: describeError(error) }));
  }
}
