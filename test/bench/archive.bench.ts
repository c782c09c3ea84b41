import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { digestOf } from "../../src/core/archive/digest.ts";
import { writeDirectory } from "../../src/core/archive/directory.ts";
import type { EventRow } from "../../src/core/archive/event-row.ts";
import { DAY_MS, objectKey } from "../../src/core/archive/part.ts";
import { writeUserFilter } from "../../src/core/archive/user-filter.ts";
import { writeObject } from "../../src/core/archive/write-object.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { databaseConfig } from "../../src/server/base/wrangler.ts";
import { query } from "../../src/server/data/database.ts";
import { localDatabasePath, openLocalDatabase } from "../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../src/server/geodata/geodata-bucket.ts";
import type { Report } from "./bench.ts";
import { send } from "./support/load.ts";
import { percentile } from "./support/percentile.ts";
import { cpuSeconds } from "./support/process-cpu.ts";
import { seededRandom } from "./support/random.ts";
import { type PlatformWorker, startPlatform } from "./worker.ts";

export const name = "archive";
// In full: events=10000000 users=100000 days=365 state=FOLDER, in which the world stays for the next run; months=no leaves its days as they are
export const summary =
  "Lists of archived events by user, day and type, each asked once; `events=10000000 users=100000 days=365`.";

const PART_ROWS = 16_000;
const TYPES = [
  "user.entered_geofence",
  "user.exited_geofence",
  "user.dwelled_in_geofence",
  "user.entered_place",
  "bought",
];
const ASKED = 60;

export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const asked = Object.fromEntries(words.map((word) => word.split("=")));
  const size = {
    events: Number(asked.events ?? 100_000),
    users: Number(asked.users ?? 5_000),
    days: Number(asked.days ?? 60),
  };
  const keptIn = asked.state;
  const made = { bytes: 0, docs: 0, seconds: 0, parts: 0 };
  // Of a world that is kept the days do not move.
  const first = 20_000 - size.days;
  // A world of an earlier version is brought up to this one's.
  if (keptIn && existsSync(keptIn)) openLocalDatabase(keptIn).close();
  const platform = await startPlatform({
    // Rounds each minute are those that do nothing to users, who have been away for long.
    bindings: { ARCHIVE_AFTER_DAYS: "0.5" },
    unlimited: ["listEvents", "getEvent"],
    keptIn,
    async prepare(database, project, state) {
      const bucket = openLocalBucket(state, geodataBucketName());
      const scope = project * 2;
      await query(database, "INSERT INTO archive (scope, seq) VALUES (?, 0)", scope);
      await query(
        database,
        `INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc)
         SELECT ?1, value, value, 0, 0, 0, 1, 1, 1, '{}' FROM json_each(?2)`,
        ...[scope, JSON.stringify(Array.from({ length: size.users }, (_, n) => userName(n)))],
      );
      for (const rows of partsOf(size, first)) {
        const began = performance.now();
        const part = { scope, id: `p${made.parts++}`, day: Math.floor(rows[0].time / DAY_MS) };
        const [types, users] = [writeObject(rows, "types"), writeObject(rows, "users")];
        made.seconds += (performance.now() - began) / 1000;
        await bucket.put(objectKey(part, "types"), types.bytes);
        await bucket.put(objectKey(part, "users"), users.bytes);
        made.bytes += types.bytes.length + users.bytes.length;
        made.docs += rows.reduce((sum, { doc }) => sum + doc.length, 0);
        await query(
          database,
          `INSERT INTO archive_part (scope, id, day, seq, rows, from_time, to_time, bytes, digest, types, users, filter)
           VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, unhex(?))`,
          ...[scope, part.id, part.day, rows.length, rows[0].time, rows[rows.length - 1].time],
          ...[types.bytes.length + users.bytes.length, made.parts === 1 ? await digestOf(rows) : ""],
          ...[writeDirectory(types.groups), writeDirectory(users.groups)],
          Buffer.from(writeUserFilter(rows.map(({ user }) => user))).toString("hex"),
        );
      }
      bucket.close();
    },
  });
  const random = seededRandom(9);
  const pick = (n: number) => Math.floor(random() * n);
  const headers = { Authorization: platform.keys.testSecret };
  const before = () => new Date((first + 1 + pick(size.days - 1)) * DAY_MS).toISOString();
  const label = `${size.events.toLocaleString("en-US")} events`;
  try {
    if (asked.months !== "no") await mergeMonths(platform, (first + size.days + 1) * DAY_MS, label, report);
    // The Worker itself is warm; the days that are asked for are not.
    await send(platform, { path: "/v1/events?userId=nobody", headers });
    for (const [what, goal, path] of [
      ["a user's latest 100", 60, () => `/v1/events?limit=100&userId=${userName(pick(size.users))}`],
      ["100 of a day", 120, () => `/v1/events?limit=100&createdBefore=${before()}`],
      ["100 of a type and day", 120, () => `/v1/events?limit=100&types=bought&createdBefore=${before()}`],
      [
        "a user's 100 up to a day",
        60,
        () => `/v1/events?limit=100&createdBefore=${before()}&userId=${userName(pick(size.users))}`,
      ],
    ] as const) {
      const times: number[] = [];
      let events = 0;
      const cpu = cpuSeconds(platform.pid);
      for (let i = 0; i < ASKED; i++) {
        const began = performance.now();
        const { status, text } = await send(platform, { path: path(), headers });
        times.push(performance.now() - began);
        if (status !== 200) throw new Error(text);
        events += (JSON.parse(text).events as unknown[]).length;
      }
      report({ case: label, metric: `${what}, p50`, value: percentile(times, 0.5), unit: "ms", baseline: goal });
      const each = ((cpuSeconds(platform.pid) - cpu) / ASKED) * 1000;
      report({ case: label, metric: `${what}, CPU of workerd`, value: each, unit: "ms" });
      report({ case: label, metric: `${what}, p95`, value: percentile(times, 0.95), unit: "ms" });
      report({ case: label, metric: `${what}, events`, value: events / ASKED, unit: "" });
    }
    if (made.parts === 0) return;
    report({
      case: label,
      metric: "writing 1,000 events, both objects",
      value: (made.seconds * 1e6) / size.events,
      unit: "ms",
    });
    report({ case: label, metric: "stored, both objects", value: made.bytes / size.events, unit: "B/event" });
    report({ case: label, metric: "docs", value: made.docs / size.events, unit: "B/event" });
  } finally {
    await platform.stop();
  }
}

/** Rounds until each month that is over has been merged. */
async function mergeMonths(platform: PlatformWorker, at: number, label: string, report: Report): Promise<void> {
  const database = new DatabaseSync(localDatabasePath(platform.state, databaseConfig().id), { timeout: 10_000 });
  try {
    // As a project that has kept its events for a year, of which no month is about to go.
    database.exec(`UPDATE project SET settings = json_set(settings, '$.retention.events', 100000)`);
    const count = (from: string) =>
      Number(database.prepare(`SELECT coalesce(sum(rows), 0) AS n FROM ${from}`).get()?.n);
    const [cpu, before] = [cpuSeconds(platform.pid), count("archive_month")];
    for (let left = -1; ; ) {
      await platform.scheduled?.("* * * * *", at);
      const now = count("archive_part WHERE users <> '[]'");
      const underWay = database.prepare("SELECT 1 FROM archive_merge").get();
      if (!underWay && now === left) break;
      left = now;
    }
    const merged = count("archive_month") - before;
    if (merged === 0) return;
    const each = ((cpuSeconds(platform.pid) - cpu) * 1e6) / merged;
    report({ case: label, metric: "merging 1,000 events into months, CPU of workerd", value: each, unit: "ms" });
    report({ case: label, metric: "merged into months", value: merged, unit: "events" });
  } finally {
    database.close();
  }
}

const userName = (n: number) => (n * 2654435761 + 2 ** 44).toString(16).padStart(24, "6");

/** Events by their time, a part at a time, no part of two days. */
function* partsOf({ events, users, days }: { events: number; users: number; days: number }, first: number) {
  const random = seededRandom(3);
  const each = Math.ceil(events / days);
  let count = 0;
  for (let day = first; day < first + days; day++) {
    for (let from = 0; from < each; from += PART_ROWS) {
      yield Array.from({ length: Math.min(PART_ROWS, each - from) }, (_, i): EventRow => {
        const who = Math.floor(random() * users);
        const user = userName(who);
        const id = user + (count++).toString(16).padStart(8, "0");
        const time = day * DAY_MS + Math.floor(((from + i) * DAY_MS) / each);
        const type = TYPES[Math.floor(random() * TYPES.length)];
        const doc = {
          _id: id,
          type,
          live: false,
          createdAt: time,
          actualCreatedAt: time + 312,
          confidence: 1 + (count % 3),
          user: { _id: user, deviceId: user, userId: `customer-${who}`, metadata: { tier: "gold" } },
          location: { latitude: 40 + random() * 10, longitude: random() * 20 },
          locationAccuracy: Math.round(random() * 300) / 10,
          geofence: {
            _id: `f${count % 500}`.padEnd(24, "0"),
            tag: "store",
            externalId: `${count % 500}`,
            description: `Store ${count % 500}`,
            type: "circle",
            center: { latitude: 45, longitude: 10 },
            radius: 100,
          },
          device: { platform: "Android", version: "14" },
        };
        return { id, time, type, user, doc: JSON.stringify(doc) };
      });
    }
  }
}
