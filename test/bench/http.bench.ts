import { join } from "node:path";
import type { Report } from "./bench.ts";
import type { LoadRequest } from "./support/load.ts";
import { checkOut, here } from "./support/older-tree.ts";
import { measureAllBeside, reportBeside } from "./support/slices.ts";
import { type BenchWorker, type PlatformWorker, startFloor } from "./worker.ts";

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

/** `npm run bench -- http base=HEAD~3`: also with the Worker of that commit, or of a work tree that is there, in turns. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const base = words.find((word) => word.startsWith("base="))?.slice("base=".length);
  const trees = [...(base === undefined ? [] : [checkOut(base)]), here];
  const floor = await startFloor();
  const platforms: PlatformWorker[] = [];
  try {
    for (const { folder } of trees) {
      const path = join(folder, "test/bench/worker.ts");
      const { startPlatform } = (await import(path)) as typeof import("./worker.ts");
      platforms.push(await startPlatform({ unlimited: ["config", "logs", "distance"] }));
    }
    for (const request of CASES) {
      // Each client of its own address, as some endpoints limit the calls of one.
      const sideOf = (worker: BenchWorker, Authorization = "") => ({
        worker,
        make: (n: number): LoadRequest => {
          const address = `198.18.${(n >> 8) & 255}.${n & 255}`;
          return { ...request, headers: { Authorization, "x-forwarded-for": address } };
        },
      });
      const works = platforms.map((platform) => sideOf(platform, platform.keys.testPublishable));
      const results = await measureAllBeside(sideOf(floor), works, { parallel: PARALLEL });
      for (const [i, result] of results.entries()) {
        const suffix = trees.length > 1 ? ` (${trees[i].name})` : "";
        reportBeside(report, request.path.replace(/\?.*/, "") + suffix, result);
      }
    }
  } finally {
    for (const platform of platforms) await platform.stop();
    await floor.stop();
    for (const tree of trees) tree.discard();
  }
}
