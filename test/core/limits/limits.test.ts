import { describe, expect, it } from "vitest";
import { emptyLease, question, settle, spend } from "../../../src/core/limits/lease.ts";
import { addressRateOf, rateLimitOf } from "../../../src/core/limits/table.ts";
import { fullBucket, takeTokens } from "../../../src/core/limits/token-bucket.ts";
import { seededRandom } from "../../bench/support/random.ts";

describe("a token bucket", () => {
  it("holds one second's worth and fills at its rate", () => {
    const bucket = fullBucket(10, 0);
    expect(takeTokens(bucket, 10, 12, 0)).toEqual({ granted: 10, remaining: 0, retryAfterMs: 100 });
    expect(takeTokens(bucket, 10, 1, 99)).toMatchObject({ granted: 0, retryAfterMs: 1 });
    expect(takeTokens(bucket, 10, 1, 100)).toMatchObject({ granted: 1 });
    expect(takeTokens(bucket, 10, 100, 60_000)).toMatchObject({ granted: 10 });
  });

  it("lets a device send once a second, to the millisecond", () => {
    const bucket = fullBucket(1, 0);
    expect(takeTokens(bucket, 1, 1, 0).granted).toBe(1);
    expect(takeTokens(bucket, 1, 1, 999).granted).toBe(0);
    expect(takeTokens(bucket, 1, 1, 1000).granted).toBe(1);
  });

  it("does not mind a clock that steps back", () => {
    const bucket = fullBucket(1, 1000);
    takeTokens(bucket, 1, 1, 1000);
    expect(takeTokens(bucket, 1, 1, 500)).toMatchObject({ granted: 0, retryAfterMs: 1000 });
  });

  it("accepts returned tokens, up to its capacity", () => {
    const bucket = fullBucket(10, 0);
    takeTokens(bucket, 10, 10, 0);
    expect(takeTokens(bucket, 10, 5, 0, 4).granted).toBe(4);
    expect(takeTokens(bucket, 10, 20, 0, 99).granted).toBe(10);
  });
});

/** One machine that serves `lanes` callers at once; every question takes `askMs`. Returns when calls were allowed. */
function simulate(rate: number, times: readonly number[], askMs: number): number[] {
  const bucket = fullBucket(rate, 0);
  const lease = emptyLease();
  const allowed: number[] = [];
  const answers: { at: number; run(): void }[] = [];
  for (const now of times) {
    for (let due = answers[0]; due && due.at <= now; due = answers[0]) {
      answers.shift();
      due.run();
    }
    const decision = spend(lease, now);
    if (decision === "allow") allowed.push(now);
    if (decision !== "ask") continue;
    const asked = question(lease, rate);
    const grant = takeTokens(bucket, rate, asked.wanted, now, asked.returned);
    answers.push({
      at: now + askMs,
      run: () => settle(lease, asked, grant, now) === "allow" && allowed.push(now),
    });
  }
  for (const { run } of answers) run();
  return allowed;
}

describe("a lease", () => {
  it.each([
    [100, 8, 73],
    [100, 20, 90],
    [10, 5, 9],
    [150, 30, 140],
  ])("with a limit of %d/s lets bursts of %d at %d/s pass whole", (rate, burst, perSecond) => {
    const times = Array.from(
      { length: 10 * perSecond },
      (_, i) => Math.floor(i / burst) * ((burst * 1000) / perSecond),
    );
    expect(simulate(rate, times, 2)).toHaveLength(times.length);
  });

  it("never lets more pass than one second's worth and the rate after it", () => {
    const random = seededRandom(3);
    for (const rate of [1, 2, 10, 20, 100, 150]) {
      const times = Array.from({ length: 5000 }, () => random() * 4000).sort((a, b) => a - b);
      const allowed = simulate(rate, times, 1);
      expect(allowed.length).toBeLessThanOrEqual(rate * 5 + 1);
      expect(allowed.length).toBeGreaterThanOrEqual(rate * 5 - Math.max(2, rate * 0.3));
    }
  });
});

describe("the table of limits", () => {
  it("is the specification's, with 10 where it gives none, and gives way to the project's", () => {
    expect(
      ["context", "searchUsers", "searchGeofences", "searchPlaces", "validateAddress"].map((name) => rateLimitOf(name)),
    ).toEqual([10, 100, 100, 150, 100]);
    expect(["distance", "matrix", "match", "directions", "optimize"].map((name) => rateLimitOf(name))).toEqual([
      100, 20, 10, 10, 10,
    ]);
    expect(["forwardGeocode", "reverseGeocode", "autocomplete"].map((name) => rateLimitOf(name))).toEqual([10, 10, 10]);
    expect(rateLimitOf("listUsers")).toBe(10);
    expect(rateLimitOf("context", { context: 500 })).toBe(500);
  });
});

it("open endpoints have limits for each address, 10 where none is listed", () => {
  const names = ["ping", "jwks", "openapi", "docs", "signIn", "passkeySignInOptions", "passkeySignIn", "health"];
  expect(names.map(addressRateOf)).toEqual([100, 100, 20, 20, 5, 5, 5, 10]);
});
