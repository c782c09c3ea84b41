import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../src/cli/database.ts";
import { geodataBucketName } from "../../src/cli/geodata-bucket.ts";
import { openLocalDatabase } from "../../src/cli/local-database.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { publishWorld } from "../support/kept-worlds.ts";
import { allAnswers, caller, fillWorld, type Ids } from "./backup-world.ts";
import { anyPort, finished, runCli } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

const folder = scratchFolder();
const state = join(folder, "state");
const copy = join(folder, "copy");
const backup = join(folder, "backup");
const servers: Running[] = [];
let port: number;
let url: string;
let keys: Record<string, string>;
let cookie: string;
let ids: Ids;

const run = (script: string, ...args: string[]) => finished(runCli(script, args));

async function start(of: string, at: number): Promise<Running> {
  const server = await startProcess(of, at);
  servers.push(server);
  return server;
}

beforeAll(async () => {
  port = await anyPort();
  url = `http://127.0.0.1:${port}`;
  // Nobody listens there, so the first attempt fails; the next is not before the test is over.
  process.env.ALLOW_PRIVATE_HOSTS = "true";
  process.env.WEBHOOK_SCHEDULE = "0 86400";
  const bucket = openLocalBucket(state, geodataBucketName());
  await publishWorld("world", bucket).finally(() => bucket.close());
  const server = await start(state, port);
  keys = JSON.parse(readFileSync(join(state, "keys.json"), "utf8"));
  const token = /token=([0-9a-f]{64})/.exec(server.said())?.[1];
  const headers = { origin: url, "content-type": "application/json" };
  const signIn = { method: "POST", headers, body: JSON.stringify({ token }) };
  cookie = (await fetch(`${url}/dashboard/api/sign-in`, signIn)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const database = openLocalDatabase(state);
  await query(database, "UPDATE project SET settings = ?", JSON.stringify({ rateLimits: { track: 1_000_000 } }));
  database.close();
  ids = await fillWorld(url, keys as never, `http://127.0.0.1:${await anyPort()}/hook`);
}, 240_000);
afterAll(async () => {
  for (const { process } of servers) process.kill("SIGTERM");
  await Promise.all(servers.map(({ left }) => left));
});

/** What the world has none of; traccar's is an update that says nothing, live a WebSocket. */
const NOTHING_THERE = [
  ...["/v1/ingest/traccar 400", "/v1/places/{id} 404", "/v1/addresses/{id} 404", "/maps/sprites/{sprite} 404"],
  ...["/v1/shares/{id}/map/styles/{style} 404", "/v1/shares/{id}/map/sprites/{sprite} 404", "/v1/live 426"],
];

/** Devices of Live that walk in and out of a geofence, until they are told to stop. */
async function walk(): Promise<() => Promise<{ id: string; type: string; device: string; at: number }[]>> {
  const send = caller(url, keys.liveSecret);
  await send("PUT", "/v1/geofences/gate/1", {
    description: "Gate",
    type: "circle",
    coordinates: [10, 50],
    radius: 200,
  });
  const events: { id: string; type: string; device: string; at: number }[] = [];
  let stopped = false;
  const walkers = Array.from({ length: 4 }, async (_, n) => {
    for (let step = 0; !stopped; step++) {
      const device = `walker-${n}`;
      const where = { latitude: 50, longitude: step % 2 ? 10 : 10.1 };
      const answer = await send("POST", "/v1/track", { deviceId: device, ...where, accuracy: 5, foreground: true });
      for (const { _id, type } of answer.events) events.push({ id: _id, type, device, at: Date.now() });
    }
  });
  return async () => {
    stopped = true;
    await Promise.all(walkers);
    return events;
  };
}

describe("a backup made while requests run, restored into an empty place", { timeout: 120_000 }, () => {
  it("answers every GET of the reference as the place it was made of", async () => {
    const before = await allAnswers(url, keys.testSecret, cookie, ids);
    // The world has something of everything: what is none, or an upgrade to a WebSocket, is named here.
    const others = [...before]
      .filter(([, answer]) => !answer.startsWith("200 "))
      .map(([path, answer]) => `${path} ${answer.slice(0, 3)}`);
    expect(others).toEqual(NOTHING_THERE);
    const stop = await walk();
    const made = await run("backup.ts", backup, "--geodata", "--persist-to", state);
    const acknowledged = await stop();
    expect(made).toEqual({ code: 0, output: expect.stringContaining("geodata whole") });
    const restored = await run("restore.ts", backup, "--persist-to", copy);
    expect(restored).toEqual({ code: 0, output: expect.stringContaining(`${copy} is as it was at 20`) });

    const other = await anyPort();
    const there = `http://127.0.0.1:${other}`;
    await start(copy, other);
    const after = await allAnswers(there, keys.testSecret, cookie, ids);
    for (const [path, answer] of before) expect([path, after.get(path)]).toEqual([path, answer]);
    expect(after.size).toBe(before.size);

    const { madeAt } = JSON.parse(readFileSync(join(backup, "backup.json"), "utf8"));
    const due = acknowledged.filter(({ at }) => at < Date.parse(madeAt));
    expect(due.length).toBeGreaterThan(10);
    const send = caller(there, keys.liveSecret);
    for (let n = 0; n < 4; n++)
      await send("POST", "/v1/track", {
        deviceId: `walker-${n}`,
        latitude: 50,
        longitude: 10.1,
        accuracy: 5,
        foreground: true,
      });
    const known = new Map<string, { type: string; user: { deviceId: string } }>();
    let createdBefore = "";
    for (let page = 0; page < 20; page++) {
      const { events } = await send("GET", `/v1/events?limit=1000${createdBefore}`);
      for (const event of events) known.set(event._id, event);
      if (events.length < 1000) break;
      createdBefore = `&createdBefore=${events.at(-1).createdAt}`;
    }
    expect(due.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it("is refused where a server runs", async () => {
    const used = await run("restore.ts", backup, "--persist-to", state);
    expect(used).toEqual({ code: 1, output: expect.stringMatching(/^A server already runs on /) });
  });
});
