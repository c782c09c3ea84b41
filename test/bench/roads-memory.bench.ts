import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { geodataBucketName } from "../../src/cli/geodata-bucket.ts";
import { demoBounds } from "../../src/importer/demo/demo-world.ts";
import { writeDemoWorld } from "../../src/importer/demo/write.ts";
import { importGeodata } from "../../src/importer/import.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { silent } from "../../src/importer/reporter.ts";
import { roadsLayer } from "../../src/importer/roads/roads-layer.ts";
import type { Report } from "./bench.ts";
import { freePort, HeapWatch } from "./heap.ts";
import { type LoadRequest, send } from "./load.ts";
import { residentBytes } from "./process-cpu.ts";
import { seededRandom } from "./random.ts";
import { startPlatform } from "./worker.ts";

export const name = "roads-memory";
export const summary = "What an isolate holds during thousands of mixed requests over the roads of a large demo world.";

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 10_000);
/** Looked at after so many requests. */
const EVERY = 250;
const GOAL_MB = 100;

/** BENCH_DEMO: size of the demo world (40). BENCH_REQUESTS: how many requests (10,000). */
export async function run(report: Report): Promise<void> {
  const size = Number(process.env.BENCH_DEMO ?? 40);
  process.env.INSPECT ??= String(await freePort());
  const unlimited = ["distance", "directions", "matrix", "match", "upsertGeofence", "optimize"];
  const platform = await startPlatform({
    unlimited,
    async prepare(_database, _project, state) {
      const bucket = openLocalBucket(state, geodataBucketName());
      const cache = mkdtempSync(join(tmpdir(), "graticule-bench-roads-"));
      try {
        const path = join(cache, "demo.osm.pbf");
        await writeDemoWorld(path, { size });
        const files = { addresses: [] };
        await importGeodata({
          name: "demo",
          extracts: [path],
          files,
          layers: [roadsLayer],
          cache,
          bucket,
          reporter: silent,
        });
      } finally {
        bucket.close();
        rmSync(cache, { recursive: true, force: true });
      }
    },
  });
  const watch = await HeapWatch.open(Number(process.env.INSPECT));
  try {
    const make = requests(size, platform.keys.testSecret, platform.keys.testPublishable);
    await send(platform, { path: "/v1/ping" });
    const before = await watch.used();
    const most = { objects: 0, buffers: 0, both: 0, resident: 0 };
    const kinds = new Map<string, number>();
    const began = performance.now();
    for (let done = 0; done < REQUESTS; ) {
      const { kind, request } = make(done);
      const { status, text } = await send(platform, request);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (status >= 500 || status === 429) throw new Error(`${request.path} answered ${status}: ${text.slice(0, 300)}`);
      if (++done % EVERY !== 0) continue;
      const { objects, buffers } = await watch.used();
      most.objects = Math.max(most.objects, objects);
      most.buffers = Math.max(most.buffers, buffers);
      most.both = Math.max(most.both, objects + buffers);
      most.resident = Math.max(most.resident, residentBytes(platform.pid));
      const left = ((performance.now() - began) / done) * (REQUESTS - done);
      const megabytes = ((objects + buffers) / 2 ** 20).toFixed(1);
      console.error(
        `${done.toLocaleString("en-US")} requests, ${megabytes} MB in use; ${Math.ceil(left / 60_000)} min left`,
      );
    }
    const label = `demo world ${size}, ${REQUESTS.toLocaleString("en-US")} requests`;
    const mb = (bytes: number) => bytes / 2 ** 20;
    report({ case: label, metric: "most in use", value: mb(most.both), unit: "MB", baseline: GOAL_MB });
    report({ case: label, metric: "before the first", value: mb(before.objects + before.buffers), unit: "MB" });
    report({ case: label, metric: "of it objects", value: mb(most.objects), unit: "MB" });
    report({ case: label, metric: "of it buffers", value: mb(most.buffers), unit: "MB" });
    report({ case: label, metric: "most memory of workerd", value: mb(most.resident), unit: "MB" });
    for (const [kind, count] of kinds) report({ case: label, metric: `requests: ${kind}`, value: count, unit: "" });
  } finally {
    watch.close();
    await platform.stop();
  }
}

/** Of every kind some, anywhere in the world. */
function requests(size: number, secret: string, publishable: string) {
  const random = seededRandom(5);
  const [west, south, east, north] = demoBounds({ size });
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const place = () => [south + random() * (north - south), west + random() * (east - west)];
  const point = () =>
    place()
      .map((degrees) => degrees.toFixed(6))
      .join(",");
  const points = (count: number) => Array.from({ length: count }, point).join("%7C");
  const mode = () => pick(["car", "car", "truck", "foot", "bike"]);
  const avoid = () =>
    pick(["", "", "&avoid=tolls", "&avoid=highways", "&avoid=tolls,ferries", "&avoid=highways,borderCrossings"]);
  const get = (path: string): LoadRequest => ({ path, headers: { Authorization: publishable } });
  const kinds: Record<string, (n: number) => LoadRequest> = {
    distance: () =>
      get(`/v1/route/distance?modes=car,foot,bike,truck&origin=${point()}&destination=${point()}${avoid()}`),
    directions: () => get(`/v1/route/directions?locations=${points(2)}&alternatives=true&mode=${mode()}${avoid()}`),
    "directions by many": () => get(`/v1/route/directions?locations=${points(6)}&mode=${mode()}`),
    matrix: () => get(`/v1/route/matrix?mode=${mode()}&origins=${points(25)}&destinations=${points(25)}${avoid()}`),
    match: () => {
      const [latitude, longitude] = place();
      const path = Array.from({ length: 60 }, (_, i) => ({
        coordinates: { latitude: latitude + i * 0.0002, longitude: longitude + i * 0.0003 },
        accuracy: 20,
      }));
      return { ...get("/v1/route/match"), method: "POST", body: { path, mode: "car", roadAttributes: ["speedLimit"] } };
    },
    isochrone: (n) => {
      const [latitude, longitude] = place();
      const body = {
        description: "reach",
        type: "isochrone",
        coordinates: [longitude, latitude],
        radius: 5 + Math.floor(random() * 55),
        mode: mode() === "truck" ? "car" : pick(["car", "bike", "foot"]),
      };
      return { method: "PUT", path: `/v1/geofences/bench/${n % 50}`, headers: { Authorization: secret }, body };
    },
  };
  const deck = [
    "distance",
    "distance",
    "distance",
    "directions",
    "directions",
    "directions by many",
    "matrix",
    "match",
  ];
  return (n: number) => {
    const kind = n % 100 === 99 ? "isochrone" : pick(deck);
    return { kind, request: kinds[kind](n) };
  };
}
