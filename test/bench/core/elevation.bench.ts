import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { climbPoints, pointsAlong } from "../../../src/core/elevation/profile.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination, lengthOfLine } from "../../../src/core/geo/distance.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { elevationLayer } from "../../../src/importer/layers/elevation/elevation-layer.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { fetchElevations } from "../../../src/importer/sources/elevation-tiles.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { climbOfLine } from "../../../src/worker/answers/routes/ground.ts";
import { groundAt } from "../../../src/worker/geodata/elevation.ts";
import { type Geodata, openGeodata } from "../../../src/worker/geodata/live.ts";
import { terrainTiles } from "../../../src/worker/geodata/terrain.ts";
import { type Ground, writeTerrarium } from "../../importer/layers/elevation/terrarium-archive.ts";
import { climbsOf } from "../../support/worlds/climbs.ts";
import { fractalGround } from "../../support/worlds/fractal-ground.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import type { Report } from "../bench.ts";
import { seededRandom } from "../support/random.ts";
import { measureBeside, reportBeside } from "../support/slices.ts";
import { startFloor, startPlatform } from "../worker.ts";

export const name = "elevation";
export const summary =
  "Elevations: CPU of 100 points in the engine and over HTTP, size per 100 km², ascents against the truth.";

const POINTS = 100;
const GOAL_MS = 2;
/** What counts as a climb. */
const MIN_CLIMB_METERS = 5;
const GOAL_BYTES = 1.2e6;
/** Six blocks at 46.5° in the Alps' latitude: 15.3 km × 11.1 km each pair. */
const AREA: [number, number, number, number] = [8, 46.4, 8.3, 46.6];
const SQUARE_KM = 0.3 * 111.32 * Math.cos((46.5 * Math.PI) / 180) * 0.2 * 111.2;

/** Grounds [m]; noise is that of single pixels of a satellite's samples. */
function grounds(): Record<string, { ground: Ground; truth: Ground }> {
  const mountains: Ground = (latitude, longitude) =>
    1500 +
    900 * Math.sin(latitude * 190) * Math.cos(longitude * 170) +
    250 * Math.sin(latitude * 700 + longitude * 500);
  const fractal = fractalGround({ relief: 2400, kilometers: 14 });
  const gentle = fractalGround({ relief: 250, kilometers: 8, seed: 3 });
  const noisy = (truth: Ground, deviation: number): Ground => {
    const random = seededRandom(9);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return (latitude, longitude) => truth(latitude, longitude) + deviation * normal();
  };
  return {
    "smooth mountains": { ground: mountains, truth: mountains },
    "fractal mountains": { ground: fractal, truth: fractal },
    "fractal mountains, noise 1 m": { ground: noisy(fractal, 1), truth: fractal },
    "fractal hills, noise 1 m": { ground: noisy(gentle, 1), truth: gentle },
    "flat, noise 1.5 m": { ground: noisy(() => 110, 1.5), truth: () => 110 },
  };
}

/** Words: `engine` or `http`, for one of the two. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const wants = (part: string) => words.length === 0 || words.includes(part);
  const folder = mkdtempSync(join(tmpdir(), "graticule-elevation-bench-"));
  try {
    for (const [label, { ground, truth }] of wants("engine") ? Object.entries(grounds()) : []) {
      const state = join(folder, label.replaceAll(/\W+/g, "-"));
      const bucket = openLocalBucket(state, "geodata");
      const bytes = await importGround(bucket, state, ground);
      report({
        case: label,
        metric: "per 100 km²",
        value: (bytes / SQUARE_KM) * 100,
        unit: "bytes",
        baseline: GOAL_BYTES,
      });
      const geodata = await openCopy(bucket);
      bucket.close();
      await reportAscent(report, label, geodata, truth);
      if (label === "fractal mountains") {
        await reportPoints(report, geodata);
        await reportTerrain(report, geodata);
      }
    }
    if (wants("http")) await reportHttp(report, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports a ground; returns the bytes of its layer. */
async function importGround(bucket: Bucket, folder: string, ground: Ground): Promise<number> {
  const path = join(folder, "ground.pmtiles");
  const [west, south, east, north] = AREA;
  await writeTerrarium(path, {
    bounds: [west - 0.05, south - 0.05, east + 0.05, north + 0.05],
    zoom: 11,
    side: 512,
    ground,
  });
  const plan = await fetchElevations({ source: path, bounds: AREA, cache: folder, reporter: silent });
  const { manifest } = await importGeodata({
    ...{ name: "elevation-bench", extracts: [], files: { elevation: plan, addresses: [] }, layers: [elevationLayer] },
    ...{ cache: folder, bucket, reporter: silent },
  });
  return manifest.layers.elevation.bytes;
}

async function openCopy(bucket: Bucket): Promise<Geodata> {
  const copy = new FakeBucket();
  for (const key of (await bucket.list("")).keys()) copy.put(key, (await bucket.get(key))?.bytes ?? "");
  return openGeodata(copy, { now: Date.now(), waitUntil: undefined });
}

const inArea = (random: () => number): Coordinate => ({
  latitude: AREA[1] + 0.02 + (AREA[3] - AREA[1] - 0.04) * random(),
  longitude: AREA[0] + 0.02 + (AREA[2] - AREA[0] - 0.04) * random(),
});

/** The sum of the ascents of 40 ways with bends, 4 km each, as of directions. */
async function reportAscent(report: Report, label: string, geodata: Geodata, truth: Ground): Promise<void> {
  const random = seededRandom(3);
  let [found, climbs, exact] = [0, 0, 0];
  for (let i = 0; i < 40; i++) {
    const line = [inArea(random)];
    let heading = 360 * random();
    for (let k = 0; k < 40; k++) {
      heading += 70 * (random() - 0.5);
      const next = destination(line[k], heading, 100);
      const isInside =
        next.longitude > AREA[0] && next.longitude < AREA[2] && next.latitude > AREA[1] && next.latitude < AREA[3];
      if (!isInside) break;
      line.push(next);
    }
    if (line.length < 2) continue;
    found += (await climbOfLine(geodata, line, [], unpaced()))?.ascent ?? 0;
    const points = climbPoints(line, lengthOfLine(line)).map((at) => truth(at.latitude, at.longitude));
    climbs += climbsOf(points, MIN_CLIMB_METERS);
    // A road does not follow bumps that are smaller than itself: every 10 m.
    const heights = pointsAlong(line, Math.ceil(lengthOfLine(line) / 10)).map((at) => truth(at.latitude, at.longitude));
    exact += heights.slice(1).reduce((sum, height, k) => sum + Math.max(0, height - heights[k]), 0);
  }
  const what = { case: label, value: found, unit: "m" };
  report({ ...what, metric: "ascent of 40 ways, of climbs of 5 m", baseline: climbs });
  report({ ...what, metric: "ascent of 40 ways, of all at 10 m", baseline: exact });
}

async function reportPoints(report: Report, geodata: Geodata): Promise<void> {
  const random = seededRandom(1);
  const anywhere = () => Array.from({ length: POINTS }, () => inArea(random));
  const along = () => {
    const from = inArea(random);
    return pointsAlong([from, destination(from, 360 * random(), 3000)], POINTS);
  };
  for (const [label, points] of [
    ["100 points, anywhere", anywhere],
    ["100 points, along 3 km", along],
  ] as const) {
    for (let i = 0; i < 200; i++) await groundAt(geodata, points(), unpaced());
    const times: number[] = [];
    for (let i = 0; i < 30; i++) {
      const rounds = Array.from({ length: 50 }, points);
      const before = process.cpuUsage();
      for (const one of rounds) await groundAt(geodata, one, unpaced());
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000 / rounds.length);
    }
    const sorted = times.sort((a, b) => a - b);
    report({ case: label, metric: "cpu, engine", value: sorted[15], unit: "ms", baseline: GOAL_MS });
  }
}

/** Hills of a map of 600 × 400, blocks in memory, no tile known. */
async function reportTerrain(report: Report, geodata: Geodata): Promise<void> {
  for (const zoom of [8, 10, 11, 12, 13, 14, 15]) {
    const random = seededRandom(zoom);
    const costs: number[] = [];
    for (let i = 0; i < 6; i++) {
      const view = { center: inArea(random), zoom, width: 600, height: 400 };
      const before = process.cpuUsage();
      await terrainTiles(geodata, view, unpaced());
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / 1000);
    }
    report({ case: `hills of a map, zoom ${zoom}`, metric: "cpu, most of 6", value: Math.max(...costs), unit: "ms" });
  }
}

async function reportHttp(report: Report, folder: string): Promise<void> {
  const floor = await startFloor();
  const platform = await startPlatform({
    unlimited: ["elevation"],
    async prepare(_database, _project, state) {
      const bucket = openLocalBucket(state, geodataBucketName());
      await importGround(bucket, folder, fractalGround({ relief: 2400, kilometers: 14 }));
      bucket.close();
    },
  });
  try {
    const random = seededRandom(5);
    const headers = { Authorization: platform.keys.testPublishable };
    const text = () =>
      Array.from({ length: POINTS }, () => inArea(random))
        .map(({ latitude, longitude }) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`)
        .join("|");
    const make = () => ({ path: `/v1/elevation?coordinates=${encodeURIComponent(text())}`, headers });
    reportBeside(
      report,
      "GET /v1/elevation, 100 points",
      await measureBeside({ worker: floor, make }, { worker: platform, make }),
    );
  } finally {
    await platform.stop();
    await floor.stop();
  }
}
