import { expect } from "vitest";

/**
 * Checks how long something took since `began` (Date.now()), with EVERY_LOOK=1 only, as at night: by day other work takes the
 * processors.
 */
export function expectWithin(began: number, maxMs: number): void {
  if (process.env.EVERY_LOOK) expect(Date.now() - began).toBeLessThan(maxMs);
}
