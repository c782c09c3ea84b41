import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LIVE_KEY, WORLD } from "../../../../src/core/geo/builds/manifest.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { isNight } from "../../../support/night.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

/** A state whose world base lacks a layer of this version, as after an upgrade. */
const state = join(scratchFolder(), "state");
let port: number;
let server: Running;

const worldOf = async () => {
  const bucket = openLocalBucket(state, geodataBucketName());
  try {
    const { builds } = JSON.parse(Buffer.from((await bucket.get(LIVE_KEY))!.bytes).toString());
    return builds.find(({ name }: { name: string }) => name === WORLD) as { id: string; layers: object };
  } finally {
    bucket.close();
  }
};

beforeAll(async () => {
  port = await anyPort();
  await publishWorlds(["world"], state);
  const bucket = openLocalBucket(state, geodataBucketName());
  const list = JSON.parse(Buffer.from((await bucket.get(LIVE_KEY))!.bytes).toString());
  for (const { layers } of list.builds) delete layers.cities;
  await bucket.put(LIVE_KEY, Buffer.from(JSON.stringify({ version: list.version, builds: list.builds })));
  bucket.close();
}, 300_000);
afterAll(async () => {
  server?.process.kill("SIGTERM");
  await server?.left;
});

it("a start with the world base of another version answers with it at once, and builds its own beside", async () => {
  const before = await worldOf();
  expect(before.layers).not.toHaveProperty("cities");
  server = await startProcess(state, port);
  const { testSecret } = JSON.parse(readFileSync(join(state, "keys.json"), "utf8"));
  const headers = { authorization: testSecret };
  const context = await fetch(`http://127.0.0.1:${port}/v1/context?coordinates=48.85,2.35`, { headers });
  expect((await context.json()).country.code).toBe("FR");
  await expect.poll(() => server.said(), { timeout: 20_000 }).toContain('"what":"world","state":"begun"');
  expect((await worldOf()).id).toBe(before.id);
  if (isNight) {
    await expect
      .poll(() => server.said(), { timeout: 600_000, interval: 1000 })
      .toContain('"what":"world","state":"live"');
    expect((await worldOf()).layers).toHaveProperty("cities");
  }
  // By day the build is interrupted: the next start goes on with it.
  server.process.kill("SIGTERM");
  expect(await server.left).toBe(0);
  expect(existsSync(join(state, "v3"))).toBe(true);
}, 700_000);
