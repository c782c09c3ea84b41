import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { buildKey, LIVE_KEY } from "../../../src/core/geo/builds/manifest.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { noteBackup } from "../../../src/server/backup/last-backup.ts";
import type { Database, Row } from "../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { checkBackup, checkObjects, checkPort, judgeCertificate } from "../../../src/server/doctor/machine-checks.ts";
import { checkStructure, plainStatement } from "../../../src/server/doctor/structure.ts";

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("tables and indexes", () => {
  const findingAfter = async (...statements: string[]) => {
    const database = openLocalDatabase(mkdtempSync(join(folder, "state-")));
    try {
      await database.batch(statements.map((sql) => ({ sql })));
      return await checkStructure(database);
    } finally {
      database.close();
    }
  };

  it("are as the migrations create them", async () => {
    expect(await findingAfter("SELECT 1")).toMatchObject({ state: "ok" });
  });

  it.each([
    [["DROP TABLE trip_share"], /missing: table trip_share/, /npm run restore/],
    [["DROP INDEX user_day"], /^missing: index user_day$/, /Run the statement of migrations/],
    [["ALTER TABLE webhook ADD COLUMN extra TEXT"], /^changed: table webhook$/, /migrations/],
    [["DROP INDEX user_day", "CREATE INDEX user_day ON user (day)"], /^changed: index user_day$/, /migrations/],
  ])("are wrong after %j", async (statements, said, todo) => {
    const finding = await findingAfter(...statements);
    expect(finding.state).toBe("wrong");
    expect(finding.said).toMatch(said);
    expect(finding.todo).toMatch(todo);
  });

  it("are the same if only their comments and spaces differ, but not if a quoted text does", async () => {
    const table = (text: string) => `CREATE TABLE sample (name TEXT DEFAULT '${text}')`;
    const database = openLocalDatabase(mkdtempSync(join(folder, "state-")));
    const [[{ sql }]] = await database.batch([{ sql: "SELECT sql FROM sqlite_master WHERE name = 'trip_share'" }]);
    const remade = String(sql).replace("(", "( -- another comment, with (brackets)\n /* and one more */ ");
    await database.batch(["DROP TABLE trip_share", remade].map((one) => ({ sql: one })));
    const indexes = await checkStructure(database);
    expect(indexes.said).not.toMatch(/table trip_share/);
    expect([plainStatement(table("--a")), plainStatement(table("-- a"))]).toEqual(
      [table("--a"), table("-- a")].map((one) => one.replace(" (", "(")),
    );
    database.close();
  });

  it("of a database that is not migrated completely are compared with the migrations it has had", async () => {
    const full = openLocalDatabase(mkdtempSync(join(folder, "state-")));
    const older: Database = {
      ...full,
      async batch(statements) {
        const rows: Row[][] = await full.batch(statements);
        return rows.map((all) => all.filter(({ name }) => !/oauth/.test(String(name))));
      },
    };
    expect(await checkStructure(older)).toMatchObject({ state: "ok" });
    full.close();
  });
});

describe("the last backup", () => {
  const now = Date.parse("2026-11-26T12:00:00Z");
  it.each([
    ["2026-11-26T03:00:00Z", "ok"],
    ["2026-11-24T03:00:00Z", "note"],
    ["2026-11-10T03:00:00Z", "wrong"],
    ["nonsense", "wrong"],
  ])("of %s: %s", (at, state) => {
    const place = mkdtempSync(join(folder, "state-"));
    noteBackup(place, { at, where: "/backup" });
    expect(checkBackup(place, now)).toMatchObject({ state, said: expect.stringContaining("/backup") });
  });

  it("of a continuous backup is late after three intervals, and its error is told", () => {
    const place = mkdtempSync(join(folder, "state-"));
    const last = (at: string, error?: string) => {
      noteBackup(place, { at, where: "/backup", everyMs: 60_000, ...(error && { error }) });
      return checkBackup(place, now);
    };
    expect(last("2026-11-26T11:57:00Z").state).toBe("ok");
    expect(last("2026-11-26T11:56:59Z").state).toBe("wrong");
    expect(last("2026-11-26T11:59:00Z", "The disk of /backup is full.")).toMatchObject({
      state: "wrong",
      said: expect.stringContaining("The disk of /backup is full."),
    });
    noteBackup(place, { where: "/backup", everyMs: 60_000, error: "The disk of /backup is full." });
    expect(checkBackup(place, now)).toMatchObject({ state: "wrong", said: expect.stringMatching(/there is none in/) });
  });

  it("is not known", () => {
    expect(checkBackup(join(folder, "none"), now)).toMatchObject({
      state: "note",
      todo: expect.stringMatching(/backup/),
    });
  });
});

describe("a certificate", () => {
  const now = Date.parse("2026-11-26T12:00:00Z");
  const DAY = 86_400_000;
  it.each([
    [{ validTo: now + 60 * DAY, issuer: "R3" }, "ok", /valid for 60 more days/],
    [{ validTo: now + 3 * DAY, issuer: "R3" }, "note", /valid for 3 more days/],
    [{ validTo: now - 3 * DAY, issuer: "R3" }, "wrong", /expired 2 days ago|expired 3 days ago/],
    [{ validTo: now + 60 * DAY, issuer: "R3", error: "self-signed certificate" }, "wrong", /self-signed/],
  ])("%j: %s", (certificate, state, said) => {
    expect(judgeCertificate("maps.example.com", certificate, now)).toMatchObject({
      state,
      said: expect.stringMatching(said),
    });
  });
});

it("a port is free, or another program's", async () => {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  expect(await checkPort(port)).toMatchObject({ state: "wrong", said: expect.stringMatching(/another program/) });
  await new Promise((closed) => server.close(closed));
  expect(await checkPort(port)).toMatchObject({ state: "wrong", said: expect.stringMatching(/nothing listens/) });
});

it("objects of each layer are sampled: one damaged layer among many intact objects is found", async () => {
  const bucket = openLocalBucket(mkdtempSync(join(folder, "state-")), "bucket");
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const id = "a".repeat(16);
  const keys = [...Array.from({ length: 200 }, (_, i) => `addresses/${i}`), "roads/0", "roads/1"];
  const list = Object.fromEntries(keys.map((key) => [key, [key.length, sha256(key)]]));
  const objects = JSON.stringify(list);
  for (const key of keys) await bucket.put(buildKey(id, key), Buffer.from(key));
  await bucket.put(buildKey(id, "objects.json"), Buffer.from(objects));
  await bucket.put(buildKey(id, "manifest.json"), Buffer.from(JSON.stringify({ objectsSha256: sha256(objects) })));
  await bucket.put(LIVE_KEY, Buffer.from(JSON.stringify({ version: 1, builds: [{ name: "town", id }] })));
  expect(await checkObjects(bucket)).toMatchObject({ state: "ok", said: "5 sampled objects of 1 builds are intact" });
  for (const key of ["roads/0", "roads/1"]) await bucket.put(buildKey(id, key), Buffer.from("roads/x"));
  expect(await checkObjects(bucket)).toMatchObject({
    state: "wrong",
    said: expect.stringMatching(/^2 of 5 sampled objects of town .*roads/),
    todo: expect.stringContaining(id),
  });
  await bucket.delete([buildKey(id, "roads/0"), buildKey(id, "roads/1")]);
  expect(await checkObjects(bucket)).toMatchObject({ state: "wrong" });
  bucket.close();
});
