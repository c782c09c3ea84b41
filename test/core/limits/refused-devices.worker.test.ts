import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../../../src/server/data/database.ts";
import { type PlatformWorker, startPlatform } from "../../bench/worker.ts";

/** What calls that are refused leave on the disk. */

let platform: PlatformWorker;

beforeAll(async () => {
  platform = await startPlatform({
    async prepare(database, project) {
      const settings = JSON.stringify({ rateLimits: { newUsers: 1 } });
      await query(database, "UPDATE project SET settings = ? WHERE id = ?", settings, project);
    },
  });
});
afterAll(() => platform?.stop());

it("devices beyond the limit of new users leave no object behind, one after the other", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    const body = { deviceId: `phone-${i}`, latitude: 1, longitude: 2, accuracy: 5 };
    const path = i % 2 === 0 ? "/v1/track" : "/v1/track/replay";
    const response = await fetch(platform.url + path, {
      method: "POST",
      headers: { authorization: platform.keys.testPublishable, "content-type": "application/json" },
      body: JSON.stringify(i % 2 === 0 ? body : { replays: [body] }),
    });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, ...Array(19).fill(429)]);
  const files = readdirSync(join(platform.state, "v3/do/graticule-DeviceTracker"));
  // That of the first device, and the one that was the first to be refused.
  expect(files.filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)).length).toBeLessThanOrEqual(2);
});
