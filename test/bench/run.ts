import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { CommandError, readArguments, runCommand } from "../../src/server/base/command.ts";
import { table } from "../../src/server/base/table.ts";
import type { Bench, Row } from "./bench.ts";
import { machine } from "./machine.ts";

const SUFFIX = ".bench.ts";
const here = import.meta.dirname;
/** The files of the benches below this folder, by name. */
const paths = new Map(
  readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => [basename(file, SUFFIX), join(here, file)]),
);

/** Lists the benches, or runs one: a table for a reader, or with --json one object for a script. */
async function bench(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const names = [...paths.keys()].sort();
  const [name, ...words] = positionals;
  if (!name) return list(names, values.json);
  if (!names.includes(name)) throw new CommandError(`No bench "${name}". There are: ${names.join(", ") || "none yet"}`);

  const chosen = await load(name);
  const before = machine();
  const rows: Row[] = [];
  await chosen.run((given) => {
    const row = { ...given, baseline: given.baseline ?? null };
    rows.push(row);
    // A bench may take many minutes, and may be stopped.
    console.error(cellsOf(row).join("  "));
  }, words);
  if (values.json) return console.log(JSON.stringify({ name, machine: before, rows }));
  const lines = rows.map(cellsOf);
  console.log(`${chosen.summary}\n\n${table(lines, ["case", "metric", "value", "baseline"])}\n\n${before.text}`);
}

async function list(names: string[], json: boolean): Promise<void> {
  const benches = await Promise.all(names.map(load));
  if (json) return console.log(JSON.stringify(benches.map(({ name, summary }) => ({ name, summary }))));
  console.log(`${table(benches.map(({ name, summary }) => [name, summary]))}\n\nnpm run bench -- NAME [--json]`);
}

async function load(name: string): Promise<Bench> {
  return (await import(paths.get(name) ?? name)) as Bench;
}

/** Three digits are what a bench can promise. */
const figure = (value: number) => Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 6 });

const cellsOf = (row: Row) => [row.case, row.metric, `${figure(row.value)} ${row.unit}`, beside(row)];

function beside({ value, baseline, unit, ratio }: Row): string {
  if (baseline === null) return "";
  if (ratio) {
    const { median, low, high, count } = ratio;
    return `${figure(baseline)} ${unit} (${figure(median)}×; ${figure(low)} to ${figure(high)}, ${count} slices)`;
  }
  const times = baseline === 0 ? "" : ` (${figure(value / baseline)}×)`;
  return `${figure(baseline)} ${unit}${times}`;
}

await runCommand(bench);
