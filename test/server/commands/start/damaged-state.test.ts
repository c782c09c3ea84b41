import { spawn } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseConfig, ROOT, workerName } from "../../../../src/server/base/wrangler.ts";
import { localDatabasePath } from "../../../../src/server/data/local-database.ts";
import { OF_SERVER } from "../../../../src/server/state/lock.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort, finished, runCli } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

/** A server whose files are damaged between two starts, and while it runs. */
const state = join(scratchFolder(), "state");
const databasePath = localDatabasePath(state, databaseConfig().id);
const folderOf = (name: string) => join(state, "v3/do", `${workerName()}-${name}`);
let port: number;
let server: Running | undefined;

const start = async () => {
  server = await startProcess(state, port);
};
async function stop(): Promise<void> {
  server?.process.kill("SIGTERM");
  await server?.left;
  server = undefined;
}
beforeAll(async () => {
  port = await anyPort();
  await publishWorlds(["world"], state);
  await start();
}, 300_000);
afterAll(stop);

async function ask(method: string, path: string, json?: unknown) {
  const { testSecret } = JSON.parse(readFileSync(join(state, "keys.json"), "utf8"));
  const headers = { authorization: testSecret, "content-type": "application/json" };
  const body = json === undefined ? undefined : JSON.stringify(json);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  return { status: response.status, body: await response.json() };
}
const track = async (deviceId: string, longitude = 2.35) => {
  const update = { deviceId, userId: `user of ${deviceId}`, latitude: 48.85, longitude, accuracy: 5 };
  const { status, body } = await ask("POST", "/v1/track", update);
  return { status, id: body.user?._id, events: (body.events ?? []).map(({ type }: { type: string }) => type) };
};

/** The files of a class, with nothing left in their logs. */
function filesOf(name: string): string[] {
  const files = readdirSync(folderOf(name)).filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file));
  return files.map((file) => join(folderOf(name), file));
}
function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  for (const more of ["-wal", "-shm"]) rmSync(path + more, { force: true });
}

const command = (script: string, ...words: string[]) => finished(runCli(script, [...words, "--persist-to", state]));
interface Located {
  location: { coordinates: number[] };
}
/** A sentence: no stack, no error of a library. */
const isSentence = (output: string) => !/\n\s+at |ERR_SQLITE|node:internal/.test(output);

describe("a damaged tracker", { timeout: 120_000 }, () => {
  it("is set aside and rebuilt from the database: the same user, still inside, with a line in the log", async () => {
    const shop = { description: "Shop", type: "circle", coordinates: [2.35, 48.85], radius: 100 };
    expect((await ask("PUT", "/v1/geofences/shop/1", shop)).status).toBe(200);
    const before = new Map<string, Awaited<ReturnType<typeof track>>>();
    const fileOf = new Map<string, string>();
    for (const device of ["cut", "overwritten", "emptied", "removed", "whole"]) {
      const known = existing();
      before.set(device, await track(device));
      expect(before.get(device)!.events).toContain("user.entered_geofence");
      fileOf.set(device, filesOf("DeviceTracker").find((file) => !known.has(file))!);
    }
    await expect.poll(async () => (await ask("GET", "/v1/users")).body.users.length).toBe(5);
    await stop();
    for (const file of fileOf.values()) checkpoint(file);
    truncateSync(fileOf.get("cut")!, 5000);
    writeFileSync(fileOf.get("overwritten")!, readFileSync(fileOf.get("overwritten")!).fill(7, 4096));
    truncateSync(fileOf.get("emptied")!, 0);
    rmSync(fileOf.get("removed")!);
    const backup = await command("backup.ts", join(state, "../lacking"));
    expect([backup.code, isSentence(backup.output)]).toEqual([1, true]);
    expect(backup.output).toContain("The backup lacks 3 files that are damaged.");
    for (const device of ["cut", "overwritten", "emptied"])
      expect(backup.output).toContain(`${fileOf.get(device)}: it`);
    const doctor = await command("doctor.ts", "--port", String(port));
    expect(doctor.output).toContain(fileOf.get("cut"));
    expect(doctor.output).toMatch(/2 of 5 sampled devices have none, or an empty one, such as \d+:(emptied|removed)/);
    expect(isSentence(doctor.output)).toBe(true);
    await start();
    for (const [device, { id }] of before) {
      // Two at once: only one of them rebuilds it.
      const [tracked, read] = await Promise.all([track(device), ask("GET", `/v1/users/${id}`)]);
      expect([device, tracked.status, tracked.id, tracked.events]).toEqual([device, 200, id, []]);
      expect([device, read.status, read.body.user._id]).toEqual([device, 200, id]);
    }
    await sleep(1000);
    expect((await track("cut", 2.4)).events).toContain("user.exited_geofence");
    expect(server!.said().match(/"what":"damaged","class":"DeviceTracker"/g)).toHaveLength(2);
    expect(server!.said().match(/"what":"rebuilt","class":"DeviceTracker"/g)).toHaveLength(4);
    expect(readdirSync(join(state, "damaged")).filter((file) => file.endsWith(".sqlite"))).toHaveLength(2);
    expect((await ask("GET", "/v1/users")).body.users).toHaveLength(5);
  });

  it("is restored alone from a backup with its history, and its next update reaches the database", async () => {
    const known = existing();
    await track("restored", 2.35);
    const [file] = filesOf("DeviceTracker").filter((one) => !known.has(one));
    const place = join(state, "../one");
    await stop();
    expect(await command("backup.ts", place)).toMatchObject({ code: 0 });
    await start();
    await track("restored", 2.38);
    await stop();
    truncateSync(file, 5000);
    const other = filesOf("DeviceTracker").filter((one) => one !== file);
    const before = other.map((one) => readFileSync(one).toString("latin1"));
    const name = `DeviceTracker/${file.slice(-71, -7)}`;
    const restored = await command("restore.ts", place, "--object", name);
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining(`${file} is restored to`)]);
    expect(other.map((one) => readFileSync(one).toString("latin1"))).toEqual(before);
    for (const wrong of ["DeviceTracker/1", "../keys"])
      expect((await command("restore.ts", place, "--object", wrong)).output).toContain(
        "--object must be DB, or a class",
      );
    await start();
    const { id } = await track("restored", 2.4);
    const { updates } = (await ask("GET", `/v1/users/${id}/updates`)).body;
    // Rebuilt from the database, it would have no history; and 2.38 came after the backup.
    expect(updates.map((one: Located) => one.location.coordinates[0]).sort()).toEqual([2.35, 2.4]);
    const stored = async () => (await ask("GET", `/v1/users/${id}`)).body.user.location.coordinates[0];
    await expect.poll(stored).toBe(2.4);
  });

  const existing = () => {
    try {
      return new Set(filesOf("DeviceTracker"));
    } catch {
      return new Set<string>();
    }
  };

  it("of a user that is read or deleted, not tracked, is rebuilt as well", async () => {
    const known = existing();
    const read = await track("read");
    const [file] = filesOf("DeviceTracker").filter((one) => !known.has(one));
    await expect.poll(async () => (await ask("GET", "/v1/users/read")).status).toBe(200);
    await stop();
    checkpoint(file);
    truncateSync(file, 5000);
    await start();
    expect((await ask("GET", `/v1/users/${read.id}/updates`)).status).toBe(200);
    expect((await ask("DELETE", `/v1/users/${read.id}`)).status).toBe(200);
    expect((await ask("GET", `/v1/users/${read.id}`)).status).toBe(404);
  });
});

it("a damaged index of geofences is set aside and fills itself again", async () => {
  await stop();
  for (const file of filesOf("GeofenceIndex")) {
    checkpoint(file);
    truncateSync(file, 5000);
  }
  await start();
  expect((await track("newcomer")).events).toContain("user.entered_geofence");
  expect(server!.said()).toContain('"class":"GeofenceIndex"');
});

it("a backup process whose server was killed does not block a start; one that an operator started is named", async () => {
  await stop();
  const script = join(scratchFolder(), "backup.ts");
  const lock = join(ROOT, "src/server/state/lock.ts");
  writeFileSync(
    script,
    `import { lockState } from ${JSON.stringify(lock)}; globalThis.held = lockState(${JSON.stringify(state)}, "npm run backup"); console.log("locked"); setInterval(() => {}, 1000);`,
  );
  const holding = async (environment: Record<string, string>) => {
    const child = spawn(process.execPath, ["--no-warnings", script], { env: { ...process.env, ...environment } });
    let said = "";
    child.stderr.on("data", (text) => (said += text));
    await new Promise((locked, failed) => {
      child.stdout.once("data", locked);
      child.once("exit", (code) => failed(new Error(`left with ${code}: ${said}`)));
    });
    return child;
  };
  const operators = await holding({});
  const refused = await command("start.ts", "--port", String(port));
  expect(refused).toEqual({
    code: 1,
    output: expect.stringContaining(`A backup is reading ${state} (process ${operators.pid})`),
  });
  operators.kill("SIGKILL");
  const orphan = await holding({ [OF_SERVER]: "1" });
  const left = new Promise((gone) => orphan.once("exit", (_, signal) => gone(signal)));
  await start();
  expect(await left).toBe("SIGKILL");
});

describe("a damaged database", { timeout: 120_000 }, () => {
  it.each([
    ["is cut short", (path: string) => truncateSync(path, 20_000), "it is cut short"],
    [
      "has another beginning",
      (path: string) => writeFileSync(path, "text ".repeat(9000)),
      "it is no SQLite database any more",
    ],
    [
      "has damaged pages",
      (path: string) => writeFileSync(path, readFileSync(path).fill(7, 4096)),
      "its pages are damaged",
    ],
    ["is missing", (path: string) => rmSync(path), "it is missing"],
  ])("that %s is named by start, doctor and backup, with what it holds and what to do", async (_, damage, said) => {
    await stop();
    checkpoint(databasePath);
    const kept = `${databasePath}.kept`;
    writeFileSync(kept, readFileSync(databasePath));
    damage(databasePath);
    for (const words of [
      ["start.ts", "--port", String(port)],
      ["doctor.ts"],
      ["backup.ts", join(state, "../backup")],
    ]) {
      const { code, output } = await command(words[0], ...words.slice(1));
      expect([words[0], code]).toEqual([words[0], 1]);
      expect(output).toContain(`${databasePath}: ${said}`);
      expect(output).toContain("It holds projects, keys, users");
      expect(output).toContain("npm run restore");
      expect([words[0], isSentence(output)]).toEqual([words[0], true]);
    }
    renameSync(kept, databasePath);
  });

  it("is restored alone: the devices keep what they have", async () => {
    const trackers = filesOf("DeviceTracker").map((one) => readFileSync(one).toString("latin1"));
    const kept = readFileSync(databasePath);
    truncateSync(databasePath, 20_000);
    const restored = await command("restore.ts", join(state, "../one"), "--object", "DB");
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining(`${databasePath} is restored to`)]);
    expect(filesOf("DeviceTracker").map((one) => readFileSync(one).toString("latin1"))).toEqual(trackers);
    await start();
    expect((await ask("GET", "/v1/users")).body.users.length).toBeGreaterThan(5);
    await stop();
    for (const more of ["-wal", "-shm"]) rmSync(databasePath + more, { force: true });
    writeFileSync(databasePath, kept);
  });

  it("that is whole again serves as before", async () => {
    await start();
    expect((await track("whole")).status).toBe(200);
  });
});
