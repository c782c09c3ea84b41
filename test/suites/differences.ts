import type { GherkinScenario } from "./gherkin.ts";
import type { RowResult } from "./osrm-rows.ts";

/** What this project decided to do otherwise: rows of scenarios, and why. */
interface Difference {
  file: string;
  scenario: RegExp;
  /** All rows where absent. */
  row?: RegExp;
  reason: string;
}

const DIFFERENCES: readonly Difference[] = [];

export function differenceOf(file: string, { title }: GherkinScenario, { row }: RowResult): string | undefined {
  const found = DIFFERENCES.find(
    (one) => file.endsWith(one.file) && one.scenario.test(title) && (!one.row || one.row.test(row)),
  );
  return found?.reason;
}
