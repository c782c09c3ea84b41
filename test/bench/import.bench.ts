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
  "Extracts and a demo world of about 90 MB, imported into the local bucket, phase by phase, beside the goals.";

/** The layers that the goals speak of, and all of them. */
const WITH_GOALS = ["regions", "places"];
const ALL = layers.map((layer) => layer.name);
const GOAL_MB_PER_S = 8;
const GOAL_PEAK_MB = 2000;
const root = resolve(import.meta.dirname, "../..");

export async function run(report: Report): Promise<void> {
  const large = await largeDemoWorld();
  measure(report, large, WITH_GOALS, true);
  for (const path of extracts()) {
    measure(report, path, WITH_GOALS, false);
    measure(report, path, ALL, false);
  }
}

function measure(report: Report, path: string, names: string[], goals: boolean): void {
  const script = join(import.meta.dirname, "import-process.ts");
  const folder = join(tmpdir(), `import-bench-${process.pid}`);
  const output = execFileSync(process.execPath, [script, path, folder, names.join(",")], { encoding: "utf8" });
  const figures = JSON.parse(output) as ImportFigures;
  const megabytes = statSync(path).size / 1e6;
  const ofCase = `${basename(path, ".osm.pbf")} (${megabytes.toFixed(1)} MB), ${names.join("+")}`;
  report({
    case: ofCase,
    metric: "speed",
    value: megabytes / figures.seconds,
    unit: "MB/s",
    baseline: goals ? GOAL_MB_PER_S : null,
  });
  report({
    case: ofCase,
    metric: "peak memory",
    value: figures.peakMb,
    unit: "MB",
    baseline: goals ? GOAL_PEAK_MB : null,
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
