import { noteKeyUses } from "../../db/keys.ts";
import { addUsage, HOUR_MS, type UsageRow } from "../../db/usage.ts";
import { KeyUses } from "./key-uses.ts";

/** How long counts are gathered before they are written: one write for all calls of this isolate in that time. */
const WRITE_AFTER_MS = 2_000;

const pending = new Map<string, UsageRow>();
const keyUses = new KeyUses();
let writeDue = 0;

/** What is counted of an endpoint: calls that were let in, answers of 400 and above, location updates that were taken, answers of 500 and above. */
type Figure = "calls" | "errors" | "updates" | "failures";

/**
 * Counts calls, errors or updates. The returned promise, when there is one, must be handed to waitUntil: it writes the
 * counts later.
 */
export function count(
  db: D1Database,
  { project, live }: { project: number; live: boolean },
  endpoint: string,
  now: number,
  figure: Figure,
  by = 1,
): Promise<void> | undefined {
  const { month, hour } = hourOf(now);
  const row: UsageRow = { project, live, endpoint, month, hour, calls: 0, errors: 0, updates: 0, failures: 0 };
  row[figure] = by;
  add(row);
  // Another request is already waiting to write. If it has ended without writing, this one takes over.
  if (now < writeDue) return undefined;
  writeDue = now + 5 * WRITE_AFTER_MS;
  return new Promise<void>((wake) => setTimeout(wake, WRITE_AFTER_MS)).then(() => write(db));
}

let lastHour = { start: Number.NaN, month: "", hour: 0 };

/** The month ("2026-11") of a moment, and which of its hours it lies in; worked out once an hour. */
function hourOf(now: number): { month: string; hour: number } {
  const start = now - (now % HOUR_MS);
  if (lastHour.start !== start) {
    const at = new Date(start);
    const hour = Math.floor((start - Date.UTC(at.getUTCFullYear(), at.getUTCMonth())) / HOUR_MS);
    lastHour = { start, month: at.toISOString().slice(0, 7), hour };
  }
  return lastHour;
}

/**
 * Counts a call, and notes that its key (`hash`) is used. The returned promise, when there is one, must be handed to
 * waitUntil.
 */
export function countCall(
  db: D1Database,
  project: number,
  live: boolean,
  endpoint: string,
  now: number,
  hash?: string,
): Promise<void> | undefined {
  if (hash !== undefined) keyUses.note(hash, now);
  return count(db, { project, live }, endpoint, now, "calls");
}

function add(row: UsageRow): void {
  const key = `${row.project} ${row.live} ${row.endpoint} ${row.month} ${row.hour}`;
  const known = pending.get(key);
  if (known) {
    known.calls += row.calls;
    known.errors += row.errors;
    known.updates += row.updates;
    known.failures += row.failures;
  } else pending.set(key, row);
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
    for (const row of rows) add(row);
  }
  await used;
}
