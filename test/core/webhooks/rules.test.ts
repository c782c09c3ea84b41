import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { toMessages } from "../../../src/core/webhooks/messages.ts";
import { nextAttempt, parseRetryAfter, parseSchedule, SCHEDULE } from "../../../src/core/webhooks/schedule.ts";
import { mintSecret, SECRET_BYTES, signedHeaders } from "../../../src/core/webhooks/signature.ts";
import type { Notice } from "../../../src/core/webhooks/types.ts";
import { judge } from "../../../src/core/webhooks/verdict.ts";

const NOW = Date.parse("2026-06-01T12:00:00.000Z");

describe("the schedule", () => {
  it("tries at once, after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and then no more", () => {
    const waits = SCHEDULE.map((_, attempts) => ((nextAttempt(attempts, NOW, 0) ?? 0) - NOW) / 1000);
    expect(waits).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(nextAttempt(10, NOW, 0)).toBeUndefined();
  });

  it("comes up to a fifth later by chance, never sooner", () => {
    for (const random of [0, 0.3, 0.999]) {
      const wait = (nextAttempt(2, NOW, random) ?? 0) - NOW;
      expect(wait).toBe(Math.ceil(300_000 * (1 + 0.2 * random)));
    }
  });

  it("waits as long as the receiver asks, a day at most, and never shorter than planned", () => {
    expect(nextAttempt(1, NOW, 0, 60)).toBe(NOW + 60_000);
    expect(nextAttempt(2, NOW, 0, 60)).toBe(NOW + 300_000);
    expect(nextAttempt(1, NOW, 0, 1e9)).toBe(NOW + 86_400_000);
  });

  it.each([
    ["120", 120],
    [" 0 ", 0],
    ["Mon, 01 Jun 2026 12:01:30 GMT", 90],
    ["Mon, 01 Jun 2026 11:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("reads Retry-After %j as %s", (header, seconds) => {
    expect(parseRetryAfter(header, NOW)).toBe(seconds);
  });

  it("may be an operator's own", () => {
    expect(parseSchedule("0 5, 300")).toEqual([0, 5, 300]);
    expect(parseSchedule(undefined)).toBe(SCHEDULE);
    for (const text of ["soon", "0 -1", "0 90000"]) expect(() => parseSchedule(text)).toThrow("WEBHOOK_SCHEDULE");
  });
});

describe("signatures", () => {
  const old = mintSecret(new Uint8Array(SECRET_BYTES).fill(1));
  const fresh = mintSecret(new Uint8Array(SECRET_BYTES).map((_, i) => 255 - i));
  const message = { id: "65aabbcc", body: '{"event":{"name":"Café 🚲"}}' };

  it("are what a receiver computes with Node's own crypto, in both schemes", async () => {
    const headers = await signedHeaders([fresh], message, "signing-id", NOW + 999);
    expect(headers["x-radar-signing-id"]).toBe("signing-id");
    expect(headers["x-radar-signature"]).toBe(createHmac("sha1", fresh).update("signing-id").digest("hex"));
    expect(headers["webhook-id"]).toBe(message.id);
    expect(headers["webhook-timestamp"]).toBe(String(NOW / 1000));
    const key = Buffer.from(fresh.slice("whsec_".length), "base64");
    expect(key).toHaveLength(SECRET_BYTES);
    const signed = `${message.id}.${NOW / 1000}.${message.body}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  });

  // The example of the Standard Webhooks specification's reference libraries.
  it("agree with the published vector of Standard Webhooks", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const vector = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
    const headers = await signedHeaders([secret], vector, "x", 1614265330 * 1000);
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("come with the new and the old secret while both are valid", async () => {
    const both = (await signedHeaders([fresh, old], message, "x", NOW))["webhook-signature"].split(" ");
    const alone = (await signedHeaders([old], message, "x", NOW))["webhook-signature"];
    expect(both).toHaveLength(2);
    expect(both[1]).toBe(alone);
    expect(both[0]).not.toBe(alone);
  });
});

describe("messages", () => {
  const notice = (n: number, user?: string): Notice => ({
    id: `e${n}`,
    type: "user.entered_geofence",
    user,
    json: `{"_id":"e${n}"}`,
  });
  const users = { ann: '{"_id":"ann"}', bob: '{"_id":"bob"}' };

  it("carry one event each with its user", () => {
    const messages = toMessages([notice(1, "ann"), notice(2, "bob")], users, "single", NOW);
    expect(messages.map(({ id, body }) => [id, JSON.parse(body)])).toEqual([
      ["e1", { event: { _id: "e1" }, user: { _id: "ann" } }],
      ["e2", { event: { _id: "e2" }, user: { _id: "bob" } }],
    ]);
  });

  it("carry up to five events of one user, in their order, named after the first", () => {
    const notices = Array.from({ length: 14 }, (_, i) => notice(i, i % 2 === 0 ? "ann" : "bob"));
    const messages = toMessages(notices, users, "multiple", NOW);
    expect(messages.map(({ id, user, events }) => [id, user, events.map((event) => event.id)])).toEqual([
      ["e0", "ann", ["e0", "e2", "e4", "e6", "e8"]],
      ["e1", "bob", ["e1", "e3", "e5", "e7", "e9"]],
      ["e10", "ann", ["e10", "e12"]],
      ["e11", "bob", ["e11", "e13"]],
    ]);
    expect(JSON.parse(messages[2].body)).toEqual({ events: [{ _id: "e10" }, { _id: "e12" }], user: { _id: "ann" } });
  });

  it("about nobody have no user", () => {
    expect(toMessages([notice(1)], users, "single", NOW)[0].body).toBe('{"event":{"_id":"e1"}}');
    expect(toMessages([notice(1)], users, "multiple", NOW)[0].body).toBe('{"events":[{"_id":"e1"}]}');
  });
});

it("any 2xx acknowledges, 410 ends the webhook, redirects and the rest are failures", () => {
  const kinds = (statuses: number[]) => statuses.map((status) => judge({ status }).kind);
  expect(kinds([200, 201, 202, 204, 299])).toEqual(Array(5).fill("delivered"));
  expect(kinds([410])).toEqual(["gone"]);
  expect(kinds([101, 300, 301, 302, 304, 307, 308, 400, 404, 429, 500, 503])).toEqual(Array(12).fill("failed"));
  expect(judge({ status: 302 })).toMatchObject({ error: expect.stringContaining("not followed") });
  expect(judge({ error: "No response within 15 s." })).toEqual({ kind: "failed", error: "No response within 15 s." });
});
