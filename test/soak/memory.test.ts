import { expect, test } from "vitest";
import { judgeMemory, type Sample, treeMegabytes } from "./memory.ts";

const samples = (sizeAt: (second: number) => number): Sample[] =>
  Array.from({ length: 240 }, (_, n) => ({ second: 10 * (n + 1), megabytes: sizeAt(10 * (n + 1)) }));

test("caches that fill in the first tenth are no growth", () => {
  const filling = samples((second) => 300 + Math.min(second, 240));
  expect(judgeMemory(filling, 0.1)).toEqual({ first: 540, last: 540, grew: false });
});

test("a leak that is hidden by collections is found", () => {
  // Drops by 60 MB every 100 s, and keeps 3 MB more each time.
  const leaking = samples((second) => 300 + ((second % 100) / 100) * 60 + (3 * second) / 100);
  const { first, last, grew } = judgeMemory(leaking, 0.1);
  expect(grew).toBe(true);
  expect(last - first).toBeGreaterThan(40);
});

test("steady collections, and a difference below the slack, are no growth", () => {
  expect(
    judgeMemory(
      samples((second) => 300 + ((second % 100) / 100) * 60),
      0.1,
    ).grew,
  ).toBe(false);
  expect(
    judgeMemory(
      samples((second) => (second > 2000 ? 55 : 40)),
      0.1,
    ).grew,
  ).toBe(false);
});

test("few samples are no judgment", () => {
  expect(() => judgeMemory(samples(() => 1).slice(0, 19), 0.1)).toThrow("19 samples");
});

test.skipIf(process.platform !== "linux")("the memory of this process, and of none that is gone", () => {
  const held = Buffer.alloc(64e6, 1);
  expect(treeMegabytes(process.pid)).toBeGreaterThan(held.length / 2e6);
  expect(() => treeMegabytes(4_000_000)).toThrow("gone");
});
