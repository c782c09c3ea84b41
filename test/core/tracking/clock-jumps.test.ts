import { describe, expect, it } from "vitest";
import { emptyLease, LEASE_MS, question, settle, spend } from "../../../src/core/limits/lease.ts";
import { fullBucket, takeTokens } from "../../../src/core/limits/token-bucket.ts";
import { BELIEVED_MS, KnownKeys, UNKNOWN_MS } from "../../../src/worker/http/serve/callers/known-keys.ts";
import { MessageQueue } from "../../../src/worker/objects/webhooks/message-queue.ts";
import { memorySql } from "../../bench/support/sqlite.ts";
import { Device, MINUTE, NOON, typesOf } from "./world.ts";

/** The machine's clock is set an hour ahead or back while all goes on: nothing has to be started anew. */
const HOUR = 60 * MINUTE;

describe.each([HOUR, -HOUR])("a clock that jumps by %i ms", (jump) => {
  it("leaves trackers that go on with the next update, in the order they come in", () => {
    const device = new Device();
    device.send(500);
    device.clock += jump;
    expect(typesOf(device.send(0))).toEqual(["entered_geofence"]);
    device.clock -= jump;
    const { events } = device.send(500);
    expect(events).toMatchObject([{ type: "user.exited_geofence" }]);
    expect(events[0].duration).toBeGreaterThanOrEqual(0);
    expect(device.state?.updatedAt).toBe(device.clock);
  });

  it("leaves trackers whose devices send times of their own", () => {
    const device = new Device();
    const send = (metres: number) => device.send(metres, { updatedAt: device.clock + MINUTE });
    send(500);
    device.clock += jump;
    send(500);
    device.clock -= jump;
    device.clock += 10 * MINUTE;
    expect(typesOf(send(0))).toEqual(["entered_geofence"]);
  });

  it("leaves a rate limit that refuses for a second at most, and a bucket that fills", () => {
    const lease = emptyLease();
    settle(lease, question(lease, 10), { granted: 0, remaining: 0, retryAfterMs: 100 }, NOON);
    expect(spend(lease, NOON + 1)).toBe("refuse");
    expect(spend(lease, NOON + jump)).toBe("ask");
    settle(lease, question(lease, 100), { granted: 10, remaining: 0, retryAfterMs: 0 }, NOON);
    expect(spend(lease, NOON + LEASE_MS - 1)).toBe("allow");
    expect(spend(lease, NOON + jump)).toBe("ask");
    const bucket = fullBucket(2, NOON);
    takeTokens(bucket, 2, 2, NOON);
    takeTokens(bucket, 2, 1, NOON + jump);
    expect(takeTokens(bucket, 2, 1, NOON + jump + 600).granted).toBe(1);
  });

  it("leaves keys that are asked for again: none lives longer, none stays out longer", async () => {
    const keys = new KnownKeys<{ project: number }>();
    let asked = 0;
    const find = (found: { project: number } | undefined) => async () => {
      asked++;
      return found;
    };
    await keys.lookUp("a", NOON, false, find({ project: 1 }));
    await keys.lookUp("b", NOON, false, find(undefined));
    await keys.lookUp("a", NOON + BELIEVED_MS - 1, false, find(undefined));
    await keys.lookUp("b", NOON + UNKNOWN_MS - 1, false, find({ project: 2 }));
    expect(asked).toBe(2);
    expect(await keys.lookUp("a", NOON + jump, false, find(undefined))).toBeUndefined();
    expect(await keys.lookUp("b", NOON + jump, false, find({ project: 2 }))).toEqual({ project: 2 });
  });
});

it("messages of webhooks that were put off by a clock that ran ahead are due when they would have been", () => {
  const queue = new MessageQueue(memorySql());
  const message = { id: "m", events: [], body: "{}", createdAt: NOON };
  queue.add([message], NOON + HOUR + 5_000);
  expect(queue.due(NOON + 5_000, new Set(), 9)).toEqual([]);
  queue.shift(-HOUR);
  expect(queue.due(NOON + 5_000, new Set(), 9).map(({ id }) => id)).toEqual(["m"]);
});
