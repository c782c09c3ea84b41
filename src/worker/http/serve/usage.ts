import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { USAGE_MS } from "../../../core/limits/capacity.ts";
import { commonDatabase } from "../../db/databases.ts";
import { type KeyRecord, noteKeyUses } from "../../db/projects/keys.ts";
import { addUsage, HOUR_MS, type UsageRow } from "../../db/projects/usage.ts";
import type { Execution } from "../../platform/call.ts";
import type { Env } from "../../platform/env.ts";
import { CALLS, type SettleCall } from "../../platform/processes.ts";
import { KeyUses } from "./callers/key-uses.ts";
import { askHelpers } from "./callers/tell-helpers.ts";
import { isDiskFull } from "./disk.ts";
import { CLIENT_LEFT, type LogLine } from "./log.ts";

/** How long counts are collected before a write, if the project had no recent write [ms]. */
const SOON_MS = 2_000;
/** Maximum projects with a cached time of the last write. */
const MAX_PROJECTS = 10_000;
/** A request that has not written after this time [ms] was terminated. */
const LATE_MS = 4_000;

const pending = new Map<string, UsageRow>();
/** When the counts of each project were written last [ms]. */
const lastWritten = new BoundedMap<number, number>(MAX_PROJECTS);
/** Projects with a quota, whose calls are counted as soon as they can be. */
const withQuota = new Set<number>();
const keyUses = new KeyUses();
/** Until when a request of either kind waits to write [ms]; 0 = none. */
const waiting = { soon: 0, later: 0 };

/** Counters of an endpoint: accepted calls, responses of 400 and above, accepted location updates, responses of 500 and above. */
type Figure = "calls" | "errors" | "updates" | "failures";

/**
 * Counts calls, errors or updates. The returned promise, if any, must be passed to waitUntil: it writes the
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
  rowOf(project, live, endpoint, hourOf(now))[figure] += by;
  const when = isDue(project, now) ? "soon" : "later";
  const ms = when === "soon" ? SOON_MS : USAGE_MS;
  // Another request is already waiting to write. If it ended without writing, this one takes over.
  if (now < waiting[when]) return undefined;
  waiting[when] = now + ms + LATE_MS;
  return new Promise<void>((wake) => setTimeout(wake, ms)).then(() => {
    waiting[when] = 0;
    return write(db, ({ project }) => when === "later" || isDue(project, Date.now()));
  });
}

function isDue(project: number, now: number): boolean {
  return withQuota.has(project) || Math.abs(now - (lastWritten.get(project) ?? 0)) >= USAGE_MS;
}

/** Writes this server's counts of a project before they are read. */
export async function settleUsage(env: Env, project: number): Promise<void> {
  const call: SettleCall = { project };
  await Promise.all([
    write(commonDatabase(env), (row) => row.project === project),
    env.HELPERS && askHelpers(env, CALLS.settle, call),
  ]);
}

interface Hour {
  month: string;
  hour: number;
}

let lastHour = { start: Number.NaN, month: "", hour: 0 };

/** The month ("2026-11") of a time, and its hour in the month; computed once an hour. */
function hourOf(now: number): Hour {
  const start = now - (now % HOUR_MS);
  if (lastHour.start !== start) {
    const at = new Date(start);
    const hour = Math.floor((start - Date.UTC(at.getUTCFullYear(), at.getUTCMonth())) / HOUR_MS);
    lastHour = { start, month: at.toISOString().slice(0, 7), hour };
  }
  return lastHour;
}

/**
 * Counts a call, and records the use of its key. The returned promise, if any, must be passed to
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

/** Counts a response of 400 and above to a known caller; errors of dashboard members are not the project's. */
export function countError(endpoint: string, { DB }: { DB: D1Database }, execution: Execution, line: LogLine): void {
  const { status, project, live = false, at, member } = line;
  if (project === undefined || member !== undefined || status === CLIENT_LEFT) return;
  const written = count(DB, { project, live }, endpoint, at, "errors");
  if (written) execution.waitUntil(written);
  const failed = status >= 500 && count(DB, { project, live }, endpoint, at, "failures");
  if (failed) execution.waitUntil(failed);
}

/** The latest row of each endpoint while it is pending: nearly every call belongs to it. */
const latest = new Map<string, UsageRow>();

/** The pending row of a project's calls of an endpoint in an hour. */
function rowOf(project: number, live: boolean, endpoint: string, { month, hour }: Hour): UsageRow {
  const last = latest.get(endpoint);
  if (last && last.project === project && last.live === live && last.hour === hour && last.month === month) return last;
  const key = `${project} ${live} ${endpoint} ${month} ${hour}`;
  const none = { calls: 0, errors: 0, updates: 0, failures: 0 };
  const row = pending.get(key) ?? { project, live, endpoint, month, hour, ...none };
  pending.set(key, row);
  latest.set(endpoint, row);
  return row;
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
  // Kept until there is free space.
  if (isDiskFull()) return;
  const rows: UsageRow[] = [];
  for (const [key, row] of pending) if (which(row) && pending.delete(key)) rows.push(row);
  latest.clear();
  const now = Date.now();
  for (const { project } of rows) lastWritten.set(project, now);
  // The last use of a key is not worth a retry.
  const used = noteKeyUses(db, keyUses.take()).catch(() => {});
  try {
    await addUsage(db, rows);
  } catch {
    // The database was unavailable: keep the counts for the next write.
    for (const row of rows) add(row);
  }
  await used;
}
