import { describe, expect, it } from "vitest";
import { AddressBuckets, addressGroup } from "../../../src/core/limits/address.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["0.0.0.1", "0.0.0.1"],
  ["01::2:3:4:5:6:7", "1:0:2:3"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::", "fe80:0:0:0"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
])("%s counts as %s", (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});

describe("an address", () => {
  const RATE = 50;

  it("can send so many requests together, and one more a fiftieth of a second later", () => {
    const buckets = new AddressBuckets();
    const take = (now: number, ip = "203.0.113.7", what = "calls") => buckets.take(ip, what, RATE, now);
    for (let i = 0; i < RATE; i++) expect(take(0).granted).toBe(1);
    expect(take(0)).toEqual({ granted: 0, remaining: 0, retryAfterMs: 20 });
    expect(take(20).granted).toBe(1);
    expect(take(20).granted).toBe(0);
    expect(take(20, "203.0.113.8").granted).toBe(1);
    expect(take(20, "203.0.113.7", "other calls").granted).toBe(1);
  });

  it("is looked at without being charged", () => {
    const buckets = new AddressBuckets();
    for (let i = 0; i < 200; i++) expect(buckets.look("::1", "keys", RATE, 0).granted).toBe(1);
    for (let i = 0; i < RATE; i++) buckets.take("::1", "keys", RATE, 0);
    expect(buckets.look("::1", "keys", RATE, 0).granted).toBe(0);
    expect(buckets.look("::1", "keys", RATE, 20).granted).toBe(1);
  });
});
