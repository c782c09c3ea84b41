import type { DatabaseSync } from "node:sqlite";
import { someRows } from "../../core/archive/rows.ts";

/** A project in which every scheduled run has something to do, and what is left of that. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The first day of a month that is over, whose days are merged in the archive [days since 1970]. */
const SEPTEMBER = Date.UTC(2026, 8, 1) / DAY;

type Values = Record<string, string | number | null | Uint8Array>;

/** Settings with which a project's scheduled runs do everything. */
export const SETTINGS = JSON.stringify({ learning: { enabled: true, minimumDevices: 1 } });

/** Fills a scope, as of a time [ms]. */
export function fillExpired(file: DatabaseSync, scope: number, now: number): void {
  const add = (table: string, values: Values) => {
    const names = Object.keys(values);
    file
      .prepare(`INSERT INTO "${table}" (scope, ${names.join()}) VALUES (?${", ?".repeat(names.length)})`)
      .run(scope, ...Object.values(values));
  };
  for (const [id, ago, day] of [
    ["old", 400 * DAY, undefined],
    ["silent", 10 * DAY, undefined],
    ["recent", HOUR, undefined],
    ["dayless", 2 * HOUR, 0],
  ] as const) {
    const at = now - ago;
    const doc = JSON.stringify({ _id: id, deviceId: id, createdAt: at, updatedAt: at, seq: 1, metadata: {} });
    const times = { version: 1, created_at: at, updated_at: at, day: day ?? Math.floor(at / DAY) };
    add("user", { id, device_id: id, latitude: 1, longitude: 2, cell: 3, doc, ...times });
  }
  const fence = { description: "", type: "circle", latitude: 1, longitude: 2, radius: 3, cover: "[]", epoch: 1 };
  for (const [id, deleteAfter] of [
    ["expired", now - HOUR],
    ["stays", null],
  ] as const) {
    add("geofence", { id, ...fence, created_at: 1, updated_at: 1, delete_after: deleteAfter });
    add("presence", { geofence: id, user: "recent" });
  }
  add("fence_epoch", { epoch: 1 });
  for (const [id, status, ago] of [
    ["waits", "pending", 9 * DAY],
    ["idle", "started", 3 * DAY],
    ["old", "completed", 100 * DAY],
    ["stays", "completed", 5 * DAY],
  ] as const) {
    const [at, device] = [now - ago, status === "pending" ? undefined : "recent"];
    const trip = { _id: id, externalId: id, status, createdAt: at, updatedAt: at, version: 1, deviceId: device };
    const doc = JSON.stringify({ ...trip, live: scope % 2 === 1, mode: "car" });
    const row = { id, external_id: id, status, delayed: 0, version: 1, created_at: at, updated_at: at, doc };
    add("trip", { ...row, device_id: device ?? null });
    add("trip_location", { trip: id, at, latitude: 1, longitude: 2, accuracy: 3 });
    const link = { shows: "[]", created_at: at, expires_at: now + DAY };
    add("trip_share", { id, trip: id, hash: `${scope} ${id}`, ...link });
  }
  const ended = { shows: "[]", created_at: 1, expires_at: now - 100 * DAY };
  add("trip_share", { id: "ended", trip: "stays", hash: `${scope} ended`, ...ended });
  for (const [id, ago] of [
    ["old", 40],
    ["stays", 20],
  ] as const) {
    const letter = {
      webhook: "hook",
      user: "recent",
      events: "[]",
      body: "{}",
      attempts: 1,
      reason: "",
      created_at: 1,
    };
    add("dead_letter", { id, ...letter, died_at: now - ago * DAY });
  }
  const hook = { url: "https://a.example", delivery: "single", secret: "s", created_at: 1, updated_at: 1 };
  add("webhook", { id: "hook", ...hook });
  for (const ago of [600, 1])
    add("stat", { day: Math.floor(now / DAY) - ago, kind: "event", name: "x", hours: '{"h1":1}' });
  const rule = { match: "all", conditions: [{ type: "lastSeen", days: 5 }] };
  const segment = { _id: "seen", externalId: "seen", description: "", createdAt: 1, updatedAt: 1, rule };
  const times = { created_at: 1, updated_at: 1 };
  add("segment", { id: "seen", external_id: "seen", ...times, doc: JSON.stringify(segment) });
  add("segment_pass", { since: 1, reached: "" });
  for (const user of ["lost", "recent"]) add("segment_due", { user, at: now - HOUR });
  // No image can be loaded from there.
  const content = { title: { text: "x" }, body: { text: "y" }, image: { url: "https://images.invalid/a.png" } };
  const campaign = { _id: "image", name: "x", type: "inAppMessage", enabled: true, trigger: {}, content };
  add("campaign", { id: "image", ...times, doc: JSON.stringify({ ...campaign, createdAt: 1, updatedAt: 1 }) });
  fillEvents(add, scope, now);
}

function fillEvents(add: (table: string, values: Values) => void, scope: number, now: number): void {
  const today = Math.floor(now / DAY);
  const days = [today - 1, today - 9, today - 400, ...Array.from({ length: 5 }, (_, i) => SEPTEMBER + i)];
  for (const [i, day] of days.entries())
    for (const { id, type, user, time, doc } of someRows(6, { day, seed: scope * 100 + i, users: 2 }))
      add("event", { id, type, user, created_at: time, doc });
  add("archive", { seq: 1 });
  const part = { seq: 1, rows: 1, from_time: 0, to_time: 1, bytes: 1, digest: "", types: "[]", users: "[]" };
  add("archive_part", { id: "outlived", day: today - 500, ...part, filter: new Uint8Array([0]) });
  add("archive_object", { key: `archive/${scope}/unused`, delete_after: now - HOUR });
  add("archive_forgotten", { user: "gone", seq: 1, done_at: now - 2 * DAY });
  add("archive_forgotten", { user: "going", seq: 1, done_at: null });
}

/** What a scheduled run should have done in a scope: the number of rows for which it has not. */
const UNDONE: Record<string, (now: number) => string> = {
  "expired geofences": () => "geofence WHERE delete_after IS NOT NULL AND scope = ?1",
  "inside of expired geofences": () => "presence WHERE geofence = 'expired' AND scope = ?1",
  "waiting trips": () => "trip WHERE status = 'pending' AND scope = ?1",
  "old trips": () => "trip WHERE id = 'old' AND scope = ?1",
  "old locations": (now) => `trip_location WHERE at < ${now - 7 * DAY} AND scope = ?1`,
  "ended links": () => "trip_share WHERE id IN ('old', 'ended') AND scope = ?1",
  "old dead letters": () => "dead_letter WHERE id = 'old' AND scope = ?1",
  "old statistics": (now) => `stat WHERE day < ${Math.floor(now / DAY) - 500} AND scope = ?1`,
  "old users": () => "user WHERE id = 'old' AND scope = ?1",
  "users without a day": () => "user WHERE day = 0 AND scope = ?1",
  "users without an area": () =>
    `user WHERE id IN ('recent', 'dayless') AND scope = ?1
       AND NOT EXISTS (SELECT 1 FROM user_area AS area WHERE area.scope = user.scope AND area.user = user.id)`,
  "lost due times": () => "segment_due WHERE user = 'lost' AND scope = ?1",
  "due users": (now) => `segment_due WHERE at <= ${now} AND scope = ?1`,
  "passes of segments": () => "segment_pass WHERE scope = ?1",
  "silent devices": () => "user WHERE id = 'silent' AND scope = ?1 AND scope NOT IN (SELECT scope FROM history_round)",
  "images not checked": () => "campaign WHERE doc ->> '$.missingImages' IS NULL AND scope = ?1",
  "events not archived": (now) => `event WHERE created_at < ${(Math.floor(now / DAY) - 8) * DAY} AND scope = ?1`,
  "days not merged": () => "archive_part WHERE merge IS NULL AND day < 20720 AND scope = ?1",
  "outlived parts": () => "archive_part WHERE id = 'outlived' AND scope = ?1",
  "unused objects": (now) => `archive_object WHERE delete_after < ${now - HOUR / 2} AND scope = ?1`,
  "notes that are done": (now) => `archive_forgotten WHERE done_at < ${now - 2 * DAY + HOUR} AND scope = ?1`,
  "notes to be done": () => "archive_forgotten WHERE done_at IS NULL AND scope = ?1",
};

/** The names of what is still to be done in a scope. */
export function undoneIn(file: DatabaseSync, scope: number, now: number): string[] {
  return Object.entries(UNDONE).flatMap(([name, from]) =>
    file.prepare(`SELECT count(*) AS n FROM ${from(now)}`).get(scope)?.n === 0 ? [] : [name],
  );
}

export const EVERYTHING: readonly string[] = Object.keys(UNDONE);
