import { DatabaseSync } from "node:sqlite";
import { databaseConfig } from "../../src/server/base/wrangler.ts";
import { localDatabasePath } from "../../src/server/data/local-database.ts";
import type { Listed } from "./listed.ts";
import type { Told } from "./listener.ts";
import type { Account } from "./travellers.ts";

/** What the server's lists and its database say to an account of acknowledged answers. Every list is empty when all is well. */
export interface Audit {
  /** Events acknowledged that are not listed. */
  lost: string[];
  /** Events that are listed more than once. */
  repeated: string[];
  /** Events of a device and geofence, or region, that do not take turns: entered, exited, entered … */
  doubled: string[];
  /** Events there of which nobody was told, though all updates of the device were acknowledged. */
  unknown: string[];
  /** Users whose row is missing or older than the last answer. */
  stale: string[];
  /** Users whose presence in geofences is another than the last answer told. */
  misplaced: string[];
  /** Events there that no webhook was told of. */
  untold: string[];
  /** Events a webhook was told of that are not there, or are otherwise there; messages not signed as ours. */
  invented: string[];
}

/** An audit that found nothing. */
export const FLAWLESS: Audit = {
  lost: [],
  repeated: [],
  doubled: [],
  unknown: [],
  stale: [],
  misplaced: [],
  untold: [],
  invented: [],
};

/**
 * Compares what GET /v1/events lists, and looks for users into the database file below a state folder; only reading, so that a running server is
 * not held up.
 * @param listed newest first
 */
export function audit(state: string, listed: readonly Listed[], account: Account, told: Told): Audit {
  const database = new DatabaseSync(localDatabasePath(state, databaseConfig().id), { readOnly: true, timeout: 10_000 });
  try {
    database.exec("BEGIN"); // one moment for all that is read
    return compare((sql) => database.prepare(sql).all(), listed, account, told);
  } finally {
    database.close();
  }
}

type Rows = Record<string, unknown>[];

function compare(
  rowsOf: (sql: string) => Rows,
  listed: readonly Listed[],
  { events, users, pending }: Account,
  told: Told,
): Audit {
  const found: Audit = structuredClone(FLAWLESS);
  const stored = new Map<string, Listed>();
  for (const event of listed.toReversed()) {
    if (stored.has(event._id)) found.repeated.push(event._id);
    stored.set(event._id, event);
  }
  for (const id of events.keys()) if (!stored.has(id)) found.lost.push(id);

  for (const id of stored.keys()) if (!told.events.has(id)) found.untold.push(id);
  for (const [id, { type, user }] of told.events) {
    const event = stored.get(id);
    if (event?.type !== type || event.user._id !== user) found.invented.push(id);
  }

  if (told.suspicious > 0) found.invented.push(`${told.suspicious} suspicious messages`);

  const inside = new Map<string, boolean>();
  for (const [id, { type, user, geofence, region }] of stored) {
    const visit = `${user.deviceId} ${(geofence ?? region)?._id}`;
    const entered = type.startsWith("user.entered_");
    if ((inside.get(visit) ?? false) === entered) found.doubled.push(id);
    inside.set(visit, entered);
    if (!events.has(id) && !pending.has(user.deviceId)) found.unknown.push(id);
  }

  const kept = new Map(rowsOf("SELECT id, updated_at FROM user").map((row) => [row.id, row]));
  const presence = rowsOf("SELECT user, geofence FROM presence");
  for (const [deviceId, last] of users) {
    const row = kept.get(last._id);
    const time = Date.parse(last.updatedAt);
    if (!row || Number(row.updated_at) < time) found.stale.push(last._id);
    // An update without an answer may have moved the user on.
    if (pending.has(deviceId)) continue;
    if (row && Number(row.updated_at) > time) found.stale.push(last._id);
    const here = presence.filter(({ user }) => user === last._id).map(({ geofence }) => geofence);
    const expected = last.geofences.map(({ _id }) => _id);
    if (here.sort().join() !== expected.sort().join()) found.misplaced.push(last._id);
  }
  return found;
}

/** "0 lost, 0 doubled, …" */
export function auditText(found: object): string {
  return Object.entries(found)
    .map(([what, ids]) => `${ids.length} ${what}`)
    .join(", ");
}

export function isFlawless(found: object): boolean {
  return Object.values(found).every((ids) => ids.length === 0);
}
