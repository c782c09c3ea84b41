import { describe, expect, it } from "vitest";
import { CALL_CLASSES, classOf } from "../../../src/core/costs/call-classes.ts";
import { costOf, EMPTY_MIX, MIX_ENDPOINTS, readMix, usageOf } from "../../../src/core/costs/mix.ts";
import { PRICES } from "../../../src/core/costs/prices.ts";
import { mixOf } from "../../../src/dashboard/pages/costs/mix-of.ts";

describe("the cost of a mix of calls", () => {
  it("is the plan alone without calls", () => {
    expect(costOf(EMPTY_MIX).total).toBe(PRICES.plan.dollars);
    // Two objects that never sleep are more than the plan's own share.
    const { total, items } = costOf({ ...EMPTY_MIX, calls: { forwardGeocode: 100_000 } });
    expect(total).toBe(PRICES.plan.dollars + items.objectDuration);
    expect(items.objectDuration).toBeLessThan(4);
  });

  it("is what the bench counts for 100M tracks of 1M users: at most $220 with logs", () => {
    const { total, usage } = costOf({ ...EMPTY_MIX, calls: { track: 1e8 }, users: 1e6, events: 1e7 });
    expect(usage.logs).toBe(2e7);
    expect(total).toBeLessThanOrEqual(220);
    expect(total).toBeGreaterThan(150);
  });

  it("grows with each call of each endpoint, and with users, events, geodata and log lines", () => {
    const before = usageOf(EMPTY_MIX);
    for (const endpoint of MIX_ENDPOINTS) {
      const after = usageOf({ ...EMPTY_MIX, calls: { [endpoint]: 1_000 } });
      expect(after.requests, endpoint).toBe(1_000);
      expect(after.cpu - before.cpu, endpoint).toBeCloseTo(CALL_CLASSES[classOf(endpoint)].cpu * 1_000);
    }
    const expensive = { calls: { track: 1e9 }, users: 1e7, events: 1e9, geodataGB: 100, logShare: 1 };
    for (const key of ["users", "events", "geodataGB", "logShare"] as const)
      expect(costOf({ ...EMPTY_MIX, ...expensive }).total).toBeGreaterThan(
        costOf({ ...EMPTY_MIX, ...expensive, [key]: 0 }).total,
      );
  });

  it("uses the CPU that the file gives for an endpoint", () => {
    const calls = { directions: 1e8 };
    const [cheap, dear] = [1, 100].map((cpu) => costOf({ ...EMPTY_MIX, calls, cpu: { directions: cpu } }));
    expect(dear.items.cpu - cheap.items.cpu).toBeCloseTo((99e8 / 1e6) * PRICES.cpu.dollars, 0);
  });
});

describe("the class of an endpoint", () => {
  it("is that of its work", () => {
    expect(["track", "listUsers", "createGeofence", "rasterTile", "getUser", "geocodeBatch"].map(classOf)).toEqual([
      ...["track", "records", "change", "picture", "records", "batch"],
    ]);
  });
});

describe("the file of a mix", () => {
  it("has defaults for what it leaves out", () => {
    expect(readMix('{"calls": {"track": 5}}')).toEqual({ ...EMPTY_MIX, calls: { track: 5 } });
  });

  it.each([
    ["[", "The file is not JSON."],
    ["[]", 'The file must be an object such as {"calls": {"track": 1000000}}.'],
    ['{"call": {}}', "call: Unknown field. Fields: calls, users, events, geodataGB, logShare, cpu."],
    ['{"calls": {"trak": 1}}', "calls.trak: Unknown endpoint. npm run cost -- --endpoints lists them."],
    ['{"calls": {"track": -1}}', "calls.track: Must be a number of 0 or more."],
    ['{"calls": {"track": "1"}}', "calls.track: Must be a number of 0 or more."],
    ['{"logShare": 2}', "logShare: Must be a number from 0 to 1."],
    ['{"cpu": 3}', "cpu: Must be an object of endpoints and numbers."],
  ])("%s is rejected with the field and its rule", (text, message) => {
    expect(() => readMix(text)).toThrow(message);
  });
});

describe("the mix of a project's statistics", () => {
  it("has its calls by endpoint, the most frequent first, its most users and its events", () => {
    const series = [
      { kind: "calls" as const, name: "track", values: [2, 3] },
      { kind: "calls" as const, name: "directions", values: [4, 4] },
      { kind: "calls" as const, name: "ofAnOlderVersion", values: [1, 1] },
      { kind: "users" as const, name: "", values: [7, 9] },
      { kind: "events" as const, name: "user.entered_geofence", values: [1, 1] },
    ];
    expect(mixOf({ step: "day", times: ["", ""], series })).toEqual({
      ...{ ...EMPTY_MIX, calls: { directions: 8, track: 5 }, users: 9, events: 2 },
    });
  });
});
