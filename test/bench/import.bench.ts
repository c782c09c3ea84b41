import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { writeDemoWorld } from "../../src/importer/demo/write.ts";
import { layers } from "../../src/importer/layers.ts";
import type { Report } from "./bench.ts";
import type { ImportFigures } from "./import-process.ts";

export const name = "import";
export const summary =
  "Importing extracts and a demo world of about 90 MB, every layer, down to live objects in the local bucket; beside the goals for regions and places (8 MB/s, 2 GB)";

/** The layers that the goals speak of, and then all of them. */
const LAYER_SETS: Record<string, string[]> = {
  "regions+places": ["regions", "places"],
  "all layers": layers.map((layer) => layer.name),
};
const GOAL_MB_PER_S = 8;
const GOAL_PEAK_MB = 2000;
const root = resolve(import.meta.dirname, "../..");

export async function run(report: Report): Promise<void> {
  const large = await largeDemoWorld();
  for (const path of [large, ...extracts()]) {
    for (const [set, names] of Object.entries(LAYER_SETS)) {
      // Small files tell of start-up more than of speed: one set of layers will do.
      if (path !== large && set !== "all layers") continue;
      measure(report, path, set, names, path === large);
    }
  }
}

function measure(report: Report, path: string, set: string, names: string[], goals: boolean): void {
  const script = join(import.meta.dirname, "import-process.ts");
  const folder = join(tmpdir(), `import-bench-${process.pid}`);
  const output = execFileSync(process.execPath, [script, path, folder, names.join(",")], { encoding: "utf8" });
  const figures = JSON.parse(output) as ImportFigures;
  const megabytes = statSync(path).size / 1e6;
  const ofCase = `${basename(path, ".osm.pbf")} (${megabytes.toFixed(1)} MB), ${set}`;
  const withGoal = goals && set !== "all layers";
  report({
    case: ofCase,
    metric: "speed",
    value: megabytes / figures.seconds,
    unit: "MB/s",
    baseline: withGoal ? GOAL_MB_PER_S : null,
  });
  report({
    case: ofCase,
    metric: "peak memory",
    value: figures.peakMb,
    unit: "MB",
    baseline: withGoal ? GOAL_PEAK_MB : null,
  });
  report({ case: ofCase, metric: "CPU", value: figures.cpuSeconds, unit: "s" });
  report({ case: ofCase, metric: "written", value: figures.bytesOut / 1e6, unit: "MB" });
  if (!goals) return;
  for (const { phase, seconds, peakMb } of figures.phases) {
    report({ case: ofCase, metric: `${phase}: speed`, value: megabytes / seconds, unit: "MB/s" });
    report({ case: ofCase, metric: `${phase}: peak memory so far`, value: peakMb, unit: "MB" });
  }
}

/** Made once (a minute or two) and kept beside the importer's downloads. */
async function largeDemoWorld(): Promise<string> {
  const folder = join(root, ".geodata");
  const path = join(folder, "bench-demo-100.osm.pbf");
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  console.error("Writing a demo world of size 100 first; it is kept for the next time …");
  await writeDemoWorld(path, { size: 100 });
  return path;
}

function extracts(): string[] {
  const folder = process.env.GEODATA_DIR ?? resolve(root, "../shared/data");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".osm.pbf"))
    .sort()
    .map((file) => join(folder, file));
}
