import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { coverCircle } from "../../../src/core/geo/cells/cover.ts";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import { FenceStore, type Sql } from "../../../src/worker/objects/fences/fence-store.ts";
import { TrackerStore, type Unstored } from "../../../src/worker/objects/tracker/tracker-store.ts";
import type { Report } from "../bench.ts";
import { fenceRow, makeFences } from "../support/fences.ts";
import { seededRandom } from "../support/random.ts";
import { storedIn } from "./d1-file.ts";
import { LIVES, type Life, lifeOf } from "./lives.ts";

export const name = "bytes";
export const summary = "Bytes on disk: a tracker with its history, users and events in D1, a geofence in its index.";

const UPDATES = 300;
const KEPT_DAYS = 30;
const [USERS, EVENTS, FENCES] = [1_000, 10_000, 5_000];
const ROOT = join(import.meta.dirname, "../../..");

/**
 *     npm run bench -- bytes
 *
 * The real stores and statements on SQLite files; what a file takes is its pages, as the platform bills them. Goals are those of one project with
 * ten million users: 20 kB for a device with 300 updates, 500 bytes for an event.
 */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bytes-"));
  try {
    for (const life of LIVES) reportTracker(report, folder, life);
    await reportRows(report, join(folder, "d1"));
    reportFences(report, join(folder, "fences"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function reportTracker(report: Report, folder: string, life: Life): void {
  const label = `${UPDATES} updates of a device, ${life}`;
  const { file, parts } = trackerFile(join(folder, life), life, UPDATES);
  report({ case: label, metric: "file", value: file, unit: "bytes", baseline: 20_000 });
  const first = trackerFile(join(folder, `${life}-new`), life, 2).file;
  report({ case: label, metric: "of these, an update", value: (file - first) / UPDATES, unit: "bytes" });
  for (const [metric, value] of Object.entries(parts)) report({ case: `  ${life}`, metric, value, unit: "bytes" });
}

/** The file of a tracker that was woken for each update, and the texts in it. */
function trackerFile(path: string, life: Life, updates: number): { file: number; parts: Record<string, number> } {
  const database = new DatabaseSync(path);
  const sql = sqlOf(database);
  let state: UserState | undefined;
  for (const { update, surroundings } of lifeOf(life, 1, updates, seededRandom(59))) {
    const store = new TrackerStore(sql);
    const before = store.find(undefined) ?? state;
    const identity = before ?? { _id: "60".padEnd(24, "0"), live: false };
    const outcome = applyUpdate(before, update, surroundings, DEFAULT_SETTINGS, identity);
    const applied = { before, update, surroundings, settings: DEFAULT_SETTINGS, outcome };
    store.save(outcome.state, outcome.events, [], { applied, days: KEPT_DAYS });
    const due = store.unstored(2, 200);
    if (due) store.confirm(due.confirm);
    store.noteArrived();
    state = outcome.state;
  }
  const length = (text: string) => Number(Object.values(database.prepare(`SELECT ${text}`).get() ?? {})[0] ?? 0);
  const parts = {
    "state and last response": length("sum(length(doc) + coalesce(length(last), 0)) FROM state"),
    "newest page of history": length("sum(length(tail)) FROM state"),
    ...(updates > 32 && {
      "older updates, and the states between them, packed": length("sum(length(data)) FROM past"),
    }),
  };
  const file = length("page_count * page_size FROM pragma_page_count, pragma_page_size");
  database.close();
  return { file, parts };
}

function sqlOf(database: DatabaseSync): Sql {
  return {
    exec(query, ...bindings) {
      const rows = database.prepare(query).all(...bindings);
      return { toArray: () => rows };
    },
  };
}

/** What users and events take in D1, by table and index. */
async function reportRows(report: Report, path: string): Promise<void> {
  const migrations = join(ROOT, "migrations");
  const d1 = storedIn(
    path,
    readdirSync(migrations)
      .sort()
      .map((file) => readFileSync(join(migrations, file), "utf8")),
  );
  const empty = d1.bytes();
  for (let n = 0; n < USERS; n++) await d1.store(usersAfter(n), []);
  const withUsers = d1.bytes();
  for (const events of eventsOf()) await d1.store([], events);
  const full = d1.bytes();
  report({ case: `${USERS} users in D1`, metric: "a user", value: grown(empty, withUsers) / USERS, unit: "bytes" });
  reportTables(report, empty, withUsers, USERS);
  const event = grown(withUsers, full) / EVENTS;
  report({ case: `${EVENTS} events in D1`, metric: "an event", value: event, unit: "bytes", baseline: 500 });
  reportTables(report, withUsers, full, EVENTS);
  d1.close();
}

function reportFences(report: Report, path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  const store = new FenceStore(sqlOf(database));
  for (const fence of makeFences(FENCES, [], seededRandom(7)))
    store.put(fenceRow(2, fence, coverCircle(fence.center, fence.radius)));
  database.exec("COMMIT");
  const bytes = Number(
    database.prepare("SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size").get()?.n,
  );
  report({ case: `${FENCES} circles in their index`, metric: "a geofence", value: bytes / FENCES, unit: "bytes" });
  database.close();
}

type Bytes = ReadonlyMap<string, number>;
const sum = (bytes: Bytes) => [...bytes.values()].reduce((all, one) => all + one, 0);
const grown = (before: Bytes, after: Bytes) => sum(after) - sum(before);

function reportTables(report: Report, before: Bytes, after: Bytes, rows: number): void {
  for (const [table, bytes] of after) {
    const value = (bytes - (before.get(table) ?? 0)) / rows;
    if (value >= 1) report({ case: `  ${table}`, metric: "of these", value, unit: "bytes" });
  }
}

/** A user after a few updates of a life, as its tracker hands it over. */
function usersAfter(n: number): Unstored["users"] {
  const { users } = lived(n, 12);
  return users;
}

function* eventsOf(): Generator<{ scope: number; doc: string }[]> {
  for (let left = EVENTS, n = 0; left > 0; n++) {
    const events = lived(n % USERS, 60 + Math.floor(n / USERS)).events.slice(0, left);
    left -= events.length;
    yield events.map((event) => ({ scope: 2, doc: JSON.stringify(event) }));
  }
}

function lived(n: number, updates: number): { users: Unstored["users"]; events: TrackEvent[] } {
  const database = new DatabaseSync(":memory:");
  const store = new TrackerStore(sqlOf(database));
  const events: TrackEvent[] = [];
  for (const { update, surroundings } of lifeOf("riding", n, updates, seededRandom(n + 1))) {
    const before = store.find(undefined);
    const identity = before ?? { _id: (0x600000000000 + n).toString(16).padEnd(24, "0"), live: false };
    const outcome = applyUpdate(before, update, surroundings, DEFAULT_SETTINGS, identity);
    store.save(outcome.state, [], []);
    events.push(...outcome.events);
  }
  const users = store.unstored(2, 200)?.users ?? [];
  database.close();
  return { users, events };
}
