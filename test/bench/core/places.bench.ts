import { decodeEach, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import { PlaceIndex, type PlaceSearch } from "../../../src/core/places/place-index.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { random } from "../../../src/demo/world/random.ts";
import { atByBruteForce, nearByBruteForce } from "../../core/places/brute-force.ts";
import { countingSource, extract, type ImportedPlaces, importPlaces } from "../../core/places/import-places.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";

export const name = "places";
export const summary =
  "Places near a point and the place one is at: warm against brute force, cold in reads and bytes.";

const PROBES = 2000;
/** Brute force is slow; a share of the probes is enough to know how slow. */
const BRUTE = 100;

const SEARCHES: [what: string, search: PlaceSearch][] = [
  ["coffee within 1 km", { radius: 1000, limit: 10, categories: ["coffee-shop"] }],
  ["a chain within 10 km", { radius: 10_000, limit: 10, chains: new Set(["polar-donuts", "starbucks"]) }],
  ["100 restaurants within 10 km", { radius: 10_000, limit: 100, categories: ["restaurant"] }],
];

export async function run(report: Report): Promise<void> {
  await measure("demo world × 4", await importPlaces(demoWorld({ size: 4 })), report);
  for (const city of ["vancouver", "heidelberg"]) {
    const path = extract(`${city}.osm.pbf`);
    if (path) await measure(city, await importPlaces(path), report);
  }
}

async function measure(world: string, { objects, places }: ImportedPlaces, report: Report): Promise<void> {
  const draw = random("bench", world);
  const points = Array.from({ length: PROBES }, () =>
    destination(draw.pick(places).location, draw.between(0, 360), draw.between(0, 200)),
  );
  const index = new PlaceIndex(decodeEach(memorySource(objects)));
  const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
  report({ case: world, metric: "size", value: bytes / places.length, unit: "bytes/place" });

  const asks: [string, (index: PlaceIndex, point: Coordinate) => Promise<unknown>, (point: Coordinate) => unknown][] = [
    ["the place one is at", (at, point) => at.at(point), (point) => atByBruteForce(places, point)],
    ...SEARCHES.map(([what, search]): (typeof asks)[number] => [
      what,
      (near, point) => near.near(point, search),
      (point) => nearByBruteForce(places, point, search),
    ]),
  ];
  for (const [what, ask, brute] of asks) {
    const slow = await times(points.slice(0, BRUTE), async (point) => brute(point));
    await times(points, (point) => ask(index, point));
    const warm = await times(points, (point) => ask(index, point));
    const label = `${world}: ${what}`;
    report({ case: label, metric: "p50", value: percentile(warm, 0.5), unit: "µs", baseline: percentile(slow, 0.5) });
    report({ case: label, metric: "p99", value: percentile(warm, 0.99), unit: "µs", baseline: percentile(slow, 0.99) });
    const cold = await Promise.all(
      points.slice(0, 300).map(async (point) => {
        const source = countingSource(objects);
        await ask(new PlaceIndex(decodeEach(source)), point);
        return source;
      }),
    );
    report({
      case: label,
      metric: "cold reads, most",
      value: Math.max(...cold.map(({ reads }) => reads)),
      unit: "reads",
    });
    report({
      case: label,
      metric: "cold bytes, most",
      value: Math.max(...cold.map((source) => source.bytes)) / 1024,
      unit: "KB",
    });
  }
}

/** Microseconds of each call. */
async function times(points: readonly Coordinate[], call: (point: Coordinate) => Promise<unknown>): Promise<number[]> {
  const out: number[] = [];
  for (const point of points) {
    const start = performance.now();
    await call(point);
    out.push((performance.now() - start) * 1000);
  }
  return out;
}
