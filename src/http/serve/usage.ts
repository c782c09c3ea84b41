import { BoundedMap } from "../../geo/bounded-map.ts";
import { type KeyRecord, noteKeyUses } from "../../db/projects/keys.ts";
import { addUsage, HOUR_MS, type UsageRow } from "../../db/projects/usage.ts";
import { KeyUses } from "./callers/key-uses.ts";
import { isDiskFull } from "./disk.ts";

/** How long counts are gathered before they are written, where the project had none written lately [ms]. */
const SOON_MS = 2_000;
/**
 * How often the counts of a busy project are written [ms]: each two seconds would be a quarter of all rows that its tracks write. A
 * request may wait 30 s behind its answer.
 */
const EVERY_MS = 25_000;
/** Projects of whom it is known when they were written last. */
const MAX_PROJECTS = 10_000;
/** A request that waits to write and has not by then [ms] has been cut off. */
const LATE_MS = 4_000;

const pending = new Map<string, UsageRow>();
/** When the counts of each project were written last [ms]. */
const lastWritten = new BoundedMap<number, number>(MAX_PROJECTS);
/** Projects with a quota, whose calls are counted as soon as they can be. */
const withQuota = new Set<number>();
const keyUses = new KeyUses();
/** Until when a request of either kind waits to write [ms]; 0 = none does. */
const waiting = { soon: 0, later: 0 };

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
  const [when, ms] = isDue(project, now) ? (["soon", SOON_MS] as const) : (["later", EVERY_MS] as const);
  // Another request is already waiting to write. If it has ended without writing, this one takes over.
  if (now < waiting[when]) return undefined;
  waiting[when] = now + ms + LATE_MS;
  return new Promise<void>((wake) => setTimeout(wake, ms)).then(() => {
    waiting[when] = 0;
    return write(db, ({ project }) => when === "later" || isDue(project, Date.now()));
  });
}

function isDue(project: number, now: number): boolean {
  return withQuota.has(project) || Math.abs(now - (lastWritten.get(project) ?? 0)) >= EVERY_MS;
}

/** Writes what this isolate has counted of a project, for whoever wants to read it. */
export async function settleUsage(db: D1Database, project: number): Promise<void> {
  await write(db, (row) => row.project === project);
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
 * Counts a call, and notes that its key is used. The returned promise, when there is one, must be handed to
 * waitUntil.
 */
export function countCall(
  db: D1Database,
  caller: Pick<KeyRecord, "project" | "live" | "hasQuota" | "key">,
  endpoint: string,
  now: number,
): Promise<void> | undefined {
  if (caller.key !== undefined) keyUses.note(caller.key, now);
  if (caller.hasQuota) withQuota.add(caller.project);
  return count(db, caller, endpoint, now, "calls");
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

async function write(db: D1Database, which: (row: UsageRow) => boolean): Promise<void> {
  // Kept for when there is room again.
  if (isDiskFull()) return;
  const rows: UsageRow[] = [];
  for (const [key, row] of pending) if (which(row) && pending.delete(key)) rows.push(row);
  const now = Date.now();
  for (const { project } of rows) lastWritten.set(project, now);
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
