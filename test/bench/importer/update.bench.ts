import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { demoExtract } from "../../../src/demo/world/write.ts";
import { folderSize } from "../../../src/importer/frame/stores/job-folder.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import type { Report } from "../bench.ts";
import { writeDayOfChanges } from "./day-of-changes.ts";
import { followedImport, type ImportFigures } from "./measured-import.ts";

export const name = "update";
export const summary =
  "A day of changes on top of an import: CPU and objects, beside those of the import from nothing.";

const DEFAULTS = { demo: "8", share: "0.005", places: "mappers,1,0", memory: "1GB", threads: "2", extract: "" };
const folder = join(resolve(import.meta.dirname, "../../.."), ".geodata", "bench-update");

/**
 *     npm run bench -- update demo=60                       half a per cent of all elements, as mappers change them (day-of-changes.ts), in
 *                                                           one place, and scattered
 *     npm run bench -- update extract=/data/town.osm.pbf places=5 share=0.0005
 *
 * Each case begins with an import from nothing, which leaves its parts; then the update. `places=0`: scattered evenly.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const asked = { ...DEFAULTS, ...Object.fromEntries(words.map((word) => word.split("=", 2))) } as typeof DEFAULTS;
  mkdirSync(folder, { recursive: true });
  const extract = asked.extract || (await demoExtract(folder, Number(asked.demo), silent));
  for (const word of asked.places.split(",")) {
    const places = word === "mappers" ? word : Number(word);
    const place = join(folder, "run");
    rmSync(place, { recursive: true, force: true });
    const [cache, state, day] = [join(place, "cache"), join(place, "state"), join(folder, `day-${places}.osc.gz`)];
    const share = Number(asked.share);
    const changed = await writeDayOfChanges(extract, day, { share, places });
    const common = ["--json", "--force", "--memory", asked.memory, "--threads", asked.threads];
    const where = ["--cache", cache, "--persist-to", state];
    const full = await followedImport([extract, "--name", "bench", ...common, ...where], Number(asked.threads));
    const update = await followedImport(["--update", "bench", day, ...common, ...where], Number(asked.threads));
    const of = `${asked.extract || `demo ${asked.demo}`}, ${changed} changes ${describe(places)}`;
    tell(report, of, full, update);
    report({
      case: of,
      metric: "kept for the next update",
      value: (await folderSize(join(cache, "kept"))) / 1e6,
      unit: "MB",
    });
    rmSync(place, { recursive: true, force: true });
  }
}

const describe = (places: number | "mappers") =>
  places === "mappers" ? "of mappers" : places > 0 ? `in ${places} places` : "scattered";

function tell(report: Report, of: string, full: ImportFigures, update: ImportFigures): void {
  const before = new Map(full.phases.map((one) => [one.phase, one.cpuSeconds]));
  for (const { phase, cpuSeconds } of update.phases) {
    const baseline = before.get(phase);
    report({ case: of, metric: `${phase}: CPU`, value: cpuSeconds, unit: "s", ...(baseline && { baseline }) });
  }
  const stepBefore = new Map(full.steps.map((one) => [one.step, one.cpuSeconds]));
  for (const { step, cpuSeconds } of update.steps) {
    const baseline = stepBefore.get(step);
    report({ case: of, metric: `${step}: CPU`, value: cpuSeconds, unit: "s", ...(baseline && { baseline }) });
  }
  report({ case: of, metric: "CPU", value: update.cpuSeconds, unit: "s", baseline: full.cpuSeconds });
  report({ case: of, metric: "wall", value: update.seconds, unit: "s", baseline: full.seconds });
  if (!update.sent) return;
  const { uploaded, shared } = update.sent;
  report({
    case: of,
    metric: "objects uploaded",
    value: uploaded.objects,
    unit: "objects",
    baseline: uploaded.objects + shared.objects,
  });
  report({
    case: of,
    metric: "bytes uploaded",
    value: uploaded.bytes / 1e6,
    unit: "MB",
    baseline: (uploaded.bytes + shared.bytes) / 1e6,
  });
}
