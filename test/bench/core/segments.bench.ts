import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Condition } from "../../../src/core/engagement/segments/segment.ts";
import { DAY_MS, dayOf } from "../../../src/core/engagement/segments/visits.ts";
import { writeSegment } from "../../../src/worker/db/customers/segments.ts";
import type { Databases } from "../../../src/worker/db/databases.ts";
import { passScope, segmentRound } from "../../../src/worker/objects/rounds/segment-round.ts";
import { d1On, migrations, migrationText } from "../../support/d1-on-sqlite.ts";
import type { Report } from "../bench.ts";
import { seededRandom } from "../support/random.ts";

export const name = "segments";
export const summary = "Hourly runs of ten computed segments, and all users after a change; `users=1000000`.";

const SCOPE = 2;
const HOURS = 24;

const store = (value: string, more: object): Condition => ({ type: "geofenceTag", value, ...more }) as Condition;
const RULES: Condition[][] = [
  [{ type: "lastSeen", days: 7 }],
  [{ type: "lastSeen", days: 30, not: true }],
  [{ type: "created", days: 3 }],
  [store("store", { visits: 1, days: 7 })],
  [store("store", { visits: 3, days: 30 })],
  [store("cafe", { visits: 2, days: 14 }), { type: "deviceType", values: ["iOS"] }],
  [store("store", { weeks: 2 })],
  [{ type: "metadata", metadata: { plan: "pro" } }],
  [{ type: "deviceType", values: ["Android"] }],
  [store("cafe", { visits: 1, days: 30, not: true }), { type: "lastSeen", days: 14 }],
];

export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const asked = Object.fromEntries(words.map((word) => word.split("=")));
  const users = Number(asked.users ?? 50_000);
  const folder = mkdtempSync(join(tmpdir(), "segments-"));
  try {
    const path = join(folder, "d1.sqlite");
    const sqlite = new DatabaseSync(path);
    for (const migration of migrations()) sqlite.exec(migrationText(migration));
    sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    let now = Date.UTC(2026, 6, 15, 12);
    fill(sqlite, users, now);
    const db = d1On(sqlite) as unknown as Parameters<typeof writeSegment>[0];
    const env = { DB: db } as unknown as Databases;
    const row = (what: string, metric: string, value: number, unit: string) =>
      report({ case: `${users} users, ${what}`, metric, value, unit });
    const measured = async (work: () => Promise<void>) => {
      const from = process.cpuUsage();
      const begun = performance.now();
      await work();
      const { user, system } = process.cpuUsage(from);
      return { cpu: (user + system) / 1e6, wall: (performance.now() - begun) / 1000 };
    };
    for (const [i, conditions] of RULES.entries()) {
      const segment = { _id: `s${i}`, externalId: `s${i}`, description: `s${i}`, createdAt: now, updatedAt: now };
      await writeSegment(db, SCOPE, { ...segment, rule: { match: "all", conditions } });
    }
    const pass = await measured(() => passScope(env, SCOPE, Number.POSITIVE_INFINITY, now));
    const count = (sql: string) => Number((sqlite.prepare(sql).get() as { n: number }).n);
    row("first pass", "CPU", pass.cpu, "s");
    row("first pass", "wall", pass.wall, "s");
    row("first pass", "memberships", count("SELECT count(*) AS n FROM segment_member"), "");
    await writeSegment(db, SCOPE, {
      ...{ _id: "s7", externalId: "s7", description: "s7", createdAt: now, updatedAt: now + 1 },
      rule: { match: "all", conditions: [{ type: "metadata", metadata: { plan: "free" } }] },
    });
    const again = await measured(() => passScope(env, SCOPE, Number.POSITIVE_INFINITY, now));
    row("pass after one changed rule", "CPU", again.cpu, "s");
    let due = 0;
    let worst = 0;
    const hours = await measured(async () => {
      for (let hour = 0; hour < HOURS; hour++) {
        now += 3600_000;
        due += count(`SELECT count(*) AS n FROM segment_due WHERE at <= ${now}`);
        const { cpu } = await measured(() => segmentRound(env, now));
        worst = Math.max(worst, cpu);
      }
    });
    row("hourly run, no updates", "CPU", hours.cpu / HOURS, "s");
    row("hourly run, no updates", "CPU of the worst", worst, "s");
    row("hourly run, no updates", "users compared", due / HOURS, "");
    row("database", "size", statSync(path).size / 1e6, "MB");
    sqlite.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Users like those of a shop: a third is active, a third visits, and some are lost. */
function fill(sqlite: DatabaseSync, users: number, now: number): void {
  const random = seededRandom(37);
  const insert = sqlite.prepare(
    `INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, metadata, doc, day)
     VALUES (?, ?, ?, 0, 0, 0, 1, ?, ?, ?, ?, ?)`,
  );
  sqlite.exec("BEGIN");
  for (let i = 0; i < users; i++) {
    const id = i.toString(16).padStart(24, "0");
    const updatedAt = now - Math.floor(random() ** 3 * 60 * DAY_MS);
    const createdAt = updatedAt - Math.floor(random() * 300 * DAY_MS);
    const metadata = { plan: random() < 0.2 ? "pro" : "free", city: "Springfield" };
    const days = (share: number) =>
      Array.from({ length: 30 }, (_, day) => dayOf(updatedAt) - 29 + day)
        .filter(() => random() < share)
        .flatMap((day) => [day, 1]);
    const visits = random() < 0.33 ? { "geofenceTag store": days(0.15), "geofenceTag cafe": days(0.05) } : undefined;
    const state = {
      ...{ _id: id, live: false, deviceId: `d${i}`, userId: `u${i}`, createdAt, updatedAt, actualUpdatedAt: updatedAt },
      ...{
        chronology: updatedAt,
        seq: 5,
        location: { latitude: 41.1, longitude: -8.6 },
        locationAccuracy: 12,
        metadata,
      },
      ...{
        deviceType: random() < 0.5 ? "iOS" : "Android",
        deviceOS: "18.1",
        sdkVersion: "3.20.1",
        source: "BACKGROUND",
      },
      ...(visits && { visitDays: visits }),
      ...{ geofences: {}, left: {}, regionChanges: {}, nearbyChains: {} },
      regions: {
        country: { enteredAt: createdAt, region: { _id: "r1", type: "country", code: "PT", name: "Portugal" } },
      },
    };
    const text = JSON.stringify(state);
    insert.run(SCOPE, id, state.deviceId, createdAt, updatedAt, JSON.stringify(metadata), text, dayOf(updatedAt));
  }
  sqlite.exec("COMMIT");
}
