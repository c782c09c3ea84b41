import { describe, expect, it } from "vitest";
import { begin, charge, debtMs, fullAccount } from "../../../src/core/limits/work-account.ts";
import { seededRandom } from "../../bench/support/random.ts";

const RATE = 500;
/** Ten seconds' worth of units. */
const FULL = RATE * 1000 * 10;

describe("the account of what a caller computes", () => {
  it("has no debt until ten seconds' worth is used together", () => {
    const account = fullAccount(RATE, 0);
    charge(account, RATE, FULL, 0);
    expect(debtMs(account, RATE, 0)).toBe(0);
    charge(account, RATE, 1, 0);
    expect(debtMs(account, RATE, 0)).toBe(1);
  });

  it("fills at its rate, and never above ten seconds' worth", () => {
    const account = fullAccount(RATE, 0);
    charge(account, RATE, FULL + RATE * 1000, 0);
    expect(debtMs(account, RATE, 0)).toBe(1000);
    expect(debtMs(account, RATE, 400)).toBe(600);
    expect(debtMs(account, RATE, 3_600_000)).toBe(0);
    charge(account, RATE, FULL + RATE, 3_600_000);
    expect(debtMs(account, RATE, 3_600_000)).toBe(1);
  });

  it("gains nothing by a clock that is set back, and loses nothing", () => {
    const account = fullAccount(RATE, 10_000);
    charge(account, RATE, FULL + RATE * 1000, 10_000);
    expect(debtMs(account, RATE, 2_000)).toBe(1000);
    expect(debtMs(account, RATE, 10_000)).toBe(0);
  });

  it("pays its debt faster when its limit is raised", () => {
    const account = fullAccount(RATE, 0);
    charge(account, RATE, 2 * FULL, 0);
    expect(debtMs(account, RATE, 0)).toBe(10_000);
    expect(debtMs(account, 10 * RATE, 0)).toBe(1_000);
  });

  it("states a wait that is enough, and no longer than needed by a millisecond", () => {
    const random = seededRandom(7);
    for (let run = 0; run < 300; run++) {
      const rate = 1 + Math.floor(random() * 2000);
      const account = fullAccount(rate, 0);
      let now = 0;
      for (let i = 0; i < 20; i++) {
        now += Math.floor(random() * 2000) - 200;
        charge(account, rate, random() * rate * 5000, Math.max(0, now));
      }
      const at = Math.max(0, now);
      const wait = debtMs(account, rate, at);
      if (wait === 0) continue;
      expect(debtMs({ ...account }, rate, at + wait)).toBe(0);
      expect(debtMs({ ...account }, rate, at + wait - 1)).toBeGreaterThan(0);
    }
  });

  it("lets 32 long requests compute at a time, and forgets one that gave no sign for ten seconds", () => {
    const account = fullAccount(RATE, 0);
    const requests = Array.from({ length: 33 }, () => ({}));
    expect(requests.map((request) => begin(account, RATE, request, 0))).toEqual([...Array(32).fill(0), 1000]);
    account.open.delete(requests[3]);
    expect(begin(account, RATE, requests[32], 5000)).toBe(0);
    expect(begin(account, RATE, {}, 9000)).toBe(1000);
    expect(begin(account, RATE, {}, 10_001)).toBe(0);
    expect(account.open.size).toBe(2);
  });

  it("lets none begin in debt", () => {
    const account = fullAccount(RATE, 0);
    charge(account, RATE, account.left + RATE * 300, 0);
    expect([begin(account, RATE, {}, 0), account.open.size]).toEqual([300, 0]);
  });
});
