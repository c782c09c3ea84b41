import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import type { Geodata } from "../../src/worker/geodata/live.ts";
import { placeAt } from "../../src/worker/geodata/places.ts";
import { regionsAt } from "../../src/worker/geodata/regions.ts";
import type { Report } from "./bench.ts";
import { coldReads } from "./support/geodata-platform.ts";
import { checkOut, here, type Tree } from "./support/older-tree.ts";
import { seededRandom } from "./support/random.ts";
import { measureAllBeside, reportBeside } from "./support/slices.ts";
import { type BenchWorker, type PlatformWorker, startFloor } from "./worker.ts";

export const name = "context";
export const summary =
  "GET /v1/context, /v1/search/places and a kept map against an empty Hono handler; what they read when cold.";

/** `npm run bench -- context base=HEAD~3`: also with the Worker of that commit, or of a work tree that is there, in turns. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const base = words.find((word) => word.startsWith("base="))?.slice("base=".length);
  const trees = [...(base === undefined ? [] : [checkOut(base)]), here];
  const floor = await startFloor();
  const platforms: PlatformWorker[] = [];
  for (const tree of trees) platforms.push(await startIn(tree));
  const platform = platforms[trees.indexOf(here)];
  const random = seededRandom(5);
  /** Anywhere in the demo town. */
  const inTown = (): Coordinate => ({ latitude: 48.976 + random() * 0.048, longitude: -111.237 + random() * 0.074 });
  /** Anywhere between Lisbon and Kyiv: only the world base knows it. */
  const inEurope = (): Coordinate => ({ latitude: 40 + random() * 12, longitude: -8 + random() * 38 });
  try {
    const cases: [string, () => string][] = [
      ["context, an imported town", () => `/v1/context?coordinates=${text(inTown())}`],
      ["context, the world base", () => `/v1/context?coordinates=${text(inEurope())}`],
      ["places, a category within 1 km", () => `/v1/search/places?categories=food-beverage&near=${text(inTown())}`],
      ["a map that is kept", () => "/maps/static?center=48.99,-111.2&zoom=15&width=600&height=400"],
    ];
    for (const [label, path] of cases) {
      const sideOf = (worker: BenchWorker, Authorization = "") => ({
        worker,
        make: () => ({ path: path(), headers: { Authorization } }),
      });
      const works = platforms.map((one) => sideOf(one, one.keys.testPublishable));
      for (const [i, result] of (await measureAllBeside(sideOf(floor), works)).entries())
        reportBeside(report, trees.length > 1 ? `${label} (${trees[i].name})` : label, result);
    }
    for (const [label, point] of [
      ["context, an imported town", inTown],
      ["context, the world base", inEurope],
    ] as const) {
      const cold = [];
      for (let i = 0; i < 100; i++) cold.push(await coldReads(platform, (geodata) => contextOf(geodata, point())));
      report({ case: label, metric: "cold reads, most", value: Math.max(...cold.map(({ reads }) => reads)), unit: "" });
      report({
        case: label,
        metric: "cold bytes, most",
        value: Math.max(...cold.map(({ bytes }) => bytes)) / 1024,
        unit: "KB",
      });
    }
  } finally {
    for (const one of platforms) await one.stop();
    await floor.stop();
    for (const tree of trees) tree.discard();
  }
}

/** The Worker of a tree; before 0.4.0 what serves the benches lay beside them. */
async function startIn({ folder }: Tree): Promise<PlatformWorker> {
  const path = ["support/geodata-platform.ts", "geodata-platform.ts"]
    .map((file) => join(folder, "test/bench", file))
    .find(existsSync);
  const support = (await import(path as string)) as typeof import("./support/geodata-platform.ts");
  return support.startWithGeodata(["context", "searchPlaces", "staticMap"]);
}

/** The reads of a context: regions, and the place. */
async function contextOf(geodata: Geodata, point: Coordinate): Promise<void> {
  await regionsAt(geodata, point);
  await placeAt(geodata, point, () => true);
}

function text({ latitude, longitude }: Coordinate): string {
  return `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
}
