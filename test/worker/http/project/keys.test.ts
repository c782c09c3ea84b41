import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "../../../../src/core/auth/key.ts";
import { call, eventually, get, makeWorld, post, sql } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

const CONTEXT = "/v1/context?coordinates=40.7,-74";
const MONTH = new Date().toISOString().slice(0, 7);

/** What takes as long as a machine believes in a key begins with the file and is waited for at its end. */
const slow: Promise<unknown>[] = [];
function sinceTheBeginning<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T>;
  beforeAll(() => {
    started = work();
    slow.push(started.catch(() => undefined));
  });
  return () => started;
}
afterAll(() => Promise.all(slow));

/** Asks until the status comes; how long it took [ms]. */
async function timeUntil(status: number, ask: () => Promise<{ status: number }>): Promise<number> {
  const start = Date.now();
  const last = await eventually(ask, (answer) => answer.status === status, 12_000);
  return last.status === status ? Date.now() - start : Number.POSITIVE_INFINITY;
}

const revoked = sinceTheBeginning(async () => {
  const { keys } = await openWorld();
  await Promise.all([get(CONTEXT, keys.testPublishable), get(CONTEXT, keys.livePublishable)]);
  await sql("UPDATE api_key SET revoked_at = 1 WHERE hash = ?", await hashKey(keys.testPublishable));
  const time = await timeUntil(401, () => get(CONTEXT, keys.testPublishable));
  return { time, other: await get(CONTEXT, keys.livePublishable) };
});

const disabled = sinceTheBeginning(async () => {
  const { id, keys } = await openWorld();
  await get(CONTEXT, keys.testPublishable);
  await sql("UPDATE project SET disabled = 1 WHERE id = ?", id);
  const time = await timeUntil(402, () => get(CONTEXT, keys.testPublishable));
  return { time, live: await get(CONTEXT, keys.livePublishable) };
});

const usedUp = sinceTheBeginning(async () => {
  const { keys } = await makeWorld({ quota: 3, settings: { rateLimits: { context: 1000 } } });
  const first = [];
  for (let i = 0; i < 3; i++) first.push((await get(CONTEXT, keys.testPublishable)).status);
  return { first, time: await timeUntil(402, () => get(CONTEXT, keys.testPublishable)) };
});

describe("the four keys of a project", () => {
  it.each([
    ["testPublishable", false, false],
    ["testSecret", false, true],
    ["livePublishable", true, false],
    ["liveSecret", true, true],
  ] as const)("%s: live %s, secret %s", async (name, live, secret) => {
    const { keys } = await openWorld();
    const key = keys[name];
    const tracked = await post("/v1/track", key, { deviceId: "d", latitude: 1, longitude: 1, accuracy: 1 });
    expect([tracked.status, tracked.body.user.live]).toEqual([200, live]);
    const list = await get("/v1/geofences", key);
    expect(list.status).toBe(secret ? 200 : 403);
    if (!secret) expect(list.body).toEqual({ meta: { code: 403, message: expect.stringContaining("secret key") } });
    const body = { description: "c", type: "circle", coordinates: [1, 1], radius: 50 };
    const made = await post("/v1/geofences", key, body);
    expect([made.status, made.body.geofence?.live]).toEqual(secret ? [200, live] : [403, undefined]);
  });

  it("come bare, behind Bearer in any case, or as publishableKey in the query; the header counts first", async () => {
    const { testPublishable: key } = (await openWorld()).keys;
    const other = (await openWorld()).keys.testPublishable;
    for (const authorization of [key, `Bearer ${key}`, `bearer ${key}`, ` ${key} `]) {
      const { status } = await call("GET", CONTEXT, { headers: { authorization } });
      expect([authorization.replace(key, "…"), status]).toEqual([authorization.replace(key, "…"), 200]);
    }
    expect((await get(`${CONTEXT}&publishableKey=${key}`)).status).toBe(200);
    expect((await get(`${CONTEXT}&publishableKey=${key}`, other)).status).toBe(200);
    expect((await get(`${CONTEXT}&publishableKey=${key}`, "nonsense")).status).toBe(401);
  });

  it("that is secret is refused in a URL, with the reason and without repeating it", async () => {
    const { keys } = await openWorld();
    for (const name of ["publishableKey", "key", "secretKey"]) {
      for (const header of [undefined, keys.testSecret]) {
        const { status, body } = await get(`${CONTEXT}&${name}=${keys.testSecret}`, header);
        expect([name, status]).toEqual([name, 401]);
        expect(body.meta.message).toContain("Don't put a secret key in a URL");
        expect(JSON.stringify(body)).not.toContain(keys.testSecret);
      }
    }
    const written = keys.testSecret.replaceAll("_", "%5F");
    expect((await get(`${CONTEXT}&publishableKey=${written}`)).body.meta.message).toContain(
      "Don't put a secret key in a URL",
    );
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    "prj_test_pk_",
    `prj_test_pk_${"z".repeat(40)}`,
    `PRJ_TEST_PK_${"0".repeat(40)}`,
    "' OR 1=1 --",
    `Basic ${Buffer.from("a:b").toString("base64")}`,
  ])("are not %j", async (authorization) => {
    const { status, body } = await call("GET", CONTEXT, { headers: { authorization } });
    expect([status, body.meta.code]).toEqual([401, 401]);
  });

  it("are not what brackets make of a query", async () => {
    const { testPublishable: key } = (await openWorld()).keys;
    expect((await get(`${CONTEXT}&publishableKey[]=${key}`)).status).toBe(401);
    expect((await get(`${CONTEXT}&publishableKey[toString]=${key}`)).status).toBe(401);
  });

  it("are nowhere in the database", async () => {
    const { id, keys } = await makeWorld();
    const rows = JSON.stringify(await sql("SELECT * FROM api_key WHERE project = ?", id));
    for (const key of Object.values(keys)) {
      expect(rows).not.toContain(key.slice(12));
      expect(rows).toContain(await hashKey(key));
    }
  });
});

describe("payment", () => {
  it("is required of a disabled project, by every key, and of no other project", async () => {
    const off = await makeWorld({ disabled: true });
    for (const key of Object.values(off.keys)) {
      const { status, body } = await get(CONTEXT, key);
      expect([status, body]).toEqual([402, { meta: { code: 402, message: expect.stringContaining("disabled") } }]);
    }
    expect((await get(CONTEXT, (await openWorld()).keys.testPublishable)).status).toBe(200);
  });

  it("is required when the month's quota is used up, test and live together, and of no other project", async () => {
    const world = await makeWorld({ quota: 10 });
    const other = await makeWorld({ quota: 10 });
    const use = (project: number, month: string, live: number, calls: number) =>
      sql(
        "INSERT INTO usage (project, month, live, endpoint, calls) VALUES (?, ?, ?, 'context', ?)",
        project,
        month,
        live,
        calls,
      );
    await use(world.id, MONTH, 0, 4);
    await use(world.id, MONTH, 1, 6);
    await use(other.id, MONTH, 0, 9);
    await use(other.id, "2001-01", 0, 1000);
    for (const key of Object.values(world.keys)) {
      const { status, body } = await get(CONTEXT, key);
      expect([status, body]).toEqual([402, { meta: { code: 402, message: expect.stringContaining("quota") } }]);
    }
    expect((await get(CONTEXT, other.keys.testPublishable)).status).toBe(200);
  });
});

describe("allowed origins", () => {
  it("keep other pages away from publishable keys, but not apps and servers", async () => {
    const { keys } = await openWorld({ allowedOrigins: ["https://shop.example", "https://www.shop.example"] });
    const from = async (key: string, origin?: string) =>
      (await call("GET", CONTEXT, { key, headers: origin ? { origin } : {} })).status;
    expect(await from(keys.testPublishable, "https://shop.example")).toBe(200);
    expect(await from(keys.livePublishable, "https://www.shop.example")).toBe(200);
    for (const origin of ["https://thief.example", "http://shop.example", "https://shop.example.evil", "null"]) {
      expect([origin, await from(keys.testPublishable, origin)]).toEqual([origin, 403]);
    }
    expect(await from(keys.testPublishable)).toBe(200);
    expect(await from(keys.testSecret, "https://thief.example")).toBe(200);
  });

  it("are all when none is named", async () => {
    const { keys } = await openWorld({ allowedOrigins: [] });
    const headers = { origin: "https://any.example" };
    expect((await call("GET", CONTEXT, { key: keys.testPublishable, headers })).status).toBe(200);
  });
});

describe("rate limits", () => {
  /** How many of ten calls at once come through. */
  const passed = async (key: string, path = CONTEXT) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(path, key)));
    return answers.filter(({ status }) => status === 200).length;
  };

  it("are the project's own where it has some, per endpoint, and test and live count apart", async () => {
    const { keys } = await makeWorld({ settings: { rateLimits: { context: 3 } } });
    expect(await passed(keys.testPublishable)).toBeGreaterThanOrEqual(3);
    expect(await passed(keys.testPublishable)).toBeLessThanOrEqual(3);
    expect(await passed(keys.livePublishable)).toBeGreaterThanOrEqual(3);
    expect(await passed(keys.testPublishable, "/v1/config")).toBeGreaterThanOrEqual(9);
  });

  it("are the same budget for both levels of key, and another one for every project", async () => {
    const limits = { settings: { rateLimits: { context: 2 } } };
    const [{ keys }, other] = [await makeWorld(limits), await makeWorld(limits)];
    await passed(keys.testPublishable);
    const { status, headers } = await get(CONTEXT, keys.testSecret);
    expect([status, headers.get("x-ratelimit-limit")]).toEqual([429, "2"]);
    expect((await get(CONTEXT, other.keys.testPublishable)).status).toBe(200);
  });

  it("can be raised", async () => {
    const { keys } = await makeWorld({ settings: { rateLimits: { context: 1000 } } });
    expect((await passed(keys.testPublishable)) + (await passed(keys.testPublishable))).toBe(20);
  });
});

describe("within ten seconds everywhere", () => {
  it("a revoked key is refused, and the others are not", async () => {
    const { time, other } = await revoked();
    expect(time).toBeLessThan(10_000);
    expect(other.status).toBe(200);
  });

  it("a project that is disabled while it is in use answers 402 to all its keys", async () => {
    const { time, live } = await disabled();
    expect(time).toBeLessThan(10_000);
    expect(live.status).toBe(402);
  });

  it("a project that has used up its quota answers 402", async () => {
    const { first, time } = await usedUp();
    expect(first).toEqual([200, 200, 200]);
    // Counts are written every two seconds, and then the key's look-up has to grow old.
    expect(time).toBeLessThan(12_000);
  });
});
