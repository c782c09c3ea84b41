import { beforeAll, describe, expect, it } from "vitest";
import { call, del, get, makeWorld, post, sql, type World } from "../../../support/world.ts";

/** Webhooks as their owner manages them; that they deliver is told in test/core/webhooks. */

const NAMES = ["createWebhook", "listWebhooks", "getWebhook", "updateWebhook", "deleteWebhook", "rotateWebhookSecret"];
const settings = { rateLimits: Object.fromEntries(NAMES.map((name) => [name, 1000])) };
const URL = "https://hooks.example.com/graticule";

let world: World;
let key: string;
beforeAll(async () => {
  world = await makeWorld({ settings });
  key = world.keys.testSecret;
});
const create = (fields: Record<string, unknown> = {}, own = key) => post("/v1/webhooks", own, { url: URL, ...fields });
const patch = (id: string, json: unknown, own = key) => call("PATCH", `/v1/webhooks/${id}`, { key: own, json });

describe("a webhook", () => {
  it("of type queue is refused where the deployment has none", async () => {
    const { status, body } = await post("/v1/webhooks", key, { type: "queue" });
    expect([status, body.meta.param]).toEqual([400, "type"]);
    expect(body.meta.message).toContain("EVENTS_QUEUE");
  });

  it("is answered whole when it is made, with a secret that is never shown again", async () => {
    const { status, body } = await create({
      description: "To our server",
      eventTypes: ["user.entered_geofence", "signed_up"],
    });
    expect([status, body.meta]).toEqual([200, { code: 200 }]);
    const { _id, secret, createdAt, updatedAt, ...rest } = body.webhook;
    expect(_id).toMatch(/^[0-9a-f]{24}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(createdAt).toBe(updatedAt);
    expect(rest).toEqual({
      live: false,
      type: "webhook",
      url: URL,
      description: "To our server",
      delivery: "single",
      eventTypes: ["user.entered_geofence", "signed_up"],
      enabled: true,
    });
    for (const answer of [
      await get(`/v1/webhooks/${_id}`, key),
      await patch(_id, { enabled: false }),
      await get("/v1/webhooks", key),
    ]) {
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain("secret");
    }
    const rotated = (await post(`/v1/webhooks/${_id}/rotate`, key, {})).body.webhook;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
  });

  it("is changed in what is named and stays in the rest", async () => {
    const { webhook } = (await create({ delivery: "multiple", eventTypes: ["user.exited_place"] })).body;
    const id = webhook._id;
    expect((await patch(id, { url: "https://other.example.com" })).body.webhook).toMatchObject({
      url: "https://other.example.com/",
      delivery: "multiple",
      eventTypes: ["user.exited_place"],
    });
    expect((await patch(id, { delivery: "single", description: "New" })).body.webhook).toMatchObject({
      url: "https://other.example.com/",
      delivery: "single",
      description: "New",
    });
    expect((await patch(id, { enabled: false })).body.webhook.enabled).toBe(false);
    expect((await patch(id, { enabled: true })).body.webhook.enabled).toBe(true);
    expect((await patch(id, { eventTypes: [] })).body.webhook).not.toHaveProperty("eventTypes");
    expect((await get(`/v1/webhooks/${id}`, key)).body.webhook).toMatchObject({
      delivery: "single",
      description: "New",
    });
  });

  it("can be made by a form, with its types comma separated", async () => {
    const form = { url: URL, delivery: "multiple", eventTypes: "user.entered_place, user.exited_place" };
    const { body } = await call("POST", "/v1/webhooks", { key, form });
    expect(body.webhook).toMatchObject({
      delivery: "multiple",
      eventTypes: ["user.entered_place", "user.exited_place"],
    });
  });

  it.each([
    ["url", {}, "url: Required."],
    ["url", { url: "http://example.com/" }, "url: Invalid url. Must begin with https://."],
    ["url", { url: "https://127.0.0.1/" }, "url: Invalid url. The host must be a name, not an IP address."],
    ["url", { url: "https://169.254.169.254/" }, "url: Invalid url. The host must be a name, not an IP address."],
    ["url", { url: "https://localhost:8443/" }, "url: Invalid url. The host must be a public name."],
    ["url", { url: "https://a:b@example.com/" }, "url: Invalid url. Must not contain a username or password."],
    [
      "url",
      { url: `https://example.com/${"x".repeat(3000)}` },
      "url: Invalid url. Must be a string of 1 to 2048 characters.",
    ],
    ["delivery", { url: URL, delivery: "batch" }, "delivery: Invalid delivery. Valid values: single, multiple."],
    [
      "eventTypes",
      { url: URL, eventTypes: 5 },
      "eventTypes: Invalid eventTypes. Must be a list of up to 100 event types.",
    ],
    [
      "eventTypes",
      { url: URL, eventTypes: ["user.entered_geofense"] },
      'Types beginning with "user." are: user.entered_geofence,',
    ],
    [
      "description",
      { url: URL, description: "x".repeat(1025) },
      "description: Invalid description. Must be a string of 1 to 1024 characters.",
    ],
  ])("is refused for its %s: %j", async (param, fields, message) => {
    const { status, body } = await post("/v1/webhooks", key, fields);
    expect([status, body.meta.param]).toEqual([400, param]);
    expect(body.meta.message).toContain(message);
  });

  it("is not moved to an address that would have been refused", async () => {
    const { webhook } = (await create()).body;
    const { status, body } = await patch(webhook._id, {
      url: "https://metadata.google.internal/",
      delivery: "multiple",
    });
    expect([status, body.meta.param]).toEqual([400, "url"]);
    expect((await get(`/v1/webhooks/${webhook._id}`, key)).body.webhook).toEqual(
      expect.objectContaining({ url: URL, delivery: "single" }),
    );
  });

  it("is unknown to the other environment and to other projects", async () => {
    const { webhook } = (await create()).body;
    const stranger = (await makeWorld({ settings })).keys.testSecret;
    for (const other of [world.keys.liveSecret, stranger]) {
      expect((await get(`/v1/webhooks/${webhook._id}`, other)).status).toBe(404);
      expect((await patch(webhook._id, { enabled: false }, other)).status).toBe(404);
      expect((await post(`/v1/webhooks/${webhook._id}/rotate`, other, {})).status).toBe(404);
      expect((await post(`/v1/webhooks/${webhook._id}/test`, other, {})).status).toBe(404);
      expect((await get(`/v1/webhooks/${webhook._id}/deliveries`, other)).status).toBe(404);
      expect((await del(`/v1/webhooks/${webhook._id}`, other)).status).toBe(404);
      expect((await get("/v1/webhooks", other)).body.webhooks).toEqual([]);
    }
    expect((await get(`/v1/webhooks/${webhook._id}`, key)).body.webhook.enabled).toBe(true);
  });
});

describe("the list of webhooks", () => {
  it("is newest first, in pages, within a time", async () => {
    const own = await makeWorld({ settings });
    const secret = own.keys.testSecret;
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await create({ description: `${i}` }, secret)).body.webhook._id);
    for (const [i, id] of ids.entries())
      await sql("UPDATE webhook SET created_at = ? WHERE id = ?", 3000 - i * 1000, id);
    const page = (query: string) => get(`/v1/webhooks?${query}`, secret);
    const idsOf = (body: { webhooks: { _id: string }[] }) => body.webhooks.map(({ _id }) => _id);
    expect(idsOf((await page("")).body)).toEqual(ids);
    const first = (await page("limit=2")).body;
    expect([first.meta.hasMore, idsOf(first)]).toEqual([true, ids.slice(0, 2)]);
    const rest = (await page(`createdBefore=${first.webhooks[1].createdAt}`)).body;
    expect([rest.meta.hasMore, idsOf(rest)]).toEqual([false, ids.slice(2)]);
    expect(idsOf((await page(`createdAfter=${first.webhooks[1].createdAt}`)).body)).toEqual(ids.slice(0, 1));
  });

  it("has twenty entries at most; another one is a conflict", async () => {
    const own = await makeWorld({ settings });
    for (let i = 0; i < 20; i++) expect((await create({}, own.keys.testSecret)).status).toBe(200);
    const refused = await create({}, own.keys.testSecret);
    expect([refused.status, refused.body.meta.message]).toEqual([
      409,
      "Conflict. An environment has at most 20 webhooks.",
    ]);
    expect((await create({}, own.keys.liveSecret)).status).toBe(200);
  });
});
