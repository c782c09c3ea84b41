import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort, finished, runCli } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

/** `FULL_DISK_KILLS=20` is the long form. */
const KILLS = Number(process.env.FULL_DISK_KILLS ?? 1);

/** A disk of its own, which nobody else notices when it is full. */
const disk = join(scratchFolder(), "disk");
mkdirSync(disk);
const isMounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${256 + 64 * KILLS}m`, "tmpfs", disk]).status === 0;
const state = join(disk, "state");
const filler = join(disk, "filler");
let server: Running | undefined;
let port: number;

/** Takes all that is free now, but for so many bytes: not what the server gives back meanwhile. */
function fill(butFor = 0): void {
  const { bavail, bsize } = statfsSync(disk);
  let left = bavail * bsize;
  const file = openSync(filler, "a");
  const megabyte = Buffer.alloc(1_000_000, 1);
  for (let size = megabyte.length; size >= 1 && left > 0; )
    try {
      const written = writeSync(file, megabyte, 0, Math.min(size, left));
      left -= written;
      if (written === 0) throw new Error("no room");
    } catch {
      size = Math.floor(size / 10);
    }
  closeSync(file);
  if (butFor > 0) spawnSync("truncate", ["-s", `-${butFor}`, filler]);
}
const makeRoom = () => rmSync(filler, { force: true });

const secret = () => JSON.parse(readFileSync(join(state, "keys.json"), "utf8")).testSecret;
async function ask(method: string, path: string, json?: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: secret(), "content-type": "application/json" },
    body: json === undefined ? undefined : JSON.stringify(json),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : {} };
}
/** Starts the server if none runs, with the geofence that every device enters: each test runs alone as well. */
async function serve(): Promise<void> {
  server ??= await startProcess(state, port);
  const circle = { description: "Yard", type: "circle", coordinates: [2.35, 48.85], radius: 100 };
  expect((await ask("PUT", "/v1/geofences/yard/1", circle)).status).toBe(200);
}
/** Requests that write nothing. */
const READS = [
  ...["/v1/ping", "/v1/config", "/v1/users", "/v1/users/before-1", "/v1/events", "/v1/geofences", "/v1/settings"],
  ...["/v1/context?coordinates=48.85,2.35", "/v1/search/users?near=48.85,2.35", "/v1/search/geofences?near=48.85,2.35"],
  ...["/v1/geocode/forward?query=Paris", "/v1/geocode/reverse?coordinates=48.85,2.35", "/v1/geocode/ip"],
  ...[
    "/v1/search/autocomplete?query=Pari",
    "/maps/static?width=200&height=200&center=48.85,2.35&zoom=4",
    "/openapi.json",
  ],
];
const track = (deviceId: string) =>
  ask("POST", "/v1/track", { deviceId, latitude: 48.85, longitude: 2.35, accuracy: 5, foreground: true });

beforeAll(async () => {
  if (!isMounted) return;
  port = await anyPort();
  await publishWorlds(["world"], state);
}, 300_000);
afterEach(makeRoom);
afterAll(async () => {
  server?.process.kill("SIGTERM");
  await server?.left;
  if (isMounted) spawnSync("umount", ["-l", disk]);
});

describe.runIf(isMounted)("a disk that is full", { timeout: 120_000 }, () => {
  it("refuses a start with what to do, and starts once there is room", async () => {
    fill();
    const refused = await finished(runCli("start.ts", ["--port", String(port), "--persist-to", state]));
    expect(refused).toEqual({
      code: 1,
      output: expect.stringMatching(/^(The disk of .* is full|Only \d+ MB are free)/),
    });
    expect(refused.output).toContain("ree some space and restart. No acknowledged data is lost.");
    makeRoom();
    server = await startProcess(state, port);
  });

  it("while the server runs, costs no event that was answered, and all goes on when there is room again", async () => {
    await serve();
    const answered = new Map<string, number>();
    const send = async (device: string) => {
      const { status, body } = await track(device);
      if (status === 200) answered.set(device, body.events.length);
      return status;
    };
    expect([await send("before-1"), await send("before-2")]).toEqual([200, 200]);
    await expect.poll(async () => (await ask("GET", "/v1/users/before-1")).status).toBe(200);
    fill();
    const during: number[] = [];
    for (let n = 0; n < 6; n++) during.push(await send(`during-${n}`));
    await expect.poll(() => send("refused"), { timeout: 10_000, interval: 250 }).toBe(503);
    // What needs no write goes on, whichever isolate or object was there before.
    // A database that was writing in the moment in which the disk became full is opened anew first.
    const reads = async () => {
      const found: [path: string, status: number][] = [];
      for (const path of READS) found.push([path, (await ask("GET", path)).status]);
      return found;
    };
    await expect.poll(reads, { timeout: 20_000, interval: 500 }).toEqual(READS.map((path) => [path, 200]));
    // Never an answer that promises what could not be written.
    expect(during.every((status) => status === 200 || status >= 500)).toBe(true);
    await expect.poll(() => send("refused"), { timeout: 10_000, interval: 250 }).toBe(503);
    await expect.poll(() => server?.said()).toMatch(/The disk of .* is nearly full\. Writes return 503/);
    makeRoom();
    await expect.poll(() => send("after"), { timeout: 30_000, interval: 250 }).toBe(200);
    expect([...answered.values()].every((events) => events > 0)).toBe(true);
    const stored = async () => {
      const { events } = (await ask("GET", "/v1/events?limit=1000&types=user.entered_geofence")).body;
      const devices = new Set(events.map((event: { user: { deviceId: string } }) => event.user.deviceId));
      return [...answered.keys()].filter((device) => !devices.has(device));
    };
    await expect.poll(stored, { timeout: 30_000, interval: 250 }).toEqual([]);
  });

  it(
    `killed while the disk is full, has lost and doubled nothing of what was answered: ${KILLS} times`,
    async () => {
      await serve();
      const answered = new Set<string>();
      const statuses: Record<number, number> = {};
      for (let kill = 0; kill < KILLS; kill++) {
        let goesOn = true;
        const travel = async (lane: number) => {
          for (let n = 0; goesOn; n++) {
            const device = `kill-${kill}-${lane}-${n}`;
            const status = await track(device).then(
              (answer) => answer.status,
              () => 0,
            );
            statuses[status] = (statuses[status] ?? 0) + 1;
            if (status === 200) answered.add(device);
            else await sleep(20);
          }
        };
        const lanes = [0, 1, 2, 3].map(travel);
        // On a busy machine, 12 answers take longer than the sleep.
        while (answered.size < 12 * (kill + 1)) await sleep(20);
        await sleep(300 + Math.random() * 300);
        fill();
        await sleep(Math.random() * 1_200);
        server?.process.kill("SIGKILL");
        await server?.left;
        goesOn = false;
        await Promise.all(lanes);
        makeRoom();
        server = await startProcess(state, port);
      }
      const events = async () => {
        const counts = new Map<string, number>();
        let before = "";
        for (;;) {
          const { body } = await ask("GET", `/v1/events?limit=1000&types=user.entered_geofence${before}`);
          for (const { user } of body.events) counts.set(user.deviceId, (counts.get(user.deviceId) ?? 0) + 1);
          if (!body.meta.hasMore) return counts;
          before = `&createdBefore=${body.events.at(-1).createdAt}`;
        }
      };
      await expect
        .poll(
          async () => {
            const counts = await events();
            return [...answered].filter((device) => !counts.has(device));
          },
          { timeout: 60_000, interval: 500 },
        )
        .toEqual([]);
      const counts = await events();
      expect([...answered].filter((device) => counts.get(device) !== 1)).toEqual([]);
      console.log(`${KILLS} kills: ${answered.size} answered, statuses ${JSON.stringify(statuses)}`);
      expect(answered.size).toBeGreaterThan(10 * KILLS);
    },
    60_000 + KILLS * 30_000,
  );

  it("ends a backup with what to do, and the same command goes on when there is room", async () => {
    fill();
    // The server gives its reserve back: that goes as well.
    await sleep(1_500);
    fill(100_000);
    const command = () => finished(runCli("backup.ts", [join(disk, "backup"), "--persist-to", state]));
    const full = await command();
    expect(full).toEqual({
      code: 1,
      output: expect.stringMatching(/^The disk of .* is full\. Free some space and rerun/),
    });
    makeRoom();
    expect(await command()).toEqual({ code: 0, output: expect.stringContaining("contains the state at") });
  });
});

it.skipIf(isMounted)("a full disk is tried where a small one can be mounted (Linux, as root)", (context) => {
  context.skip("no tmpfs can be mounted here: run it as root, on Linux");
});
