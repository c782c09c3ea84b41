import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { destination } from "../../src/core/geo/distance.ts";
import { query } from "../../src/server/data/database.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { createProject, type ProjectKeys } from "../../src/server/project/projects.ts";
import { fenceStatements, makeFences, randomPoint } from "../bench/support/fences.ts";
import { type LoadRequest, send } from "../bench/support/load.ts";
import { type Arrivals, openLoop } from "../bench/support/open-loop.ts";
import { seededRandom } from "../bench/support/random.ts";
import { startReceiver } from "../core/webhooks/receiver.ts";
import { anyPort } from "../server/commands/dev-process.ts";
import { startProcess } from "../server/commands/start/start-process.ts";
import { publishWorlds } from "../support/worlds/kept-worlds.ts";
import { type Sample, treeMegabytes } from "./memory.ts";

export interface SoakOptions {
  minutes: number;
  /** Updates per second. */
  rate: number;
  devices: number;
  seed: number;
}

export interface SoakReport {
  updates: Arrivals;
  reads: Arrivals;
  /** Requests on a connection that was closed in the same moment, sent again. */
  reset: number;
  /** Messages that the webhook's receiver took, and those that still wait. */
  messages: number;
  waiting: number;
  memory: Sample[];
}

const SAMPLE_MS = 5_000;
/** How long the last messages may take. */
const LAST_MESSAGES_MS = 60_000;
const MAX_UNDER_WAY = 64;
/** Requests per second beside the updates. */
const READS_PER_SECOND = 2;
const FENCES = 2_000;
/** Every so many updates a device leaves its geofences or comes back, which makes events. */
const CROSS_EVERY = 20;

/**
 * `npm start` under a steady load: updates with their events and a webhook, and people who look on. Memory is that of all its processes.
 * @param goesOn returns false to end it early
 */
export async function soak(
  { minutes, rate, devices, seed }: SoakOptions,
  { tell, goesOn }: { tell(sample: Sample, sent: number): void; goesOn(): boolean },
): Promise<SoakReport> {
  const random = seededRandom(seed);
  const state = mkdtempSync(join(tmpdir(), "graticule-soak-"));
  const homes = Array.from({ length: devices }, () => randomPoint(random));
  let messages = 0;
  const receiver = await startReceiver((response) => {
    messages++;
    // Otherwise this process would be the one that grows.
    receiver.received.length = 0;
    response.writeHead(204).end();
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * MAX_UNDER_WAY });
  try {
    const keys = await prepare(state, homes, random);
    const port = await anyPort();
    const server = await startProcess(state, port, ["--quiet"], { ALLOW_PRIVATE_HOSTS: "true" });
    try {
      const worker = { url: `http://127.0.0.1:${port}` };
      let reset = 0;
      const ask = async (request: LoadRequest) => {
        const { status, text } = await send(worker, request, agent).catch((error: NodeJS.ErrnoException) => {
          // The server closes an idle connection. A request that is sent in that moment is reset, and clients send it again.
          if (error.code !== "ECONNRESET") throw error;
          reset++;
          return send(worker, request, agent);
        });
        if (status !== 200) throw new Error(`${request.path} returned ${status}: ${text.slice(0, 200)}`);
        return text;
      };
      const secret = { Authorization: keys.testSecret };
      const body = { url: receiver.url };
      const made = await ask({ method: "POST", path: "/v1/webhooks", headers: secret, body });
      const { _id: webhook } = JSON.parse(made).webhook;

      const memory: Sample[] = [];
      const began = performance.now();
      let sent = 0;
      const timer = setInterval(() => {
        const sample = {
          second: (performance.now() - began) / 1000,
          megabytes: treeMegabytes(server.process.pid ?? 0),
        };
        memory.push(sample);
        tell(sample, sent);
      }, SAMPLE_MS);
      const update = async (n: number) => {
        sent++;
        const device = n % devices;
        const isAway = Math.floor(n / devices / CROSS_EVERY) % 2 === 1;
        const at = destination(homes[device], random() * 360, isAway ? 1500 : random() * 20);
        const position = { deviceId: `soak-${device}`, ...at, accuracy: 5, foreground: true, stopped: false };
        await ask({
          method: "POST",
          path: "/v1/track",
          headers: { Authorization: keys.testPublishable },
          body: position,
        });
      };
      const read = async (n: number) => {
        const { latitude, longitude } = randomPoint(random);
        const near = `${latitude.toFixed(5)},${longitude.toFixed(5)}`;
        const paths = [
          `/v1/context?coordinates=${near}`,
          `/v1/geocode/reverse?coordinates=${near}`,
          `/v1/geocode/forward?query=${WORDS[n % WORDS.length]}`,
          `/v1/search/users?near=${near}&radius=1000`,
          `/maps/static?center=${near}&zoom=6&width=300&height=200`,
          "/v1/events?limit=20",
          "/v1/users?limit=20",
        ];
        await ask({ path: paths[n % paths.length], headers: secret });
      };
      const seconds = minutes * 60;
      const [updates, reads] = await Promise.all([
        openLoop({ rate, seconds, most: MAX_UNDER_WAY, goesOn, send: update }),
        openLoop({ rate: READS_PER_SECOND, seconds, most: MAX_UNDER_WAY, goesOn, send: read }),
      ]);
      clearInterval(timer);
      const left = async () =>
        JSON.parse(await ask({ path: `/v1/webhooks/${webhook}/deliveries?limit=1`, headers: secret })).waiting;
      let waiting = await left();
      for (const until = Date.now() + LAST_MESSAGES_MS; waiting > 0 && Date.now() < until; waiting = await left())
        await sleep(1_000);
      return { updates, reads, reset, messages, waiting, memory };
    } finally {
      server.process.kill("SIGTERM");
      await server.left;
    }
  } finally {
    agent.destroy();
    await receiver.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

const WORDS = ["paris", "heidelberg", "sao%20paulo", "kyoto", "new%20york", "lagos", "vienna", "quito"];

/** A state with the world base, a project without limits worth the word, and its geofences around the homes of devices. */
async function prepare(
  state: string,
  homes: readonly { latitude: number; longitude: number }[],
  random: () => number,
): Promise<ProjectKeys> {
  await publishWorlds(["world"], state);
  const database = openLocalDatabase(state);
  try {
    const { id, keys } = await createProject(database, "soak");
    const unlimited = ["track", "context", "geocode", "search", "maps", "listUsers", "listEvents", "webhookDeliveries"];
    const rateLimits = Object.fromEntries(unlimited.map((endpoint) => [endpoint, 1_000_000]));
    await query(database, "UPDATE project SET settings = ? WHERE id = ?", JSON.stringify({ rateLimits }), id);
    await database.batch(fenceStatements(id * 2, makeFences(FENCES, homes, random)));
    return keys;
  } finally {
    database.close();
  }
}
