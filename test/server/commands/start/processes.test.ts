import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WORLD } from "../../../../src/core/geo/builds/manifest.ts";
import { liveId, makeLive, readManifest, takeOffLive } from "../../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { query } from "../../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../../../src/server/geodata/geodata-bucket.ts";
import { createProject, type ProjectKeys } from "../../../../src/server/project/projects.ts";
import { processCount } from "../../../../src/server/start/process-count.ts";
import { MAIN, runtimeOf } from "../../../../src/server/state/runtime.ts";
import { publishWorlds } from "../../../support/worlds/kept-worlds.ts";
import { anyPort } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

const COUNT = 3;
const HELPERS = [MAIN + 1, MAIN + 2];
/** Calls per second that the project allows, but where a test says otherwise. */
const PLENTY = 10_000;
/** A scope's rate in the test of limits, and how long it asks [per second, s]. */
const [RATE, SECONDS] = [40, 4];

const state = join(scratchFolder(), "state");
let port: number;
let server: Running;

let keys: ProjectKeys;
/** Answered by helpers, too. */
const REVERSE = "/v1/geocode/reverse?coordinates=48.8566,2.3522";
const CONTEXT = "/v1/context?coordinates=48.85,2.35";
interface Fence {
  description: string;
}
/** Only by the main process. */
const USERS = "/v1/users";

interface Answer {
  status: number;
  body: string;
}
/** A request on a connection of its own, or of an agent's; a status of 0 if it was cut. */
function ask(path: string, { key = keys.testSecret, agent = false as Agent | false, ...more } = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body } = more as { method?: string; headers?: object; body?: string };
  return new Promise((resolve) => {
    const all = { authorization: key, ...headers };
    const outgoing = request({ host: "127.0.0.1", port, path, method, agent, headers: all }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
      answer.once("error", () => resolve({ status: 0, body: text }));
    });
    outgoing.once("error", (error) => resolve({ status: 0, body: String(error) }));
    outgoing.end(body);
  });
}

const many = (times: number, path: string, options?: Parameters<typeof ask>[1]) =>
  Promise.all(Array.from({ length: times }, () => ask(path, options)));
const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];

const patch = (body: object) =>
  ask("/v1/settings", {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  } as object);

/** Responses with 200 of an endpoint, by process: "" is the main one. */
async function countsOf(endpoint: string): Promise<Map<string, number>> {
  const token = readFileSync(join(state, "metrics-token"), "utf8").trim();
  const { body } = await ask("/metrics", { key: `Bearer ${token}` });
  const found = new Map<string, number>();
  for (const line of body.split("\n")) {
    if (!line.startsWith("graticule_http_requests_total{") || !line.includes(`endpoint="${endpoint}",code="200"`))
      continue;
    found.set(/process="(\d+)"/.exec(line)?.[1] ?? "", Number(line.slice(line.lastIndexOf(" "))));
  }
  return found;
}

/** A project of its own, with these rates from the beginning. @returns its keys */
async function projectWith(rateLimits: Record<string, number>): Promise<ProjectKeys> {
  const database = openLocalDatabase(state);
  try {
    const { id, keys } = await createProject(database, "test");
    const settings = JSON.stringify({ rateLimits }).replaceAll("'", "");
    await query(database, `UPDATE project SET settings = '${settings}' WHERE id = ${id}`);
    return keys;
  } finally {
    database.close();
  }
}

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await is()); await sleep(50))
    if (Date.now() > end) throw new Error("It never came.");
}

beforeAll(async () => {
  port = await anyPort();
  await publishWorlds(["world"], state);
  server = await startProcess(state, port, ["--processes", String(COUNT), "--quiet"]);
  keys = await projectWith(
    Object.fromEntries(
      ["reverseGeocode", "context", "listLiveGeodata", "listUsers", "getUser", "track", "upsertGeofence"].map(
        (name) => [name, PLENTY],
      ),
    ),
  );
}, 240_000);
afterAll(async () => {
  server?.process.kill("SIGTERM");
  await server?.left;
});

describe.runIf(process.platform === "linux")("a server of several processes", { timeout: 180_000 }, () => {
  it("spreads connections over all, which answer the same, and counts each call once", async () => {
    const calls = async () => {
      const { body } = await ask("/v1/stats?kinds=calls&step=hour");
      const { series } = JSON.parse(body).stats as { series: { kind: string; name: string; values: number[] }[] };
      const own = series.find(({ kind, name }) => kind === "calls" && name === "reverseGeocode");
      return (own?.values ?? []).reduce((sum, value) => sum + value, 0);
    };
    const before = await calls();
    const figures = await countsOf("reverseGeocode");
    const answers = await many(120, REVERSE);
    const texts = answers.map(({ status, body }) => `${status} ${body.replaceAll(/"currentTime":"[^"]*"/g, "")}`);
    expect([...new Set(texts)]).toEqual([texts[0]]);
    expect(answers[0].body).toContain('"FR"');
    expect((await calls()) - before).toBe(120);
    const after = await countsOf("reverseGeocode");
    const grown = ["", ...HELPERS.map(String)].map((name) => (after.get(name) ?? 0) - (figures.get(name) ?? 0));
    expect(grown.reduce((sum, count) => sum + count, 0)).toBe(120);
    expect(Math.min(...grown)).toBeGreaterThan(10);
  });

  it("has one set of users, whichever process a request reaches", async () => {
    const track = (n: number) =>
      ask("/v1/track", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ deviceId: `d${n}`, userId: `u${n}`, latitude: 48.85, longitude: 2.35, accuracy: 5 }),
      } as object);
    expect(statusesOf(await Promise.all(Array.from({ length: 30 }, (_, n) => track(n))))).toEqual([200]);
    await until(async () => JSON.parse((await ask(`${USERS}?limit=100`)).body).users.length === 30);
    expect(statusesOf(await many(30, `${USERS}/u7`))).toEqual([200]);
    expect((await countsOf("listUsers")).size).toBe(1);
  });

  it("keeps a scope's rate exactly, and refuses unknown keys", async () => {
    const { testSecret: key } = await projectWith({ reverseGeocode: RATE });
    const began = performance.now();
    const answers: Answer[] = [];
    const clients = Array.from({ length: 12 }, async () => {
      while (performance.now() - began < SECONDS * 1000) {
        answers.push(await ask(REVERSE, { key }));
        await sleep(10);
      }
    });
    await Promise.all(clients);
    const seconds = (performance.now() - began) / 1000;
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(statusesOf(answers).sort()).toEqual([200, 429]);
    // A full bucket at the beginning.
    expect(allowed).toBeLessThanOrEqual(RATE * (seconds + 1) + 1);
    expect(allowed).toBeGreaterThan(RATE * seconds * 0.8);
    expect(statusesOf(await many(20, REVERSE, { key: `prj_test_sk_${"0".repeat(40)}` }))).toEqual([401]);
  });

  it("has a change of the project in all processes when it is acknowledged", async () => {
    const foreign = { key: keys.testPublishable, headers: { origin: "https://other.example" } };
    for (let turn = 0; turn < 5; turn++) {
      expect(statusesOf(await many(12, REVERSE, foreign))).toEqual([200]);
      expect((await patch({ allowedOrigins: ["https://own.example"] })).status).toBe(200);
      expect(statusesOf(await many(12, REVERSE, foreign))).toEqual([403]);
      expect((await patch({ allowedOrigins: [] })).status).toBe(200);
    }
  });

  it("has a geofence in the context of all processes as soon as it is there, and not when it is gone", async () => {
    const inside = async () =>
      new Set(
        (await many(24, CONTEXT)).map(({ body }) =>
          JSON.parse(body)
            .geofences.map((one: Fence) => one.description)
            .join(),
        ),
      );
    const ring = [2.3, 48.8, 2.4, 48.9];
    const [west, south, east, north] = ring;
    const corners = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    for (const shape of [
      { type: "circle", coordinates: [2.35, 48.85], radius: 2000 },
      { type: "polygon", coordinates: [corners] },
    ])
      for (let turn = 0; turn < 3; turn++) {
        const body = JSON.stringify({ description: `Turn ${turn}`, ...shape });
        const path = "/v1/geofences/here/1";
        const headers = { "content-type": "application/json" };
        expect((await ask(path, { method: "PUT", headers, body } as object)).status).toBe(200);
        expect([...(await inside())]).toEqual([`Turn ${turn}`]);
        if (turn === 2) await ask(path, { method: "DELETE" } as object);
      }
    expect([...(await inside())]).toEqual([""]);
    expect((await countsOf("context")).size).toBe(COUNT);
  });

  it("fails no request of others while helpers die, and starts them again", async () => {
    const fates = await underLoad([REVERSE, USERS], async () => {
      for (const helper of [...HELPERS, ...HELPERS]) await killAndAwait(helper);
    });
    expect(fates.other).toEqual([]);
    // What was under way in the dead process: of four.
    expect(Math.max(...fates.cuts)).toBeLessThanOrEqual(4);
    expect(fates.answered).toBeGreaterThan(200);
    expect(statusesOf(await many(60, REVERSE))).toEqual([200]);
    expect(statusesOf(await many(60, USERS))).toEqual([200]);
  });

  it("replaces a helper that a signal has stopped", async () => {
    const [helper] = HELPERS;
    const before = runtimeOf(state, helper) as number;
    const fates = await underLoad([REVERSE], async () => {
      process.kill(before, "SIGSTOP");
      await until(() => runtimeOf(state, helper) !== undefined && runtimeOf(state, helper) !== before);
    });
    expect(fates.other).toEqual([]);
    expect(Math.max(...fates.cuts)).toBeLessThanOrEqual(1);
    expect(statusesOf(await many(60, REVERSE))).toEqual([200]);
    expect(server.said()).toContain('"isHalted":true');
  });

  it("opens files of the state in the main process alone: of two workerds, SQLite would refuse one", () => {
    const openIn = (number: number) => {
      const folder = `/proc/${runtimeOf(state, number)}/fd`;
      const files = readdirSync(folder).map((name) => linkOf(join(folder, name)));
      return files.filter(
        (file) => file.startsWith(`${state}/v3`) && statSync(file, { throwIfNoEntry: false })?.isFile(),
      );
    };
    expect(openIn(MAIN).length).toBeGreaterThan(0);
    expect(HELPERS.map(openIn)).toEqual([[], []]);
  });

  it("answers by new data everywhere when an import has replaced the old under load", async () => {
    const bucket = openLocalBucket(state, geodataBucketName());
    const manifest = await readManifest(bucket, (await liveId(bucket, WORLD))!);
    // With the clients of the load, fewer than a key may have under way.
    const areAll = (isFrance: boolean) => async () =>
      (await many(8, REVERSE)).every(({ status, body }) => status === 200 && body.includes('"FR"') === isFrance);
    const fates = await underLoad([REVERSE, "/v1/geodata"], async () => {
      // A transaction for each, as an import writes its rows.
      for (let n = 0; n < 200; n++) await bucket.put(`builds/none/${n}`, new Uint8Array(2000).fill(n));
      await takeOffLive(bucket, WORLD);
      await until(areAll(false));
      await makeLive(bucket, manifest);
      await until(areAll(true));
    });
    bucket.close();
    expect(fates.other).toEqual([]);
    expect(Math.max(...fates.cuts)).toBe(0);
  });

  it("answers what needs no device while the main process is away", async () => {
    await many(60, REVERSE);
    const fates = await underLoad([REVERSE], () => killAndAwait(MAIN));
    expect(fates.other).toEqual([]);
    expect(Math.max(...fates.cuts)).toBeLessThanOrEqual(1);
    expect(statusesOf(await many(60, USERS))).toEqual([200]);
    expect(JSON.parse((await ask(`${USERS}?limit=100`)).body).users.length).toBe(30);
  });
});

/** "": it has been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

async function killAndAwait(number: number): Promise<void> {
  const before = runtimeOf(state, number) as number;
  await sleep(300);
  process.kill(before, "SIGKILL");
  await until(() => runtimeOf(state, number) !== undefined && runtimeOf(state, number) !== before);
  await sleep(1500);
}

/** Ten clients with kept connections and ten with fresh ones ask until `work` is done. `cuts`: of each, connections that broke. */
async function underLoad(paths: readonly string[], work: () => Promise<unknown>) {
  const fates = { answered: 0, cuts: new Array<number>(20).fill(0), other: [] as string[] };
  let isOver = false;
  const clients = Array.from({ length: 20 }, async (_, i) => {
    const agent = i % 2 === 0 && new Agent({ keepAlive: true });
    for (let n = i; !isOver; n++) {
      const { status, body } = await ask(paths[n % paths.length], { agent });
      if (status === 200) fates.answered++;
      else if (status === 0) fates.cuts[i]++;
      else fates.other.push(`${status} ${body}`);
      await sleep(20);
    }
    if (agent) agent.destroy();
  });
  await work();
  isOver = true;
  await Promise.all(clients);
  return fates;
}

describe("the number of processes", () => {
  it.each([
    ["auto", 4, 0.5e9, 1],
    ["auto", 4, 1.9e9, 1],
    ["auto", 4, 2e9, 2],
    ["auto", 1, 64e9, 1],
    ["auto", 8, 6e9, 6],
    ["auto", 64, 256e9, 16],
    ["1", 64, 256e9, 1],
    ["16", 1, 1e9, 16],
  ])("%s of %i cores with %d bytes: %i", (set, cores, memory, count) => {
    expect(processCount(set, cores, memory)).toBe(count);
  });

  it.each(["0", "17", "-1", "1.5", "many", ""])("is not %j", (set) => {
    expect(() => processCount(set)).toThrow("--processes must be");
  });
});
