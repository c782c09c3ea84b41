import { DEFAULT_ACCURACY, type Fix } from "../../../core/ingest/fix.ts";
import { isNoFix, NO_FIX_RULE } from "../../../core/ingest/no-fix.ts";
import { INGEST_RATE_PER_DEVICE } from "../../../core/limits/table.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { datetime, moment } from "../../wire/input/fields.ts";
import { validate } from "../../wire/input/validate.ts";
import type { Call } from "../serve/endpoint.ts";
import { MAX_REPLAYS, type Rejected, replayUpdates } from "../track/replay.ts";
import { type TrackBody, trackBody } from "../track/track-body.ts";
import { trackingSettings, trackRate } from "../track/track-request.ts";

/** Shared by the app endpoints: fixes become updates at the device's times, as a replay. */

/** Fields of a fix that are omitted if invalid. */
const OPTIONAL = new Set(["altitude", "speed", "course", "stopped"]);

/** Values from the app's settings, for all its fixes. */
const SETTINGS = new Set(["deviceId", "userId"]);

interface ReadFixes {
  updates: TrackBody[];
  /** Fixes that can never be stored. */
  rejected: Rejected[];
}

/**
 * Checks each fix separately. Apps resend until they get 200, so a fix that can never be stored, or is none (at 0, 0, or
 * with an accuracy of 0 or less), is skipped, and
 * an invalid optional field is omitted. A missing or invalid device or user is an error in the app's settings: the app must keep its fixes
 * until it is corrected.
 * @throws ApiError 400 for `deviceId` and `userId`
 */
export function readFixes(
  { caller }: Pick<Call, "caller">,
  fixes: readonly Fix[],
  userId: string | undefined,
): ReadFixes {
  const settings = trackingSettings(caller);
  const updates: TrackBody[] = [];
  const rejected: Rejected[] = [];
  for (const [index, fix] of fixes.entries()) {
    try {
      const fields = withReadableTime({ ...fix, userId, foreground: false });
      const update = validate(trackBody, withoutWrongOptions(settings.acceptZeros ? withAccuracy(fields) : fields));
      if (isNoFix(update, settings)) throw invalid("latitude", NO_FIX_RULE);
      updates.push(update);
    } catch (error) {
      if (!(error instanceof ApiError) || SETTINGS.has(error.param ?? "")) throw error;
      rejected.push({ index, param: error.param, message: error.message });
    }
  }
  return { updates, rejected };
}

/** An accuracy of 0 is unknown: no position is exact. */
function withAccuracy(fields: Record<string, unknown>): Record<string, unknown> {
  return fields.accuracy === 0 ? { ...fields, accuracy: DEFAULT_ACCURACY } : fields;
}

const storable = moment();
const readable = datetime();

/** A position with an impossible time, such as the year 2040 or 1969, is kept: its time is corrected like other wrong clocks. */
function withReadableTime(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { updatedAt, ...rest } = fields;
  if (updatedAt === undefined || storable.safeParse(updatedAt).success) return fields;
  const { data } = readable.safeParse(updatedAt);
  return data === undefined ? fields : { ...rest, updatedAtMs: Math.max(0, data) };
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
