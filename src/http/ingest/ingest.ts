import type { Fix } from "../../ingest/fix.ts";
import { INGEST_RATE_PER_DEVICE } from "../../limits/table.ts";
import type { Call } from "../serve/endpoint.ts";
import { ApiError } from "../serve/errors.ts";
import { validate } from "../serve/validate.ts";
import { MAX_REPLAYS, type Rejected, replayUpdates } from "../track/replay.ts";
import { type TrackBody, trackBody } from "../track/track-body.ts";
import { trackRate } from "../track/track-request.ts";

/** What the apps' endpoints share: fixes become updates, at the times the device gives, as a replay. */

/** Fields of a fix that are omitted where they are wrong. */
const OPTIONAL = new Set(["altitude", "speed", "course", "stopped"]);

export interface ReadFixes {
  updates: TrackBody[];
  /** Fixes that can never be stored. */
  rejected: Rejected[];
}

/**
 * Checks each fix by itself. Apps send what was not answered 200 again and again, so a fix that can never be stored is skipped, and
 * a wrong optional field is omitted. A missing or wrong device is a mistake in the app's settings: the app must keep its fixes until
 * it is corrected.
 * @throws ApiError 400 for `deviceId`
 */
export function readFixes(fixes: readonly Fix[], userId: string | undefined): ReadFixes {
  const updates: TrackBody[] = [];
  const rejected: Rejected[] = [];
  for (const [index, fix] of fixes.entries()) {
    try {
      updates.push(validate(trackBody, withoutWrongOptions({ ...fix, userId, foreground: false })));
    } catch (error) {
      if (!(error instanceof ApiError) || error.param === "deviceId") throw error;
      rejected.push({ index, param: error.param, message: error.message });
    }
  }
  return { updates, rejected };
}

function withoutWrongOptions(fields: Record<string, unknown>): Record<string, unknown> {
  const { error } = trackBody.safeParse(fields);
  const wrong = new Set(error?.issues.map(({ path }) => String(path[0])).filter((name) => OPTIONAL.has(name)));
  return wrong.size === 0 ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => !wrong.has(name)));
}

/** Stores them, and counts them as `endpoint`. @throws ApiError 429 */
export async function ingest(call: Call, endpoint: string, updates: readonly TrackBody[]): Promise<void> {
  const rate = Math.max(INGEST_RATE_PER_DEVICE, trackRate(call.caller));
  for (let from = 0; from < updates.length; from += MAX_REPLAYS) {
    await replayUpdates(call, endpoint, updates.slice(from, from + MAX_REPLAYS), rate);
  }
}
