import type { Report } from "./bench.ts";
import { measureLoad } from "./load.ts";
import { startFloor, startPlatform } from "./worker.ts";

export const name = "http";
export const summary = "The way of a request before any work is done: ping and config against an empty Hono handler.";

const COUNT = 4000;

export async function run(report: Report): Promise<void> {
  const floor = await startFloor();
  const platform = await startPlatform({ unlimited: ["ping", "config"] });
  const Authorization = platform.keys.testPublishable;
  try {
    const least = await measureLoad(floor, () => ({ path: "/v1/ping" }), { count: COUNT });
    for (const path of ["/v1/ping", "/v1/config"]) {
      const figures = await measureLoad(platform, () => ({ path, headers: { Authorization } }), { count: COUNT });
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
