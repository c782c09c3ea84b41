import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { startS3 } from "../../server/commands/backup/s3-server.ts";
import { startKafkaProxy } from "./kafka-proxy.ts";
import { startBroker } from "./mqtt-broker.ts";
import { HERE, type Platform, startWebhookPlatform, until } from "./platform.ts";
import { accept, isGenuine, startReceiver } from "./receiver.ts";

/** Events that go to systems which gather them, each as it really is, on loopback: three tries, after 0, 0.2 and 0.4 s. */

/** Consumes the queue: the first batch it leaves, as a consumer does that is not well, and tells of all others. */
const CONSUMER = `
const got = [];
let batches = 0;
export default {
  async queue(batch) {
    if (batches++ === 0) return batch.retryAll();
    for (const { body, attempts } of batch.messages) got.push({ body, attempts });
  },
  fetch: () => Response.json(got),
};`;

let platform: Platform;
beforeAll(async () => {
  const consumer = { name: "consumer", script: CONSUMER, queue: "events" };
  platform = await startWebhookPlatform("0 0.2 0.4", true, consumer);
});
afterAll(() => platform?.stop());

let devices = 0;
async function enter() {
  const deviceId = `walker-${++devices}`;
  const [event] = await platform.move(deviceId, HERE);
  return { id: event._id, deviceId };
}
const enterMany = async (count: number) => {
  const entered = [];
  for (let i = 0; i < count; i++) entered.push(await enter());
  return entered;
};
const remove = (id: string) => platform.call("DELETE", `/v1/webhooks/${id}`);
const deliveries = async (id: string) => (await platform.call("GET", `/v1/webhooks/${id}/deliveries`)).body;
const refusal = async (fields: Record<string, unknown>) => {
  const { status, body } = await platform.call("POST", "/v1/webhooks", fields);
  return [status, body.meta.param, body.meta.message];
};

describe.each([
  ["version 2", undefined],
  ["version 3", "cluster-1"],
])("Kafka through its REST proxy, %s", (_, clusterId) => {
  it("gets each event once, keyed by its user, and one that was refused again; secrets are never shown", async () => {
    const proxy = await startKafkaProxy("Basic c2VjcmV0");
    proxy.refuse((nth) => nth === 1);
    const settings = { topic: "moves", clusterId, headers: { Authorization: "Basic c2VjcmV0" } };
    const { id } = await platform.webhook({ type: "kafka", url: proxy.url, settings });
    const entered = await enterMany(3);
    const { length } = await until(
      () => proxy.records,
      (records) => records.length === 3,
    );
    expect(length).toBe(3);
    expect(proxy.records.map(({ value }) => value.event._id).sort()).toEqual(entered.map((one) => one.id).sort());
    for (const { topic, key, value } of proxy.records) expect([topic, key]).toEqual(["moves", value.event.user._id]);
    expect(proxy.requests()).toBeLessThanOrEqual(4);
    const log = await until(
      () => deliveries(id),
      ({ waiting }) => waiting === 0,
    );
    expect(log.deliveries.filter((one: { outcome: string }) => one.outcome === "retrying")).toMatchObject([
      { error: expect.stringContaining("not now") },
    ]);
    const { text } = { text: JSON.stringify((await platform.call("GET", `/v1/webhooks/${id}`)).body) };
    expect(text).not.toContain("c2VjcmV0");
    expect(JSON.parse(text).webhook).toMatchObject({
      type: "kafka",
      settings: { topic: "moves", secrets: ["headers.Authorization"] },
    });
    await remove(id);
    await proxy.stop();
  });
});

describe("an MQTT broker over WebSocket", () => {
  it("gets each event under the topic that its template makes, and keeps no connection", async () => {
    const broker = await startBroker("graticule", "open sesame");
    const settings = {
      topic: "sites/{{event.type}}/{{user.deviceId}}",
      username: "graticule",
      password: "open sesame",
    };
    const { id } = await platform.webhook({ type: "mqtt", url: broker.url, settings });
    const entered = await enterMany(5);
    await until(
      () => broker.published.length,
      (count) => count >= 5,
    );
    expect(broker.published.map(({ topic }) => topic).sort()).toEqual(
      entered.map(({ deviceId }) => `sites/user.entered_geofence/${deviceId}`).sort(),
    );
    expect(JSON.parse(broker.published[0].text).event.type).toBe("user.entered_geofence");
    await until(broker.connections, (count) => count === 0);
    expect((await deliveries(id)).waiting).toBe(0);

    // Somebody changes the password: what is not taken waits, and becomes a dead letter which says why.
    await platform.call("PATCH", `/v1/webhooks/${id}`, { settings: { password: "wrong" } });
    const late = await enter();
    const [letter] = await until(
      async () => (await platform.call("GET", `/v1/webhooks/${id}/dead-letters`)).body.deadLetters,
      (letters) => letters.length === 1,
      15_000,
    );
    expect(letter).toMatchObject({
      _id: late.id,
      reason: expect.stringMatching(/username or password|not allowed/),
    });
    await platform.call("PATCH", `/v1/webhooks/${id}`, { settings: { password: "open sesame" } });
    await platform.call("POST", `/v1/webhooks/${id}/dead-letters/replay`, {});
    await until(
      () => broker.published.length,
      (count) => count === 6,
    );
    await remove(id);
    await broker.stop();
  });

  it("that is none is told so", async () => {
    const receiver = await startReceiver(accept);
    const url = receiver.url.replace("http:", "ws:");
    const { id } = await platform.webhook({ type: "mqtt", url, settings: { topic: "t" } });
    const { body } = await platform.call("POST", `/v1/webhooks/${id}/test`, {});
    expect(body).toMatchObject({
      delivered: false,
      delivery: { error: expect.stringContaining("did not open a WebSocket") },
    });
    await remove(id);
    await receiver.stop();
  });
});

describe("a bucket", () => {
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).event._id as string);

  it("gets an object per period with a line per event: the deployment's own", async () => {
    const { id } = await platform.webhook({ type: "bucket", settings: { seconds: 2, prefix: "/out/" } });
    const began = Date.now();
    const entered = await enterMany(4);
    const periods = (Date.now() - began) / 2000;
    await until(
      () => deliveries(id),
      (log) => log.waiting === 0 && log.deliveries.length === 4,
      12_000,
    );
    const bucket = openLocalBucket(platform.state, geodataBucketName());
    const keys = [...(await bucket.list(`sinks/${platform.projectId * 2}/${id}/`)).keys()];
    // One for each period that began while events came.
    expect(keys.length).toBeLessThanOrEqual(Math.ceil(periods) + 1);
    const today = new Date().toISOString().slice(0, 10).replaceAll("-", "/");
    const names = new RegExp(`^sinks/\\d+/${id}/out/test/(${today}|....)/.*\\d{4}-[0-9a-f]+\\.ndjson$`);
    const texts = [];
    for (const key of keys) {
      expect(key).toMatch(names);
      texts.push(new TextDecoder().decode((await bucket.get(key))?.bytes));
    }
    bucket.close();
    expect(texts.flatMap(linesOf).sort()).toEqual(entered.map((one) => one.id).sort());
    await remove(id);
  });

  it("gets the same object again where its answer was lost: a bucket that speaks S3", async () => {
    const s3 = await startS3("events");
    s3.failAfterWrites(0);
    const settings = { seconds: 1, accessKeyId: "me", secretAccessKey: "mine" };
    const { id } = await platform.webhook({ type: "bucket", url: `${s3.endpoint}/events/`, settings });
    const entered = await enterMany(3);
    await until(
      () => deliveries(id),
      (log) => log.deliveries.length >= 1,
    );
    s3.failAfterWrites(1000);
    // An event of before may come as well, where a tracker had to hand it over again.
    const own = new Set(entered.map((one) => one.id));
    await until(
      () => [...s3.objects.values()].flatMap((bytes) => linesOf(bytes.toString())).filter((line) => own.has(line)),
      (ids) => ids.sort().join() === [...own].sort().join(),
    );
    for (const key of s3.objects.keys()) expect(key).toMatch(/^test\/\d{4}\/\d\d\/\d\d\/\d{4}-[0-9a-f]+\.ndjson$/);
    expect(JSON.stringify(await deliveries(id))).not.toContain("mine");
    await remove(id);
    await s3.stop();
  });
});

describe("a queue of Cloudflare's", () => {
  it("gets each event as JSON, which its consumer is handed again until it has taken it", async () => {
    const { id } = await platform.webhook({ type: "queue" });
    const entered = await enterMany(4);
    type Taken = { body: { event: { _id: string; type: string }; user: { _id: string } }; attempts: number }[];
    const taken = await until<Taken>(
      async () => (await fetch(platform.urlBeside as string)).json() as Promise<Taken>,
      (messages) => messages.length >= 4,
      15_000,
    );
    expect(taken.map(({ body }) => body.event._id).sort()).toEqual(entered.map((one) => one.id).sort());
    for (const { body } of taken) {
      expect(body.event.type).toBe("user.entered_geofence");
      expect(body.event._id.startsWith(body.user._id)).toBe(true);
    }
    expect(Math.max(...taken.map(({ attempts }) => attempts))).toBeGreaterThan(1);
    const log = await until(
      () => deliveries(id),
      ({ waiting }) => waiting === 0,
    );
    expect(log.deliveries.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(4).fill("delivered"));
    await remove(id);
  });
});

describe("a webhook with a template", () => {
  it("says it as Slack wants it, with headers of its own, and signs what it says", async () => {
    const receiver = await startReceiver(accept);
    const template = '{"text": "{{user.name|A device}} is at {{event.geofence.description}} ({{event.confidence}})"}';
    const settings = { template, headers: { authorization: "Bearer xoxb" } };
    const { id, secret } = await platform.webhook({ url: receiver.url, settings });
    await enter();
    const [message] = await until(
      () => receiver.received,
      (received) => received.length === 1,
    );
    expect(message.body).toEqual({ text: expect.stringMatching(/^A device is at Home \([123]\)$/) });
    expect(message.headers).toMatchObject({ authorization: "Bearer xoxb", "content-type": "application/json" });
    expect(isGenuine(message, secret)).toBe(true);

    // Each setting by itself; null takes one away.
    const plain = { template: "Moved: {{event.type}}", contentType: "text/plain; charset=utf-8", headers: null };
    const { body } = await platform.call("PATCH", `/v1/webhooks/${id}`, { settings: plain });
    expect(body.webhook.settings).toEqual({ template: plain.template, contentType: plain.contentType });
    await enter();
    await until(
      () => receiver.received.map(({ text }) => text).at(-1),
      (text) => text === "Moved: user.entered_geofence",
    );
    expect(receiver.received[1].headers.authorization).toBeUndefined();
    await remove(id);
    await receiver.stop();
  });
});

describe("what cannot be is refused by name", () => {
  const url = "https://kafka.example.org";
  const bucket = { accessKeyId: "a", secretAccessKey: "b" };
  it.each<[Record<string, unknown>, string, RegExp]>([
    [{ type: "fax", url }, "type", /webhook, kafka, mqtt, bucket, queue/],
    [{ type: "webhook" }, "url", /Required/],
    [{ type: "kafka", settings: { topic: "t" } }, "url", /Required/],
    [{ type: "kafka", url }, "settings[topic]", /Required/],
    [{ type: "kafka", url, settings: { topic: "a/b" } }, "settings[topic]", /letters, digits/],
    [
      { type: "kafka", url, settings: { topic: "t", template: "x" } },
      "settings[template]",
      /topic, clusterId, headers/,
    ],
    [{ type: "kafka", url, settings: { topic: "t", headers: { Host: "x" } } }, "settings[headers]", /is reserved/],
    [{ url, settings: { headers: { "a b": "x" } } }, "settings[headers]", /no name/],
    [{ url, settings: { headers: { a: "é" } } }, "settings[headers]", /ASCII/],
    [{ url, settings: { template: '{"a": {{event.type}}}' } }, "settings[template]", /JSON/],
    [{ url, settings: { template: "{{event.type" } }, "settings[template]", /does not end/],
    [{ url, settings: { template: "x".repeat(8193) } }, "settings[template]", /8192/],
    [{ url, settings: { contentType: "a" } }, "settings[contentType]", /media type/],
    [{ url, settings: "x" }, "settings", /object/],
    [{ type: "mqtt", url, settings: { topic: "t" } }, "url", /wss:/],
    [{ type: "mqtt", url: "wss://10.0.0.1.nip.io/", settings: { topic: "t" } }, "url", /address/],
    [{ type: "mqtt", url: "wss://169.254.169.254/", settings: { topic: "t" } }, "url", /IP address/],
    [
      { type: "mqtt", url: "wss://broker.example.org/", settings: { topic: "a/#" } },
      "settings[topic]",
      /must not hold/,
    ],
    [{ type: "bucket", url }, "settings[accessKeyId]", /secretAccessKey/],
    [{ type: "bucket", url: "https://169.254.169.254/b", settings: bucket }, "url", /IP address/],
    [{ type: "bucket", settings: { seconds: 0 } }, "settings[seconds]", /1/],
    [{ type: "bucket", settings: { seconds: 3601 } }, "settings[seconds]", /3600/],
    [{ type: "queue", url }, "url", /Must be omitted/],
  ])("%.120j", async (fields, param, sentence) => {
    expect(await refusal(fields)).toEqual([400, param, expect.stringMatching(sentence)]);
  });
});

describe("campaigns", () => {
  const content = { title: { text: "Hi" }, body: { text: "Coffee" } };
  const atHome = { type: "inAppMessage", trigger: { event: "user.entered_geofence", geofenceTags: ["home"] }, content };

  it("report messages and conversions to webhooks, and to Braze after its rate limit, without the key", async () => {
    const made = await platform.call("POST", "/v1/campaigns", { name: "Spring", ...atHome });
    const campaign = made.body.campaign._id;
    const server = await startReceiver(accept);
    const braze = await startReceiver((response, n, { headers }) => {
      const reset = String(Math.ceil(Date.now() / 1000) + 1);
      if (n === 0) response.writeHead(429, { "x-ratelimit-reset": reset }).end(`too many for ${headers.authorization}`);
      else response.writeHead(201, { "content-type": "application/json" }).end('{"message":"success"}');
    });
    const eventTypes = ["campaign.sent", "bought"];
    const hook = await platform.webhook({ url: server.url, eventTypes });
    const settings = { apiKey: "braze-key-1" };
    const sink = await platform.webhook({ type: "braze", url: braze.url, settings, eventTypes });
    const [entry] = await platform.move("shopper", HERE, { userId: "ann" });
    const bought = { name: "bought", deviceId: "shopper", userId: "ann", campaign, metadata: { price: 5 } };
    expect((await platform.call("POST", "/v1/events", bought)).status).toBe(200);
    const label = { _id: campaign, name: "Spring", type: "inAppMessage" };
    const received = await until(
      () => server.received,
      (all) => all.length === 2,
    );
    for (const one of received) expect(isGenuine(one, hook.secret)).toBe(true);
    const events = received.map(({ body }) => body.event);
    expect(events.find(({ type }) => type === "campaign.sent")).toMatchObject({
      campaign: { ...label, event: entry._id },
      user: { userId: "ann" },
      geofence: { tag: "home" },
    });
    expect(events.find(({ type }) => type === "bought")).toMatchObject({ campaign: label, metadata: { price: 5 } });
    const sent = await until(
      () => braze.received.slice(1).flatMap(({ body }) => body.events as { name: string; external_id: string }[]),
      (all) => all.length === 2,
      15_000,
    );
    expect(sent.map(({ name }) => name).sort()).toEqual(["bought", "campaign.sent"]);
    expect(sent[0]).toMatchObject({ external_id: "ann", properties: { campaign_name: "Spring" } });
    expect(braze.received[1].path).toBe("/hook/users/track");
    expect(braze.received[1].headers.authorization).toBe("Bearer braze-key-1");
    expect(braze.received[1].at - braze.received[0].at).toBeGreaterThanOrEqual(900);
    const log = await until(
      () => deliveries(sink.id),
      ({ waiting }) => waiting === 0,
    );
    expect(log.deliveries.some(({ response = "" }: { response?: string }) => response.includes("too many for"))).toBe(
      true,
    );
    const shown = JSON.stringify([log, (await platform.call("GET", `/v1/webhooks/${sink.id}`)).body]);
    expect(shown).not.toContain("braze-key-1");
    for (const { id } of [hook, sink]) await remove(id);
    await platform.call("DELETE", `/v1/campaigns/${campaign}`);
    await Promise.all([server.stop(), braze.stop()]);
  });

  it("send messages with an image that exists, and without one that is unavailable", async () => {
    const image = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
    await platform.call("PUT", "/v1/maps/icons/cup", { image });
    const create = async (url: string) => {
      const withImage = { ...atHome, content: { ...content, image: { name: "cup", url } } };
      const { body } = await platform.call("POST", "/v1/campaigns", { name: url, ...withImage });
      return body.campaign;
    };
    const gone = "https://127.0.0.1:9/cup.png";
    const made = [await create("cup"), await create(gone), await create("saucer")];
    expect(made.map(({ missingImages }) => missingImages)).toEqual([undefined, [gone], ["saucer"]]);
    const update = { deviceId: "drinker", ...HERE, accuracy: 5 };
    const { body } = await platform.call("POST", "/v1/track", update, platform.keys.testPublishable);
    expect(body.inAppMessages.map(({ image: shown }: { image?: object }) => shown)).toEqual([
      { name: "cup", url: "cup" },
      undefined,
      undefined,
    ]);
    const asset = await fetch(`${platform.url}/v1/assets/cup`, {
      headers: { authorization: platform.keys.testPublishable },
    });
    expect([asset.status, asset.headers.get("content-type")]).toEqual([200, "image/png"]);
    for (const { _id } of made) await platform.call("DELETE", `/v1/campaigns/${_id}`);
  });
});

describe("a platform for customer engagement", () => {
  it.each([
    [{ type: "braze", settings: { apiKey: "k" } }, "url"],
    [{ type: "iterable" }, "settings[apiKey]"],
    [{ type: "customerio", settings: { apiKey: "k" } }, "settings[siteId]"],
    [{ type: "segment", settings: { apiKey: "two words" } }, "settings[apiKey]"],
    [{ type: "segment", settings: { apiKey: "k" }, delivery: "multiple" }, "delivery"],
    [{ type: "segment", settings: { apiKey: "k" }, eventTypes: ["alert.outbox"] }, "eventTypes"],
  ])("rejects %j", async (fields, param) => {
    expect((await refusal(fields)).slice(0, 2)).toEqual([400, param]);
  });

  it("keeps its rules after a change", async () => {
    const { id } = await platform.webhook({ type: "iterable", settings: { apiKey: "k" } });
    const change = async (fields: object) =>
      (await platform.call("PATCH", `/v1/webhooks/${id}`, fields)).body.meta.param;
    expect(await change({ delivery: "multiple" })).toBe("delivery");
    expect(await change({ eventTypes: ["alert.outbox"] })).toBe("eventTypes");
    expect(await change({ settings: { apiKey: null } })).toBe("settings[apiKey]");
    const { body } = await platform.call("PATCH", `/v1/webhooks/${id}`, { settings: { apiKey: "l" } });
    expect(body.webhook).toMatchObject({ url: "", settings: { secrets: ["apiKey"] } });
    await remove(id);
  });
});
