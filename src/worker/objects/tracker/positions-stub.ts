import type { UserWrite } from "../../db/customers/writes.ts";
import type { Env } from "../../platform/env.ts";
import { databaseWriterOf } from "../writer/database-writers-stub.ts";
import { deviceTrackerOf } from "./device-tracker-stub.ts";

/**
 * Hands a position that a tracker returned over to its writer, after the response. If the writer does not accept it, the tracker sends it as it
 * sends everything else, with retries. If this machine stops in between, the next update contains the position; without one, the hourly run
 * of silent devices finds it (src/worker/objects/tracker/safety-net.ts).
 */
export async function handOverPosition(
  env: Env,
  scope: number,
  deviceId: string,
  position: readonly UserWrite[],
): Promise<void> {
  const { DEVICE_TRACKER } = env;
  const tracker = DEVICE_TRACKER.idFromName(`${scope}:${deviceId}`).toString();
  try {
    await databaseWriterOf(env, tracker).take(position);
  } catch {
    await deviceTrackerOf(env, scope, deviceId)
      .sendPosition()
      .catch(() => {});
  }
}
