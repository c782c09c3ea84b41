import { Agent } from "node:http";
import polyline from "@mapbox/polyline";
import type { Report } from "../bench.ts";
import { startWithGeodata } from "../support/geodata-platform.ts";
import { type LoadRequest, send } from "../support/load.ts";
import { percentile } from "../support/percentile.ts";
import type { PlatformWorker } from "../worker.ts";

export const name = "neighbours";
export const summary =
  "What a ping waits for while the same isolate answers a heavy request: no more than a slice of its work.";

/** `secret`: asked with the secret key. */
type HeavyRequest = LoadRequest & { secret?: boolean };

/**
 * Requests that make one isolate work for long. Each asks for something else every time, so that no cache answers. Whoever
 * adds an endpoint that computes for more than a few milliseconds adds its worst request here.
 */
const HEAVY: { case: string; endpoint: string; request(n: number): HeavyRequest }[] = [
  {
    case: "static map, 2048² at scale 3",
    endpoint: "staticMap",
    request: (n) => ({ path: `/maps/static?width=2048&height=2048&scale=3&center=${nudged(n)}&zoom=14` }),
  },
  {
    case: "static map, 500 markers",
    endpoint: "staticMap",
    request: (n) => ({
      path: `/maps/static?width=800&height=600&scale=3&markers=${Array(500).fill(nudged(n)).join("|")}`,
    }),
  },
  {
    case: "static map, 7,900 points on one spot",
    endpoint: "staticMap",
    // As an encoded polyline: the first, then steps of nothing, of two characters each.
    request: (n) => ({ path: `/maps/static?width=800&height=600&scale=3&path=enc:${start(n)}${"??".repeat(7899)}` }),
  },
  {
    case: "matrix 25 × 25",
    endpoint: "matrix",
    request: (n) => ({
      path: `/v1/route/matrix?mode=car&origins=${spots(25, n)}&destinations=${spots(25, n + 7)}`,
    }),
  },
  {
    case: "directions through 25 places",
    endpoint: "directions",
    request: (n) => ({ path: `/v1/route/directions?mode=car&locations=${spots(25, n)}` }),
  },
  {
    case: "optimize 10 stops",
    endpoint: "optimize",
    request: (n) => ({ path: `/v1/route/optimize?mode=car&locations=${spots(10, n)}` }),
  },
  {
    case: "match of 100 points",
    endpoint: "match",
    request: (n) => ({ method: "POST", path: "/v1/route/match", body: { mode: "car", path: trace(n) } }),
  },
  {
    case: "isochrone geofence, 60 minutes by car",
    endpoint: "upsertGeofence",
    request: (n) => ({
      method: "PUT",
      path: `/v1/geofences/bench/${n & 7}`,
      secret: true,
      body: { description: "reach", type: "isochrone", coordinates: [-8.62 + (n % 50) * 1e-3, 41.16], radius: 60 },
    }),
  },
  {
    case: "import of 10,000 beacons",
    endpoint: "importBeacons",
    request: (n) => ({ method: "POST", path: "/v1/imports/beacons", secret: true, body: { csv: beacons(n) } }),
  },
];

/** So many places in Porto, other ones for each n: steps of the golden ratio fill the town evenly. */
function spots(count: number, n: number): string {
  return Array.from({ length: count }, (_, i) => {
    const along = (0.618034 * (i + 1) + 0.0137 * n) % 1;
    const across = (0.414214 * (i + 1) + 0.0291 * n) % 1;
    return `${(41.13 + 0.055 * along).toFixed(5)},${(-8.66 + 0.09 * across).toFixed(5)}`;
  }).join("|");
}

/** A drive to the north-east, a point every 35 m. */
const trace = (n: number) =>
  Array.from({ length: 100 }, (_, i) => ({
    coordinates: `${(41.145 + i * 2.2e-4 + n * 1e-5).toFixed(5)},${(-8.64 + i * 3e-4).toFixed(5)}`,
    accuracy: 20,
  }));

function beacons(n: number): string {
  const rows = Array.from(
    { length: 10_000 },
    (_, i) =>
      `ibeacon,b${n}-${i},12345678-1234-1234-1234-1234567890ab,${n % 65_536},${i},gate,g${n}-${i},"[-8.61,41.15]",true`,
  );
  return ["type,description,uuid,major,minor,tag,externalId,coordinates,enabled", ...rows].join("\n");
}

/** Porto, a hair's breadth further each time. */
const nudged = (n: number) => `${41.1496 + n * 1e-5},-8.611`;
const start = (n: number) => encodeURIComponent(polyline.encode([[41.1496 + n * 1e-5, -8.611]]));

/** Heavy requests one after another for so long [ms], and a ping every so often [ms]. */
const LASTS_MS = 12_000;
const EVERY_MS = 20;

export async function run(report: Report): Promise<void> {
  const platform = await startWithGeodata([...new Set(["ping", ...HEAVY.map(({ endpoint }) => endpoint)])]);
  try {
    const alone = await pingsBeside(platform);
    report({ case: "nothing", metric: "ping, p99", value: percentile(alone.pings, 0.99), unit: "ms" });
    // BENCH_CASE=map: those with the word in their names
    for (const heavy of HEAVY.filter((one) => one.case.includes(process.env.BENCH_CASE ?? ""))) {
      await answer(platform, heavy.request(-1));
      const { pings, answered } = await pingsBeside(platform, heavy.request);
      const row = { case: heavy.case, unit: "ms" };
      report({ ...row, metric: "ping, p50", value: percentile(pings, 0.5), baseline: percentile(alone.pings, 0.5) });
      report({ ...row, metric: "ping, p99", value: percentile(pings, 0.99), baseline: percentile(alone.pings, 0.99) });
      report({ ...row, metric: "its own, p50", value: percentile(answered, 0.5) });
    }
  } finally {
    await platform.stop();
  }
}

/** How long pings took while heavy requests were answered one after another, and how long those took [ms]. */
async function pingsBeside(
  platform: PlatformWorker,
  heavy?: (n: number) => HeavyRequest,
): Promise<{ pings: number[]; answered: number[] }> {
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + (heavy ? LASTS_MS : LASTS_MS / 4);
  const pings: number[] = [];
  const answered: number[] = [];
  const ping = async () => {
    while (performance.now() < until) {
      pings.push(await timed(() => answer(platform, { path: "/v1/ping" }, agent)));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  };
  const work = async () => {
    for (let n = 0; heavy && performance.now() < until; n++)
      answered.push(await timed(() => answer(platform, heavy(n), agent)));
  };
  await Promise.all([ping(), work()]);
  agent.destroy();
  return { pings, answered };
}

async function answer(platform: PlatformWorker, { secret, ...request }: HeavyRequest, agent?: Agent): Promise<void> {
  const headers = {
    Authorization: secret ? platform.keys.testSecret : platform.keys.testPublishable,
    ...request.headers,
  };
  const { status, text } = await send(platform, { ...request, headers }, agent);
  // A refusal is cheap, and would look like good neighbours.
  if (status !== 200) throw new Error(`${request.path.slice(0, 100)} answered ${status}: ${text.slice(0, 300)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
