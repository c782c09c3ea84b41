import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { databaseConfig } from "../../../src/server/base/wrangler.ts";
import { query } from "../../../src/server/data/database.ts";
import { openExistingDatabase, openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { inlineValues, openRemoteDatabase } from "../../../src/server/data/remote-database.ts";
import { scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();

describe("the local database", () => {
  it("is the one wrangler knows, with every migration entered in wrangler's own account", async () => {
    const state = join(scratch, "known");
    const name = `O'Brien; "two" -- ? \\ ü`;
    const local = openLocalDatabase(state);
    await query(local, "INSERT INTO project (name, created_at) VALUES (?, ?)", name, 1);

    const wrangler = openRemoteDatabase(["--local", "--persist-to", state]);
    const [applied, found, changed] = await wrangler.batch([
      { sql: "SELECT name FROM d1_migrations ORDER BY id" },
      { sql: "SELECT id, monthly_quota FROM project WHERE name = ? AND ? = 1", values: [name, 1] },
      { sql: "UPDATE project SET name = ?, settings = ? RETURNING name", values: ["it's; new?", "{}"] },
    ]);
    expect(applied.map((row) => row.name)).toContain("0001_foundation.sql");
    expect(found).toEqual([{ id: 1, monthly_quota: null }]);
    expect(changed).toEqual([{ name: "it's; new?" }]);
    expect(await query(local, "SELECT name FROM project")).toEqual([{ name: "it's; new?" }]);
    local.close();
  });

  it("gets a later migration at the next start, once, and keeps its rows", async () => {
    const state = join(scratch, "grown");
    const migrations = join(scratch, "migrations");
    mkdirSync(migrations);
    const config = { ...databaseConfig(), migrations };
    writeFileSync(join(migrations, "0001_first.sql"), "CREATE TABLE a (n INTEGER); INSERT INTO a VALUES (1);");
    openLocalDatabase(state, config).close();
    writeFileSync(join(migrations, "0002_second.sql"), "ALTER TABLE a ADD COLUMN m INTEGER DEFAULT 7;");
    openLocalDatabase(state, config).close();
    const database = openLocalDatabase(state, config);
    expect(await query(database, "SELECT * FROM a")).toEqual([{ n: 1, m: 7 }]);
    database.close();
  });

  it("is left as it was by a migration that fails half way", async () => {
    const state = join(scratch, "half");
    const migrations = join(scratch, "broken");
    mkdirSync(migrations);
    const config = { ...databaseConfig(), migrations };
    writeFileSync(join(migrations, "0001_broken.sql"), "CREATE TABLE a (n INTEGER); CREATE TABEL b (n INTEGER);");
    expect(() => openLocalDatabase(state, config)).toThrow("syntax error");
    writeFileSync(join(migrations, "0001_broken.sql"), "CREATE TABLE a (n INTEGER); CREATE TABLE b (n INTEGER);");
    const database = openLocalDatabase(state, config);
    expect(await query(database, "SELECT count(*) AS tables FROM sqlite_master WHERE name IN ('a', 'b')")).toEqual([
      { tables: 2 },
    ]);
    database.close();
  });

  it("undoes a batch of which one statement fails", async () => {
    const database = openLocalDatabase(join(scratch, "batch"));
    const insert = { sql: "INSERT INTO project (id, name, created_at) VALUES (1, 'a', 1)" };
    await expect(database.batch([insert, insert])).rejects.toThrow("UNIQUE");
    expect(await query(database, "SELECT * FROM project")).toEqual([]);
    database.close();
  });

  it("is not made by a command that only wants to look", () => {
    expect(() => openExistingDatabase(join(scratch, "nowhere"))).toThrow("npm run dev");
  });
});

describe("a value written into SQL", () => {
  it.each([
    ["it's", "SELECT 'it''s'"],
    ["?", "SELECT '?'"],
    [null, "SELECT NULL"],
    [-3, "SELECT -3"],
  ])("%j stays one value", (value, sql) => {
    expect(inlineValues({ sql: "SELECT ?", values: [value] })).toBe(sql);
  });

  it.each([[Number.NaN], [0.5], ["a\0b"]])("%j is refused", (value) => {
    expect(() => inlineValues({ sql: "SELECT ?", values: [value] })).toThrow("cannot be written");
  });

  it("has a place, and every place has a value", () => {
    expect(() => inlineValues({ sql: "SELECT 1", values: [1] })).toThrow("1 values for 0 placeholders");
    expect(() => inlineValues({ sql: "SELECT ?", values: [] })).toThrow();
  });
});
