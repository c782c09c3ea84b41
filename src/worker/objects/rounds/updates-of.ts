import type { Env } from "../../platform/env.ts";
import { deviceTrackerOf } from "../tracker/device-tracker-stub.ts";

/** Updates of one request to a tracker. */
const AT_ONCE = 1000;

/** The stored updates of a user from a device between two times [ms], in the order in which the tracker has them. */
export async function* updatesOf(
  env: Env,
  scope: number,
  { id, deviceId }: { id: string; deviceId: string },
  range: { from: number; to: number },
) {
  const tracker = deviceTrackerOf(env, scope, deviceId);
  for (let cursor: { page: number; entry: number } | undefined = { page: 0, entry: 0 }; cursor; ) {
    const { updates, next }: Awaited<ReturnType<typeof tracker.updates>> = await tracker.updates(id, {
      ...range,
      ...{ limit: AT_ONCE, cursor },
    });
    yield* updates;
    cursor = next;
  }
}
