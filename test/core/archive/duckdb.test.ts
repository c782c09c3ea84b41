import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ORDERS } from "../../../src/core/archive/orders.ts";
import { monthKey } from "../../../src/core/archive/part.ts";
import { writeObject } from "../../../src/core/archive/write-object.ts";
import { DAY, someRows } from "./rows.ts";

/** DuckDB itself (its package for Node, 70 MB, MIT; for tests alone) reads what the archive writes; it shares no code with the writer. */

const folder = mkdtempSync(join(tmpdir(), "archive-duckdb-"));
const rows = [...someRows(1500, { day: 20_000 }), ...someRows(700, { day: 20_001, seed: 2 })];
let duck: DuckDBConnection;

beforeAll(async () => {
  for (const order of ORDERS) {
    for (const day of [20_000, 20_001]) {
      const { bytes } = writeObject(
        rows.filter(({ time }) => Math.floor(time / DAY) === day),
        order,
      );
      const at = join(folder, "scope=7", `day=${new Date(day * DAY).toISOString().slice(0, 10)}`);
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, `${order}-1.parquet`), bytes);
    }
  }
  // Both days lie in their month's objects as well, parted by users.
  const users = [...new Set(rows.map(({ user }) => user))].sort();
  for (const [i, some] of [users.slice(0, 20), users.slice(20)].entries()) {
    const key = monthKey({ scope: 7, id: String(i), month: 19_997 }).replace("archive/events/", "both/");
    mkdirSync(join(folder, dirname(key)), { recursive: true });
    const { bytes } = writeObject(
      rows.filter(({ user }) => some.includes(user)),
      "users",
    );
    writeFileSync(join(folder, key), bytes);
  }
  mkdirSync(join(folder, "both/scope=7/day=2024-10-05"));
  const lateDay = rows.filter(({ time }) => Math.floor(time / DAY) === 20_001);
  writeFileSync(join(folder, "both/scope=7/day=2024-10-05/users-1.parquet"), writeObject(lateDay, "users").bytes);
  duck = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => {
  duck.closeSync();
  rmSync(folder, { recursive: true });
});

const FILES = (order: string) => `read_parquet('${folder}/*/*/${order}-*.parquet', hive_partitioning = true)`;
async function ask(query: string): Promise<Record<string, unknown>[]> {
  return (await duck.runAndReadAll(query)).getRowObjectsJson();
}

it.each(ORDERS)("DuckDB reads every event of the objects by %s, with its time, texts and numbers", async (order) => {
  const read = await ask(`SELECT *, epoch_ms(created_at) AS time FROM ${FILES(order)} ORDER BY id`);
  const expected = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(read.length).toBe(rows.length);
  for (const [i, { id, type, user, doc, time }] of expected.entries()) {
    expect(read[i]).toMatchObject({ id, type, user, doc, time: String(time), scope: "7" });
    const { location, confidence, geofence } = JSON.parse(doc);
    expect(read[i]).toMatchObject({ ...location, confidence, geofence_tag: geofence?.tag ?? null });
  }
});

it("DuckDB counts by day and type, looks into the docs, and finds one user by the least and greatest of each group", async () => {
  const [{ days, fences }] = await ask(
    `SELECT count(DISTINCT day) AS days, count(*) FILTER (doc ->> '$.geofence.tag' = 'shop') AS fences FROM ${FILES("types")}`,
  );
  expect(Number(days)).toBe(2);
  expect(Number(fences)).toBe(rows.filter(({ doc }) => doc.includes('"shop"')).length);
  const { user } = rows[5];
  const [{ n }] = await ask(`SELECT count(*) AS n FROM ${FILES("users")} WHERE "user" = '${user}'`);
  expect(Number(n)).toBe(rows.filter((row) => row.user === user).length);
});

it("DuckDB reads a user's events of a month from its objects, also together with those of days", async () => {
  const { user } = rows[5];
  const its = rows.filter((row) => row.user === user);
  const [{ n, month }] = await ask(
    `SELECT count(*) AS n, min(month) AS month FROM read_parquet('${folder}/both/*/month=*/users-*.parquet', hive_partitioning = true)
     WHERE "user" = '${user}'`,
  );
  expect([Number(n), month]).toEqual([its.length, "2024-10"]);
  // The name of a folder is no column then: it is a day here, and a month there.
  const [both] = await ask(
    `SELECT count(*) AS n, count(DISTINCT id) AS ids FROM read_parquet('${folder}/both/scope=7/*/users-*.parquet') WHERE "user" = '${user}'`,
  );
  const late = its.filter(({ time }) => Math.floor(time / DAY) === 20_001);
  expect([Number(both.n), Number(both.ids)]).toEqual([its.length + late.length, its.length]);
});
