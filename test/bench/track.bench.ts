import { setTimeout as sleep } from "node:timers/promises";
import { destination } from "../../src/geo/distance.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import type { Report } from "./bench.ts";
import { fenceStatements, makeFences, randomPoint } from "./fences.ts";
import { type LoadRequest, measureLoad, send } from "./load.ts";
import { cpuSeconds } from "./process-cpu.ts";
import { seededRandom } from "./random.ts";
import { type PlatformWorker, startFloor, startPlatform } from "./worker.ts";

export const name = "track";
export const summary =
  "POST /v1/track with 0, 10k and 100k geofences, four of them overlapping, against an empty Hono handler.";

const DEVICES = 200;
const COUNT = Number(process.env.BENCH_COUNT ?? 6000);

/**
 * Two walks. `staying`: a device moves a few metres inside its four fences, the steady state: no events, yet every update
 * is stored. `crossing`: every update leaves or enters all four, so eight in ten updates make four events, which are
 * drained to the database within the time measured. The second walk once more with a webhook that takes every event on
 * loopback: its figure counts the CPU until the last message is delivered.
 */
export async function run(report: Report): Promise<void> {
  const floor = await startFloor();
  try {
    const body = { deviceId: "x", latitude: 1, longitude: 2, accuracy: 5, foreground: true };
    const least = await measureLoad(floor, () => ({ method: "POST", path: "/v1/track", body }), { count: COUNT });
    for (const fences of (process.env.BENCH_FENCES ?? "0,10000,100000").split(",").map(Number))
      await measure(report, fences, least.cpu, least);
  } finally {
    await floor.stop();
  }
}

async function measure(
  report: Report,
  fences: number,
  floorCpu: number,
  least: { p50: number; p99: number; perSecond: number },
): Promise<void> {
  const random = seededRandom(7);
  const homes = Array.from({ length: DEVICES }, () => randomPoint(random));
  const platform = await startPlatform({
    unlimited: ["track"],
    bindings: { ALLOW_PRIVATE_HOSTS: "true" },
    async prepare(database, projectId) {
      if (fences > 0) await database.batch(fenceStatements(projectId * 2, makeFences(fences, homes, random)));
    },
  });
  const headers = { Authorization: platform.keys.testPublishable };
  const walk = (far: number) => (n: number) => {
    const device = n % DEVICES;
    const away = far > 0 && Math.floor(n / DEVICES) % 2 === 1 ? far : random() * 20;
    const at = destination(homes[device], random() * 360, away);
    return {
      method: "POST" as const,
      path: "/v1/track",
      headers,
      body: { deviceId: `d${device}`, ...at, accuracy: 5, foreground: true, stopped: false },
    };
  };
  try {
    for (const [kind, far] of [
      ["staying", 0],
      ["crossing", 1500],
    ] as const) {
      if (fences === 0 && far > 0) continue;
      const figures = await measureLoad(platform, walk(far), { count: COUNT });
      const label = `${fences} fences, ${kind}`;
      report({ case: label, metric: "cpu", value: figures.cpu, unit: "µs", baseline: floorCpu });
      report({ case: label, metric: "p50", value: figures.p50, unit: "ms", baseline: least.p50 });
      report({ case: label, metric: "p99", value: figures.p99, unit: "ms", baseline: least.p99 });
      report({ case: label, metric: "rate", value: figures.perSecond, unit: "1/s", baseline: least.perSecond });
    }
    if (fences > 0) await measureWebhook(report, platform, walk(1500), `${fences} fences, crossing, webhook`, floorCpu);
  } finally {
    await platform.stop();
  }
}

async function measureWebhook(
  report: Report,
  platform: PlatformWorker,
  make: (n: number) => LoadRequest,
  label: string,
  floorCpu: number,
): Promise<void> {
  let events = 0;
  const sink = await startReceiver((response) => {
    events++;
    response.writeHead(204).end();
  });
  try {
    const headers = { Authorization: platform.keys.testSecret };
    const { status, text } = await send(platform, {
      method: "POST",
      path: "/v1/webhooks",
      headers,
      body: { url: sink.url },
    });
    if (status !== 200) throw new Error(text);
    const id = JSON.parse(text).webhook._id;
    const cpuBefore = cpuSeconds(platform.pid);
    const began = performance.now();
    const figures = await measureLoad(platform, make, { count: COUNT, warmUp: 0 });
    // Done: nothing waits, and within a second nothing new has come.
    let doneAt = performance.now();
    for (let last = -1; last !== events || (await waiting(platform, id)) > 0; await sleep(1000)) {
      if (last !== events) doneAt = performance.now();
      last = events;
    }
    const seconds = (doneAt - began) / 1000;
    const cpu = ((cpuSeconds(platform.pid) - cpuBefore) / COUNT) * 1e6;
    report({ case: label, metric: "cpu", value: cpu, unit: "µs", baseline: floorCpu });
    report({ case: label, metric: "p50", value: figures.p50, unit: "ms" });
    report({ case: label, metric: "p99", value: figures.p99, unit: "ms" });
    report({ case: label, metric: "rate", value: figures.perSecond, unit: "1/s" });
    report({ case: label, metric: "events delivered", value: events, unit: "" });
    report({ case: label, metric: "delivered", value: events / seconds, unit: "1/s" });
  } finally {
    await sink.stop();
  }
}

/** Messages that the webhook's receiver has not acknowledged yet. */
async function waiting(platform: PlatformWorker, id: string): Promise<number> {
  const headers = { Authorization: platform.keys.testSecret };
  const { status, text } = await send(platform, { path: `/v1/webhooks/${id}/deliveries?limit=1`, headers });
  if (status !== 200) throw new Error(text);
  return JSON.parse(text).waiting;
}
