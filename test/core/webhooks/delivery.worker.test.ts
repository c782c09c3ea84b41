import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { expectWithin } from "../../support/times.ts";
import { AWAY, HERE, type Platform, sleep, startWebhookPlatform, until } from "./platform.ts";
import { accept, answer, isFromUs, isGenuine, type Manner, type Receiver, startReceiver } from "./receiver.ts";

/** Webhooks as a receiver on loopback sees them: three tries, after 0, 0.2 and 0.4 s. */

let platform: Platform;
const receivers: Receiver[] = [];
const webhooks: { id: string; key?: string }[] = [];

beforeAll(async () => {
  platform = await startWebhookPlatform();
});
afterEach(async () => {
  for (const { id, key } of webhooks.splice(0)) await platform.call("DELETE", `/v1/webhooks/${id}`, undefined, key);
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
afterAll(() => platform?.stop());

async function receiver(manner: Manner = accept): Promise<Receiver> {
  const made = await startReceiver(manner);
  receivers.push(made);
  return made;
}

async function webhook(fields: Record<string, unknown>, key?: string) {
  const made = await platform.webhook(fields, key);
  webhooks.push({ id: made.id, key });
  return made;
}

/** A device nobody has seen walks in: one event. */
let devices = 0;
const newDevice = () => `device-${++devices}`;
async function enter(deviceId = newDevice(), more = {}) {
  const events = await platform.move(deviceId, HERE, more);
  expect(events.map(({ type }) => type)).toEqual(["user.entered_geofence"]);
  return events[0];
}

const deadLetters = async (id: string) =>
  (await platform.call("GET", `/v1/webhooks/${id}/dead-letters`)).body.deadLetters;
const deliveries = async (id: string) => (await platform.call("GET", `/v1/webhooks/${id}/deliveries`)).body;

describe("an alert", () => {
  const EVERY_MINUTE = "* * * * *";

  it("is told to the webhooks that name it, once, and again when it is over", async () => {
    const [named, all] = [await receiver(), await receiver()];
    const dead = await webhook({ url: all.url });
    await webhook({ url: named.url, eventTypes: ["alert.dead_letters"] });
    const now = Date.now();
    await platform.sql(
      `INSERT INTO dead_letter (scope, webhook, id, events, body, attempts, reason, created_at, died_at)
       VALUES (${platform.projectId * 2}, '${dead.id}', 'lost', '[{"id":"1","type":"user.entered_geofence"}]', '{}', 10, 'x', ${now}, ${now})`,
    );
    for (const minute of [0, 1, 2]) await platform.scheduled?.(EVERY_MINUTE, now + minute * 60_000);
    const [begun] = await until(
      () => named.received,
      (received) => received.length === 1,
    );
    expect(begun.body).toEqual({
      event: {
        _id: begun.headers["webhook-id"],
        type: "alert.dead_letters",
        live: false,
        createdAt: new Date(now).toISOString(),
        actualCreatedAt: new Date(now).toISOString(),
        alert: {
          state: "begun",
          since: new Date(now).toISOString(),
          value: 1,
          limit: 0,
          message: expect.stringContaining("replay"),
        },
      },
    });
    await platform.sql("DELETE FROM dead_letter WHERE id = 'lost'");
    for (const minute of [3, 7, 8]) await platform.scheduled?.(EVERY_MINUTE, now + minute * 60_000);
    const [, over] = await until(
      () => named.received,
      (received) => received.length === 2,
    );
    expect(over.body.event.alert).toMatchObject({ state: "over", until: new Date(now + 2 * 60_000).toISOString() });
    expect(all.received).toEqual([]);
  });

  it("tells that the project's database is almost full", async () => {
    const named = await receiver();
    await webhook({ url: named.url, eventTypes: ["alert.storage"] });
    await platform.scheduled?.(EVERY_MINUTE, Date.now());
    const [begun] = await until(
      () => named.received,
      (received) => received.length === 1,
    );
    expect(begun.body.event.alert).toMatchObject({ state: "begun", subject: "DB", limit: 0.0001 });
    expect(begun.body.event.alert.message).toContain("10 GB that D1 allows");
  });
});

describe("an event", () => {
  it("reaches its webhook, signed in both schemes, exactly as the API shows it", async () => {
    const sink = await receiver();
    const { secret } = await webhook({ url: sink.url });
    const device = newDevice();
    const event = await enter(device, { userId: `user of ${device}`, metadata: { vip: true } });
    const started = Date.now();
    const [message] = await until(
      () => sink.received,
      (received) => received.length === 1,
    );
    expectWithin(started, 2000);
    expect(message.headers).toMatchObject({ "content-type": "application/json", "webhook-id": event._id });
    expect(isGenuine(message, secret)).toBe(true);
    expect(isFromUs(message, secret)).toBe(true);
    expect(isGenuine({ ...message, text: `${message.text} ` }, secret)).toBe(false);
    expect(Math.abs(Number(message.headers["webhook-timestamp"]) * 1000 - message.at)).toBeLessThan(60_000);
    expect(message.body.event).toEqual(event);
    const { user } = (await platform.call("GET", `/v1/users/${device}`)).body;
    expect(message.body.user).toEqual(user);
    expect(Object.keys(message.body)).toEqual(["event", "user"]);
  });

  it("of a beacon is delivered in the same form and with the same signatures as one of a geofence", async () => {
    const sink = await receiver();
    const { secret } = await webhook({ url: sink.url });
    const ibeacon = { type: "ibeacon", uuid: "5f1b3c64-1f1e-4f3a-9d0e-2b6a3d1c9e10", major: "1", minor: "2" };
    const eddystone = { type: "eddystone", uid: "edd1", instance: "7" };
    const here = { coordinates: [HERE.longitude, HERE.latitude], enabled: true };
    for (const [description, identifiers] of Object.entries({ Door: ibeacon, Till: eddystone })) {
      const made = await platform.call("POST", "/v1/beacons", { description, ...identifiers, ...here });
      expect(made.status).toBe(200);
    }
    const device = newDevice();
    const [enteredFence, ...enteredBeacons] = await platform.move(device, HERE, { beacons: [ibeacon, eddystone] });
    const exited = await platform.move(device, HERE, { beacons: [eddystone] });
    const events = [enteredFence, ...enteredBeacons, ...exited];
    expect(events.map(({ type }) => type)).toEqual([
      ...["user.entered_geofence", "user.entered_beacon", "user.entered_beacon", "user.exited_beacon"],
    ]);
    const messages = await until(
      () => sink.received,
      (received) => received.length === events.length,
    );
    const [fence, ...beacons] = events.map((event) => {
      const found = messages.find(({ body }) => body.event._id === event._id);
      if (!found) throw new Error(`${event.type} was not delivered`);
      expect(found.body.event).toEqual(event);
      expect([isGenuine(found, secret), isFromUs(found, secret)]).toEqual([true, true]);
      return found;
    });
    const formOf = ({ headers, body }: typeof fence) => [Object.keys(headers).sort(), Object.keys(body)];
    for (const message of beacons) expect(formOf(message)).toEqual(formOf(fence));
    expect(beacons.map(({ body }) => body.event.beacon.description).sort()).toEqual(["Door", "Door", "Till"]);
  });

  it("goes to every webhook of its environment, and to none of the other environment", async () => {
    const [one, two, live] = [await receiver(), await receiver(), await receiver()];
    await webhook({ url: one.url });
    await webhook({ url: two.url });
    await webhook({ url: live.url }, platform.keys.liveSecret);
    const event = await enter();
    await until(
      () => [one, two].map(({ received }) => received.length),
      ([a, b]) => a === 1 && b === 1,
    );
    expect(two.received[0].body.event._id).toBe(event._id);
    await platform.move(newDevice(), HERE, {}, platform.keys.livePublishable);
    await until(
      () => live.received.length,
      (n) => n === 1,
    );
    expect(live.received[0].body.event.live).toBe(true);
    expect([one.received.length, two.received.length]).toEqual([1, 1]);
  });

  it("goes only where its type is asked for", async () => {
    const [exits, all] = [await receiver(), await receiver()];
    await webhook({ url: exits.url, eventTypes: ["user.exited_geofence", "signed_up"] });
    await webhook({ url: all.url, eventTypes: [] });
    const device = newDevice();
    await enter(device);
    await until(
      () => all.received.length,
      (n) => n === 1,
    );
    await platform.move(device, AWAY);
    await until(
      () => [exits.received.length, all.received.length],
      ([a, b]) => a === 1 && b === 2,
    );
    expect(exits.received[0].body.event.type).toBe("user.exited_geofence");
  });

  it("travels with up to four others of its user where the webhook takes several", async () => {
    for (let i = 0; i < 7; i++) {
      const shape = { type: "circle", coordinates: [10, 10], radius: 100 };
      await platform.call("PUT", `/v1/geofences/many/${i}`, { description: `Fence ${i}`, ...shape });
    }
    const sink = await receiver();
    const { secret } = await webhook({ url: sink.url, delivery: "multiple" });
    const device = newDevice();
    const events = await platform.move(device, { latitude: 10, longitude: 10 });
    expect(events).toHaveLength(7);
    await until(
      () => sink.received.length,
      (n) => n === 2,
    );
    const messages = sink.received.sort((a, b) => b.body.events.length - a.body.events.length);
    expect(messages.map(({ body }) => body.events.length)).toEqual([5, 2]);
    expect(messages.flatMap(({ body }) => body.events)).toEqual(events);
    for (const message of messages) {
      expect(Object.keys(message.body)).toEqual(["events", "user"]);
      expect(message.body.user.deviceId).toBe(device);
      expect(message.headers["webhook-id"]).toBe(message.body.events[0]._id);
      expect(isGenuine(message, secret)).toBe(true);
    }
  });
});

describe("a receiver that", () => {
  it("fails twice gets the same message a third time, with the same id and a fresh signature", async () => {
    const sink = await receiver((response, n) =>
      answer(n < 2 ? 500 : 200, {}, n < 2 ? "not today" : "fine")(response, n, sink.received[n]),
    );
    const { id, secret } = await webhook({ url: sink.url });
    const event = await enter();
    const [first, second, third] = await until(
      () => sink.received,
      (received) => received.length === 3,
    );
    expect(new Set([first, second, third].map(({ text }) => text)).size).toBe(1);
    expect(new Set([first, second, third].map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([event._id]));
    expect(new Set([first, second, third].map(({ headers }) => headers["x-radar-signing-id"])).size).toBe(3);
    expect([first, second, third].every((message) => isGenuine(message, secret))).toBe(true);
    expect(second.at - first.at).toBeGreaterThanOrEqual(195);
    expect(third.at - second.at).toBeGreaterThanOrEqual(395);
    const log = await until(
      () => deliveries(id),
      ({ waiting }) => waiting === 0,
    );
    expect(
      log.deliveries.map(({ attempt, outcome, status }: Record<string, unknown>) => [attempt, outcome, status]),
    ).toEqual([
      [3, "delivered", 200],
      [2, "retrying", 500],
      [1, "retrying", 500],
    ]);
    expect(log.deliveries[1]).toMatchObject({
      error: "The receiver returned 500.",
      response: "not today",
      messageId: event._id,
    });
    expect(log.deliveries[0]).not.toHaveProperty("response");
  });

  it("fails every time leaves a dead letter, which can be replayed", async () => {
    const sink = await receiver(answer(503));
    const { id } = await webhook({ url: sink.url });
    const event = await enter();
    const letters = await until(
      () => deadLetters(id),
      (found) => found.length === 1,
    );
    expect(sink.received).toHaveLength(3);
    expect(letters[0]).toMatchObject({
      _id: event._id,
      events: [{ _id: event._id, type: "user.entered_geofence" }],
      attempts: 3,
      reason: "The receiver returned 503.",
    });
    expect((await deliveries(id)).deliveries[0]).toMatchObject({ attempt: 3, outcome: "dead", status: 503 });
    sink.manner(accept);
    const path = `/v1/webhooks/${id}/dead-letters/${event._id}/replay`;
    expect((await platform.call("POST", path)).body).toMatchObject({ replayed: 1 });
    await until(
      () => sink.received.length,
      (n) => n === 4,
    );
    expect(sink.received[3].text).toBe(sink.received[0].text);
    expect(await deadLetters(id)).toEqual([]);
    expect((await platform.call("POST", path)).status).toBe(404);
  });

  it("was away for long gets all of a time replayed, oldest first", async () => {
    const sink = await receiver(answer(500));
    const { id } = await webhook({ url: sink.url });
    const events: { _id: string }[] = [];
    for (let i = 0; i < 3; i++) events.push(await enter());
    await until(
      () => deadLetters(id),
      (found) => found.length === 3,
    );
    const middle = await sleep(20).then(() => new Date().toISOString());
    await sleep(20);
    events.push(await enter());
    await until(
      () => deadLetters(id),
      (found) => found.length === 4,
    );
    sink.manner(accept);
    sink.received.length = 0;
    const replay = (body: unknown) => platform.call("POST", `/v1/webhooks/${id}/dead-letters/replay`, body);
    expect((await replay({ createdBefore: middle })).body).toMatchObject({ meta: { hasMore: false }, replayed: 3 });
    await until(
      () => sink.received.length,
      (n) => n === 3,
    );
    expect(sink.received.map(({ body }) => body.event._id).sort()).toEqual(
      events
        .slice(0, 3)
        .map(({ _id }) => _id)
        .sort(),
    );
    expect((await deadLetters(id)).map(({ _id }: { _id: string }) => _id)).toEqual([events[3]._id]);
    expect((await replay({})).body.replayed).toBe(1);
    expect((await replay({})).body.replayed).toBe(0);
  });

  it("asks for time gets it", async () => {
    const sink = await receiver((response, n, one) =>
      (n === 0 ? answer(429, { "retry-after": "2" }) : accept)(response, n, one),
    );
    await webhook({ url: sink.url });
    await enter();
    const [first, second] = await until(
      () => sink.received,
      (received) => received.length === 2,
    );
    expect(second.at - first.at).toBeGreaterThanOrEqual(1990);
  });

  it("says 410 is told nothing more, and the webhook says why", async () => {
    const sink = await receiver(answer(410));
    const { id } = await webhook({ url: sink.url });
    const event = await enter();
    const { webhook: off } = await until(
      async () => (await platform.call("GET", `/v1/webhooks/${id}`)).body,
      (body) => body.webhook.enabled === false,
    );
    expect(off.disabledReason).toBe("The receiver returned 410 Gone.");
    expect(sink.received).toHaveLength(1);
    const letters = await until(
      () => deadLetters(id),
      (found) => found.length === 1,
    );
    expect(letters[0]).toMatchObject({ _id: event._id, attempts: 1, reason: "The receiver returned 410 Gone." });
    expect((await platform.call("POST", `/v1/webhooks/${id}/dead-letters/replay`, {})).status).toBe(409);
    sink.manner(accept);
    const on = (await platform.call("PATCH", `/v1/webhooks/${id}`, { enabled: true })).body.webhook;
    expect([on.enabled, on.disabledReason]).toEqual([true, undefined]);
    const next = await enter();
    await until(
      () => sink.received.at(-1)?.body.event._id,
      (seen) => seen === next._id,
    );
  });

  it("redirects is not followed: that is a failure", async () => {
    const secretPlace = await receiver();
    const sink = await receiver((response, n, one) =>
      answer([301, 302, 307][n], { location: secretPlace.url })(response, n, one),
    );
    const { id } = await webhook({ url: sink.url });
    await enter();
    const [letter] = await until(
      () => deadLetters(id),
      (found) => found.length === 1,
    );
    expect(letter.reason).toBe("The receiver returned 307; redirects are not followed.");
    expect(secretPlace.received).toEqual([]);
  });

  it("refuses the connection, or dies before its answer, is tried again", async () => {
    const sink = await receiver((response, n, one) => (n === 0 ? response.destroy() : accept(response, n, one)));
    const { id } = await webhook({ url: sink.url });
    await enter();
    await until(
      () => sink.received.length,
      (n) => n === 2,
    );
    const [, first] = (
      await until(
        () => deliveries(id),
        ({ waiting }) => waiting === 0,
      )
    ).deliveries;
    expect(first.error).toBe("The connection failed: host not found, refused, or interrupted.");
    await sink.stop();
    await enter();
    const [letter] = await until(
      () => deadLetters(id),
      (found) => found.length === 1,
    );
    expect(letter).toMatchObject({ attempts: 3, reason: first.error });
  });

  it("dies in the middle of a good answer has acknowledged", async () => {
    const sink = await receiver((response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("so far", () => setTimeout(() => response.destroy(), 20));
    });
    const { id } = await webhook({ url: sink.url });
    await enter();
    await until(
      () => deliveries(id),
      ({ waiting, deliveries }) => waiting === 0 && deliveries.length === 1,
    );
    await sleep(600);
    expect(sink.received).toHaveLength(1);
  });

  it.each([200, 500])("answers %i without end costs nothing", async (status) => {
    const sink = await receiver((response) => {
      response.writeHead(status);
      const pour = setInterval(() => response.write("x".repeat(10_000)), 1);
      response.on("close", () => clearInterval(pour));
    });
    const { id } = await webhook({ url: sink.url });
    await enter();
    const log = await until(
      () => deliveries(id),
      (found) => found.deliveries.length > 0,
    );
    expect(log.deliveries.at(-1).status).toBe(status);
    if (status === 500) expect(log.deliveries.at(-1).response.length).toBeLessThanOrEqual(512);
    await until(
      () => sink.open(),
      (n) => n === 0,
    );
  });

  it("says its failure slowly, or never to the end, is not waited for", async () => {
    const sink = await receiver((response) => {
      response.writeHead(500, { "content-length": "100" });
      response.write("because");
    });
    const { id } = await webhook({ url: sink.url });
    await enter();
    const log = await until(
      () => deliveries(id),
      (found) => found.deliveries.length > 0,
    );
    expect(log.deliveries.at(-1)).toMatchObject({ status: 500 });
    // Less than the 15 s after which it is given up.
    expect(log.deliveries.at(-1).durationMs).toBeLessThan(14_000);
  });

  it("hangs gets six messages at a time, fifteen seconds each, and holds up no other receiver", async () => {
    const [hanging, well] = [await receiver(() => {}), await receiver()];
    const { id } = await webhook({ url: hanging.url });
    await webhook({ url: well.url });
    const started = Date.now();
    await Promise.all(Array.from({ length: 10 }, () => enter()));
    await until(
      () => well.received.length,
      (n) => n === 10,
    );
    // Before the first hanging message is given up.
    expect(Date.now() - started).toBeLessThan(14_000);
    await until(
      () => hanging.received.length,
      (n) => n === 6,
    );
    await sleep(500);
    expect(hanging.mostAtOnce()).toBe(6);
    const log = await until(
      () => deliveries(id),
      ({ deliveries: some }) => some.length > 0,
      20_000,
    );
    expect(log.deliveries.at(-1)).toMatchObject({ error: "No response within 15 s.", outcome: "retrying" });
    expect(log.deliveries.at(-1).durationMs).toBeGreaterThanOrEqual(14_900);
    expect(log.waiting).toBe(10);
  });
});

describe("a webhook that", () => {
  it("is switched off gets nothing; what waits becomes dead letters", async () => {
    const sink = await receiver(answer(500, { "retry-after": "60" }));
    const { id } = await webhook({ url: sink.url });
    const waiting = await enter();
    await until(
      () => deliveries(id),
      ({ deliveries: some }) => some.length === 1,
    );
    expect((await platform.call("PATCH", `/v1/webhooks/${id}`, { enabled: false })).body.webhook.enabled).toBe(false);
    const letters = await until(
      () => deadLetters(id),
      (found) => found.length === 1,
    );
    expect(letters[0]).toMatchObject({ _id: waiting._id, attempts: 1, reason: "The webhook is disabled." });
    sink.manner(accept);
    await enter();
    await sleep(700);
    expect(sink.received).toHaveLength(1);
    await platform.call("PATCH", `/v1/webhooks/${id}`, { enabled: true });
    const next = await enter();
    await until(
      () => sink.received.map(({ body }) => body.event._id),
      (ids) => ids.includes(next._id),
    );
    expect(sink.received).toHaveLength(2);
  });

  it("moves to another address takes what waits along", async () => {
    const [old, fresh] = [await receiver(answer(500)), await receiver()];
    const { id } = await webhook({ url: old.url });
    const event = await enter();
    await until(
      () => old.received.length,
      (n) => n >= 1,
    );
    await platform.call("PATCH", `/v1/webhooks/${id}`, { url: fresh.url });
    await until(
      () => fresh.received.map(({ body }) => body.event._id),
      (ids) => ids.includes(event._id),
    );
  });

  it("has a new secret signs with both for a day", async () => {
    const sink = await receiver();
    const { id, secret: old } = await webhook({ url: sink.url });
    const { body } = await platform.call("POST", `/v1/webhooks/${id}/rotate`);
    const { secret: fresh, previousSecretValidUntil } = body.webhook;
    expect(fresh).not.toBe(old);
    expect(Date.parse(previousSecretValidUntil) - Date.now()).toBeGreaterThan(23 * 3600 * 1000);
    await enter();
    const [message] = await until(
      () => sink.received,
      (received) => received.length === 1,
    );
    expect([isGenuine(message, old), isGenuine(message, fresh)]).toEqual([true, true]);
    expect([isFromUs(message, old), isFromUs(message, fresh)]).toEqual([false, true]);
    await platform.sql(`UPDATE webhook SET previous_until = 1 WHERE id = '${id}'`);
    await platform.call("PATCH", `/v1/webhooks/${id}`, { description: "read anew" });
    await enter();
    const [, later] = await until(
      () => sink.received,
      (received) => received.length === 2,
    );
    expect([isGenuine(later, old), isGenuine(later, fresh)]).toEqual([false, true]);
  });

  it("is tested gets one event by itself, signed, and the caller hears what the receiver said", async () => {
    const sink = await receiver(answer(200, {}, "ok"));
    const { id, secret } = await webhook({ url: sink.url, delivery: "multiple", eventTypes: ["user.exited_geofence"] });
    const { body } = await platform.call("POST", `/v1/webhooks/${id}/test`);
    expect(body).toMatchObject({ delivered: true, delivery: { outcome: "test", status: 200, attempt: 1 } });
    expect(sink.received[0].body).toMatchObject({
      events: [{ type: "webhook.test", live: false }],
      user: { live: false },
    });
    expect(isGenuine(sink.received[0], secret)).toBe(true);
    sink.manner(answer(404, {}, "no such page"));
    expect((await platform.call("POST", `/v1/webhooks/${id}/test`)).body).toMatchObject({
      delivered: false,
      delivery: { outcome: "test", status: 404, error: "The receiver returned 404.", response: "no such page" },
    });
    await sleep(500);
    expect(sink.received).toHaveLength(2);
    expect((await deliveries(id)).deliveries).toHaveLength(2);
  });

  it("is deleted leaves nothing behind", async () => {
    const sink = await receiver(answer(500, { "retry-after": "1" }));
    const { id } = await platform.webhook({ url: sink.url });
    await enter();
    await until(
      () => sink.received.length,
      (n) => n === 1,
    );
    expect((await platform.call("DELETE", `/v1/webhooks/${id}`)).status).toBe(200);
    await enter();
    await sleep(1500);
    expect(sink.received).toHaveLength(1);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["PATCH", ""],
      ["POST", "/test"],
      ["POST", "/rotate"],
      ["GET", "/deliveries"],
      ["GET", "/dead-letters"],
      ["POST", "/dead-letters/replay"],
      ["POST", "/dead-letters/x/replay"],
    ]) {
      const json = method === "PATCH" || path.endsWith("letters/replay") ? {} : undefined;
      expect([path, (await platform.call(method, `/v1/webhooks/${id}${path}`, json)).status]).toEqual([path, 404]);
    }
    expect(await platform.sql(`SELECT * FROM dead_letter WHERE webhook = '${id}'`)).toEqual([]);
  });
});

it("a user that is deleted is gone from every queue, log and dead letter; others stay", async () => {
  const [slow, dead] = [await receiver(answer(500, { "retry-after": "60" })), await receiver(answer(500))];
  const [waits, dies] = [await webhook({ url: slow.url }), await webhook({ url: dead.url })];
  const [ann, bob] = [newDevice(), newDevice()];
  const [first, second] = [await enter(ann), await enter(bob)];
  await until(
    () => deliveries(waits.id),
    ({ deliveries: some }) => some.length === 2,
  );
  await until(
    () => deadLetters(dies.id),
    (found) => found.length === 2,
  );
  expect((await platform.call("DELETE", `/v1/users/${ann}`)).status).toBe(200);
  const [queue, log, letters] = [await deliveries(waits.id), await deliveries(dies.id), await deadLetters(dies.id)];
  expect([queue.waiting, letters.map(({ _id }: { _id: string }) => _id)]).toEqual([1, [second._id]]);
  const text = JSON.stringify([queue, log, letters]);
  expect([text.includes(first._id), text.includes(second._id)]).toEqual([false, true]);
});
