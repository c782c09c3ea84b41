import { CALL_CLASSES, type CallClass } from "../../src/core/costs/call-classes.ts";
import type { Report } from "./bench.ts";
import { startWithGeodata } from "./support/geodata-platform.ts";
import type { LoadRequest } from "./support/load.ts";
import { measureBeside } from "./support/slices.ts";
import { startFloor } from "./worker.ts";

export const name = "call-costs";
export const summary = "CPU of one call of each class on the demo town, next to the price table's figure.";

/** Of each class one call as customers send it, with another argument each time where the response would be cached. */
const SAMPLES: Partial<Record<CallClass, (n: number, headers: Record<string, string>) => LoadRequest>> = {
  light: (_, headers) => ({ path: "/v1/config", headers }),
  lookup: (n, headers) => ({
    path: `/v1/geocode/reverse?coordinates=${moved(48.99, n)},${moved(-111.2, n * 7)}`,
    headers,
  }),
  records: (_, headers) => ({ path: "/v1/users", headers }),
  directions: (n, headers) => ({
    path: `/v1/route/directions?locations=${moved(48.99, n)},-111.2|49.01,${moved(-111.19, n * 7)}&mode=car`,
    headers,
  }),
  matrix: (n, headers) => ({
    path: `/v1/route/matrix?origins=${points(n, 5)}&destinations=${points(n + 5, 5)}&mode=car&units=metric`,
    headers,
  }),
  isochrone: (n, headers) => ({
    path: `/v1/route/isochrone?origin=${moved(48.99, n)},-111.2&mode=car&minutes=10`,
    headers,
  }),
  tile: (n, headers) => ({ path: `/maps/tiles/15/${6261 + (n % 3)}/${11253 + (n % 2)}.mvt`, headers }),
  picture: (n, headers) => ({
    path: `/maps/static?center=${moved(48.99, n)},-111.2&zoom=15&width=600&height=400`,
    headers,
  }),
};

const moved = (value: number, n: number) => (value + (n % 97) * 2e-5).toFixed(5);
const points = (n: number, count: number) =>
  Array.from({ length: count }, (_, i) => `${moved(48.99, n + i * 13)},${moved(-111.2, n + i * 29)}`).join("|");

export async function run(report: Report): Promise<void> {
  const unlimited = [
    "config",
    "reverseGeocode",
    "listUsers",
    "directions",
    "matrix",
    "isochrone",
    "mapTile",
    "staticMap",
  ];
  const [floor, platform] = [await startFloor(), await startWithGeodata(unlimited)];
  const headers = { Authorization: platform.keys.testSecret };
  try {
    for (const [kind, sample] of Object.entries(SAMPLES)) {
      const make = (n: number) => sample(n, headers);
      const sides = [floor, platform].map((worker) => ({ worker, make }));
      const { work } = await measureBeside(sides[0], sides[1], {
        slices: 3,
        sliceRequests: 60,
        warmUp: 150,
        parallel: 2,
      });
      report({
        case: kind,
        metric: "CPU",
        value: work.cpu / 1000,
        unit: "ms",
        baseline: CALL_CLASSES[kind as CallClass].cpu,
      });
    }
  } finally {
    await platform.stop();
    await floor.stop();
  }
}
