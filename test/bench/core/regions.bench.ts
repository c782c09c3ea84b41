import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { RegionIndex, tilesFrom } from "../../../src/core/regions/region-index.ts";
import { describeTimeZone, timeZoneAt } from "../../../src/core/regions/time-zone.ts";
import { quiet } from "../../../src/importer/common/progress.ts";
import { worldRegions } from "../../../src/importer/layers/regions/world-regions.ts";
import { baseShapes } from "../../../src/importer/world/base.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { BruteForce, label, testPoints } from "../../core/regions/brute-force.ts";
import { layerInput, layerOutput } from "../../core/regions/layer-harness.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";

export const name = "regions";
export const summary =
  "Country, state and county of a point: building the world, cold reads, warm lookups, brute force.";

/** So many points are compared with brute force. */
const COMPARED = 1_000_000;

export async function run(report: Report): Promise<void> {
  const built = layerOutput();
  const began = performance.now();
  await worldRegions.build(layerInput(), built.out, quiet);
  report({ case: "world", metric: "build", value: (performance.now() - began) / 1000, unit: "s", baseline: 60 });
  const sizes = [...built.objects.values()].map((bytes) => bytes.length);
  report({ case: "world", metric: "tiles", value: sizes.length, unit: "" });
  report({ case: "world", metric: "size", value: sizes.reduce((sum, size) => sum + size, 0) / 1e6, unit: "MB" });

  const shapes = baseShapes();
  const cities = worldCities().slice(0, 20_000);
  const anywhere = [...testPoints(shapes, 40_000, 1)];
  const sets: [string, readonly Coordinate[]][] = [
    ["cities", cities],
    ["anywhere", anywhere.filter((_, i) => i % 2 === 0)],
    ["at borders", anywhere.filter((_, i) => i % 2 === 1)],
  ];
  for (const [points, list] of sets) await cold(report, built.objects, points, list.slice(0, 1000));
  const index = new RegionIndex([], tilesFrom(memorySource(built.objects)));
  for (const [points, list] of sets) await warm(report, index, points, list);
  timeZones(report, cities);
  await compare(report, index);
}

/** Every point with nothing in memory. */
async function cold(report: Report, objects: Map<string, Uint8Array>, points: string, list: readonly Coordinate[]) {
  const source = memorySource(objects);
  const sizes: number[] = [];
  const times: number[] = [];
  let reads = 0;
  for (const point of list) {
    let bytes = 0;
    const index = new RegionIndex(
      [],
      tilesFrom({
        async read(key) {
          const object = await source.read(key);
          reads++;
          bytes += object?.length ?? 0;
          return object;
        },
      }),
    );
    const began = performance.now();
    await index.regionsAt(point);
    times.push(performance.now() - began);
    sizes.push(bytes);
  }
  report({ case: `cold, ${points}`, metric: "reads", value: reads / list.length, unit: "", baseline: 3 });
  report({ case: `cold, ${points}`, metric: "bytes p90", value: percentile(sizes, 0.9) / 1000, unit: "kB" });
  report({ case: `cold, ${points}`, metric: "time p50", value: percentile(times, 0.5), unit: "ms" });
  report({ case: `cold, ${points}`, metric: "time p99", value: percentile(times, 0.99), unit: "ms" });
}

/** Every point when all tiles are decoded, the second time round. */
async function warm(report: Report, index: RegionIndex, points: string, list: readonly Coordinate[]) {
  for (const point of list) await index.regionsAt(point);
  const began = performance.now();
  for (const point of list) await index.regionsAt(point);
  const micros = ((performance.now() - began) * 1000) / list.length;
  report({ case: `warm, ${points}`, metric: "lookup", value: micros, unit: "µs" });
}

function timeZones(report: Report, list: readonly Coordinate[]): void {
  const now = Date.UTC(2026, 6, 1);
  for (const point of list) describeTimeZone(timeZoneAt(point), now);
  let began = performance.now();
  for (const point of list) timeZoneAt(point);
  const look = ((performance.now() - began) * 1000) / list.length;
  began = performance.now();
  for (const point of list.slice(0, 2000)) describeTimeZone(timeZoneAt(point), now);
  const describe = ((performance.now() - began) * 1000) / 2000;
  report({ case: "time zone", metric: "id", value: look, unit: "µs" });
  report({ case: "time zone", metric: "described", value: describe, unit: "µs" });
}

async function compare(report: Report, index: RegionIndex): Promise<void> {
  const shapes = baseShapes();
  const simple = new BruteForce(shapes);
  let different = 0;
  let bruteMs = 0;
  for (const point of testPoints(shapes, COMPARED, 2026)) {
    const got = (await index.allRegionsAt(point)).map(label).sort().join();
    const began = performance.now();
    const expected = simple.regionsAt(point);
    bruteMs += performance.now() - began;
    if (got !== expected.join()) different++;
  }
  report({ case: `brute force, ${COMPARED} points`, metric: "lookup", value: (bruteMs * 1000) / COMPARED, unit: "µs" });
  report({ case: `brute force, ${COMPARED} points`, metric: "differences", value: different, unit: "", baseline: 0 });
}
