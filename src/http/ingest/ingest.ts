import type { Fix } from "../../ingest/fix.ts";
import { INGEST_RATE_PER_DEVICE } from "../../limits/table.ts";
import type { Call } from "../serve/endpoint.ts";
import { validate } from "../serve/validate.ts";
import { MOST_REPLAYS, replayUpdates } from "../track/replay.ts";
import { type TrackBody, trackBody } from "../track/track-body.ts";
import { trackRate } from "../track/track-request.ts";

/** What the apps' endpoints share: fixes become updates, at the times the device gives, as a replay. */

/** One fix that an app sends alone. @throws ApiError 400 that names the field of POST /v1/track which is wrong */
export function checkedFix(fix: Fix, userId: string | undefined): TrackBody {
  return validate(trackBody, { ...fix, userId, foreground: false });
}

/**
 * Those of a batch that are updates. An app sends a batch again until it is taken, so a bad one must cost itself alone, or
 * nothing would ever come after it.
 */
export function soundFixes(fixes: readonly Fix[], userId: string | undefined): TrackBody[] {
  return fixes.flatMap((fix) => {
    const { data } = trackBody.safeParse({ ...fix, userId, foreground: false });
    return data ? [data] : [];
  });
}

/** Stores them, and counts them as `endpoint`. @throws ApiError 429 */
export async function ingest(call: Call, endpoint: string, updates: readonly TrackBody[]): Promise<void> {
  const rate = Math.max(INGEST_RATE_PER_DEVICE, trackRate(call.caller));
  for (let from = 0; from < updates.length; from += MOST_REPLAYS) {
    await replayUpdates(call, endpoint, updates.slice(from, from + MOST_REPLAYS), rate);
  }
}
