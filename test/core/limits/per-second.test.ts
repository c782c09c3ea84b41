import { expect, it } from "vitest";
import { PerSecond } from "../../../src/core/limits/per-second.ts";

it("so many pass in the first second of the clock as well", () => {
  const limit = new PerSecond(2);
  expect([limit.take(0), limit.take(500), limit.take(999), limit.take(1000)]).toEqual([true, true, false, true]);
});

it("so many pass in each second of the clock, and a clock that is set back begins anew", () => {
  const limit = new PerSecond(2);
  const at = (now: number) => limit.take(now);
  expect([at(5_000), at(5_500), at(5_999), at(6_000), at(6_001), at(6_002), at(5_000)]).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
});
