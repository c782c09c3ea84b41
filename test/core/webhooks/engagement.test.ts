import { describe, expect, it } from "vitest";
import { parseRateLimitReset } from "../../../src/core/webhooks/schedule.ts";
import {
  ENGAGEMENT_TYPES,
  type EngagementType,
  secretValues,
  shownSettings,
  withoutSecrets,
} from "../../../src/core/webhooks/sink-settings.ts";
import { PLATFORMS, propertiesOf } from "../../../src/core/webhooks/sinks/engagement.ts";
import type { Message } from "../../../src/core/webhooks/types.ts";
import { CallLimits } from "../../../src/worker/objects/webhooks/sinks/call-limits.ts";
import { engagementSink } from "../../../src/worker/objects/webhooks/sinks/engagement-sink.ts";
import type { Way } from "../../../src/worker/objects/webhooks/sinks/post.ts";

const EVENT = {
  _id: "6924c0de6924c0de6924c0de0000002a",
  type: "user.entered_geofence",
  createdAt: "2026-01-31T09:30:00.500Z",
  live: true,
  user: { _id: "6924c0de6924c0de6924c0de", userId: "ann", deviceId: "phone" },
  geofence: { _id: "f1", tag: "store", externalId: "12", description: "Store 12", metadata: { region: "east" } },
  location: { type: "Point", coordinates: [-73.9, 40.7] as const },
  confidence: 3,
};
const PROPERTIES = {
  event_id: EVENT._id,
  live: true,
  device_id: "phone",
  geofence_id: "f1",
  geofence_tag: "store",
  geofence_external_id: "12",
  geofence_description: "Store 12",
  geofence_metadata: { region: "east" },
  longitude: -73.9,
  latitude: 40.7,
  confidence: 3,
};
const message = (n: number, more: object = {}): Message => ({
  id: `m${n}`,
  events: [],
  createdAt: 0,
  body: JSON.stringify({ event: { ...EVENT, ...more }, user: {} }),
});
const nobody = { user: { _id: "u", deviceId: "phone" } };

interface Asked {
  url: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: looked into field by field
  body: any;
}

const ULID = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const numberOf = (text: string) => [...text].reduce((sum, digit) => sum * 32n + BigInt(ULID.indexOf(digit)), 0n);
const ulidTime = (id: string) => Number(numberOf(id.slice(0, 10)));
const ulidRandom = (id: string) => numberOf(id.slice(10));

/** A platform that responds to each request in turn, the last response again. */
function platformOf(type: EngagementType, ...responses: (() => Response)[]) {
  const asked: Asked[] = [];
  const network = {
    fetch: async (url: string, init: RequestInit) => {
      asked.push({ url, headers: init.headers as Record<string, string>, body: JSON.parse(String(init.body)) });
      return (responses[asked.length - 1] ?? responses[responses.length - 1])();
    },
  };
  const settings = { apiKey: "key-123", ...(type === "customerio" && { siteId: "site" }) };
  const url = type === "braze" ? "https://rest.iad-01.braze.com/" : "";
  const config = { scope: 2, id: "w", type, url, settings, delivery: "single" as const, enabled: true, secrets: [] };
  return {
    asked,
    sink: engagementSink(config, {
      rules: { allowPrivate: false },
      network,
      limits: new CallLimits(),
    } as unknown as Way),
  };
}
const ok =
  (body: object, status = 200) =>
  () =>
    Response.json(body, { status });

describe("events for a platform", () => {
  // braze.com/docs/api/endpoints/user_data/post_user_track (2026-11-26)
  it("are what Braze documents for POST /users/track", async () => {
    const { asked, sink } = platformOf("braze", ok({ message: "success", events_processed: 2 }, 201));
    expect(await sink.send([message(1), message(2, nobody)], "")).toMatchObject([{ status: 201 }, { status: 201 }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      url: "https://rest.iad-01.braze.com/users/track",
      headers: { authorization: "Bearer key-123", "content-type": "application/json" },
    });
    const { external_id: _, ...rest } = asked[0].body.events[0];
    expect(asked[0].body).toEqual({
      events: [
        { external_id: "ann", name: EVENT.type, time: EVENT.createdAt, properties: PROPERTIES },
        { ...rest, user_alias: { alias_name: "phone", alias_label: "device_id" } },
      ],
    });
  });

  // github.com/Iterable/api-client, src/types/events.ts (2026-11-26)
  it("are what Iterable documents for POST /api/events/trackBulk, without users that have no userId", async () => {
    const { asked, sink } = platformOf("iterable", ok({ successCount: 1, failCount: 0, invalidEmails: [] }));
    expect(await sink.send([message(1), message(2, nobody)], "")).toMatchObject([{ status: 200 }, { status: 204 }]);
    expect(asked).toMatchObject([
      { url: "https://api.iterable.com/api/events/trackBulk", headers: { "api-key": "key-123" } },
    ]);
    const createdAt = Date.UTC(2026, 0, 31, 9, 30) / 1000;
    expect(asked[0].body).toEqual({
      events: [{ userId: "ann", id: EVENT._id, eventName: EVENT.type, createdAt, dataFields: PROPERTIES }],
    });
    expect(await platformOf("iterable", ok({})).sink.send([message(1, nobody)], "")).toMatchObject([{ status: 204 }]);
  });

  // github.com/segmentio/action-destinations, destinations/customerio/utils.ts, and docs.customer.io/api/track (2026-11-26)
  it("are what Customer.io documents for POST /api/v2/batch, with the same ULID for each attempt", async () => {
    const { asked, sink } = platformOf("customerio", ok({}));
    await sink.send([message(1), message(2, nobody)], "");
    await sink.send([message(1)], "");
    expect(asked[0]).toMatchObject({
      url: "https://track.customer.io/api/v2/batch",
      headers: { authorization: `Basic ${btoa("site:key-123")}` },
    });
    const [first, second] = asked[0].body.batch;
    // 2026-01-31T09:30:00.500Z, and the last 80 bits of the id.
    expect(ulidTime(first.id)).toBe(Date.parse(EVENT.createdAt));
    expect(ulidRandom(first.id)).toBe(BigInt(`0x${EVENT._id.slice(-20)}`));
    expect(first).toEqual({
      type: "person",
      identifiers: { id: "ann" },
      action: "event",
      name: EVENT.type,
      id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      timestamp: Date.UTC(2026, 0, 31, 9, 30) / 1000,
      attributes: PROPERTIES,
    });
    expect(second.identifiers).toEqual({ anonymous_id: "phone" });
    expect(asked[1].body.batch[0].id).toBe(first.id);
    const other = PLATFORMS.customerio.item({ ...EVENT, _id: "6924c0de6924c0de6924c0de0000002b" }) as { id: string };
    expect(other.id).not.toBe(first.id);
    expect(other.id.slice(0, 10)).toBe(first.id.slice(0, 10));
  });

  // twilio.com/docs/segment/connections/sources/catalog/libraries/server/http-api (2026-11-26)
  it("are what Segment documents for POST /v1/batch", async () => {
    const { asked, sink } = platformOf("segment", ok({ success: true }));
    await sink.send([message(1), message(2, nobody)], "");
    expect(asked[0]).toMatchObject({
      url: "https://api.segment.io/v1/batch",
      headers: { authorization: `Basic ${btoa("key-123:")}` },
    });
    expect(asked[0].body.batch).toMatchObject([
      { type: "track", userId: "ann", event: EVENT.type, messageId: EVENT._id, timestamp: EVENT.createdAt },
      { type: "track", anonymousId: "phone", context: { device: { id: "phone" } } },
    ]);
    expect(asked[0].body.batch[0].properties).toEqual(PROPERTIES);
  });

  it("have flat properties of what they are about", () => {
    const about = {
      place: { _id: "p", name: "Cafe", chain: { slug: "cafe", name: "Cafe" }, categories: ["food"] },
      trip: { _id: "t", externalId: "order", status: "arrived", mode: "car" },
      campaign: { _id: "c", name: "Spring", type: "inAppMessage", variant: 1 },
      duration: 12,
      metadata: { price: 5 },
    };
    expect(propertiesOf({ ...EVENT, geofence: undefined, ...about })).toMatchObject({
      place_chain: "cafe",
      place_categories: ["food"],
      trip_external_id: "order",
      campaign_name: "Spring",
      campaign_variant: 1,
      duration_minutes: 12,
      metadata: { price: 5 },
    });
  });
});

describe("a platform that rejects", () => {
  const three = [message(1), message(2, { type: "bad" }), message(3, { user: { _id: "u", userId: "gone" } })];
  const outcome = (posted: { isFinal?: boolean; error?: string; status?: number }[]) =>
    posted.map(({ isFinal, error, status }) => (isFinal ? `final ${error?.split(": ")[1] ?? status}` : status));

  it("single events loses only these", async () => {
    const braze = ok(
      { message: "success", errors: [{ type: "'name' is required", input_array: "events", index: 1 }] },
      201,
    );
    expect(outcome(await platformOf("braze", braze).sink.send(three, ""))).toEqual([
      201,
      "final 'name' is required",
      201,
    ]);
    const iterable = ok({
      successCount: 1,
      failCount: 2,
      disallowedEventNames: ["bad"],
      failedUpdates: { failedUserIds: ["gone"] },
    });
    expect(outcome(await platformOf("iterable", iterable).sink.send(three, ""))).toEqual([
      200,
      "final disallowedEventNames",
      "final failedUserIds",
    ]);
    // The deprecated list may be absent, or have more than the other.
    for (const lists of [{ failedUpdates: { invalidUserIds: ["gone"] } }, { invalidUserIds: ["gone"] }]) {
      const { sink } = platformOf("iterable", ok({ successCount: 2, failCount: 1, ...lists }));
      expect(outcome(await sink.send(three, ""))).toEqual([200, 200, "final invalidUserIds"]);
    }
    const errors = [{ reason: "required", field: "name", message: "is blank", batch_index: 1 }];
    expect(outcome(await platformOf("customerio", ok({ errors }, 207)).sink.send(three, ""))).toEqual([
      207,
      "final required name is blank",
      207,
    ]);
  });

  it("a batch for one event is asked by halves, and the others arrive", async () => {
    const many = Array.from({ length: 40 }, (_, i) => message(i, i === 17 ? { type: "bad" } : {}));
    const received: string[] = [];
    let requests = 0;
    const network = {
      fetch: async (_: string, init: RequestInit) => {
        requests++;
        const { batch } = JSON.parse(String(init.body));
        if (batch.some(({ event }: { event: string }) => event === "bad"))
          return new Response("Payload is too large", { status: 400 });
        for (const one of batch) received.push(one.event);
        return Response.json({ success: true });
      },
    };
    const { sink } = platformOf("segment", ok({}));
    expect(sink.mostAtOnce).toBeGreaterThan(40);
    const own = engagementSink(
      {
        scope: 2,
        id: "w",
        type: "segment",
        url: "",
        settings: { apiKey: "k" },
        delivery: "single",
        enabled: true,
        secrets: [],
      },
      { rules: { allowPrivate: false }, network, limits: new CallLimits() } as unknown as Way,
    );
    const posted = await own.send(many, "");
    expect(posted.filter(({ isFinal }) => isFinal)).toHaveLength(1);
    expect(posted[17]).toMatchObject({ status: 400, isFinal: true });
    expect([received.length, requests]).toEqual([39, expect.any(Number)]);
    expect(requests).toBeLessThanOrEqual(24);
  });

  it("everything is not asked without end, and no event is lost", async () => {
    const many = Array.from({ length: 75 }, (_, i) => message(i));
    const { asked, sink } = platformOf("braze", ok({ message: "Invalid request" }, 400));
    const posted = await sink.send(many, "");
    expect(asked.length).toBeLessThanOrEqual(24);
    expect(posted).toHaveLength(75);
    expect(posted.every(({ status }) => status === 400)).toBe(true);
    expect(posted.some(({ isFinal }) => !isFinal)).toBe(true);
  });

  it("the key keeps all events for later", async () => {
    for (const status of [401, 403, 500]) {
      const { asked, sink } = platformOf("iterable", ok({ code: "BadApiKey" }, status));
      expect(outcome(await sink.send(three, ""))).toEqual([status, status, status]);
      expect(asked).toHaveLength(1);
    }
  });

  it("too many requests is left alone until its limit ends", async () => {
    const limited = (headers: Record<string, string>) => () => new Response("{}", { status: 429, headers });
    const now = Date.now();
    const braze = platformOf("braze", limited({ "x-ratelimit-reset": String(Math.floor(now / 1000) + 30) })).sink;
    const [posted] = await braze.send([message(1)], "");
    expect(posted.status).toBe(429);
    expect(posted.retryAfter).toBeGreaterThanOrEqual(28);
    expect(braze.pausedUntil?.()).toBeGreaterThanOrEqual(now + 28_000);
    const segment = platformOf("segment", limited({ "retry-after": "7" })).sink;
    expect(await segment.send([message(1)], "")).toMatchObject([{ status: 429, retryAfter: 7 }]);
    expect(segment.pausedUntil?.()).toBeGreaterThanOrEqual(now + 7000);
  });
});

describe("the end of a rate limit's period", () => {
  it.each([
    ["1769851800", 1_769_851_790_000, 10],
    ["1769851800", 1_769_851_900_000, 0],
    ["30", 1_769_851_790_000, 30],
    ["0.5", 0, 1],
    ["soon", 0, undefined],
    ["-5", 0, undefined],
    [null, 0, undefined],
  ])("%s is in seconds", (header, now, expected) => {
    expect(parseRateLimitReset(header, now)).toBe(expected);
  });
});

describe("the keys of a platform", () => {
  it.each(ENGAGEMENT_TYPES)("of type %s are not shown, and not repeated from responses", (type) => {
    const settings = { apiKey: "key-123", siteId: "site" };
    expect(JSON.stringify(shownSettings(settings))).not.toContain("key-123");
    expect(shownSettings(settings).secrets).toEqual(["apiKey"]);
    const sent = Object.values(PLATFORMS[type].headers(settings)).join(" ");
    const echoed = withoutSecrets(`You sent ${sent}, key-123.`, secretValues(settings));
    expect(echoed).not.toMatch(/key-123|a2V5LTEyM|OmtleS0xMjM/);
    expect(echoed).toContain("You sent");
  });
  it("include headers, with and without their scheme", () => {
    const secrets = secretValues({ headers: { authorization: "Bearer abcdef" }, password: "pw" });
    expect(withoutSecrets("Bearer abcdef; abcdef; pw", secrets)).toBe("…; …; pw");
    expect(withoutSecrets("abcdefgh", ["abcd", "abcdefgh"])).toBe("…");
  });
});
