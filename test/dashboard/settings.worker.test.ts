import { beforeEach, describe, expect, it } from "vitest";
import { as, makeMember, type Signed } from "../support/members.ts";
import { eventually, get, makeWorld, post, sleep, sql, type World } from "../support/world.ts";

let world: World;
let owner: Signed;
let admin: Signed;
beforeEach(async () => {
  world = await makeWorld();
  owner = await makeMember({ [world.id]: "owner" });
  admin = await makeMember({ [world.id]: "admin" });
});

interface Key {
  kind: string;
  hint: string;
  lastUsedAt?: string;
}

describe("the keys", () => {
  const keys = async (): Promise<Key[]> => (await as(owner, world.id)("GET", "/dashboard/api/keys")).body.keys;

  it("are shown by their last four characters, and the moment they were last used, to the minute", async () => {
    const began = Date.now();
    expect((await keys()).map(({ kind, hint }) => [kind, hint])).toEqual([
      ["test_publishable", world.keys.testPublishable.slice(-4)],
      ["test_secret", world.keys.testSecret.slice(-4)],
      ["live_publishable", world.keys.livePublishable.slice(-4)],
      ["live_secret", world.keys.liveSecret.slice(-4)],
    ]);
    await get("/v1/config", world.keys.livePublishable);
    const used = await eventually(keys, (list) => list.some(({ lastUsedAt }) => lastUsedAt));
    expect(used.map(({ lastUsedAt }) => lastUsedAt !== undefined)).toEqual([false, false, true, false]);
    expect(Date.parse(String(used[2].lastUsedAt))).toBeGreaterThanOrEqual(began - 1000);
    // Used again within the minute: no further write.
    await get("/v1/config", world.keys.livePublishable);
    await sleep(2500);
    expect((await keys())[2].lastUsedAt).toBe(used[2].lastUsedAt);
  });

  it("are rotated: the new one is shown once and works, the old one of that kind alone ends", async () => {
    const { testSecret, liveSecret } = world.keys;
    expect((await get("/v1/users", testSecret)).status).toBe(200);
    const { status, body } = await as(admin, world.id)("POST", "/dashboard/api/keys/test_secret/rotate");
    expect([status, body.key]).toEqual([200, expect.stringMatching(/^prj_test_sk_[0-9a-f]{40}$/)]);
    expect((await get("/v1/users", testSecret)).status).toBe(401);
    expect((await get("/v1/users", liveSecret)).status).toBe(200);
    expect((await get("/v1/users", body.key)).status).toBe(200);
    expect((await keys()).map(({ hint }) => hint)).toContain(body.key.slice(-4));
    expect(await keys()).toHaveLength(4);
    expect(JSON.stringify(await sql("SELECT * FROM api_key WHERE project = ?", world.id))).not.toContain(body.key);
    expect((await as(admin, world.id)("POST", "/dashboard/api/keys/constructor/rotate")).status).toBe(404);
  });
});

describe("the project", () => {
  it("shows its name, quota, the month's usage and the limit of every endpoint", async () => {
    await get("/v1/config", world.keys.testPublishable);
    const { body } = await eventually(
      () => as(owner, world.id)("GET", "/dashboard/api/project"),
      (answer) => answer.body.project.usage.calls > 0,
    );
    expect(body.project).toMatchObject({ _id: String(world.id), name: "test", disabled: false });
    expect(body.project.usage).toEqual({
      month: new Date().toISOString().slice(0, 7),
      calls: 1,
      endpoints: [{ endpoint: "config", live: false, calls: 1 }],
    });
    expect(body.project.limits).toContainEqual({ endpoint: "searchUsers", usual: 100 });
    expect(body.project.monthlyQuota).toBeUndefined();
  });

  it("keeps its jurisdiction, which only an operator's move changes", async () => {
    const { status, body } = await as(owner, world.id)("PATCH", "/dashboard/api/project", { jurisdiction: "us" });
    expect([status, body.meta.param, body.meta.message]).toEqual([
      ...[400, "jurisdiction", expect.stringContaining("project -- move")],
    ]);
    const shown = async () => (await as(owner, world.id)("GET", "/dashboard/api/project")).body.project.jurisdiction;
    expect(await shown()).toBeUndefined();
    await sql(`UPDATE project SET "database" = 'DB_EU' WHERE id = ?`, world.id);
    expect(await shown()).toBe("eu");
    await sql(`UPDATE project SET "database" = 'DB' WHERE id = ?`, world.id);
  });

  it("is renamed by admins; quota, limits and being disabled are for owners", async () => {
    const rename = await as(admin, world.id)("PATCH", "/dashboard/api/project", { name: "  Vans of Ålesund " });
    expect(rename.body.project.name).toBe("Vans of Ålesund");
    for (const json of [{ disabled: true }, { monthlyQuota: 5 }, { rateLimits: { track: 9 } }])
      expect((await as(admin, world.id)("PATCH", "/dashboard/api/project", json)).status).toBe(403);
    const mine = as(owner, world.id);
    const set = await mine("PATCH", "/dashboard/api/project", {
      monthlyQuota: 500,
      rateLimits: { searchUsers: 3, track: 7 },
    });
    expect(set.body.project.monthlyQuota).toBe(500);
    expect(set.body.project.limits).toContainEqual({ endpoint: "searchUsers", usual: 100, own: 3 });
    const back = await mine("PATCH", "/dashboard/api/project", { monthlyQuota: 0, rateLimits: { searchUsers: 0 } });
    expect(back.body.project.monthlyQuota).toBeUndefined();
    expect(back.body.project.limits).toContainEqual({ endpoint: "searchUsers", usual: 100 });
    expect(back.body.project.limits).toContainEqual({ endpoint: "track", usual: 1, own: 7 });
    for (const json of [
      { rateLimits: { nonsense: 5 } },
      { rateLimits: { track: -1 } },
      { monthlyQuota: "many" },
      { name: "" },
    ])
      expect((await mine("PATCH", "/dashboard/api/project", json)).status).toBe(400);
  });

  it("that is disabled answers 402 to keys and pages alike, and is enabled again from the dashboard", async () => {
    const mine = as(owner, world.id);
    expect((await mine("GET", "/v1/users")).status).toBe(200);
    expect((await mine("PATCH", "/dashboard/api/project", { disabled: true })).status).toBe(200);
    expect((await mine("GET", "/v1/users")).status).toBe(402);
    expect((await get("/v1/users", world.keys.testSecret)).status).toBe(402);
    expect((await mine("PATCH", "/dashboard/api/project", { disabled: false })).status).toBe(200);
    expect((await mine("GET", "/v1/users")).status).toBe(200);
  });

  it("over its quota refuses keys, while its members still see what there is", async () => {
    await sql(
      "INSERT INTO usage (project, month, live, endpoint, calls) VALUES (?, ?, 0, 'track', 10)",
      world.id,
      new Date().toISOString().slice(0, 7),
    );
    await as(owner, world.id)("PATCH", "/dashboard/api/project", { monthlyQuota: 10 });
    expect((await get("/v1/users", world.keys.testSecret)).status).toBe(402);
    expect((await as(owner, world.id)("GET", "/v1/users")).status).toBe(200);
  });
});

describe("the audit log", () => {
  const entries = async (query = "") =>
    (await as(admin, world.id)("GET", `/dashboard/api/audit${query}`)).body.entries as Record<string, unknown>[];

  it("has a line for each change made with a session: who, when, where, what with before and after; never a secret", async () => {
    const fence = { description: "Depot", type: "circle", coordinates: [1, 2], radius: 100 };
    const changes: [
      method: string,
      path: string,
      json: unknown,
      action: string,
      target: string,
      live: boolean | undefined,
      summary: RegExp,
    ][] = [
      [
        "PUT",
        "/v1/geofences/depot/one",
        fence,
        "upsertGeofence",
        "Depot (depot/one)",
        false,
        /description, type, coordinates, radius/,
      ],
      [
        "PUT",
        "/v1/geofences/depot/one",
        { ...fence, radius: 250, metadata: { floor: 2 } },
        "upsertGeofence",
        "Depot (depot/one)",
        false,
        /: (?=.*geometryRadius 100 → 250)(?=.*metadata none → \{"floor":2\})/,
      ],
      ["DELETE", "/v1/geofences/depot/one", undefined, "deleteGeofence", "Depot (depot/one)", false, /Deletes/],
      [
        "PATCH",
        "/v1/settings",
        { tokens: { keys: { k: { alg: "HS256", secret: "very very very very very very secret" } } } },
        "patchSettings",
        "",
        false,
        /tokens/,
      ],
      [
        "POST",
        "/v1/webhooks",
        { url: "https://hooks.example.com/?token=secret" },
        "createWebhook",
        expect.any(String),
        false,
        /url/,
      ],
      [
        "POST",
        "/dashboard/api/keys/live_secret/rotate",
        undefined,
        "rotateKey",
        "live_secret",
        undefined,
        /Rotated; the new key ends with [0-9a-f]{4}/,
      ],
      ["PATCH", "/dashboard/api/project", { name: "Vans" }, "changeProject", "", undefined, /^name: Vans$/],
      [
        "POST",
        "/dashboard/api/members",
        { email: "new@example.com", role: "read" },
        "addMember",
        "new@example.com",
        undefined,
        /role read/,
      ],
      [
        "PATCH",
        `/dashboard/api/members/${admin.id}`,
        { role: "owner" },
        "changeMember",
        admin.email,
        undefined,
        /^Role admin → owner$/,
      ],
      [
        "POST",
        `/dashboard/api/members/${admin.id}/link`,
        undefined,
        "createMemberLink",
        admin.email,
        undefined,
        /link/,
      ],
      [
        "PATCH",
        `/dashboard/api/members/${admin.id}`,
        { role: "admin" },
        "changeMember",
        admin.email,
        undefined,
        /^Role owner → admin$/,
      ],
    ];
    for (const [method, path, json] of changes)
      expect([path, (await as(owner, world.id)(method, path, json)).status]).toEqual([path, 200]);
    const seen = (await entries()).reverse();
    expect(seen.map(({ action, target, live }) => [action, target, live])).toEqual(
      changes.map(([, , , action, target, live]) => [action, target, live]),
    );
    for (const [i, change] of changes.entries()) {
      expect(seen[i].summary).toMatch(change[6]);
      expect(seen[i].member).toEqual({ _id: owner.id, email: owner.email });
    }
    expect(JSON.stringify(seen)).not.toMatch(/very secret|token=secret/i);
  });

  it("has none for what was refused, for looking, for what an app does with a key, nor for each update of the simulator", async () => {
    const reader = await makeMember({ [world.id]: "read" });
    await as(reader, world.id)("PATCH", "/v1/settings", { nearbyChains: [] });
    await as(owner, world.id)("PATCH", "/v1/settings", { nearbyChains: "x" });
    await as(owner, world.id)("GET", "/v1/users");
    await as(owner, world.id)("DELETE", "/v1/users/nobody");
    await as(owner, world.id)("POST", "/v1/track", { deviceId: "d", latitude: 1, longitude: 2, accuracy: 5 });
    await as(owner, world.id)("POST", "/v1/route/match", { path: [] });
    await post("/v1/webhooks", world.keys.testSecret, { url: "https://hooks.example.com/x" });
    expect(await entries()).toEqual([]);
  });

  it("is paged by time, and goes out whole as CSV in which nothing is a formula", async () => {
    for (let i = 0; i < 5; i++)
      await sql(
        "INSERT INTO audit_entry VALUES (?, ?, ?, 'm', 'm@example.com', 1, 'a', ?, ?)",
        world.id,
        `e${i}`,
        1000 + i,
        '=HYPERLINK("x")',
        "two, and more",
      );
    const first = await entries("?limit=2");
    expect(first.map(({ createdAt }) => createdAt)).toEqual(["1970-01-01T00:00:01.004Z", "1970-01-01T00:00:01.003Z"]);
    expect(await entries(`?limit=1000&createdBefore=${first[1].createdAt}`)).toHaveLength(3);
    const { headers, body } = await as(admin, world.id)("GET", "/dashboard/api/audit?format=csv&limit=1");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toContain("attachment");
    const lines = String(body).trimEnd().split("\r\n");
    expect(lines).toHaveLength(6);
    expect(lines[1]).toBe(`1970-01-01T00:00:01.004Z,m@example.com,live,a,"'=HYPERLINK(""x"")","two, and more"`);
  });

  it("keeps to its project", async () => {
    const other = await makeWorld();
    await sql("INSERT INTO audit_entry VALUES (?, 'x', 1, 'm', 'm@example.com', 1, 'foreign', '', '')", other.id);
    expect(await entries()).toEqual([]);
  });
});
