import type { Report } from "./bench.ts";
import { measureLoad } from "./load.ts";
import { startFloor, startPlatform } from "./worker.ts";

export const name = "http";
export const summary = "The way of a request before any work is done: ping and config against an empty Hono handler.";

/** One request at a time: the cost of a request, without that of a queue. */
const LOAD = { count: 4000, parallel: 1 };

export async function run(report: Report): Promise<void> {
  const floor = await startFloor();
  const platform = await startPlatform({ unlimited: ["config"] });
  const Authorization = platform.keys.testPublishable;
  try {
    const least = await measureLoad(floor, () => ({ path: "/v1/ping" }), LOAD);
    for (const path of ["/v1/ping", "/v1/config"]) {
      const figures = await measureLoad(platform, () => ({ path, headers: { Authorization } }), LOAD);
      report({ case: path, metric: "cpu", value: figures.cpu, unit: "µs", baseline: least.cpu });
      report({ case: path, metric: "p50", value: figures.p50, unit: "ms", baseline: least.p50 });
      report({ case: path, metric: "p99", value: figures.p99, unit: "ms", baseline: least.p99 });
      report({ case: path, metric: "rate", value: figures.perSecond, unit: "1/s", baseline: least.perSecond });
    }
  } finally {
    await platform.stop();
    await floor.stop();
  }
}
