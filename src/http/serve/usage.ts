import { noteKeyUses } from "../../db/keys.ts";
import { addUsage, type UsageRow } from "../../db/usage.ts";
import { KeyUses } from "./key-uses.ts";

/** How long counts are gathered before they are written: one write for all calls of this isolate in that time. */
const WRITE_AFTER_MS = 2_000;

const pending = new Map<string, UsageRow>();
const keyUses = new KeyUses();
let writeDue = 0;

/** Counts a call, and notes that its key (`hash`) is used. The returned promise, when there is one, must be handed to waitUntil: it writes the counts later. */
export function countCall(
  db: D1Database,
  project: number,
  live: boolean,
  endpoint: string,
  now: number,
  hash?: string,
): Promise<void> | undefined {
  if (hash !== undefined) keyUses.note(hash, now);
  const key = `${project} ${live} ${endpoint}`;
  const row = pending.get(key);
  if (row) row.calls++;
  else pending.set(key, { project, live, endpoint, month: new Date(now).toISOString().slice(0, 7), calls: 1 });
  // Another request is already waiting to write. If it has ended without writing, this one takes over.
  if (now < writeDue) return undefined;
  writeDue = now + 5 * WRITE_AFTER_MS;
  return new Promise<void>((wake) => setTimeout(wake, WRITE_AFTER_MS)).then(() => write(db));
}

async function write(db: D1Database): Promise<void> {
  writeDue = 0;
  const rows = [...pending.values()];
  pending.clear();
  // When a key was used last is worth no second try.
  const used = noteKeyUses(db, keyUses.take()).catch(() => {});
  try {
    await addUsage(db, rows);
  } catch {
    // The database was out of reach: put the counts back, to be written with the next ones.
    for (const row of rows) {
      const key = `${row.project} ${row.live} ${row.endpoint}`;
      const newer = pending.get(key);
      if (newer) newer.calls += row.calls;
      else pending.set(key, row);
    }
  }
  await used;
}
