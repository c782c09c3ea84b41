import { expect, it } from "vitest";
import { addressGroup } from "../../src/limits/address.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::", "fe80:0:0:0"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
])("%s counts as %s", (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});
