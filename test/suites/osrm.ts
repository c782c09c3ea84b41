import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { differenceOf } from "./differences.ts";
import { type GherkinScenario, parseFeature } from "./gherkin.ts";
import { type RowResult, runRoutability, runRoutes } from "./osrm-rows.ts";
import { NotComparable, OsrmTown } from "./osrm-town.ts";
import { runMatches, runMatrix } from "./osrm-traces.ts";
import type { FileResult, SuiteOptions } from "./suite.ts";

const MATRIX = /^I request a travel (time|distance) matrix I should get$/;

/** The features below a folder whose names contain one of `parts`, file by file. */
export async function* runOsrm(
  folder: string,
  parts: readonly string[],
  { verbose, left }: SuiteOptions,
): AsyncGenerator<FileResult> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".feature") && (parts.length === 0 || parts.some((part) => file.includes(part))))
    .sort();
  for (const name of files) {
    const path = join(folder, name);
    const file = relative(folder, path).replace(/\.feature$/, "");
    const result: FileResult = { file, passed: 0, comparable: 0, left: 0 };
    for (const scenario of parseFeature(readFileSync(path, "utf8"))) {
      for (const row of await runScenario(scenario, /guidance/.test(path))) {
        const reason = row.not ?? differenceOf(file, scenario.title, row.row);
        if (reason) {
          result.left++;
          if (left) console.error(`LEFT ${file} | ${scenario.title} | ${row.row} | ${reason}`);
          continue;
        }
        result.comparable++;
        if (row.wrong.length === 0) result.passed++;
        else if (verbose) console.error(shown(file, scenario, row));
      }
    }
    yield result;
  }
}

function shown(file: string, { title }: GherkinScenario, { row, wrong, expected, told }: RowResult): string {
  const lines = wrong.map(
    (name) => `    ${name}: ${told[name]}\n      ${" ".repeat(name.length)}${expected[name]} (expected)`,
  );
  return `FAIL ${file} | ${title} | ${row}\n${lines.join("\n")}`;
}

async function runScenario(scenario: GherkinScenario, isAboutWords: boolean): Promise<RowResult[]> {
  const left = (not: string, row = ""): RowResult => ({ row, expected: {}, told: {}, wrong: [], not });
  const rows: RowResult[] = [];
  const town = new OsrmTown();
  if (scenario.tags.includes("@todo")) return [left("not passed by the other engine either (@todo)")];
  for (const step of scenario.steps) {
    try {
      if (town.given(step)) continue;
      if (/^I route (?:with .*)?I should get$|^I route I should$/.test(step.text))
        rows.push(...(await runRoutes(town, step, isAboutWords)));
      else if (/^routability should be$/.test(step.text)) rows.push(...(await runRoutability(town, step)));
      else if (/^I match I should get$/.test(step.text)) rows.push(...(await runMatches(town, step)));
      else if (MATRIX.test(step.text)) rows.push(...(await runMatrix(town, step, MATRIX.exec(step.text)![1])));
      else rows.push(left(`the step "${step.text}"`));
    } catch (error) {
      if (!(error instanceof NotComparable)) {
        rows.push({ row: String(error), expected: {}, told: {}, wrong: ["error"] });
        continue;
      }
      rows.push(left(error.message));
      break;
    }
  }
  return rows;
}
