import { setTimeout as sleep } from "node:timers/promises";
import { destination } from "../../src/geo/distance.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import type { Report } from "./bench.ts";
import { fenceStatements, makeFences, randomPoint } from "./fences.ts";
import { type LoadRequest, send } from "./load.ts";
import { seededRandom } from "./random.ts";
import { measureBeside, reportBeside } from "./slices.ts";
import { type BenchWorker, type PlatformWorker, startFloor, startPlatform } from "./worker.ts";

export const name = "track";
export const summary =
  "POST /v1/track, with 0 and 100k geofences, four events, a webhook, against an empty Hono handler.";

const DEVICES = 200;

/**
 * Two walks. `staying`: a device moves a few metres inside its four fences, the steady state: no events, yet every update
 * is stored. `crossing`: every update leaves or enters all four, so it makes four events. The second walk once more with
 * a webhook that takes every event on loopback. A slice ends when its events are in the database, or delivered. State lies below
 * TMPDIR: on a RAM disk or on disk.
 */
export async function run(report: Report): Promise<void> {
  const floor = await startFloor();
  try {
    for (const fences of (process.env.BENCH_FENCES ?? "0,100000").split(",").map(Number))
      await measure(report, fences, floor);
  } finally {
    await floor.stop();
  }
}

async function measure(report: Report, fences: number, floor: BenchWorker): Promise<void> {
  const random = seededRandom(7);
  const homes = Array.from({ length: DEVICES }, () => randomPoint(random));
  const platform = await startPlatform({
    unlimited: ["track", "webhookDeliveries", "listUsers"],
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
  const written = () => readUsers(platform);
  try {
    const staying = { worker: platform, make: walk(0), settle: written };
    reportBeside(report, `${fences} fences, staying`, await measureBeside({ worker: floor, make: walk(0) }, staying));
    if (fences === 0) return;
    const crossing = { worker: platform, make: walk(1500), settle: written };
    reportBeside(report, `${fences} fences, crossing`, await measureBeside({ worker: floor, make: walk(0) }, crossing));
    for (const delivery of ["single", "multiple"])
      await measureWebhook(report, `${fences} fences, crossing, webhook, ${delivery}`, delivery, floor, platform, walk);
  } finally {
    await platform.stop();
  }
}

/** A reader of the list waits for what trackers have handed over. */
async function readUsers(platform: PlatformWorker): Promise<void> {
  const headers = { Authorization: platform.keys.testSecret };
  const { status, text } = await send(platform, { path: "/v1/users?limit=1", headers });
  if (status !== 200) throw new Error(text);
}

async function measureWebhook(
  report: Report,
  label: string,
  delivery: string,
  floor: BenchWorker,
  platform: PlatformWorker,
  walk: (far: number) => (n: number) => LoadRequest,
): Promise<void> {
  let events = 0;
  let last = 0;
  let busy = 0;
  const receiver = await startReceiver((response, _, { body }) => {
    events += body.events?.length ?? 1;
    last = performance.now();
    response.writeHead(204).end();
  });
  const headers = { Authorization: platform.keys.testSecret };
  const body = { url: receiver.url, delivery };
  const made = await send(platform, { method: "POST", path: "/v1/webhooks", headers, body });
  if (made.status !== 200) throw new Error(made.text);
  const id = JSON.parse(made.text).webhook._id;
  const make = walk(1500);
  let began = 0;
  try {
    const figures = await measureBeside(
      { worker: floor, make: walk(0) },
      {
        worker: platform,
        make(n) {
          began ||= performance.now();
          return make(n);
        },
        async settle() {
          await readUsers(platform);
          while ((await waiting(platform, id)) > 0 || performance.now() - last < 200) await sleep(50);
          busy += last - began;
          began = 0;
        },
      },
    );
    reportBeside(report, label, figures);
    report({ case: label, metric: "delivered", value: (events / busy) * 1000, unit: "events/s" });
    report({ case: label, metric: "events per request", value: events / receiver.received.length, unit: "" });
  } finally {
    await receiver.stop();
    await send(platform, { method: "DELETE", path: `/v1/webhooks/${id}`, headers });
  }
}

/** Messages that the webhook's receiver has not acknowledged yet. */
async function waiting(platform: PlatformWorker, id: string): Promise<number> {
  const headers = { Authorization: platform.keys.testSecret };
  const { status, text } = await send(platform, { path: `/v1/webhooks/${id}/deliveries?limit=1`, headers });
  if (status !== 200) throw new Error(text);
  return JSON.parse(text).waiting;
}
