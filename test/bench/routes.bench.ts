import type { Report } from "./bench.ts";
import { extract, startWithGeodata } from "./geodata-platform.ts";
import { residentBytes } from "./process-cpu.ts";
import { seededRandom } from "./random.ts";
import { measureBeside, reportBeside } from "./slices.ts";
import { startFloor } from "./worker.ts";

export const name = "routes";
export const summary =
  "Distance, directions and matrix over HTTP against an empty Hono handler, and what memory they leave.";

/** Seeded pairs in Porto where its extract is at hand, else in the demo town. */
export async function run(report: Report): Promise<void> {
  const floor = await startFloor();
  const platform = await startWithGeodata(["distance", "directions", "matrix"]);
  const headers = { Authorization: platform.keys.testPublishable };
  const random = seededRandom(9);
  const [south, west, height, width] = extract("porto") ? [41.14, -8.68, 0.04, 0.09] : [48.976, -111.237, 0.048, 0.074];
  const point = () => `${(south + random() * height).toFixed(6)},${(west + random() * width).toFixed(6)}`;
  const points = (n: number) => Array.from({ length: n }, point).join("%7C");
  const cases: [string, number, () => string][] = [
    ["distance, car", 500, () => `/v1/route/distance?modes=car&origin=${point()}&destination=${point()}`],
    ["directions, car", 500, () => `/v1/route/directions?locations=${points(2)}`],
    ["matrix 10 × 10", 100, () => `/v1/route/matrix?mode=car&origins=${points(10)}&destinations=${points(10)}`],
    ["matrix 25 × 25", 50, () => `/v1/route/matrix?mode=car&origins=${points(25)}&destinations=${points(25)}`],
  ];
  try {
    for (const [label, warmUp, path] of cases) {
      const make = () => ({ path: path(), headers });
      const options = { parallel: 1, warmUp };
      reportBeside(report, label, await measureBeside({ worker: floor, make }, { worker: platform, make }, options));
    }
    const held = [residentBytes(platform.pid), residentBytes(floor.pid)].map((bytes) => bytes / 2 ** 20);
    report({ case: "after all of them", metric: "memory of workerd", value: held[0], unit: "MB", baseline: held[1] });
  } finally {
    await platform.stop();
    await floor.stop();
  }
}
