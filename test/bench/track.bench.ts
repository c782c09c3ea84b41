import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { destination } from "../../src/core/geo/distance.ts";
import type { Report } from "./bench.ts";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { fenceStatements, makeFences, randomPoint } from "./support/fences.ts";
import { type LoadRequest, send } from "./support/load.ts";
import { checkOut, here, type Tree } from "./support/older-tree.ts";
import { seededRandom } from "./support/random.ts";
import { measureAllBeside, reportBeside, type Side } from "./support/slices.ts";
import { type BenchWorker, type PlatformWorker, startFloor } from "./worker.ts";

export const name = "track";
export const summary =
  "POST /v1/track, with 0 and 100k geofences, four events, a webhook, against an empty Hono handler.";

const DEVICES = 200;

/**
 *     npm run bench -- track
 *     npm run bench -- track base=HEAD~3       each case once more with the Worker of that commit, or of a work tree that is there, in turns
 *     npm run bench -- track campaigns=100     each case once more in a project with so many campaigns: one for the tag of the geofences, which each
 *                                              user gets once, the others for other tags
 *
 * Two walks. `staying`: a device moves a few metres inside its four fences, the steady state: no events, yet every update
 * is stored. `crossing`: every update leaves or enters all four, so it makes four events. The second walk once more with
 * a webhook that takes every event on loopback, eight updates at a time. A slice ends when its events are in the database, or delivered. State lies below
 * TMPDIR: on a RAM disk or on disk. BENCH_REQUESTS makes slices of so many requests, where a busy machine answers few in a second.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const base = words.find((word) => word.startsWith("base="))?.slice("base=".length);
  const campaigns = Number(words.find((word) => word.startsWith("campaigns="))?.slice("campaigns=".length) ?? 0);
  const older = base === undefined ? undefined : checkOut(base);
  const floor = await startFloor();
  try {
    for (const fences of (process.env.BENCH_FENCES ?? "0,100000").split(",").map(Number))
      await measure(report, fences, floor, [
        ...(older ? [{ tree: older, campaigns: 0 }] : []),
        { tree: here, campaigns: 0 },
        ...(campaigns > 0 ? [{ tree: here, campaigns }] : []),
      ]);
  } finally {
    await floor.stop();
    older?.discard();
  }
}

/** A Worker to measure. */
interface Kind {
  tree: Tree;
  campaigns: number;
}

function campaignStatements(scope: number, count: number): ReturnType<typeof fenceStatements> {
  const rows = Array.from({ length: count }, (_, i) => ({
    _id: `c${i}`,
    createdAt: 1,
    updatedAt: 1,
    name: `Campaign ${i}`,
    type: "inAppMessage",
    enabled: true,
    trigger: { event: "user.entered_geofence", geofenceTags: [i === 0 ? "bench" : `tag-${i}`] },
    content: { title: { text: "Hello", color: "#000000" }, body: { text: "Coffee", color: "#000000" } },
    limits: { perUser: 1 },
  }));
  return [
    ...rows.map((row) => ({
      sql: "INSERT INTO campaign (scope, id, created_at, updated_at, doc) VALUES (?, ?, 1, 1, ?)",
      values: [scope, row._id, JSON.stringify(row)],
    })),
    { sql: "INSERT INTO campaign_epoch VALUES (?, 1)", values: [scope] },
  ];
}

/** Who is measured, and as what it is told. */
interface Contender {
  platform: PlatformWorker;
  suffix: string;
}

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 0);
const LENGTH = REQUESTS > 0 ? { sliceRequests: REQUESTS, warmUp: 3 * REQUESTS } : {};

async function measure(report: Report, fences: number, floor: BenchWorker, kinds: readonly Kind[]): Promise<void> {
  const random = seededRandom(7);
  const homes = Array.from({ length: DEVICES }, () => randomPoint(random));
  const made = fences > 0 ? makeFences(fences, homes, random) : [];
  const contenders: Contender[] = [];
  try {
    for (const { tree, campaigns } of kinds) {
      const { startPlatform } = (await import(
        join(tree.folder, "test/bench/worker.ts")
      )) as typeof import("./worker.ts");
      const platform = await startPlatform({
        unlimited: ["track", "webhookDeliveries", "listUsers"],
        bindings: { ALLOW_PRIVATE_HOSTS: "true" },
        async prepare(database, projectId) {
          if (made.length > 0) await database.batch(fenceStatements(projectId * 2, made));
          if (campaigns > 0) await database.batch(campaignStatements(projectId * 2, campaigns));
        },
      });
      contenders.push({
        platform,
        suffix: kinds.length > 1 ? ` (${campaigns > 0 ? `${campaigns} campaigns` : tree.name})` : "",
      });
    }
    const walk = (far: number) => () => {
      const own = seededRandom(8);
      return (n: number): LoadRequest => {
        const device = n % DEVICES;
        const away = far > 0 && Math.floor(n / DEVICES) % 2 === 1 ? far : own() * 20;
        const at = destination(homes[device], own() * 360, away);
        const body = { deviceId: `d${device}`, ...at, accuracy: 5, foreground: true, stopped: false };
        return { method: "POST", path: "/v1/track", body };
      };
    };
    const beside = async (label: string, make: () => (n: number) => LoadRequest) => {
      const works = contenders.map(({ platform }) => sideOf(platform, make(), () => readUsers(platform)));
      const found = await measureAllBeside({ worker: floor, make: make() }, works, { parallel: 1, ...LENGTH });
      contenders.forEach(({ suffix }, i) => {
        reportBeside(report, label + suffix, found[i]);
      });
    };
    await beside(`${fences} fences, staying`, walk(0));
    if (fences === 0) return;
    await beside(`${fences} fences, crossing`, walk(1500));
    for (const delivery of ["single", "multiple"])
      await measureWebhooks(
        report,
        `${fences} fences, crossing, webhook, ${delivery}`,
        delivery,
        floor,
        contenders,
        walk,
      );
  } finally {
    for (const { platform } of contenders) await platform.stop();
  }
}

function sideOf(platform: PlatformWorker, make: (n: number) => LoadRequest, settle: () => Promise<void>): Side {
  const headers = { Authorization: platform.keys.testPublishable };
  return { worker: platform, make: (n) => ({ ...make(n), headers }), settle };
}

/** A reader of the list waits for what trackers have handed over. */
async function readUsers(platform: PlatformWorker): Promise<void> {
  const headers = { Authorization: platform.keys.testSecret };
  const { status, text } = await send(platform, { path: "/v1/users?limit=1", headers });
  if (status !== 200) throw new Error(text);
}

async function measureWebhooks(
  report: Report,
  label: string,
  delivery: string,
  floor: BenchWorker,
  contenders: readonly Contender[],
  walk: (far: number) => () => (n: number) => LoadRequest,
): Promise<void> {
  const hooked = await Promise.all(contenders.map(({ platform }) => hook(platform, delivery, walk(1500)())));
  try {
    const works = hooked.map(({ side }) => side);
    const found = await measureAllBeside({ worker: floor, make: walk(0)() }, works, LENGTH);
    for (const [i, { suffix }] of contenders.entries()) {
      const { events, requests, busy } = await hooked[i].told();
      reportBeside(report, label + suffix, found[i]);
      report({ case: label + suffix, metric: "delivered", value: (events / busy) * 1000, unit: "events/s" });
      report({ case: label + suffix, metric: "events per request", value: events / requests, unit: "" });
    }
  } finally {
    for (const { stop } of hooked) await stop();
  }
}

/** A webhook that takes everything, and the load that makes its events. */
async function hook(platform: PlatformWorker, delivery: string, make: (n: number) => LoadRequest) {
  let busy = 0;
  let began = 0;
  const receiver = await startCountingReceiver();
  const headers = { Authorization: platform.keys.testSecret };
  const body = { url: receiver.url, delivery };
  const { status, text } = await send(platform, { method: "POST", path: "/v1/webhooks", headers, body });
  if (status !== 200) throw new Error(text);
  const id = JSON.parse(text).webhook._id;
  const loaded = (n: number) => {
    began ||= Date.now();
    return make(n);
  };
  const settle = async () => {
    await readUsers(platform);
    let { last } = await receiver.counts();
    while ((await waiting(platform, id)) > 0 || Date.now() - last < 200) {
      await sleep(50);
      ({ last } = await receiver.counts());
    }
    busy += last - began;
    began = 0;
  };
  return {
    side: sideOf(platform, loaded, settle),
    async told() {
      return { ...(await receiver.counts()), busy };
    },
    async stop() {
      receiver.stop();
      await send(platform, { method: "DELETE", path: `/v1/webhooks/${id}`, headers });
    },
  };
}

/** Messages that the webhook's receiver has not acknowledged yet. */
async function waiting(platform: PlatformWorker, id: string): Promise<number> {
  const headers = { Authorization: platform.keys.testSecret };
  const { status, text } = await send(platform, { path: `/v1/webhooks/${id}/deliveries?limit=1`, headers });
  if (status !== 200) throw new Error(text);
  return JSON.parse(text).waiting;
}
