import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { EventWrite, UserWrite } from "../../src/worker/db/customers/writes.ts";
import type { Report } from "./bench.ts";
import { checkOut, here, placeIn, type Tree } from "./support/older-tree.ts";

/** The module of writes, and its place up to 0.3.0. */
const TRACKED = "src/worker/db/customers/tracked.ts";
const EARLIER_TRACKED = "src/db/tracked.ts";

export const name = "writes";
export const summary =
  "What D1 does for a user that crosses four fences, and for one that stays: SQLite and the JSON of a batch.";

/** Users that a writer joins into one batch, and batches. */
const USERS = 60;
const BATCHES = 40;
/** Batches that are not counted. */
const FIRST = 10;
const FENCES = [0, 1, 2, 3];
const START = 1_700_000_000_000;

/**
 *     npm run bench -- writes
 *     npm run bench -- writes base=HEAD~3     beside the statements of that commit, or of a work tree that is there
 *
 * CPU of this process, with a database in memory: `storeTracked` over a stand-in for D1, which turns each batch into JSON and back, as the way to
 * D1 does.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const base = words.find((word) => word.startsWith("base="))?.slice("base=".length);
  const older = base === undefined ? undefined : checkOut(base);
  try {
    for (const walk of ["crossing", "staying"] as const) {
      const before = older && (await measure(older, walk));
      const now = await measure(here, walk);
      for (const [metric, unit] of [
        ["cpu", "µs"],
        ["text", "bytes"],
      ] as const)
        report({ case: walk, metric: `${metric} per user`, value: now[metric], unit, baseline: before?.[metric] });
    }
  } finally {
    older?.discard();
  }
}

interface Cost {
  /** [µs] */
  cpu: number;
  /** [bytes] */
  text: number;
}

async function measure(tree: Tree, walk: "crossing" | "staying"): Promise<Cost> {
  const { storeTracked } = (await import(
    existsSync(placeIn(tree, TRACKED)) ? placeIn(tree, TRACKED) : join(tree.folder, EARLIER_TRACKED)
  )) as {
    storeTracked(db: unknown, users: readonly UserWrite[], events: readonly EventWrite[]): Promise<unknown>;
  };
  const { d1, text } = standIn(join(tree.folder, "migrations"));
  const isCrossing = walk === "crossing";
  const sets = Array.from({ length: BATCHES }, (_, i) => ({
    users: Array.from({ length: USERS }, (_, user) => userAt(user, i + 1, isCrossing ? i % 2 === 0 : true, isCrossing)),
    events: isCrossing ? Array.from({ length: USERS * FENCES.length }, (_, n) => eventAt(n, i + 1)) : [],
  }));
  let began = process.cpuUsage();
  let written = 0;
  for (const [i, { users, events }] of sets.entries()) {
    if (i === FIRST) [began, written] = [process.cpuUsage(), text()];
    await storeTracked(d1, users, events);
  }
  const { user, system } = process.cpuUsage(began);
  const counted = (BATCHES - FIRST) * USERS;
  return { cpu: (user + system) / counted, text: (text() - written) / counted };
}

interface Bound {
  sql: string;
  params: SQLInputValue[];
}

/** As much of D1 as `storeTracked` asks for; `text`: how long all batches have been. */
function standIn(migrations: string) {
  const db = new DatabaseSync(":memory:");
  for (const file of readdirSync(migrations).sort()) db.exec(readFileSync(join(migrations, file), "utf8"));
  const prepared = new Map<string, StatementSync>();
  let length = 0;
  const d1 = {
    prepare: (sql: string) => ({ bind: (...params: SQLInputValue[]): Bound => ({ sql, params }) }),
    async batch(list: readonly Bound[]) {
      const body = JSON.stringify(list);
      length += body.length;
      db.exec("BEGIN");
      const answers = (JSON.parse(body) as Bound[]).map(({ sql, params }) => {
        const statement = prepared.get(sql) ?? db.prepare(sql);
        prepared.set(sql, statement);
        return { results: statement.all(...params) };
      });
      db.exec("COMMIT");
      return answers;
    },
  };
  return { d1, text: () => length };
}

const idOf = (kind: string, n: number, digits = 22) => `${kind}${String(n).padStart(digits, "0")}`;

const labelOf = (n: number) => ({
  _id: idOf("5f", n),
  description: "A geofence of some name",
  tag: "bench",
  externalId: `x${n}`,
  type: "circle",
  geometryCenter: [1.5, 2.5],
  geometryRadius: 200,
  metadata: { a: 1, b: "two" },
});

function userAt(user: number, version: number, isInside: boolean, isCrossing: boolean): UserWrite {
  const at = START + version * 1000;
  const fences = isInside ? FENCES.map((n) => labelOf(user * FENCES.length + n)) : [];
  const doc = {
    ...{
      _id: idOf("60", user),
      live: false,
      deviceId: `d${user}`,
      locationAccuracy: 5,
      foreground: true,
      stopped: false,
    },
    location: { latitude: 10.5 + version / 10_000, longitude: 20.123456 },
    createdAt: START,
    updatedAt: at,
    actualUpdatedAt: at,
    chronology: at,
    seq: version * 4,
    regions: {},
    geofences: Object.fromEntries(fences.map((fence) => [fence._id, { since: START, fence }])),
  };
  const cell = 100_000_000_000_000 + user;
  const since = isCrossing ? version : 1;
  return { scope: 2, id: doc._id, cell, areas: [cell], version, since, doc: JSON.stringify(doc) };
}

function eventAt(n: number, version: number): EventWrite {
  const user = Math.floor(n / FENCES.length);
  const at = START + version * 1000;
  const doc = {
    _id: idOf("60", user) + idOf("", version * 4 + (n % 4), 6),
    type: "user.entered_geofence",
    live: false,
    createdAt: at,
    actualCreatedAt: at,
    user: { _id: idOf("60", user), deviceId: `d${user}` },
    geofence: labelOf(n),
    location: { latitude: 1, longitude: 2 },
    locationAccuracy: 5,
    confidence: 3,
  };
  return { scope: 2, doc: JSON.stringify(doc) };
}
