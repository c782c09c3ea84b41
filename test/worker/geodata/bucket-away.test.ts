import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BucketAway, whileAway } from "../../../src/worker/geodata/bucket-away.ts";
import type { ObjectBucket } from "../../../src/worker/geodata/object-bucket.ts";

const hangs = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new BucketAway("live.json", "get: Unspecified error (0)"));

let bucket: ObjectBucket;
let leftOut: string[];
let goesOn: Promise<unknown>[];
beforeEach(() => {
  vi.useFakeTimers();
  bucket = { get: async () => null };
  leftOut = [];
  goesOn = [];
});
afterEach(() => void vi.useRealTimers());

/** What a part returns, and how long it took [ms]. */
async function wait<T>(work: () => Promise<T>): Promise<[T | undefined, number]> {
  const began = Date.now();
  const asking = {
    leftOut: (what: string) => void leftOut.push(what),
    waitUntil: (one: Promise<unknown>) => void goesOn.push(one),
  };
  const done = whileAway(bucket, asking, (part) => part("places", work));
  let ended: number | undefined;
  const noteEnd = () => {
    ended = Date.now();
  };
  void done.then(noteEnd, noteEnd);
  for (let step = 0; ended === undefined && step < 10_000; step += 50)
    await vi.advanceTimersByTimeAsync(step === 0 ? 0 : 50);
  return [await done, (ended ?? Number.POSITIVE_INFINITY) - began];
}

describe("work that can do without the map", () => {
  it("waits three seconds for a bucket that hangs, then lets its read go on after the response", async () => {
    expect(await wait(hangs)).toEqual([undefined, expect.toSatisfy((ms: number) => ms >= 3000 && ms <= 3100)]);
    expect([leftOut, goesOn.length]).toEqual([["places"], 1]);
  });

  it("waits no more while the bucket is away, but for one caller every two seconds", async () => {
    await wait(hangs);
    for (let i = 0; i < 3; i++) expect((await wait(hangs))[1]).toBeLessThanOrEqual(150);
    await vi.advanceTimersByTimeAsync(2000);
    const both = Promise.all([wait(hangs), wait(hangs)]);
    const [first, second] = (await both).map(([, ms]) => ms);
    expect(first).toBeGreaterThanOrEqual(3000);
    expect(second).toBeLessThanOrEqual(150);
  });

  it("has what is in memory at once while the bucket is away", async () => {
    await wait(fails);
    expect(await wait(async () => "cached")).toEqual(["cached", 0]);
  });

  it("waits again as always once the bucket responds", async () => {
    await wait(fails);
    await vi.advanceTimersByTimeAsync(2001);
    expect((await wait(async () => "here"))[0]).toBe("here");
    expect((await wait(hangs))[1]).toBeGreaterThanOrEqual(3000);
  });

  it("throws what is no outage", async () => {
    const work = () => Promise.reject(new TypeError("our mistake"));
    await expect(whileAway(bucket, { waitUntil: () => {} }, (part) => part("places", work))).rejects.toThrow(
      "our mistake",
    );
  });
});
