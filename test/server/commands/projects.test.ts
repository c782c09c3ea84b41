import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "../../../src/core/auth/key.ts";
import { type Database, query } from "../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import {
  createProject,
  KEY_NAMES,
  listProjects,
  projectKeys,
  revokeKeys,
  rotateKey,
  setDisabled,
  setQuota,
} from "../../../src/server/project/projects.ts";
import { scratchFolder } from "./scratch.ts";

const state = scratchFolder();
let database: Database;
beforeAll(() => {
  database = openLocalDatabase(join(state, "state"));
});
afterAll(() => database.close());

const activeKinds = async (project: number) =>
  (await projectKeys(database, project)).filter((key) => key.revokedAt === null).map((key) => key.kind);

describe("a project", () => {
  it("has four keys, of which the database holds only hashes and last characters", async () => {
    const { id, keys } = await createProject(database, "Four keys");
    expect(Object.keys(keys)).toEqual(KEY_NAMES);
    expect(keys.livePublishable).toMatch(/^prj_live_pk_[0-9a-f]{40}$/);
    expect(keys.testSecret).toMatch(/^prj_test_sk_[0-9a-f]{40}$/);

    const rows = await query(database, "SELECT * FROM api_key WHERE project = ? ORDER BY live, secret", id);
    expect(rows).toMatchObject([
      { live: 0, secret: 0, hash: await hashKey(keys.testPublishable), hint: keys.testPublishable.slice(-4) },
      { live: 0, secret: 1, hash: await hashKey(keys.testSecret) },
      { live: 1, secret: 0, hash: await hashKey(keys.livePublishable) },
      { live: 1, secret: 1, hash: await hashKey(keys.liveSecret) },
    ]);
    const everything = JSON.stringify(rows);
    for (const key of Object.values(keys)) expect(everything).not.toContain(key.slice(12));
  });

  it("may have any name", async () => {
    const name = `O'Brien's "maps"; DROP TABLE project; -- ?`;
    const { id } = await createProject(database, name);
    expect((await listProjects(database)).find((project) => project.id === id)?.name).toBe(name);
  });

  it("is disabled and enabled, and given a quota and freed of it", async () => {
    const { id } = await createProject(database, "Switched");
    const seen = async () => (await listProjects(database)).find((project) => project.id === id);
    await setDisabled(database, id, true);
    await setQuota(database, id, 1000);
    expect(await seen()).toMatchObject({ disabled: true, monthlyQuota: 1000 });
    await setDisabled(database, id, false);
    await setQuota(database, id, null);
    expect(await seen()).toMatchObject({ disabled: false, monthlyQuota: null });
  });

  it("shows what it used this month over both environments, and not what it used before", async () => {
    const { id } = await createProject(database, "Busy");
    const used = (month: string, live: number, calls: number) =>
      query(
        database,
        "INSERT INTO usage (project, month, live, endpoint, calls) VALUES (?, ?, ?, 'track', ?)",
        id,
        month,
        live,
        calls,
      );
    await used("2026-10", 0, 500);
    await used("2026-11", 0, 3);
    await used("2026-11", 1, 4);
    const list = await listProjects(database, Date.parse("2026-11-30T23:59:59Z"));
    expect(list.find((project) => project.id === id)?.callsThisMonth).toBe(7);
  });

  it("that does not exist is told so, and nothing is written", async () => {
    await expect(rotateKey(database, 999, "testSecret")).rejects.toThrow("No project 999");
    await expect(setQuota(database, 999, 1)).rejects.toThrow("No project 999");
    expect(await query(database, "SELECT 1 FROM api_key WHERE project = 999")).toEqual([]);
  });
});

describe("a key", () => {
  it("that is rotated is revoked in the step that makes its successor; the other kinds stay", async () => {
    const { id, keys } = await createProject(database, "Rotating");
    const { key, revoked } = await rotateKey(database, id, "liveSecret");
    expect(key).toMatch(/^prj_live_sk_/);
    expect(key).not.toBe(keys.liveSecret);
    expect(revoked).toEqual([await hashKey(keys.liveSecret)]);
    expect((await activeKinds(id)).sort()).toEqual([...KEY_NAMES].sort());
  });

  it("is revoked by its kind, its last four characters, or itself", async () => {
    const { id, keys } = await createProject(database, "Revoking");
    await revokeKeys(database, id, "testSecret");
    await revokeKeys(database, id, keys.liveSecret.slice(-4));
    await revokeKeys(database, id, keys.livePublishable);
    expect(await activeKinds(id)).toEqual(["testPublishable"]);
    await expect(revokeKeys(database, id, "testSecret")).rejects.toThrow("no active key");
  });

  it("of one project is not revoked through another", async () => {
    const mine = await createProject(database, "Mine");
    const yours = await createProject(database, "Yours");
    await expect(revokeKeys(database, mine.id, yours.keys.testSecret)).rejects.toThrow("no active key");
    expect(await activeKinds(yours.id)).toHaveLength(4);
  });
});
