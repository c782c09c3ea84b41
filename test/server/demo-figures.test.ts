import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { FilledDemo } from "../../src/demo/day/fill.ts";
import type { Bucket } from "../../src/importer/publish/bucket.ts";
import { query } from "../../src/server/data/database.ts";
import { writeDemoFigures } from "../../src/server/data/demo-figures.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";

const folder = mkdtempSync(join(tmpdir(), "graticule-demo-figures-"));
const database = openLocalDatabase(folder);
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const NOW = Date.parse("2026-11-30T12:00:00Z");
const HOUR_MS = 3600_000;

it("the month of the demo data has calls by hour, results of campaigns and arrival times, and nothing is younger than what it did", async () => {
  const line = [
    { latitude: 49, longitude: -111 },
    { latitude: 49.01, longitude: -111 },
  ];
  const hoursAgo = (...ago: number[]) => ago.map((one) => Math.floor(NOW / HOUR_MS) - one);
  const updateHours = [hoursAgo(200, 25, 24, 24), hoursAgo(24)];
  const filled: FilledDemo = { people: 2, updates: 5, trips: 0, updateHours, drives: [{ line, duration: 400 }] };
  const objects = new Map<string, string>();
  const bucket = {
    put: async (key: string, bytes: Uint8Array) => Boolean(objects.set(key, Buffer.from(bytes).toString())),
  } as unknown as Bucket;
  const campaign = JSON.stringify({ _id: "c1", type: "inAppMessage", variants: [{}, {}], goal: { event: "bought" } });
  await database.batch([
    { sql: "INSERT INTO project (id, name, settings, created_at) VALUES (1, 'local', '{}', ?)", values: [NOW] },
    { sql: "INSERT INTO campaign VALUES (2, 'c1', ?, ?, ?)", values: [NOW, NOW, campaign] },
    {
      sql: `INSERT INTO geofence (scope, id, description, type, latitude, longitude, cover, created_at, updated_at, epoch)
        VALUES (2, 'g1', 'Depot', 'circle', 49, -111, '', ?, ?, 1)`,
      values: [NOW, NOW],
    },
  ]);
  const write = () => writeDemoFigures(database, bucket, { project: 1, filled, now: NOW, end: NOW });
  await write();
  const tracks = await query(database, "SELECT month, calls, hours FROM usage WHERE endpoint = 'track'");
  expect(tracks.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(5);
  const [{ hours }] = tracks;
  // The day before, at noon: 29 November is the 29th day of its month.
  expect(JSON.parse(String(hours))[`h${28 * 24 + 12}`]).toEqual([3, expect.any(Number), 3, 0]);
  const users = await query(
    database,
    "SELECT name, hours FROM stat WHERE kind = 'user' ORDER BY CAST(name AS INTEGER), day",
  );
  expect(users.map(({ name, hours }) => [name, JSON.parse(String(hours))])).toEqual([
    ["1", { h12: 1 }],
    ["25", { h4: 1 }],
    ["25", { h11: 1, h12: 1 }],
  ]);
  const [{ days }] = await query(database, "SELECT count(DISTINCT day) AS days FROM stat WHERE kind = 'campaign'");
  expect(days).toBe(29);
  for (const table of ["geofence", "campaign", "project"]) {
    const [{ at }] = await query(database, `SELECT min(created_at) AS at FROM ${table}`);
    expect(Number(at)).toBeLessThanOrEqual(Math.min(...updateHours.flat()) * HOUR_MS);
  }
  const [{ doc }] = await query(database, "SELECT doc FROM campaign");
  expect(JSON.parse(String(doc)).createdAt).toBeLessThan(NOW - 29 * 24 * HOUR_MS);
  const { months } = JSON.parse(objects.get("learning/2/report.json") ?? "");
  expect(Object.keys(months)).toEqual(["2026-10", "2026-11"]);
  expect(months["2026-11"].car.trips).toBeGreaterThan(100);

  await write();
  expect(await query(database, "SELECT month, calls, hours FROM usage WHERE endpoint = 'track'")).toEqual(tracks);
});
