import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { geodataBucketName } from "../../src/cli/geodata-bucket.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { publishWorld } from "../support/kept-worlds.ts";
import { anyPort, finished, runCli } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

/** A disk of its own, which nobody else notices when it is full. */
const disk = join(scratchFolder(), "disk");
mkdirSync(disk);
const isMounted =
  process.platform === "linux" && spawnSync("mount", ["-t", "tmpfs", "-o", "size=256m", "tmpfs", disk]).status === 0;
const state = join(disk, "state");
const filler = join(disk, "filler");
let server: Running | undefined;
let port: number;

/** Writes until nothing more fits, but for so many bytes. */
function fill(butFor = 0): void {
  const file = openSync(filler, "a");
  const megabyte = Buffer.alloc(1_000_000, 1);
  for (let size = megabyte.length; size >= 1; )
    try {
      if (writeSync(file, megabyte, 0, size) < size) throw new Error("no room");
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
  return { status: response.status, body: await response.json() };
}
const track = (deviceId: string) =>
  ask("POST", "/v1/track", { deviceId, latitude: 48.85, longitude: 2.35, accuracy: 5, foreground: true });

beforeAll(async () => {
  if (!isMounted) return;
  port = await anyPort();
  const bucket = openLocalBucket(state, geodataBucketName());
  await publishWorld("world", bucket).finally(() => bucket.close());
}, 300_000);
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
    expect(refused.output).toContain("ake room, and start again: nothing that was answered is lost.");
    makeRoom();
    server = await startProcess(state, port);
  });

  it("while the server runs, costs no event that was answered, and all goes on when there is room again", async () => {
    const circle = { description: "Yard", type: "circle", coordinates: [2.35, 48.85], radius: 100 };
    expect((await ask("PUT", "/v1/geofences/yard/1", circle)).status).toBe(200);
    const answered = new Map<string, number>();
    const send = async (device: string) => {
      const { status, body } = await track(device);
      if (status === 200) answered.set(device, body.events.length);
      return status;
    };
    expect([await send("before-1"), await send("before-2")]).toEqual([200, 200]);
    fill();
    const during: number[] = [];
    for (let n = 0; n < 6; n++) during.push(await send(`during-${n}`));
    // Never an answer that promises what could not be written.
    expect(during.every((status) => status === 200 || status >= 500)).toBe(true);
    expect(during).toContain(500);
    await expect
      .poll(() => server?.said())
      .toMatch(/The disk of .* is full: what would change something is answered 500/);
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

  it("ends a backup with what to do, and the same command goes on when there is room", async () => {
    fill(100_000);
    const command = () => finished(runCli("backup.ts", [join(disk, "backup"), "--persist-to", state]));
    const full = await command();
    expect(full).toEqual({ code: 1, output: expect.stringMatching(/^The disk of .* is full\. Make room and run/) });
    makeRoom();
    expect(await command()).toEqual({ code: 0, output: expect.stringContaining("holds everything as it was at") });
  });
});

it.skipIf(isMounted)("a full disk is tried where a small one can be mounted (Linux, as root)", (context) => {
  context.skip("no tmpfs can be mounted here: run it as root, on Linux");
});
