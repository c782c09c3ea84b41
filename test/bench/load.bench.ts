import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { destination } from "../../src/core/geo/distance.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { CommandError } from "../../src/server/base/command.ts";
import { query } from "../../src/server/data/database.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { geodataBucketName } from "../../src/server/geodata/geodata-bucket.ts";
import { createProject, type ProjectKeys } from "../../src/server/project/projects.ts";
import { runtimeOf } from "../../src/server/state/runtime.ts";
import { anyPort } from "../server/commands/dev-process.ts";
import { type Running, startProcess } from "../server/commands/start/start-process.ts";
import { publishWorld } from "../support/worlds/kept-worlds.ts";
import type { Report } from "./bench.ts";
import { fenceStatements, makeFences, randomPoint } from "./support/fences.ts";
import { writeKnownUsers } from "./support/known-users.ts";
import { type LoadRequest, send } from "./support/load.ts";
import { type Arrivals, openLoop } from "./support/open-loop.ts";
import { percentile } from "./support/percentile.ts";
import { cpuSeconds, residentBytes } from "./support/process-cpu.ts";
import { seededRandom } from "./support/random.ts";

export const name = "load";
export const summary =
  "npm start with a million known users: reports, searches, a kill, and what comes back. Goals: 0 errors, 10 ms, 10 s.";

/** The world has so many times the width and height of the area of the other benches: a million users live in several cities. */
const TIMES = 3;
/** Updates under way at most, and searches. */
const [MAX_UPDATES, MAX_SEARCHES] = [256, 32];
/** Searches for users, and contexts, per second. */
const SEARCHES = 4;
const TOLD_EVERY_MS = 10_000;
/** How long everything may take until it answers after a kill [s]. */
const RECOVERED = 10;
const PATIENCE_MS = 120_000;
/** How long the last positions may take to the database [ms]: alarms come within 10 s. */
const DRAIN_MS = 45_000;
const SCOPE_NAMES = ["context", "searchUsers", "searchGeofences", "listUsers", "listEvents", "track"];

export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const { users, active, minutes, fences } = optionsOf(words);
  const random = seededRandom(12);
  const state = mkdtempSync(join(tmpdir(), "graticule-load-"));
  const [port, agent] = [await anyPort(), new Agent({ keepAlive: true, maxSockets: MAX_UPDATES + 2 * MAX_SEARCHES })];
  const url = `http://127.0.0.1:${port}`;
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.once("SIGINT", interrupt);
  let server: Running | undefined;
  try {
    const { scope, keys } = await prepare(state, users, fences, random);
    const start = async () => {
      const began = performance.now();
      server = await startProcess(state, port, ["--quiet"]);
      await everythingAnswers(url, keys);
      return (performance.now() - began) / 1000;
    };
    report({ case: `${users} users, ${fences} geofences`, metric: "first start", value: await start(), unit: "s" });

    const homes = Array.from({ length: active }, () => randomPoint(random, TIMES));
    const traffic = new Traffic({ url }, agent, keys, homes, random);
    const load = `${active} devices in ${minutes} minutes`;
    const memory: number[] = [];
    const watched = watch(state, traffic, memory);
    const [updates, ...reads] = await traffic.flow(active / (minutes * 60), minutes * 60, () => !interrupted);
    watched.stop();
    tell(report, load, "track", updates);
    for (const [i, kind] of READS.entries())
      tell(report, load, kind, reads[i], kind === "search users" ? 10 : undefined);
    const half = memory.slice(Math.floor(memory.length / 2));
    report({ case: load, metric: "CPU", value: watched.cpu(), unit: "cores" });
    report({ case: load, metric: "memory, half-way", value: half[0], unit: "MB" });
    report({ case: load, metric: "memory, end", value: half[half.length - 1], unit: "MB" });
    report({ case: load, metric: "memory, most", value: Math.max(...memory), unit: "MB" });

    // Death in the middle of the same load; what is under way then gets no answer and counts for nothing.
    console.error("killed under load");
    const dying = traffic.flow(active / (minutes * 60), 5, () => server !== undefined);
    await sleep(3_000);
    const killed = server as Running;
    killed.process.kill("SIGKILL");
    server = undefined;
    await killed.left;
    await dying;
    report({ case: "after kill -9", metric: "all answers", value: await start(), unit: "s", baseline: RECOVERED });
    const [again] = await traffic.flow(active / (minutes * 60), 10, () => !interrupted);
    tell(report, "after kill -9", "track", again);
    report({
      case: "after kill -9",
      metric: "not in D1",
      value: await missing(state, scope, traffic),
      unit: "users",
      baseline: 0,
    });
  } finally {
    process.off("SIGINT", interrupt);
    agent.destroy();
    server?.process.kill("SIGTERM");
    await server?.left;
    rmSync(state, { recursive: true, force: true });
  }
}

interface Options {
  users: number;
  active: number;
  minutes: number;
  fences: number;
}

function optionsOf(words: readonly string[]): Options {
  const options: Options = { users: 100_000, active: 5_000, minutes: 1, fences: 10_000 };
  for (const word of words) {
    const [name, value] = word.split("=");
    if (!(name in options) || !(Number(value) > 0))
      throw new CommandError(`"${word}" is none of users=, active=, minutes=, fences=.`);
    options[name as keyof Options] = Number(value);
  }
  return options;
}

/** A world, a project, its users and geofences. */
async function prepare(
  state: string,
  users: number,
  fences: number,
  random: () => number,
): Promise<{ scope: number; keys: ProjectKeys }> {
  const bucket = openLocalBucket(state, geodataBucketName());
  await publishWorld("world", bucket).finally(() => bucket.close());
  const database = openLocalDatabase(state);
  const { id, keys } = await createProject(database, "load");
  const rateLimits = Object.fromEntries(SCOPE_NAMES.map((endpoint) => [endpoint, 1_000_000]));
  await query(database, "UPDATE project SET settings = ? WHERE id = ?", JSON.stringify({ rateLimits }), id);
  await database.batch(fenceStatements(id * 2, makeFences(fences, [], random, TIMES)));
  database.close();
  const told = (written: number) => console.error(`${written} of ${users} users written`);
  writeKnownUsers(state, id * 2, users, random, { times: TIMES, told });
  return { scope: id * 2, keys };
}

const READS = ["search users", "context", "search geofences"] as const;

/** Devices that report, and who looks on. */
class Traffic {
  /** Of the devices whose update was acknowledged, the user's id. */
  readonly acknowledged = new Map<number, string>();
  sent = 0;
  readonly #worker: { url: string };
  readonly #agent: Agent;
  readonly #keys: ProjectKeys;
  readonly #homes: readonly { latitude: number; longitude: number }[];
  readonly #random: () => number;

  constructor(
    worker: { url: string },
    agent: Agent,
    keys: ProjectKeys,
    homes: readonly { latitude: number; longitude: number }[],
    random: () => number,
  ) {
    this.#worker = worker;
    this.#agent = agent;
    this.#keys = keys;
    this.#homes = homes;
    this.#random = random;
  }

  /** Updates at a rate for some seconds, and searches beside them. */
  flow(rate: number, seconds: number, goesOn: () => boolean): Promise<Arrivals[]> {
    const reads = READS.map((kind) =>
      openLoop({
        rate: SEARCHES,
        seconds,
        most: MAX_SEARCHES,
        goesOn,
        send: () => this.#ask(this.#read(kind)).then(() => {}),
      }),
    );
    return Promise.all([openLoop({ rate, seconds, most: MAX_UPDATES, goesOn, send: () => this.#update() }), ...reads]);
  }

  async #update(): Promise<void> {
    const device = this.sent++ % this.#homes.length;
    const at = destination(this.#homes[device], this.#random() * 360, this.#random() * 20);
    const body = { deviceId: `active-${device}`, ...at, accuracy: 5, foreground: true, stopped: false };
    const headers = { Authorization: this.#keys.testPublishable };
    const text = await this.#ask({ method: "POST", path: "/v1/track", headers, body });
    this.acknowledged.set(device, JSON.parse(text).user._id);
  }

  #read(kind: (typeof READS)[number]): LoadRequest {
    const { latitude, longitude } = randomPoint(this.#random, TIMES);
    const near = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    const headers = { Authorization: this.#keys.testSecret };
    if (kind === "context") return { path: `/v1/context?coordinates=${near}`, headers };
    return {
      path: `/v1/search/${kind === "search users" ? "users" : "geofences"}?near=${near}&radius=1000&limit=10`,
      headers,
    };
  }

  async #ask(request: LoadRequest): Promise<string> {
    const { status, text } = await send(this.#worker, request, this.#agent);
    if (status !== 200) throw new Error(`${request.path} answered ${status}: ${text.slice(0, 200)}`);
    return text;
  }
}

/** Tells how it goes, and notes the memory of workerd [MB]. */
function watch(state: string, traffic: Traffic, memory: number[]): { stop(): void; cpu(): number } {
  const pid = runtimeOf(state) as number;
  const began = { at: performance.now(), cpu: cpuSeconds(pid) };
  let ended = began;
  const timer = setInterval(() => {
    memory.push(residentBytes(pid) / 2 ** 20);
    const seconds = Math.round((performance.now() - began.at) / 1000);
    console.error(`${seconds} s: ${traffic.sent} updates sent, ${Math.round(memory[memory.length - 1])} MB`);
  }, TOLD_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      memory.push(residentBytes(pid) / 2 ** 20);
      ended = { at: performance.now(), cpu: cpuSeconds(pid) };
    },
    cpu: () => (ended.cpu - began.cpu) / ((ended.at - began.at) / 1000),
  };
}

function tell(report: Report, label: string, kind: string, arrivals: Arrivals, goal?: number): void {
  const { sent, errors, firstError, times } = arrivals;
  if (firstError) console.error(`${kind}: ${firstError}`);
  const what = `${label}: ${kind}`;
  report({ case: what, metric: "sent", value: sent, unit: "" });
  report({ case: what, metric: "errors", value: errors, unit: "", baseline: 0 });
  if (times.length === 0) return;
  report({ case: what, metric: "p50", value: percentile(times, 0.5), unit: "ms", baseline: goal });
  report({ case: what, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
}

/** Waits until each kind of request is answered: with the database, its geofences, its writers, trackers and maps. */
async function everythingAnswers(url: string, { testSecret, testPublishable }: ProjectKeys): Promise<void> {
  const requests: LoadRequest[] = [
    { path: "/v1/ping" },
    {
      method: "POST",
      path: "/v1/track",
      headers: { Authorization: testPublishable },
      body: { ...somewhere, deviceId: `probe-${Date.now()}` },
    },
    { path: "/v1/context?coordinates=37.5,-122", headers: { Authorization: testPublishable } },
    { path: "/v1/search/users?near=37.5,-122", headers: { Authorization: testSecret } },
    { path: "/v1/search/geofences?near=37.5,-122", headers: { Authorization: testSecret } },
    { path: "/v1/users?limit=10", headers: { Authorization: testSecret } },
    { path: "/v1/events?limit=10", headers: { Authorization: testSecret } },
  ];
  const until = Date.now() + PATIENCE_MS;
  for (const request of requests) {
    for (;;) {
      const answer = await send({ url }, request).catch((error: Error) => ({ status: 0, text: error.message }));
      if (answer.status === 200) break;
      if (Date.now() > until) throw new Error(`${request.path}: ${answer.text}`);
      await sleep(20);
    }
  }
}

const somewhere = { latitude: 37.5, longitude: -122, accuracy: 5, foreground: true };

/** Users that were acknowledged and are not in the database, when it has had time. */
async function missing(state: string, scope: number, { acknowledged }: Traffic): Promise<number> {
  const database = openLocalDatabase(state);
  const ids = JSON.stringify([...acknowledged.values()]);
  try {
    for (const until = Date.now() + DRAIN_MS; ; await sleep(500)) {
      const text = "SELECT count(*) AS n FROM user WHERE scope = ? AND id IN (SELECT value FROM json_each(?))";
      const [{ n }] = await query(database, text, scope, ids);
      const lacking = acknowledged.size - Number(n);
      if (lacking === 0 || Date.now() > until) return lacking;
    }
  } finally {
    database.close();
  }
}
