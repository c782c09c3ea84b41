import type { Report } from "./bench.ts";
import { startWithGeodata } from "./support/geodata-platform.ts";
import { seededRandom } from "./support/random.ts";
import { measureAllBeside, reportBeside } from "./support/slices.ts";
import { startFloor } from "./worker.ts";

export const name = "peers";
export const summary =
  "Routes in the forms of OSRM and Mapbox against our own directions, and all against an empty Hono handler.";

/** Routes of each side: the same for all. */
const ROUTES = 400;

/** Through the towns of the demo world, as latitude and longitude. */
function randomRoutes(): [number, number][][] {
  const random = seededRandom(56);
  const point = (): [number, number] => [48.976 + random() * 0.048, -111.237 + random() * 0.074];
  return Array.from({ length: ROUTES }, () => [point(), point()]);
}

export async function run(report: Report): Promise<void> {
  const routes = randomRoutes();
  const text = (n: number, write: (point: [number, number]) => string, between: string) =>
    routes[n % ROUTES].map(write).join(between);
  const own = (n: number) => text(n, (point) => point.map((one) => one.toFixed(5)).join(), "|");
  const theirs = (n: number) =>
    text(n, ([latitude, longitude]) => `${longitude.toFixed(5)},${latitude.toFixed(5)}`, ";");
  const cases: [string, (n: number) => string][] = [
    ["directions", (n) => `/v1/route/directions?locations=${own(n)}&units=metric`],
    ["OSRM with steps", (n) => `/osrm/route/v1/car/${theirs(n)}?steps=true&overview=full&geometries=polyline6`],
    ["OSRM without steps", (n) => `/osrm/route/v1/car/${theirs(n)}`],
    [
      "Mapbox with banners and voice",
      (n) =>
        `/mapbox/directions/v5/mapbox/driving/${theirs(n)}?steps=true&banner_instructions=true&voice_instructions=true&overview=full&geometries=polyline6`,
    ],
  ];
  const floor = await startFloor();
  const platform = await startWithGeodata(["directions"]);
  try {
    const works = cases.map(([, path]) => ({
      worker: platform,
      make: (n: number) => ({ path: path(n), headers: { Authorization: platform.keys.testSecret } }),
    }));
    const empty = { worker: floor, make: () => ({ path: "/" }) };
    for (const [i, result] of (await measureAllBeside(empty, works)).entries())
      reportBeside(report, cases[i][0], result);
  } finally {
    await platform.stop();
    await floor.stop();
  }
}
