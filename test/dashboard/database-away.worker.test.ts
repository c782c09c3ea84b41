import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashKey } from "../../src/core/auth/key.ts";
import { databaseConfig } from "../../src/server/base/wrangler.ts";
import { query } from "../../src/server/data/database.ts";
import { localDatabasePath } from "../../src/server/data/local-database.ts";
import { addMember } from "../../src/server/project/members.ts";
import { type PlatformWorker, startPlatform } from "../bench/worker.ts";
import { newToken } from "../support/members.ts";

/** A Worker of its own, whose database another process can lock. */
const token = newToken();
let platform: PlatformWorker;
let database: DatabaseSync;
beforeAll(async () => {
  platform = await startPlatform({
    async prepare(local, project) {
      await addMember(local, project, "ann@example.com", "owner");
      await query(local, "INSERT INTO session SELECT ?, id, NULL, 0, 9000000000000 FROM member", await hashKey(token));
    },
  });
  database = new DatabaseSync(localDatabasePath(platform.state, databaseConfig().id), { timeout: 5000 });
});
afterAll(async () => {
  database.close();
  await platform.stop();
});

async function ask(method: string, path: string, cookie = `graticule=${token}`) {
  const response = await fetch(platform.url + path, {
    method,
    headers: {
      cookie,
      "sec-fetch-site": "same-origin",
      "x-graticule-project": String(platform.projectId),
      "x-graticule-environment": "live",
    },
  });
  return { status: response.status, wait: response.headers.get("retry-after"), body: await response.json() };
}

it("while the database is locked, whoever comes with a session is told to come again, and is signed in as before afterwards", async () => {
  database.exec("BEGIN IMMEDIATE");
  for (const [method, path] of [
    ["GET", "/dashboard/api/session"],
    ["GET", "/v1/users"],
    ["POST", "/dashboard/api/keys/live_secret/rotate"],
  ] as const) {
    const { status, wait, body } = await ask(method, path);
    expect([path, status, wait, body.meta.message]).toEqual([path, 503, "2", expect.stringContaining("database")]);
  }
  database.exec("ROLLBACK");
  for (const path of ["/dashboard/api/session", "/v1/users"]) expect((await ask("GET", path)).status).toBe(200);
  expect(database.prepare("SELECT count(*) AS keys FROM api_key WHERE revoked_at IS NOT NULL").get()).toEqual({
    keys: 0,
  });
});

it("a change that is refused by the locked database stands in no audit log", async () => {
  database.exec("BEGIN IMMEDIATE");
  expect((await ask("POST", "/dashboard/api/keys/live_secret/rotate")).status).toBe(503);
  database.exec("ROLLBACK");
  expect((await ask("GET", "/dashboard/api/audit")).body.entries).toEqual([]);
  expect((await ask("POST", "/dashboard/api/keys/live_secret/rotate")).status).toBe(200);
  expect((await ask("GET", "/dashboard/api/audit")).body.entries).toHaveLength(1);
});
