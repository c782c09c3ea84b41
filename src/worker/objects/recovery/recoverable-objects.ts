import { MAX_RADIUS } from "../../../core/engagement/meeting.ts";
import { coveringCells } from "../../../core/engagement/meetings/coarse-cells.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { campaignIndexOf } from "../campaigns/campaign-index-stub.ts";
import { geofenceIndexOf } from "../fences/geofence-index-stub.ts";
import { geocodeJobsOf, routeJobsOf } from "../jobs/jobs-stub.ts";
import { meetingCellOf } from "../meetings/meeting-stub.ts";
import { isWithoutRecovery, type RecoveryPoint } from "../point-in-time.ts";
import { deviceTrackerOf } from "../tracker/device-tracker-stub.ts";
import { webhookSenderOf } from "../webhooks/webhook-sender-stub.ts";

/** Objects with a state of their own, in the order in which they are restored. Limiters, feeds and writers have none that is worth it. */
const KINDS = ["geofences", "campaigns", "jobs", "routeJobs", "webhooks", "meetings", "trackers"] as const;
type Kind = (typeof KINDS)[number];

export interface RecoveredObject {
  /** "trackers 14:phone-1" */
  object: string;
  point?: RecoveryPoint;
  error?: string;
}

export interface RecoveryPage {
  objects: RecoveredObject[];
  /** Pass it as `after` for the next page; absent: that was the last one. */
  next?: string;
  /** The platform has no point-in-time recovery. */
  isUnsupported: boolean;
}

/** Where a page ends: kind, scope, and the key of its row. */
type Cursor = readonly [kind: number, scope: number, id: string];

const QUERIES: Record<Kind, string> = {
  geofences: SCOPES(),
  campaigns: SCOPES(),
  jobs: SCOPES(),
  routeJobs: SCOPES(),
  webhooks: "SELECT scope, id, id AS name FROM webhook WHERE (scope, id) > (?1, ?2) ORDER BY scope, id LIMIT ?3",
  meetings:
    "SELECT scope, id, device_id AS name, latitude, longitude FROM user WHERE scope IN (SELECT scope FROM meeting) AND (scope, id) > (?1, ?2) ORDER BY scope, id LIMIT ?3",
  trackers: "SELECT scope, id, device_id AS name FROM user WHERE (scope, id) > (?1, ?2) ORDER BY scope, id LIMIT ?3",
};

/** Both halves of each project. */
function SCOPES(): string {
  return `SELECT project.id * 2 + half.value AS scope, '' AS id, '' AS name FROM project, json_each('[0,1]') AS half
    WHERE project.id * 2 + half.value > ?1 AND ?2 = ?2 ORDER BY 1 LIMIT ?3`;
}

/**
 * Reports, or restores, a page of the objects that the databases list.
 * @param env of the database whose projects are restored
 */
export async function recoverPage(
  env: Env,
  { at, restores, after, limit }: { at: number; restores: boolean; after: string | undefined; limit: number },
): Promise<RecoveryPage> {
  let [kind, scope, id]: Cursor = after === undefined ? [0, -1, ""] : readCursor(after);
  for (; kind < KINDS.length; [kind, scope, id] = [kind + 1, -1, ""]) {
    const { results } = await env.DB.prepare(QUERIES[KINDS[kind]]).bind(scope, id, limit).all<Row>();
    if (results.length === 0) continue;
    const isMeetings = KINDS[kind] === "meetings";
    const named = isMeetings ? await cellsOf(env, results as PlacedRow[]) : results;
    const objects = await Promise.all(named.map((row) => recoverOne(env, KINDS[kind], row, at, restores)));
    const last = results[results.length - 1];
    const isLast = kind === KINDS.length - 1 && results.length < limit;
    const isUnsupported =
      objects.length > 0 && objects.every(({ error }) => error !== undefined && isWithoutRecovery(error));
    return { objects, isUnsupported, ...(!isLast && { next: JSON.stringify([kind, last.scope, last.id]) }) };
  }
  return { objects: [], isUnsupported: false };
}

/** A row of the database, and the object that it names. */
interface Row {
  scope: number;
  id: string;
  name: string;
}
type PlacedRow = Row & { latitude: number; longitude: number };

/** The cells of meetings that users are in now, and those around where the restored database has them, each once. */
async function cellsOf(env: Env, users: readonly PlacedRow[]): Promise<Pick<Row, "scope" | "name">[]> {
  const found = users.map(async ({ scope, name, latitude, longitude }) => {
    // A tracker that cannot be read is reported with the trackers.
    const now = await Promise.resolve(deviceTrackerOf(env, scope, name).meetingCells()).catch(() => []);
    const then = coveringCells({ latitude, longitude }, [{ radius: MAX_RADIUS }]);
    return [...now, ...then].map((cell) => ({ scope, name: cell }));
  });
  const all = (await Promise.all(found)).flat();
  return [...new Map(all.map((one) => [`${one.scope}:${one.name}`, one])).values()];
}

async function recoverOne(
  env: Env,
  kind: Kind,
  { scope, name }: Pick<Row, "scope" | "name">,
  at: number,
  restores: boolean,
): Promise<RecoveredObject> {
  const object = `${kind} ${scope}${name && `:${name}`}`;
  try {
    return { object, point: await stubOf(env, kind, scope, name).recover(at, restores) };
  } catch (error) {
    return { object, error: describeBriefly(error) };
  }
}

function stubOf(env: Env, kind: Kind, scope: number, name: string) {
  if (kind === "meetings") return meetingCellOf(env, scope, name);
  if (kind === "trackers") return deviceTrackerOf(env, scope, name);
  if (kind === "webhooks") return webhookSenderOf(env, scope, name);
  if (kind === "campaigns") return campaignIndexOf(env, scope);
  if (kind === "geofences") return geofenceIndexOf(env, scope);
  return kind === "jobs" ? geocodeJobsOf(env, scope) : routeJobsOf(env, scope);
}

/** @throws Error for anything that `recoverPage` did not return */
function readCursor(text: string): Cursor {
  const [kind, scope, id] = JSON.parse(text) as unknown[];
  if (!Number.isInteger(kind) || !Number.isInteger(scope) || typeof id !== "string") throw new Error("invalid cursor");
  return [kind as number, scope as number, id];
}
