import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openLoop } from "./open-loop.ts";

describe("an open loop", () => {
  it("sends what is due, never more than so many at once, and counts the wait of who came when all were busy", async () => {
    let [under, most] = [0, 0];
    const { sent, errors, times } = await openLoop({
      rate: 1000,
      seconds: 0.04,
      most: 4,
      async send() {
        most = Math.max(most, ++under);
        await sleep(10);
        under--;
      },
    });
    expect([sent, errors, most]).toEqual([40, 0, 4]);
    // Ten rounds of four, where each was due within 40 ms.
    expect(Math.max(...times)).toBeGreaterThan(50);
  });

  it("counts who fails, tells of the first, and ends when it is told to", async () => {
    let n = 0;
    const { sent, errors, firstError, times } = await openLoop({
      rate: 2000,
      seconds: 10,
      most: 50,
      async send(n) {
        if (n % 2 === 0) throw new Error(`number ${n}`);
      },
      goesOn: () => n++ < 20,
    });
    expect([sent, errors, firstError, times.length]).toEqual([20, 10, "Error: number 0", 10]);
  });
});
