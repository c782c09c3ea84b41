import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { demoExtract } from "../../../src/demo/world/write.ts";
import { parseMemory } from "../../../src/importer/frame/budget.ts";
import { keyOfJob } from "../../../src/importer/frame/fingerprints.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import type { Report } from "../bench.ts";
import { compareImports, type Measured } from "./compare-imports.ts";
import { writeGridOfCopies } from "./grid-of-copies.ts";
import { type ImportFigures, measuredImport } from "./measured-import.ts";

export const name = "import";
export const summary =
  "Demo worlds and a grid of copied real extracts, imported within budgets: CPU, memory, disk, and Germany.";

/** What is measured when nothing is named: townships, megabytes of copied extracts, budgets, threads. */
const DEFAULTS = { demo: "60,200,600", grid: "500", memory: "1GB,2GB,4GB", threads: "2,1", layers: "" };

const root = resolve(import.meta.dirname, "../../..");
const folder = join(root, ".geodata", "bench-import");

/**
 *     npm run bench -- import demo=60 grid= memory=1GB threads=2      one import
 *     npm run bench -- import demo=5 grid= layers=roads               of one layer
 *
 * Each import that is measured is kept beside its extract (.geodata/bench-import), so the bench goes on where it was stopped; `again` measures anew. One
 * that was interrupted begins from nothing, as half an import is no figure.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const asked = { ...DEFAULTS, ...Object.fromEntries(words.map((word) => word.split("=", 2))) } as typeof DEFAULTS;
  const list = (text: string) => text.split(",").filter((part) => part !== "");
  const kept = new Kept(join(folder, "results.json"), await keyOfJob([]), words.includes("again"));
  const sources = [
    ...list(asked.demo).map((size) => ({
      label: `demo ${size}`,
      make: () => demoExtract(folder, Number(size), silent),
    })),
    ...list(asked.grid).map((megabytes) => ({
      label: `grid ${megabytes}`,
      make: () => gridExtract(Number(megabytes)),
    })),
  ];
  const measured: Measured[] = [];
  for (const { label, make } of sources) {
    const extract = await make();
    for (const threads of list(asked.threads)) {
      for (const memory of list(asked.memory)) {
        const key = [label, memory, threads, asked.layers].join(" ");
        const figures = await kept.figures(key, () =>
          measuredImport(
            { extract, memory, threads: Number(threads), ...(asked.layers && { layers: asked.layers }) },
            join(folder, "run"),
          ),
        );
        const one = { label, megabytes: statSync(extract).size / 1e6, memory, threads: Number(threads), figures };
        tell(report, one);
        measured.push(one);
      }
    }
  }
  // Of some layers nothing is to be said about a country.
  if (asked.layers === "") compareImports(report, measured);
}

function tell(report: Report, { label, megabytes, memory, threads, figures }: Measured): void {
  const of = `${label} (${megabytes.toFixed(1)} MB), ${memory}, ${threads} thread${threads === 1 ? "" : "s"}`;
  for (const { phase, seconds, cpuSeconds, peak } of figures.phases) {
    report({ case: of, metric: `${phase}: CPU`, value: cpuSeconds, unit: "s" });
    report({ case: of, metric: `${phase}: wall`, value: seconds, unit: "s" });
    report({ case: of, metric: `${phase}: resident peak`, value: peak / 1e6, unit: "MB" });
  }
  report({ case: of, metric: "CPU", value: figures.cpuSeconds, unit: "s" });
  report({ case: of, metric: "CPU per MB", value: figures.cpuSeconds / megabytes, unit: "s/MB" });
  report({ case: of, metric: "wall", value: figures.seconds, unit: "s" });
  const baseline = (1.1 * parseMemory(memory)) / 1e6;
  report({ case: of, metric: "resident peak, beside budget + 10 %", value: figures.peak / 1e6, unit: "MB", baseline });
  report({ case: of, metric: "work folder, most", value: figures.workFolder / 1e6, unit: "MB" });
  report({ case: of, metric: "published", value: figures.published / 1e6, unit: "MB" });
}

/** Figures by case, of this very program. */
class Kept {
  readonly #path: string;
  readonly #program: string;
  readonly #again: boolean;

  constructor(path: string, program: string, again: boolean) {
    this.#path = path;
    this.#program = program;
    this.#again = again;
  }

  async figures(key: string, measure: () => Promise<ImportFigures>): Promise<ImportFigures> {
    const known = this.#read()[key];
    if (known && !this.#again) return known;
    console.error(`import: measuring ${key} …`);
    const figures = await measure();
    mkdirSync(dirname(this.#path), { recursive: true });
    const all = { program: this.#program, results: { ...this.#read(), [key]: figures } };
    writeFileSync(this.#path, JSON.stringify(all, undefined, 1));
    return figures;
  }

  #read(): Record<string, ImportFigures> {
    if (!existsSync(this.#path)) return {};
    const { program, results } = JSON.parse(readFileSync(this.#path, "utf8"));
    return program === this.#program ? results : {};
  }
}

/** Copies of all extracts at hand, about so large; made once. */
async function gridExtract(megabytes: number): Promise<string> {
  const path = join(folder, `grid-${megabytes}.osm.pbf`);
  if (existsSync(path)) return path;
  const data = process.env.GEODATA_DIR ?? resolve(root, "../shared/data");
  const sources = existsSync(data)
    ? readdirSync(data)
        .filter((file) => file.endsWith(".osm.pbf"))
        .sort()
        .map((file) => join(data, file))
    : [];
  if (sources.length === 0)
    throw new Error("There is no extract to copy: GEODATA_DIR names a folder with some, or grid= leaves it out.");
  const mean = sources.reduce((sum, source) => sum + statSync(source).size, 0) / sources.length / 1e6;
  const copies = Math.max(1, Math.round(megabytes / mean));
  mkdirSync(folder, { recursive: true });
  console.error(`import: copying ${sources.length} extracts to a grid of ${copies} …`);
  await writeGridOfCopies(path, { sources, copies });
  return path;
}
