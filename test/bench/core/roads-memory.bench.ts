import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { Router } from "../../../src/core/routing/route/router.ts";
import { snap } from "../../../src/core/routing/store/snap.ts";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import { readLiveList } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { layers } from "../../../src/importer/run/layers.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { ISOLATE_CACHE_BYTES } from "../../../src/worker/geodata/isolate-cache.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { wireRoute } from "../../worker/wire/whole-route.ts";
import type { Report } from "../bench.ts";
import { asObjects } from "../support/geodata-platform.ts";
import { freePort, type HeapUse, HeapWatch } from "../support/heap.ts";
import { type LoadRequest, send } from "../support/load.ts";
import { MIXED_ENDPOINTS, type MixedRequests, mixedRequests } from "../support/mixed-requests.ts";
import { moreOnTheWay } from "../support/on-the-way.ts";
import { percentile } from "../support/percentile.ts";
import { residentBytes } from "../support/process-cpu.ts";

import { type PlatformWorker, startPlatform } from "../worker.ts";

export const name = "roads-memory";
export const summary =
  "What an isolate holds during thousands of mixed requests for roads, maps and addresses of a large demo world.";

/** Looked at after so many requests. */
const EVERY = 250;
const GOAL_MB = 100;
/** The requests in so many parts: memory that grows shows as a last part above the one before. */
const PARTS = 4;
/** Routes through 25 places. */
const MAX_LENGTH = 4;
const WIRE = { units: "metric", geometry: "polyline6", lang: "en", mode: "car" } as const;

/**
 * BENCH_DEMO: size of the demo world (40). BENCH_REQUESTS: how many requests (10,000). BENCH_PARALLEL: how many on the way at
 * any moment (1). BENCH_STATE: a folder that keeps the import, for the next run. BENCH_WORLD: a state folder, as `--persist-to` names
 * it, in which the demo world of that size is imported already; its objects are not copied.
 */
export async function run(report: Report): Promise<void> {
  const size = Number(process.env.BENCH_DEMO ?? 40);
  const count = Number(process.env.BENCH_REQUESTS ?? 10_000);
  const parallel = Number(process.env.BENCH_PARALLEL ?? 1);
  process.env.INSPECT ??= String(await freePort());
  const platform = await startPlatform({
    unlimited: MIXED_ENDPOINTS,
    bindings: { GEODATA_CACHE_MB: String(ISOLATE_CACHE_BYTES / 2 ** 20) },
    prepare: (_database, _project, state) => bringWorld(state, size),
  });
  let watch: HeapWatch | undefined;
  try {
    const wake = () => send(platform, { path: "/v1/ping" });
    watch = await HeapWatch.open(Number(process.env.INSPECT), wake);
    await wake();
    const empty = await watch.used();
    const requests = mixedRequests(size, platform.keys);
    const { looks, times, perSecond } = await load(platform, watch, requests, { count, parallel });
    const onTheWay = await longest(platform, requests);
    const label = `demo world ${size}, ${count.toLocaleString("en-US")} requests${parallel > 1 ? `, ${parallel} at a time` : ""}`;
    const mb = (bytes: number) => bytes / 2 ** 20;
    const tell = (metric: string, bytes: number, goal?: number) =>
      report({ case: label, metric, value: mb(bytes), unit: "MB", ...(goal && { baseline: goal }) });
    const most = (among: readonly HeapUse[]) => Math.max(...among.map(both));
    tell("before the first", both(empty));
    tell("most in use", most(looks), GOAL_MB);
    for (let part = 0; part < PARTS; part++) {
      const own = looks.filter((_, i) => Math.floor((i * PARTS) / looks.length) === part);
      if (own.length > 0) tell(`most in use, part ${part + 1} of ${PARTS}`, most(own));
    }
    for (const kind of ["objects", "buffers"] as const) {
      tell(`most of ${kind}`, Math.max(...looks.map((look) => look[kind])));
    }
    tell("most memory of workerd", Math.max(...looks.map(({ resident }) => resident)));
    if (onTheWay) {
      tell("more within a route through 25: objects, in Node", onTheWay.objects);
      tell("more within a route through 25: buffers", onTheWay.buffers);
    } else console.error("What a route through 25 holds cannot be told: all the roads are in the cache.");
    report({ case: label, metric: "isolates begun anew", value: watch.restarts, unit: "", baseline: 0 });
    report({ case: label, metric: "inspector's sessions that ended", value: watch.reconnects, unit: "" });
    report({ case: label, metric: "requests per second", value: perSecond, unit: "" });
    for (const [kind, took] of times) {
      const what = `${kind} (${took.length}) p50`;
      report({ case: label, metric: what, value: percentile(took, 0.5), unit: "ms" });
    }
  } finally {
    watch?.close();
    await platform.stop();
  }
}

interface Look extends HeapUse {
  /** Of the whole process [bytes]. */
  resident: number;
}

/** Objects and buffers: what an isolate's 128 MB are counted by. */
const both = ({ objects, buffers }: HeapUse) => objects + buffers;

/** Sends the requests and looks at the heap after every so many; times by kind [ms]. */
async function load(
  platform: PlatformWorker,
  watch: HeapWatch,
  requests: MixedRequests,
  { count, parallel }: { count: number; parallel: number },
) {
  const times = new Map<string, number[]>();
  const looks: Look[] = [];
  let sent = 0;
  let busy = 0;
  const lane = async (end: number) => {
    while (sent < end) {
      const { kind, request } = requests.mixed(sent++);
      const began = performance.now();
      await answer(platform, request);
      const known = times.get(kind);
      if (known) known.push(performance.now() - began);
      else times.set(kind, [performance.now() - began]);
    }
  };
  while (sent < count) {
    const end = Math.min(count, sent + EVERY);
    const began = performance.now();
    await Promise.all(Array.from({ length: parallel }, () => lane(end)));
    busy += performance.now() - began;
    const before = watch.restarts;
    const look = { ...(await watch.used()), resident: residentBytes(platform.pid) };
    looks.push(look);
    const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    const left = Math.ceil(((busy / sent) * (count - sent)) / 60_000);
    console.error(
      `${sent.toLocaleString("en-US")} requests, ${megabytes(both(look))} MB in use (objects ${megabytes(look.objects)}), ${megabytes(look.resident)} resident; ${left} min left`,
    );
    if (watch.restarts > before) console.error("This is a new isolate: what the one before held is not known.");
  }
  return { looks, times, perSecond: (1000 * sent) / busy };
}

/** A refusal is cheap, and would look like little memory; there are places without roads, though, and with too many for an hour's drive. */
async function answer(platform: PlatformWorker, request: LoadRequest): Promise<void> {
  const { status, text } = await send(platform, request);
  if (status !== 200 && status !== 204 && !/no road|road data|Too many roads/.test(text))
    throw new Error(`${request.path} answered ${status}: ${text.slice(0, 300)}`);
}

/** What routes through 25 places hold until they are told. */
async function longest({ state }: PlatformWorker, requests: MixedRequests): Promise<HeapUse | undefined> {
  const bucket = openLocalBucket(state, geodataBucketName());
  try {
    const { list } = await readLiveList(bucket);
    const [build] = Geodata.of(asObjects(bucket), list.builds).with("roads");
    const roads = await Router.open(build.fresh());
    if (!roads) throw new Error("there are no roads");
    // A world has lakes, and a route one place too far from any road would end the bench.
    const hasRoad = async (place: Coordinate) => {
      const { nearest } = await snap(roads.store, place, { mode: 0 });
      return nearest.length > 0;
    };
    const places: Coordinate[][] = [];
    while (places.length < MAX_LENGTH) {
      const some: Coordinate[] = [];
      while (some.length < 25) for (const place of requests.places(1)) if (await hasRoad(place)) some.push(place);
      places.push(some);
    }
    return await moreOnTheWay(build.fresh(), ISOLATE_CACHE_BYTES, MAX_LENGTH, async (router, n) => {
      const route = await router.route(places[n], { mode: "car" });
      return route && wireRoute(router.guide(route, places[n], WIRE), WIRE);
    });
  } finally {
    bucket.close();
  }
}

/** Puts a demo world into a state: one that is there, imported at an earlier run, or now. */
async function bringWorld(state: string, size: number): Promise<void> {
  const { BENCH_WORLD, BENCH_STATE } = process.env;
  if (BENCH_WORLD) {
    mkdirSync(join(state, "v3"), { recursive: true });
    symlinkSync(join(BENCH_WORLD, "v3", "r2"), join(state, "v3", "r2"));
    return;
  }
  const versions = layers.map(({ formatVersion }) => formatVersion).join(".");
  const kept = BENCH_STATE && join(BENCH_STATE, `demo-${size}-v${versions}`);
  if (!kept) return importWorld(state, size);
  if (!existsSync(kept)) {
    rmSync(`${kept}.part`, { recursive: true, force: true });
    await importWorld(`${kept}.part`, size);
    renameSync(`${kept}.part`, kept);
  }
  cpSync(kept, state, { recursive: true });
}

async function importWorld(state: string, size: number): Promise<void> {
  const bucket = openLocalBucket(state, geodataBucketName());
  const cache = mkdtempSync(join(tmpdir(), "graticule-bench-world-"));
  try {
    const path = join(cache, "demo.osm.pbf");
    await writeDemoWorld(path, { size });
    const files = { addresses: [] };
    await importGeodata({ name: "demo", extracts: [path], files, layers, cache, bucket, reporter: silent });
  } finally {
    bucket.close();
    rmSync(cache, { recursive: true, force: true });
  }
}
