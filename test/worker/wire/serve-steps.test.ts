import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { hashKey } from "../../../src/core/auth/key.ts";
import { mintSessionToken, TOKEN_BYTES } from "../../../src/core/auth/session.ts";
import { TooMuchWork } from "../../../src/core/geo/pace.ts";
import {
  type Endpoint,
  endpoint,
  MediaReply,
  type Reply,
  WrittenReply,
} from "../../../src/worker/http/serve/endpoint.ts";
import { preflight } from "../../../src/worker/http/serve/headers.ts";
import { serve } from "../../../src/worker/http/serve/serve.ts";
import { ApiError } from "../../../src/worker/platform/errors.ts";
import { number, text } from "../../../src/worker/wire/input/fields.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";

/* The steps of every request, with a database and a counter of this process in place of the platform's. */

const DIGITS = "0123456789abcdef0123456789abcdef01234567";
let projects = 0;
let database: DatabaseSync;
let lines: Record<string, unknown>[];
let granted: number;
let asked: string[];
let waited: Promise<unknown>[];

beforeEach(() => {
  database = newDatabase();
  lines = [];
  granted = 1000;
  asked = [];
  waited = [];
  const note = (line: string) => void lines.push(JSON.parse(line));
  vi.spyOn(console, "log").mockImplementation(note);
  vi.spyOn(console, "error").mockImplementation(note);
});
afterEach(() => vi.restoreAllMocks());

/** A project with its four keys; each has other keys, as those that are known are remembered. */
async function project({ settings = {}, disabled = 0, quota = null as number | null } = {}) {
  const id = ++projects + 100;
  database
    .prepare(
      "INSERT INTO project (id, name, disabled, monthly_quota, settings, created_at) VALUES (?, 'x', ?, ?, ?, 0)",
    )
    .run(id, disabled, quota, JSON.stringify(settings));
  const keys = { publishable: "", secret: "" };
  for (const [name, kind, secret] of [
    ["publishable", "pk", 0],
    ["secret", "sk", 1],
  ] as const) {
    keys[name] = `prj_live_${kind}_${id}${DIGITS.slice(3)}`;
    database
      .prepare("INSERT INTO api_key (hash, project, live, secret, hint, created_at) VALUES (?, ?, 1, ?, '', 0)")
      .run(await hashKey(keys[name]), id, secret);
  }
  return { id, ...keys };
}

async function member(id: number, role: string, { operator = false } = {}) {
  const name = `${++projects}`.padStart(24, "0");
  const token = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  database.prepare("INSERT INTO member VALUES (?, ?, 0)").run(name, `${name}@example.com`);
  database.prepare("INSERT INTO membership VALUES (?, ?, ?, 0)").run(id, name, role);
  database.prepare("INSERT INTO session VALUES (?, ?, NULL, 0, ?)").run(await hashKey(token), name, 9e12);
  if (operator) database.prepare("INSERT INTO operator VALUES (?, 0)").run(name);
  return { token, name };
}

interface Asked extends Omit<RequestInit, "cf"> {
  path?: string;
  key?: string;
  cf?: object;
  env?: object;
  params?: Record<string, string>;
}
async function ask(what: Endpoint, { path = "/v1/thing", key, cf, env = {}, params = {}, ...init }: Asked = {}) {
  const headers = new Headers(init.headers);
  if (key) headers.set("authorization", key);
  const request = Object.assign(new Request(`http://host${path}`, { ...init, method: what.method, headers }), { cf });
  const limiter = {
    idFromName: (name: string) => name,
    get: (name: string) => ({
      take: async (_rate: number, wanted: number) => {
        asked.push(name);
        return { granted: Math.min(granted, wanted), retryAfterMs: 700 };
      },
    }),
  };
  const all = { DB: d1On(database), RATE_LIMITER: limiter, ...env };
  const execution = { waitUntil: (work: Promise<unknown>) => void waited.push(work) };
  const context = { req: { raw: request, param: () => params }, env: all, executionCtx: execution };
  const response = await serve(what)(context as never);
  const body = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text: body,
    body: body.startsWith("{") ? JSON.parse(body) : body,
  };
}

const thing = (more: Partial<Endpoint> = {}) =>
  endpoint({
    name: "getThing",
    method: "GET",
    path: "/v1/thing",
    level: "publishable",
    chapter: "X",
    summary: "Does: x.",
    handle: async () => ({ thing: 1 }),
    ...(more as object),
  } as never) as unknown as Endpoint;
const replying = (reply: Reply, more: Partial<Endpoint> = {}) => thing({ handle: () => reply, ...more });

describe("a response", () => {
  it("has an envelope, and headers that let pages of any origin read it and no cache keep it", async () => {
    const { publishable } = await project();
    const { status, body, headers } = await ask(thing(), {
      key: publishable,
      headers: { "x-request-id": "trace-1234" },
    });
    expect([status, body]).toEqual([200, { meta: { code: 200 }, thing: 1 }]);
    expect(Object.fromEntries(headers)).toEqual({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": "trace-1234",
      "x-radar-request-id": "trace-1234",
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "x-request-id, x-radar-request-id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, x-graticule-left-out, x-graticule-attribution, x-graticule-rows, x-graticule-next, x-next-cursor, WWW-Authenticate",
    });
    expect(lines).toEqual([
      expect.objectContaining({ requestId: "trace-1234", method: "GET", route: "/v1/thing", status: 200, live: true }),
    ]);
  });

  it("for servers alone is not for pages", async () => {
    const { secret } = await project();
    const { headers } = await ask(thing({ level: "secret" }), { key: secret });
    expect([headers.get("access-control-allow-origin"), headers.get("x-request-id")?.length]).toEqual([null, 36]);
    expect((await ask(thing({ level: "open" }))).headers.get("access-control-allow-origin")).toBe("*");
  });

  it("may add to meta, be written already, be empty, or be complete", async () => {
    const { publishable: key } = await project();
    const of = async (reply: Reply, more: Partial<Endpoint> = {}) => ask(replying(reply, more), { key });
    expect((await of({ meta: { hasMore: true }, a: 1 })).body).toEqual({ meta: { code: 200, hasMore: true }, a: 1 });
    expect((await of(new WrittenReply('"a":1'))).text).toBe('{"meta":{"code":200},"a":1}');
    expect((await of({})).text).toBe('{"meta":{"code":200}}');
    expect((await of({ a: undefined, b: [] })).text).toBe('{"meta":{"code":200},"b":[]}');
    const empty = await of({}, { status: 204 });
    expect([empty.status, empty.text, empty.headers.get("content-type")]).toEqual([204, "", null]);
    const own = { "content-type": "text/csv", "cache-control": "public, max-age=5", "x-request-id": "mine" };
    const whole = await of(new Response("a,b", { status: 201, headers: own }));
    expect([whole.status, whole.text, whole.headers.get("content-type"), whole.headers.get("cache-control")]).toEqual([
      ...[201, "a,b", "text/csv", "public, max-age=5"],
    ]);
    expect([whole.headers.get("x-request-id"), whole.headers.get("access-control-allow-origin")]).not.toContain("mine");
    expect((await of(new Response("a"))).headers.get("cache-control")).toBe("no-store");
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204, 201, 200]);
  });

  it("of an image has its own headers next to the common ones, which it cannot change, as a complete response does", async () => {
    const { publishable: key } = await project();
    const own = {
      ...{ "content-type": "image/png", "cache-control": "public, max-age=5", etag: '"1"', vary: "Accept-Encoding" },
      ...{ "x-request-id": "mine", "x-radar-request-id": "mine", "access-control-allow-origin": "https://a.example" },
      ...{ "x-content-type-options": "sniff", "access-control-expose-headers": "none" },
    };
    for (const status of [200, 304]) {
      const body = status === 200 ? "png" : null;
      const headers = { "x-request-id": "trace-1234" };
      const image = await ask(replying(new MediaReply(body, own, status)), { key, headers });
      const same = await ask(replying(new Response(body, { status, headers: own })), { key, headers });
      expect([image.status, image.text]).toEqual([status, body ?? ""]);
      expect(Object.fromEntries(image.headers)).toEqual(Object.fromEntries(same.headers));
      expect(image.headers.get("x-request-id")).toBe("trace-1234");
    }
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 304, 304]);
  });

  it("is logged with its time, each millisecond of it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const times = [0, 7, 999, 1000, 1764192000042, 1764191999999, 1764192000042.5].map(Math.floor);
      for (const time of times) {
        vi.setSystemTime(time);
        await ask(thing({ level: "open" }));
        expect(lines.at(-1)?.time).toBe(new Date(time).toISOString());
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("says what it does without, and whose data it is", async () => {
    const { publishable: key } = await project();
    const source = (attribution?: string) => ({ name: `${attribution}`, url: "", licence: "", attribution });
    const told = thing({
      handle(call: never) {
        const { leftOut, credit } = call as { leftOut(what: string): void; credit(sources: object[]): void };
        for (const what of ["roads", "addresses", "roads"]) leftOut(what);
        credit([source("© B"), source()]);
        credit([source("A")]);
        return {};
      },
    } as never);
    const { headers } = await ask(told, { key });
    expect([headers.get("x-graticule-left-out"), headers.get("x-graticule-attribution")]).toEqual([
      ...["addresses, roads", "(c) B; A"],
    ]);
    expect((await ask(thing(), { key })).headers.get("x-graticule-left-out")).toBeNull();
  });

  it("to a preflight allows every method and header", () => {
    const ask = (headers: Record<string, string> = {}) =>
      preflight(new Request("http://h", { headers }), "r", {} as never);
    expect(ask().status).toBe(204);
    expect(Object.fromEntries(ask({ "access-control-request-headers": "x-custom" }).headers)).toMatchObject({
      ...{
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "x-custom",
        vary: "Access-Control-Request-Headers",
      },
      ...{
        "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        "access-control-max-age": "86400",
      },
      "x-request-id": "r",
      "x-radar-request-id": "r",
    });
    expect(ask().headers.get("access-control-allow-headers")).toBe("Authorization, Content-Type");
  });
});

describe("an error", () => {
  const throwing = (error: unknown) =>
    thing({
      handle() {
        throw error;
      },
    });

  it.each<[error: unknown, status: number, retry: string | null, message: RegExp]>([
    [new ApiError(409, "Taken.", { headers: { "Retry-After": "9" } }), 409, "9", /^Taken\.$/],
    [new TooMuchWork(), 503, "60", /request is too expensive/],
    [Object.assign(new Error("x"), { name: "StorageError" }), 503, "5", /Geodata is temporarily unavailable/],
    [new Error("D1_ERROR: Network connection lost."), 503, "2", /database is temporarily unavailable/],
    [new Error("ours"), 500, null, /^Internal server error\. Request id: [0-9a-f-]{36}\.$/],
  ])("%s is answered %i", async (error, status, retry, message) => {
    const { publishable: key } = await project();
    const answer = await ask(throwing(error), { key });
    expect([answer.status, answer.body.meta.code, answer.headers.get("retry-after")]).toEqual([status, status, retry]);
    expect(answer.body.meta.message).toMatch(message);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const known = error instanceof ApiError || error instanceof TooMuchWork;
    expect([lines.at(-1)?.status, typeof lines.at(-1)?.error]).toEqual([status, known ? "undefined" : "string"]);
  });

  it("of a parameter is logged without what the caller wrote", async () => {
    const { publishable: key } = await project();
    const answer = await ask(throwing(new ApiError(400, "x", { param: "metadata[secret]" })), { key });
    expect([answer.body.meta.param, lines[0].param]).toEqual(["metadata[secret]", "metadata"]);
  });
});

describe("a request with a key", () => {
  it.each<[level: Endpoint["level"], name: "publishable" | "secret" | "none" | "unknown", status: number]>([
    ["publishable", "publishable", 200],
    ["publishable", "secret", 200],
    ["secret", "secret", 200],
    ["secret", "publishable", 403],
    ["publishable", "none", 401],
    ["publishable", "unknown", 401],
    ["open", "none", 200],
    ["member", "secret", 401],
    ["member", "none", 401],
  ])("for an endpoint that is %s, with a %s key, is answered %i", async (level, name, status) => {
    const keys = { ...(await project()), none: undefined, unknown: `prj_live_pk_${DIGITS}` };
    expect((await ask(thing({ level }), { key: keys[name] })).status).toBe(status);
  });

  it("may have it in a header or the query, a secret one never in the URL", async () => {
    const { publishable, secret } = await project();
    const of = async (asked: Asked) => (await ask(thing(), asked)).status;
    expect(await of({ key: `Bearer ${publishable}` })).toBe(200);
    expect(await of({ headers: { "x-radar-publishable-key": publishable } })).toBe(200);
    expect(await of({ path: `/v1/thing?publishableKey=${publishable}` })).toBe(200);
    expect(await of({ path: `/v1/thing?publishableKey=${publishable}&a[b]=1` })).toBe(200);
    expect(await of({ path: `/v1/thing?x=${secret}`, key: secret })).toBe(401);
    expect(await of({ path: `/v1/thing?${secret}=x`, key: secret })).toBe(401);
    expect(await of({ path: "/v1/thing?publishableKey[a]=1" })).toBe(401);
  });

  it("of a disabled project, or one that has used its quota, is answered 402", async () => {
    expect((await ask(thing(), { key: (await project({ disabled: 1 })).publishable })).status).toBe(402);
    expect((await ask(thing(), { key: (await project({ quota: 0 })).publishable })).status).toBe(402);
    expect((await ask(thing(), { key: (await project({ quota: 1 })).publishable })).status).toBe(200);
  });

  it("comes from an origin, a page and a country that the project allows", async () => {
    const settings = {
      allowedOrigins: ["https://a.example"],
      blockedCountries: ["CA"],
      allowedReferrers: ["https://a.example"],
    };
    const { publishable, secret } = await project({ settings });
    const of = async (asked: Asked, what = thing()) => (await ask(what, { key: publishable, ...asked })).status;
    const origin = (origin: string) => ({ headers: { origin } });
    expect(await of({})).toBe(200);
    expect([await of(origin("https://a.example")), await of(origin("https://b.example"))]).toEqual([200, 403]);
    expect(await of({ ...origin("https://b.example"), key: secret })).toBe(200);
    expect([await of({ cf: { country: "US" } }), await of({ cf: { country: "CA" } })]).toEqual([200, 451]);
    expect(await of({ cf: { country: "CA" }, key: secret })).toBe(200);
    const map = thing({ path: "/maps/thing" });
    expect(await of({ headers: { referer: "https://a.example/page" } }, map)).toBe(200);
    expect(await of({ headers: { referer: "https://b.example/page" } }, map)).toBe(403);
    expect(await of({}, map)).toBe(403);
    expect(await of(origin("https://a.example"), map)).toBe(200);
    expect(await of({ key: secret }, map)).toBe(200);
  });

  it("is counted against the endpoint's limit, unless that has none", async () => {
    const { publishable: key, id } = await project();
    await ask(thing(), { key });
    expect(asked).toEqual([`${id * 2 + 1}:getThing`]);
    await ask(thing({ name: "other", rate: "none" }), { key });
    await ask(thing({ name: "third", rate: "device" }), { key });
    expect(asked).toHaveLength(1);
    granted = 0;
    const { status, headers, body } = await ask(thing({ name: "fourth" }), { key });
    expect([status, body.meta.type, headers.get("x-ratelimit-limit"), headers.get("retry-after")]).toEqual([
      ...[429, "second", "10", "1"],
    ]);
    // What was refused once is refused until then without asking again.
    await ask(thing({ name: "fourth" }), { key });
    expect(asked).toHaveLength(2);
  });

  it("is limited by address where the endpoint says so", async () => {
    const open = thing({ name: "ipGeocode", level: "open", rate: "address" });
    const from = (ip: string) => ask(open, { headers: { "cf-connecting-ip": ip } });
    const statuses = await Promise.all(Array.from({ length: 30 }, () => from("192.0.2.77")));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await from("192.0.2.78")).status).toBe(200);
  });
});

describe("parameters", () => {
  it("of an endpoint with repeated queries are checked once for each text, and not by another endpoint", async () => {
    const { publishable: key } = await project();
    let checked = 0;
    const counting = (max: number) =>
      z.object({
        limit: z
          .preprocess(
            (value) => {
              checked++;
              return value;
            },
            number({ min: 1, max }),
          )
          .default(5),
      });
    const tiles = (name: string, max: number) =>
      thing({ ...{ name, repeats: true, query: counting(max) }, handle: (({ query }: never) => query) as never });
    const [one, other] = [tiles("tilesOne", 9), tiles("tilesTwo", 3)];
    for (let i = 0; i < 3; i++) expect((await ask(one, { key, path: "/v1/thing?limit=7" })).body.limit).toBe(7);
    expect(checked).toBe(1);
    expect((await ask(one, { key, path: "/v1/thing?limit=8" })).body.limit).toBe(8);
    expect((await ask(one, { key })).body.limit).toBe(5);
    for (let i = 0; i < 2; i++) expect((await ask(other, { key, path: "/v1/thing?limit=7" })).status).toBe(400);
    for (let i = 0; i < 2; i++) expect((await ask(one, { key, path: "/v1/thing?limit=x" })).status).toBe(400);
  });

  const typed = thing({
    method: "POST",
    query: z.object({ limit: number({ min: 1, max: 9 }).default(5) }),
    body: z.object({ name: text() }),
    handle: (({ query, body, params, caller, now, ip }: Record<string, never>) => ({
      query,
      body,
      params,
      project: (caller as { project: number }).project,
      ip,
      isNow: now > 0,
    })) as never,
  } as never);

  it("reach the handler checked, with the caller and the address", async () => {
    const { publishable: key, id } = await project();
    const init = {
      body: '{"name":"a"}',
      headers: { "content-type": "application/json", "cf-connecting-ip": "192.0.2.9" },
    };
    const { body } = await ask(typed, { key, path: "/v1/thing?limit=7", params: { id: "x" }, ...init });
    expect(body).toMatchObject({
      query: { limit: 7 },
      body: { name: "a" },
      params: { id: "x" },
      project: id,
      ip: "192.0.2.9",
      isNow: true,
    });
  });

  it("that are wrong are named, those of the query first", async () => {
    const { publishable: key } = await project();
    const of = async (path: string, body: string) => (await ask(typed, { key, path, body })).body.meta.param;
    expect(await of("/v1/thing?limit=10", "{}")).toBe("limit");
    expect(await of("/v1/thing", "{}")).toBe("name");
    expect(await of("/v1/thing", '{"name":"a"}')).toBeUndefined();
  });

  it("of a body that is too large are not read", async () => {
    const { publishable: key } = await project();
    const small = { ...typed, bodyLimit: 10 };
    expect((await ask(small, { key, body: '{"name":"abc"}' })).status).toBe(413);
  });
});

describe("a request with a session", () => {
  const HEADERS = { "x-graticule-environment": "live" };
  const as = (who: { token: string }, id: number, more: Record<string, string> = {}): Asked => ({
    headers: {
      ...HEADERS,
      "x-graticule-project": String(id),
      cookie: `graticule=${who.token}`,
      origin: "http://host",
      ...more,
    },
  });

  it.each<[method: Endpoint["method"], role: string | undefined, allowed: string[]]>([
    ["GET", undefined, ["read", "write", "admin", "owner"]],
    ["POST", undefined, ["write", "admin", "owner"]],
    ["PUT", undefined, ["write", "admin", "owner"]],
    ["PATCH", undefined, ["write", "admin", "owner"]],
    ["DELETE", undefined, ["write", "admin", "owner"]],
    ["POST", "read", ["read", "write", "admin", "owner"]],
    ["GET", "admin", ["admin", "owner"]],
    ["GET", "owner", ["owner"]],
  ])("%s of an endpoint that needs %s is for %j", async (method, role, allowed) => {
    const { id } = await project();
    const what = thing({ method, level: "secret", audited: false, ...(role && { role: role as never }) });
    for (const one of ["read", "write", "admin", "owner"]) {
      const { status, body } = await ask(what, as(await member(id, one), id));
      expect([one, status]).toEqual([one, allowed.includes(one) ? 200 : 403]);
      if (status === 403) expect(body.meta.message).toContain(`Your role is ${one}; this needs ${allowed[0]}`);
    }
  });

  it("needs a project, an environment, and to be the dashboard's own page", async () => {
    const { id } = await project();
    const who = await member(id, "owner");
    const secret = thing({ level: "secret" });
    const of = async (more: Record<string, string>, path?: string) => {
      const { status, body } = await ask(secret, { ...as(who, id, more), path });
      return [status, body.meta.param];
    };
    expect(await of({})).toEqual([200, undefined]);
    expect(await of({ "x-graticule-project": "x" })).toEqual([400, "x-graticule-project"]);
    expect(await of({ "x-graticule-project": "0" })).toEqual([400, "x-graticule-project"]);
    expect(await of({ "x-graticule-environment": "prod" })).toEqual([400, "x-graticule-environment"]);
    expect(await of({ origin: "http://other" })).toEqual([403, undefined]);
    expect(await of({ "x-graticule-project": String(id + 5000) })).toEqual([403, undefined]);
    const bare = { cookie: `graticule=${who.token}`, origin: "http://host" };
    const without = async (path: string) => {
      const { status, body } = await ask(secret, { path, headers: bare });
      return [status, body.meta.param];
    };
    expect(await without(`/v1/thing?project=${id}&environment=live`)).toEqual([200, undefined]);
    expect(await without(`/v1/thing?project=${id}`)).toEqual([400, "x-graticule-environment"]);
    expect(await without("/v1/thing?environment=live")).toEqual([400, "x-graticule-project"]);
  });

  it("is kept by its browser alone, apart for each project and environment", async () => {
    const { id } = await project();
    const who = await member(id, "read");
    const kept = replying(new Response("x", { headers: { "cache-control": "public, max-age=5" } }), {
      level: "secret",
    });
    const { headers } = await ask(kept, as(who, id));
    expect(headers.get("cache-control")).toBe("private, max-age=5");
    expect(headers.get("vary")).toContain("Cookie, x-graticule-project, x-graticule-environment");
    expect((await ask(thing({ level: "secret" }), as(who, id))).headers.get("cache-control")).toBe("no-store");
  });

  it("that has ended is answered 401, and one of a disabled project 402 but at the dashboard's own", async () => {
    const { id } = await project({ disabled: 1 });
    const who = await member(id, "owner");
    expect((await ask(thing({ level: "secret" }), as(who, id))).status).toBe(402);
    expect((await ask(thing({ level: "member" }), as(who, id))).status).toBe(200);
    const unknown = { token: mintSessionToken(new Uint8Array(TOKEN_BYTES)) };
    expect((await ask(thing({ level: "secret" }), as(unknown, id))).status).toBe(401);
  });

  it("of an operator alone opens what concerns the deployment", async () => {
    const { id } = await project();
    const what = thing({ level: "member", operator: true });
    const [owner, operator] = [await member(id, "owner"), await member(id, "read", { operator: true })];
    expect([(await ask(what, as(owner, id))).status, (await ask(what, as(operator, id))).status]).toEqual([403, 200]);
  });

  it("leaves a line in the audit log where it changes something, with names and no values", async () => {
    const { id } = await project();
    const who = await member(id, "write");
    const rows = () =>
      database.prepare("SELECT action, target, summary, live, member FROM audit_entry ORDER BY action").all();
    const change = thing({ method: "POST", level: "secret", body: z.object({ url: text(), on: text().optional() }) });
    const sent = { ...as(who, id), body: '{"url":"hidden"}', params: { a: "x", b: "y" } };
    await ask(change, sent);
    expect(rows()).toEqual([{ action: "getThing", target: "x/y", summary: "Does (url)", live: 1, member: who.name }]);
    await ask({ ...change, audited: false }, sent);
    await ask({ ...change, role: "read" }, sent);
    await ask(thing({ level: "secret" }), as(who, id));
    expect(rows()).toHaveLength(1);
    const noting = thing({
      method: "DELETE",
      level: "member",
      name: "removeThing",
      handle(call: never) {
        (call as { audit(note: object): void }).audit({ target: "t".repeat(600), summary: "Removed." });
        return {};
      },
    } as never);
    await ask(noting, as(who, id));
    expect(rows()[1]).toMatchObject({
      action: "removeThing",
      target: "t".repeat(500),
      summary: "Removed.",
      live: null,
    });
  });

  it("gives way to a key", async () => {
    const { id, publishable } = await project();
    const who = await member(id, "owner");
    const { status } = await ask(thing({ level: "secret" }), { ...as(who, id), key: publishable });
    expect(status).toBe(403);
  });
});

describe("a full disk", () => {
  it("keeps what would write from writing, and what only reads goes through", async () => {
    const { publishable: key } = await project();
    let isDiskFull: boolean | undefined = true;
    const figures = () => Response.json({ diskFreeBytes: 1, diskSizeBytes: 100, isDiskFull });
    const env = { MACHINE: { fetch: async () => figures() } };
    const started = Date.now();
    const clock = vi.spyOn(Date, "now");
    const at = async (seconds: number, method: Endpoint["method"]) => {
      clock.mockReturnValue(started + seconds * 1000);
      const { status, headers } = await ask(thing({ method, name: `at ${seconds} ${method}` }), { key, env });
      await Promise.all(waited);
      return [status, headers.get("retry-after")];
    };
    // The first request asks, and does not wait.
    expect(await at(0, "POST")).toEqual([200, null]);
    expect([await at(0.5, "POST"), await at(0.6, "GET")]).toEqual([
      [503, "30"],
      [200, null],
    ]);
    isDiskFull = undefined;
    // What was said is believed for a second.
    expect(await at(0.9, "POST")).toEqual([503, "30"]);
    expect(await at(1.1, "POST")).toEqual([503, "30"]);
    expect(await at(1.2, "POST")).toEqual([200, null]);
    // An error nobody expected may come from it.
    isDiskFull = true;
    const failing = thing({
      handle() {
        throw new Error("ours");
      },
    });
    expect((await ask(failing, { key, env })).status).toBe(503);
    isDiskFull = undefined;
    expect((await ask(failing, { key, env })).status).toBe(500);
  });
});
