import { describe, expect, it } from "vitest";
import { fullBucket, type TokenBucket, takeTokens } from "../../../src/core/limits/token-bucket.ts";
import { ApiError } from "../../../src/worker/platform/errors.ts";

/** The specification's limits, as requests meet them. The clock is a number, so that a busy machine changes nothing. */

// By name: these modules know the Worker's types, which tests do not have.
const worker = (file: string) => import(new URL(`../../../src/worker/http/${file}.ts`, import.meta.url).href);
const { ipGeocode } = await worker("geocode/geocode-ip");
const { limitRate } = await worker("serve/rate-limit");

/** The counters of all scopes, as the Durable Objects keep them. */
function counters() {
  const buckets = new Map<string, TokenBucket>();
  const clock = { now: 1_000_000 };
  const RATE_LIMITER = {
    idFromName: (name: string) => name,
    get: (name: string) => ({
      async take(rate: number, wanted: number, returned = 0) {
        const bucket = buckets.get(name) ?? fullBucket(rate, clock.now);
        buckets.set(name, bucket);
        return takeTokens(bucket, rate, wanted, clock.now, returned);
      },
    }),
  };
  return { clock, env: { RATE_LIMITER, GEODATA: { get: async () => null } } };
}

let scopes = 0;
const newCaller = () => ({ scope: 900_000 + scopes++, settings: {} });

/** How many of `calls` calls pass, one after the other. The others get 429 and the limit in a header. */
async function passing(calls: number, limit: number, call: () => unknown): Promise<number> {
  let passed = 0;
  for (let i = 0; i < calls; i++) {
    try {
      await call();
      passed++;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      expect([error.status, new Headers(error.headers).get("X-RateLimit-Limit")]).toEqual([429, String(limit)]);
    }
  }
  return passed;
}

describe("the calls of a project in one second", () => {
  it.each([
    ["context", 10],
    ["forwardGeocode", 10],
    ["reverseGeocode", 10],
    ["autocomplete", 10],
    ["searchUsers", 100],
    ["searchGeofences", 100],
    ["searchPlaces", 150],
    ["validateAddress", 100],
    ["distance", 100],
    ["matrix", 20],
    ["match", 10],
    ["directions", 10],
    ["optimize", 10],
  ])("of %s are at most %d; a second later there are as many again", async (endpoint, limit) => {
    const { clock, env } = counters();
    const [caller, other] = [newCaller(), newCaller()];
    const call = (who: object) => () => limitRate(env, who, endpoint, clock.now);
    expect(await passing(limit + 30, limit, call(caller))).toBe(limit);
    expect(await passing(1, limit, call(other))).toBe(1);
    clock.now += 1000;
    expect(await passing(limit + 30, limit, call(caller))).toBe(limit);
  });
});

describe("the calls of IP geocoding in one second", () => {
  it("are at most 10 for an IP address, whatever other addresses do", async () => {
    const { clock, env } = counters();
    const caller = newCaller();
    const request = new Request("http://localhost/v1/geocode/ip");
    const from = (ip: string) => () => ipGeocode.handle({ env, caller, request, ip, now: clock.now, waitUntil() {} });
    expect(await passing(25, 10, from("192.0.2.1"))).toBe(10);
    expect(await passing(25, 10, from("192.0.2.2"))).toBe(10);
    clock.now += 1000;
    expect(await passing(25, 10, from("192.0.2.1"))).toBe(10);
  });
});
