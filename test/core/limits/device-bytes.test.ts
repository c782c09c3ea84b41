import { describe, expect, it } from "vitest";
import { DeviceBytes } from "../../../src/worker/objects/tracker/device-bytes.ts";

const MB = 1_000_000;
const HOUR = 3600_000;
const creations = { newUsers: 1, newTrips: 1, newEvents: 1, newMegabytes: 100, newMegabytesPerDevice: 1 };

function disk() {
  const kept = new Map<string, unknown>();
  let writes = 0;
  const kv = {
    get: <T>(name: string) => structuredClone(kept.get(name)) as T | undefined,
    put: (name: string, value: unknown) => {
      writes++;
      kept.set(name, structuredClone(value));
    },
  };
  return { kv, writes: () => writes };
}

describe("the bytes of a device", () => {
  it("are limited just above the limit, and again possible when the debt is paid", () => {
    const bytes = new DeviceBytes(disk().kv);
    bytes.add(creations, MB - 1, 0);
    expect(bytes.limited(creations, 0)).toBeUndefined();
    bytes.add(creations, 1 + MB / 4, 0);
    expect(bytes.limited(creations, 0)).toMatchObject({ limited: true, creation: "newMegabytesPerDevice" });
    expect(bytes.limited(creations, HOUR / 4)).toBeDefined();
    expect(bytes.limited(creations, HOUR / 4 + 60_000)).toBeUndefined();
    expect([bytes.take(), bytes.take()]).toEqual([{ added: MB + MB / 4 }, {}]);
  });

  it("stay used when the object sleeps, with at most a tenth forgotten and few writes", () => {
    const { kv, writes } = disk();
    const bytes = new DeviceBytes(kv);
    for (let i = 0; i < 1000; i++) bytes.add(creations, MB / 1000, 0);
    expect(writes()).toBeLessThanOrEqual(10);
    const awake = new DeviceBytes(kv);
    awake.add(creations, MB / 10, 0);
    expect(awake.limited(creations, 0)).toBeDefined();
  });

  it("are not counted for secret keys, and wait with the project", () => {
    const bytes = new DeviceBytes(disk().kv);
    bytes.add(undefined, 10 * MB, 0);
    expect([bytes.limited(creations, 0), bytes.limited(undefined, 0), bytes.take()]).toEqual([
      undefined,
      undefined,
      {},
    ]);
    expect(bytes.limited({ ...creations, full: 500 }, 0)).toEqual({
      ...{ limited: true, waitMs: 500, creation: "newMegabytes" },
    });
  });
});
