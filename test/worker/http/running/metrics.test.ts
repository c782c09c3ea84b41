import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { askerOf } from "../../../../src/server/doctor/ask.ts";
import { examine } from "../../../../src/server/doctor/checks.ts";
import { type Family, parseExposition } from "../../../core/metrics/parse-exposition.ts";
import { METRICS_TOKEN } from "../../../support/worker-under-test.ts";
import { call, control, del, eventually, get, makeWorld, post, sql, type World } from "../../../support/world.ts";

let world: World;

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function read(): Promise<{ text: string; families: Map<string, Family> }> {
  let { status, body, headers } = await call("GET", "/metrics", bearer(METRICS_TOKEN));
  // On an idle machine, waiting for a figure reads more often than the limit allows.
  for (; status === 429; await sleep(250))
    ({ status, body, headers } = await call("GET", "/metrics", bearer(METRICS_TOKEN)));
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  return { text: body, families: parseExposition(body) };
}

function value(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(count|sum|bucket)$/, ""));
  return family?.samples.find(
    (sample) => sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
  )?.value;
}

beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits: { searchUsers: 1 } } });
});

describe("the metrics", () => {
  it("are opened by the deployment's own secret, and by nothing else", async () => {
    for (const options of [{}, bearer("guess"), bearer(`${METRICS_TOKEN}x`), { key: world.keys.testSecret }]) {
      const { status, headers, body } = await call("GET", "/metrics", options);
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(JSON.stringify(body)).not.toContain(METRICS_TOKEN);
    }
    expect((await get(`/metrics?token=${METRICS_TOKEN}`)).status).toBe(401);
  });

  it("count answers, errors, refusals and durations by endpoint, in a text that a strict reader takes", async () => {
    const { testPublishable: key, testSecret: secret } = world.keys;
    const before = (await read()).families;
    for (let i = 0; i < 3; i++)
      await post("/v1/track", key, { deviceId: `m${i}`, latitude: 1, longitude: 2, accuracy: 5 });
    await post("/v1/track", key, { deviceId: "m", latitude: 91, longitude: 2, accuracy: 5 });
    await get("/v1/nowhere/at-all", key);
    const searches = await Promise.all(Array.from({ length: 8 }, () => get("/v1/search/users?near=1,2", secret)));
    const refused = searches.filter(({ status }) => status === 429).length;
    const { families } = await read();
    const grown = (name: string, labels: Record<string, string>) =>
      (value(families, name, labels) ?? 0) - (value(before, name, labels) ?? 0);
    const track = { endpoint: "track" };
    expect(grown("graticule_http_requests_total", { ...track, code: "200" })).toBeGreaterThanOrEqual(3);
    expect(grown("graticule_http_requests_total", { ...track, code: "400" })).toBeGreaterThanOrEqual(1);
    expect(grown("graticule_http_request_duration_seconds_count", track)).toBeGreaterThanOrEqual(4);
    expect(grown("graticule_http_requests_total", { endpoint: "none", code: "404" })).toBeGreaterThanOrEqual(1);
    expect(refused).toBeGreaterThan(0);
    expect(grown("graticule_http_requests_limited_total", { endpoint: "searchUsers" })).toBeGreaterThanOrEqual(refused);
    expect(value(families, "graticule_build_info", {})).toBe(1);
    expect(families.get("graticule_build_info")?.samples[0].labels).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      schema: expect.stringMatching(/^\d{4}_\w+\.sql$/),
    });
  });

  it("name endpoints, never paths, keys or ids", async () => {
    await get("/v1/users/somebody-special", world.keys.testSecret);
    await get(`/v1/${"x".repeat(50)}/somebody-special`);
    const { text, families } = await read();
    for (const word of ["somebody-special", "xxxx", "/v1", ...Object.values(world.keys)])
      expect(text).not.toContain(word);
    const endpoints = families.get("graticule_http_requests_total")?.samples.map(({ labels }) => labels.endpoint) ?? [];
    const { body } = await get("/openapi.json");
    const known = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(endpoints.filter((name) => name !== "none" && !known.includes(name))).toEqual([]);
  });

  it("tell of users, queues, dead letters and what is late, five seconds old at most", async () => {
    const { testPublishable: key, testSecret: secret } = world.keys;
    const url = "https://receiver.example.com/nobody";
    const { body } = await post("/v1/webhooks", secret, { url, eventTypes: ["metrics_test"] });
    const { _id: id } = body.webhook;
    await sql(
      "INSERT INTO dead_letter (scope, webhook, id, events, body, attempts, reason, created_at, died_at) VALUES (?, ?, 'dead', '[]', '{}', 1, 'x', 1, ?)",
      ...[world.id * 2, id, Date.now()],
    );
    await post("/v1/track", key, { deviceId: "waiter", userId: "waiter", latitude: 1, longitude: 2, accuracy: 5 });
    expect(
      (await post("/v1/events", secret, { name: "metrics_test", userId: "waiter", deviceId: "waiter" })).status,
    ).toBe(200);
    const { families } = await eventually(
      read,
      ({ families }) =>
        (value(families, "graticule_dead_letters") ?? 0) >= 1 &&
        (value(families, "graticule_webhook_queue_messages") ?? 0) >= 1 &&
        (value(families, "graticule_active_users", { since: "day" }) ?? 0) >= 1,
      9_000,
    );
    expect(value(families, "graticule_database_up")).toBe(1);
    expect(value(families, "graticule_webhooks")).toBeGreaterThanOrEqual(1);
    expect(value(families, "graticule_webhook_queue_messages")).toBeGreaterThanOrEqual(1);
    expect(value(families, "graticule_webhook_queue_oldest_seconds")).toBeGreaterThan(0);
    expect(value(families, "graticule_dead_letters")).toBeGreaterThanOrEqual(1);
    expect(value(families, "graticule_active_users", { since: "day" })).toBeGreaterThanOrEqual(1);
    expect(value(families, "graticule_outbox_oldest_seconds")).toBeGreaterThanOrEqual(0);
    await del(`/v1/webhooks/${id}`, secret);
  });
});

describe("the doctor", () => {
  const known = { schema: readdirSync("migrations").sort().at(-1) ?? "", formats: {} };

  it("finds the Worker under test reached, bound and with its tables, and each kind of request answered", async () => {
    const own = await makeWorld();
    const findings = await examine(askerOf(inject("baseUrl"), own.keys.testSecret), known);
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    const parts = { reached: "ok", key: "ok", version: "ok", bindings: "ok", tables: "ok", objects: "ok", clock: "ok" };
    expect(states).toMatchObject(parts);
    expect(states).toMatchObject({ "request: settings": "ok", "request: track": "ok", "request: webhooks": "ok" });
  });

  it("is told by it that a key is none, or a publishable one", async () => {
    for (const key of [`prj_test_sk_${"0".repeat(40)}`, world.keys.testPublishable]) {
      const findings = await examine(askerOf(inject("baseUrl"), key), known);
      expect(findings.map(({ check, state }) => [check, state])).toEqual([
        ["reached", "ok"],
        ["key", "wrong"],
      ]);
    }
  });
});

describe("the id of a request", () => {
  it("is the caller's own where that is well formed, in the answer's headers and in the log", async () => {
    const id = `trace-${crypto.randomUUID()}`;
    const { headers } = await call("GET", "/v1/config", { headers: { "x-request-id": id } });
    expect([headers.get("x-request-id"), headers.get("x-radar-request-id")]).toEqual([id, id]);
    const lines = await eventually(
      () => control<{ message: string }[]>("logs"),
      (some) => some.some(({ message }) => message.includes(id)),
    );
    const own = lines.filter(({ message }) => message.includes(id));
    expect(own.map(({ message }) => JSON.parse(message))).toMatchObject([{ requestId: id, route: "/v1/config" }]);
  });

  it.each(["short", "x".repeat(129), "has a space in it", 'quotes"and}braces', `prj_live_sk_${"7".repeat(40)}`])(
    "%j is none: a new one is made",
    async (id) => {
      for (const path of ["/v1/ping", "/v1/nowhere", "/v1/config"]) {
        const { headers } = await call("GET", path, { headers: { "x-request-id": id } });
        expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
        expect(headers.get("x-radar-request-id")).toBe(headers.get("x-request-id"));
      }
    },
  );

  it("may be read by pages of any origin", async () => {
    const { headers } = await call("GET", "/v1/ping", { headers: { "x-request-id": "from-a-page" } });
    expect(headers.get("access-control-expose-headers")).toContain("x-request-id");
  });
});
