import { describe, expect, it } from "vitest";
import {
  abandon,
  emptyLease,
  isExpiring,
  LEASE_MS,
  question,
  renew,
  renewal,
  settle,
  spend,
} from "../../src/limits/lease.ts";
import { fullBucket, takeTokens } from "../../src/limits/token-bucket.ts";

describe("a lease while its question is on its way", () => {
  it("lets other calls ask for themselves only, whose grants do not prolong it", () => {
    const lease = emptyLease();
    const first = question(lease, 100);
    expect(first).toEqual({ wanted: 10, returned: 0, leads: true });
    const second = question(lease, 100);
    expect(second).toEqual({ wanted: 1, returned: 0, leads: false });
    expect(settle(lease, second, { granted: 1, remaining: 9, retryAfterMs: 0 }, 5)).toBe("allow");
    expect(lease).toMatchObject({ tokens: 0, expiresAt: 0, asking: true });
    expect(settle(lease, first, { granted: 9, remaining: 0, retryAfterMs: 0 }, 6)).toBe("allow");
    expect(lease).toMatchObject({ tokens: 8, expiresAt: 6 + LEASE_MS, asking: false });
  });

  it("is free to ask again only when its own question has failed", () => {
    const lease = emptyLease();
    const [first, second] = [question(lease, 5), question(lease, 5)];
    expect(first.wanted).toBe(1);
    abandon(lease, second);
    expect(lease.asking).toBe(true);
    abandon(lease, first);
    expect(lease.asking).toBe(false);
  });
});

describe("a lease that is about to expire", () => {
  const granted = (count: number) => ({ granted: count, remaining: 0, retryAfterMs: 0 });

  it("is refreshed with the tokens that were spent, while calls spend the others", () => {
    const lease = emptyLease();
    settle(lease, question(lease, 100), granted(10), 0);
    expect(isExpiring(lease, 100, LEASE_MS / 2)).toBe(false);
    expect(isExpiring(lease, 100, LEASE_MS - 20)).toBe(true);
    spend(lease, LEASE_MS - 20);
    const refresh = renewal(lease, 100);
    expect(refresh).toEqual({ wanted: 2, returned: 0, leads: true });
    expect(isExpiring(lease, 100, LEASE_MS - 10)).toBe(false);
    expect(spend(lease, LEASE_MS - 10)).toBe("allow");
    renew(lease, granted(2), LEASE_MS - 20);
    expect(lease).toMatchObject({ tokens: 9, expiresAt: 2 * LEASE_MS - 20, asking: false });
  });

  it("expires if the bucket is empty or unavailable", () => {
    const lease = emptyLease();
    settle(lease, question(lease, 100), granted(10), 0);
    spend(lease, 1);
    renewal(lease, 100);
    renew(lease, granted(0), 90);
    expect(spend(lease, LEASE_MS)).toBe("ask");
    abandon(lease, renewal(lease, 100));
    expect(lease.asking).toBe(false);
  });

  it("never holds more than its share, and all leases together no more than the bucket has", () => {
    const rate = 200;
    const bucket = fullBucket(rate, 0);
    const lease = emptyLease();
    let allowed = 0;
    for (let now = 0; now < 5000; now++) {
      for (let call = 0; call < 1 + (now % 3); call++) {
        let decision = spend(lease, now);
        if (decision === "ask") {
          const asked = question(lease, rate);
          decision = settle(lease, asked, takeTokens(bucket, rate, asked.wanted, now, asked.returned), now);
        } else if (isExpiring(lease, rate, now)) {
          renew(lease, takeTokens(bucket, rate, renewal(lease, rate).wanted, now), now);
        }
        if (decision === "allow") allowed++;
        expect(lease.tokens).toBeLessThanOrEqual((rate * LEASE_MS) / 1000);
      }
    }
    expect(allowed).toBeGreaterThan(rate * 5);
    expect(allowed).toBeLessThanOrEqual(rate * 6);
  });
});

describe("a lease", () => {
  it("returns with its next question what was not spent", () => {
    const lease = emptyLease();
    settle(lease, question(lease, 100), { granted: 10, remaining: 0, retryAfterMs: 0 }, 0);
    expect([spend(lease, 1), spend(lease, LEASE_MS)]).toEqual(["allow", "ask"]);
    expect(question(lease, 100)).toEqual({ wanted: 10, returned: 8, leads: true });
    expect(lease.tokens).toBe(0);
  });

  it("refuses until the bucket's next token is due", () => {
    const lease = emptyLease();
    expect(settle(lease, question(lease, 100), { granted: 0, remaining: 0, retryAfterMs: 7 }, 100)).toBe("refuse");
    expect([spend(lease, 106), spend(lease, 107)]).toEqual(["refuse", "ask"]);
  });
});
