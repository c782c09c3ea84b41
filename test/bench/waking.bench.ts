import { join } from "node:path";
import type { Report } from "./bench.ts";
import { fenceStatements, makeFences, randomPoint } from "./support/fences.ts";
import { type LoadRequest, send } from "./support/load.ts";
import { checkOut, here, type Tree } from "./support/older-tree.ts";
import { seededRandom } from "./support/random.ts";
import { measureAllBeside, reportBeside, type Side } from "./support/slices.ts";
import { type PlatformWorker, startFloor } from "./worker.ts";

export const name = "waking";
export const summary =
  "The first update of each of many new devices, with 100k geofences, against an empty Hono handler.";

const FENCES = Number(process.env.BENCH_FENCES ?? 100_000);
/** As dense as in the bench of load, where 100,000 lie in an area three times as wide and as high as that of the others. */
const TIMES = 3 * Math.sqrt(FENCES / 100_000);
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 400);
/** Updates under way. */
const PARALLEL = 8;

/**
 *     npm run bench -- waking
 *     npm run bench -- waking base=6dfc9e33      with the Worker of that commit, or of a work tree that is there, in turns
 *
 * Each request is the first of its device, somewhere in the world of the bench of load, or in a part of it where BENCH_FENCES asks for fewer; so
 * each makes a Durable Object. A slice ends when its users are in the database.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const base = words.find((word) => word.startsWith("base="))?.slice("base=".length);
  const older = base === undefined ? undefined : checkOut(base);
  const floor = await startFloor();
  const platforms: PlatformWorker[] = [];
  try {
    const trees: readonly Tree[] = older ? [older, here] : [here];
    for (const tree of trees) platforms.push(await startWorld(tree));
    const ping = (): LoadRequest => ({ path: "/" });
    const works = platforms.map(sideOf);
    const options = { parallel: PARALLEL, sliceRequests: REQUESTS, warmUp: 2 * REQUESTS };
    const found = await measureAllBeside({ worker: floor, make: ping }, works, options);
    trees.forEach((tree, i) => {
      const label = `${FENCES} fences, first updates${trees.length > 1 ? ` (${tree.name})` : ""}`;
      reportBeside(report, label, found[i]);
    });
  } finally {
    for (const platform of platforms) await platform.stop();
    await floor.stop();
    older?.discard();
  }
}

async function startWorld(tree: Tree): Promise<PlatformWorker> {
  const { startPlatform } = (await import(join(tree.folder, "test/bench/worker.ts"))) as typeof import("./worker.ts");
  return startPlatform({
    unlimited: ["track", "listUsers"],
    async prepare(database, projectId) {
      await database.batch(fenceStatements(projectId * 2, makeFences(FENCES, [], seededRandom(12), TIMES)));
    },
  });
}

function sideOf(platform: PlatformWorker): Side {
  const random = seededRandom(13);
  const { testPublishable, testSecret } = platform.keys;
  return {
    worker: platform,
    make: (n) => ({
      method: "POST",
      path: "/v1/track",
      headers: { Authorization: testPublishable },
      body: { deviceId: `new-${n}`, ...randomPoint(random, TIMES), accuracy: 5, foreground: true, stopped: false },
    }),
    // A reader of the list waits for what trackers have handed over.
    async settle() {
      const { status, text } = await send(platform, {
        path: "/v1/users?limit=1",
        headers: { Authorization: testSecret },
      });
      if (status !== 200) throw new Error(text);
    },
  };
}
