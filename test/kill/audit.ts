import { type Database, query } from "../../src/cli/database.ts";
import type { Account } from "./travellers.ts";

/** What the database says to an account of acknowledged answers. Every list is empty when all is well. */
export interface Audit {
  /** Events acknowledged that are not there. */
  lost: string[];
  /** Events of a device and geofence that do not take turns: entered, exited, entered … */
  doubled: string[];
  /** Events there of which nobody was told, though all updates of the device were acknowledged. */
  unknown: string[];
  /** Users whose row is missing or older than the last answer. */
  stale: string[];
  /** Users whose presence in geofences is another than the last answer told. */
  misplaced: string[];
}

export async function audit(database: Database, { events, users, pending }: Account): Promise<Audit> {
  const found: Audit = { lost: [], doubled: [], unknown: [], stale: [], misplaced: [] };
  const rows = await query(database, "SELECT id, doc FROM event ORDER BY created_at, id");
  const stored = new Map(rows.map(({ id, doc }) => [String(id), JSON.parse(String(doc))]));
  for (const id of events.keys()) if (!stored.has(id)) found.lost.push(id);

  const inside = new Map<string, boolean>();
  for (const [id, { type, user, geofence }] of stored) {
    const visit = `${user.deviceId} ${geofence._id}`;
    const entered = type === "user.entered_geofence";
    if ((inside.get(visit) ?? false) === entered) found.doubled.push(id);
    inside.set(visit, entered);
    if (!events.has(id) && !pending.has(user.deviceId)) found.unknown.push(id);
  }

  const kept = new Map((await query(database, "SELECT id, updated_at FROM user")).map((row) => [row.id, row]));
  const presence = await query(database, "SELECT user, geofence FROM presence");
  for (const [deviceId, told] of users) {
    const row = kept.get(told._id);
    const time = Date.parse(told.updatedAt);
    if (!row || Number(row.updated_at) < time) found.stale.push(told._id);
    // An update without an answer may have moved the user on.
    if (pending.has(deviceId)) continue;
    if (row && Number(row.updated_at) > time) found.stale.push(told._id);
    const here = presence.filter(({ user }) => user === told._id).map(({ geofence }) => geofence);
    const expected = told.geofences.map(({ _id }) => _id);
    if (here.sort().join() !== expected.sort().join()) found.misplaced.push(told._id);
  }
  return found;
}

/** "0 lost, 0 doubled, …" */
export function auditText(found: Audit): string {
  return Object.entries(found)
    .map(([what, ids]) => `${ids.length} ${what}`)
    .join(", ");
}

export function isFlawless(found: Audit): boolean {
  return Object.values(found).every((ids) => ids.length === 0);
}
