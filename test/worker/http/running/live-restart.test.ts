import { afterAll, beforeAll, expect, it } from "vitest";
import { openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { createProject } from "../../../../src/server/project/projects.ts";
import { scratchFolder } from "../../../server/commands/scratch.ts";
import { startWorkerUnderTest, type WorkerUnderTest } from "../../../support/worker-under-test.ts";
import { eventually } from "../../../support/world.ts";
import { openSocket, type Viewer } from "./web-socket.ts";

/** A Worker of its own: a writer that is thrown out of memory takes with it what trackers of other tests have just handed over. */
let worker: WorkerUnderTest;
let keys: Awaited<ReturnType<typeof createProject>>["keys"];
let viewer: Viewer;
const state = scratchFolder();

beforeAll(async () => {
  const database = openLocalDatabase(state);
  ({ keys } = await createProject(database, "restarted"));
  database.close();
  worker = await startWorkerUnderTest(state);
});
afterAll(async () => {
  viewer?.close();
  await worker.stop();
});

const send = async (method: string, path: string, key: string, json: unknown) =>
  (await fetch(worker.url + path, { method, headers: { authorization: key }, body: JSON.stringify(json) })).status;

it("a live feed goes on where the writer or the feed was restarted", async () => {
  const fence = { description: "Home", type: "circle", coordinates: [34, 12], radius: 100 };
  expect(await send("PUT", "/v1/geofences/home/one", keys.testSecret, fence)).toBe(200);
  viewer = await openSocket(`${worker.url}/v1/live`, { authorization: keys.testSecret });
  for (const [object, name] of [
    ["DATABASE_WRITER", "0"],
    ["LIVE_FEED", "2"],
  ]) {
    const device = `after-${object}`;
    const track = (deviceId: string) =>
      send("POST", "/v1/track", keys.testPublishable, { deviceId, latitude: 12, longitude: 34, accuracy: 5 });
    const told = () => viewer.messages.filter(({ type }) => type === "event").map(({ event }) => event?.user.deviceId);
    expect(await track(`before-${object}`)).toBe(200);
    await eventually(
      async () => told(),
      (devices) => devices.includes(`before-${object}`),
    );
    await worker.evict(object, name);
    expect(await track(device)).toBe(200);
    expect(
      await eventually(
        async () => told(),
        (devices) => devices.includes(device),
      ),
    ).toContain(device);
  }
});
