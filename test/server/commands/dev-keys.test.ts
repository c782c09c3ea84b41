import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashKey } from "../../../src/core/auth/key.ts";
import { type Database, query } from "../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { readDevKeys, replaceDevKey, settleDevKeys, writeDevKeys } from "../../../src/server/project/dev-keys.ts";
import { listProjects, revokeKeys, rotateKey } from "../../../src/server/project/projects.ts";
import { scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const baseUrl = "http://127.0.0.1:8787";
let worlds = 0;

async function firstStart() {
  const database = openLocalDatabase(join(scratch, `state-${worlds++}`));
  const { keys, notes } = await settleDevKeys(database, undefined);
  expect(notes).toEqual([]);
  return { database, keys };
}

async function opens(database: Database, key: string): Promise<boolean> {
  const sql = "SELECT 1 FROM api_key WHERE hash = ? AND revoked_at IS NULL";
  return (await query(database, sql, await hashKey(key))).length === 1;
}

describe("the local project's keys", () => {
  it("are the same at every start, for one project", async () => {
    const { database, keys } = await firstStart();
    expect(await settleDevKeys(database, keys)).toEqual({ keys, notes: [] });
    expect((await listProjects(database)).map((project) => project.name)).toEqual(["local"]);
  });

  it("survive the loss of the state: the keys in the file open the new one", async () => {
    const { keys } = await firstStart();
    const fresh = openLocalDatabase(join(scratch, "fresh"));
    expect(await settleDevKeys(fresh, keys)).toEqual({ keys, notes: [] });
    for (const key of Object.values(keys)) expect(await opens(fresh, key)).toBe(true);
  });

  it("are new when the file is lost, for the same project, and it is said", async () => {
    const { database, keys } = await firstStart();
    const again = await settleDevKeys(database, undefined);
    expect(again.notes).toEqual([expect.stringContaining("was missing")]);
    expect(again.keys.testSecret).not.toBe(keys.testSecret);
    expect(await opens(database, again.keys.testSecret)).toBe(true);
    expect(await opens(database, keys.testSecret)).toBe(true);
    expect(await listProjects(database)).toHaveLength(1);
  });

  it("are replaced where they were revoked, and only there", async () => {
    const { database, keys } = await firstStart();
    await revokeKeys(database, 1, "testSecret");
    const again = await settleDevKeys(database, keys);
    expect(again.notes).toEqual([expect.stringContaining("testSecret")]);
    expect(again.keys).toEqual({ ...keys, testSecret: again.keys.testSecret });
    expect(await opens(database, keys.testSecret)).toBe(false);
    expect(await opens(database, again.keys.testSecret)).toBe(true);
  });
});

describe("the file with the keys", () => {
  it("is for its owner's eyes, also where an older one was not", () => {
    const path = join(scratch, "keys.json");
    writeFileSync(path, "{}", { mode: 0o644 });
    writeDevKeys(path, { baseUrl, testPublishable: "a", testSecret: "b", livePublishable: "c", liveSecret: "d" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    rmSync(path);
    expect(readDevKeys(path)).toBeUndefined();
  });

  it("that was damaged is named with what to do", () => {
    const path = join(scratch, "damaged.json");
    writeFileSync(path, '{"baseUrl": ');
    expect(() => readDevKeys(path)).toThrow("Delete it");
  });

  it("follows a rotation of the key it holds, and no other", async () => {
    const { database, keys } = await firstStart();
    const path = join(scratch, "followed.json");
    writeDevKeys(path, { baseUrl, ...keys });
    const { key, revoked } = await rotateKey(database, 1, "liveSecret");
    expect(await replaceDevKey(path, "liveSecret", revoked, key)).toBe(true);
    expect(readDevKeys(path)).toEqual({ baseUrl, ...keys, liveSecret: key });
    expect(await replaceDevKey(path, "testSecret", revoked, "other")).toBe(false);
  });
});
