import { describe, expect, it } from "vitest";
import { abandon, emptyLease, LEASE_MS, question, settle, spend } from "../../../src/core/limits/lease.ts";

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

  it("can ask again only after its own request has failed", () => {
    const lease = emptyLease();
    const [first, second] = [question(lease, 5), question(lease, 5)];
    expect(first.wanted).toBe(1);
    abandon(lease, second);
    expect(lease.asking).toBe(true);
    abandon(lease, first);
    expect(lease.asking).toBe(false);
  });
});

describe("a lease", () => {
  it("returns unspent tokens with its next request", () => {
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
