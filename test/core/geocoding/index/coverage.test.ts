import { describe, expect, it } from "vitest";
import { decodeCoverage, encodeCoverage } from "../../../../src/core/geocoding/index/coverage.ts";
import { town } from "../../addresses/town.ts";

describe("the number of addresses by state", () => {
  it("comes back as it was written", () => {
    const coverage = new Map([
      ["CA-QC", 3],
      ["MC-", 12],
      ["US-CA", 4_000_000],
    ]);
    expect(decodeCoverage(encodeCoverage(coverage))).toEqual(coverage);
  });

  it("is refused in a version that is not known", () => {
    const bytes = encodeCoverage(new Map());
    bytes[4] = 99;
    expect(() => decodeCoverage(bytes)).toThrow(/address counts/);
  });

  it("is counted by house, in every build", async () => {
    const index = town(`
1, 3, 5 | Jay St | Springfield | IL | 62701
7 | Jay St | Springfield | MA | 01101`);
    expect([...(await index.coverage())]).toEqual([
      ["US-IL", 3],
      ["US-MA", 1],
    ]);
  });
});
