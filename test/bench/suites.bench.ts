import { existsSync, readdirSync } from "node:fs";
import { runGurka } from "../suites/gurka.ts";
import { runOsrm } from "../suites/osrm.ts";
import type { Report } from "./bench.ts";

export const name = "suites";
export const summary =
  "Scenarios of other routers (OSRM's features), read from a folder: rows passed of those comparable.";

/**
 * Words: the folder of the scenarios: `osrm-backend/features`, or towns of Valhalla's test/gurka as JSON (see GurkaTown);
 * parts of names of files; `verbose` shows each row that fails, `left` what is not compared and why. The scenarios are not
 * part of this repository.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const folder = words.find((word) => existsSync(word));
  if (!folder) {
    console.error(
      "No folder of scenarios: npm run bench -- suites DIR (for example osrm-backend/features). Nothing was run.",
    );
    return;
  }
  const options = { verbose: words.includes("verbose"), left: words.includes("left") };
  const parts = words.filter((word) => word !== folder && word !== "verbose" && word !== "left");
  const totals = { passed: 0, comparable: 0, left: 0 };
  const suite = readdirSync(folder).some((file) => file.endsWith(".json")) ? runGurka : runOsrm;
  for await (const { file, passed, comparable, left } of suite(folder, parts, options)) {
    totals.passed += passed;
    totals.comparable += comparable;
    totals.left += left;
    report({ case: file, metric: `${left} not comparable`, value: passed, unit: "rows", baseline: comparable });
  }
  const { passed, comparable, left } = totals;
  report({ case: "all", metric: `${left} not comparable`, value: passed, unit: "rows", baseline: comparable });
}
