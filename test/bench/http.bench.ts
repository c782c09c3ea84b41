import type { Report } from "./bench.ts";
import type { LoadRequest } from "./support/load.ts";
import { measureBeside, reportBeside } from "./support/slices.ts";
import { startFloor, startPlatform } from "./worker.ts";

export const name = "http";
export const summary =
  "The way of a request before any work is done: ping, config, distance without roads and logs against an empty Hono handler.";

/** One request at a time: the cost of a request, without that of a queue. */
const PARALLEL = 1;

/**
 * ping is open; config wants a key and is limited; distance checks its query, and finds no roads here; logs checks its body, which the
 * floor does not read.
 */
const CASES: LoadRequest[] = [
  { path: "/v1/ping" },
  { path: "/v1/config" },
  { path: "/v1/route/distance?modes=car,foot&origin=40.70390,-73.98670&destination=40.71280,-74.00600&units=metric" },
  { method: "POST", path: "/v1/logs", body: { logs: [{ level: "INFO", message: "started" }] } },
];

export async function run(report: Report): Promise<void> {
  const floor = await startFloor();
  const platform = await startPlatform({ unlimited: ["config", "logs", "distance"] });
  const Authorization = platform.keys.testPublishable;
  try {
    for (const request of CASES) {
      // Each client of its own address, as some endpoints limit the calls of one.
      const make = (n: number) => {
        const address = `198.18.${(n >> 8) & 255}.${n & 255}`;
        return { ...request, headers: { Authorization, "x-forwarded-for": address } };
      };
      const sides = [floor, platform].map((worker) => ({ worker, make }));
      reportBeside(
        report,
        request.path.replace(/\?.*/, ""),
        await measureBeside(sides[0], sides[1], { parallel: PARALLEL }),
      );
    }
  } finally {
    await platform.stop();
    await floor.stop();
  }
}
