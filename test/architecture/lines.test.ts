import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/**
 * Most lines of each folder of src, without generated files. Whoever adds says in the commit what the new lines replace, and writes the
 * table again: `WRITE_BUDGETS=1 npx vitest run --project pure test/architecture/lines.test.ts`.
 */
const TABLE = join(import.meta.dirname, "lines.json");
const budgets: Record<string, number> = JSON.parse(readFileSync(TABLE, "utf8"));

/** Written by `npm run client`. */
const GENERATED = ["client/operations.ts"];
const STEP = 50;

/** Lines by top folder, in the order of their names. */
function linesByFolder(): Record<string, number> {
  const lines: Record<string, number> = {};
  for (const path of sourcesBelow(join(ROOT, "src")).sort()) {
    const name = relative(join(ROOT, "src"), path);
    const [folder] = name.split("/");
    if (!GENERATED.includes(name))
      lines[folder] = (lines[folder] ?? 0) + readFileSync(path, "utf8").split("\n").length - 1;
  }
  return lines;
}

it("no folder of src has more lines than its budget: what is added replaces something", () => {
  const lines = linesByFolder();
  if (process.env.WRITE_BUDGETS) {
    const rounded = Object.entries(lines).map(([folder, count]) => [folder, Math.ceil(count / STEP) * STEP]);
    writeFileSync(TABLE, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
    return;
  }
  expect(Object.keys(lines)).toEqual(Object.keys(budgets));
  const over = Object.entries(lines).filter(([folder, count]) => count > budgets[folder]);
  expect(over.map(([folder, count]) => `src/${folder}: ${count} lines, budget ${budgets[folder]}`)).toEqual([]);
});
