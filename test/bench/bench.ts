import type { Spread } from "./support/slices.ts";

/** One figure: of which case, what, how much, and beside what it stands. */
export interface Row {
  case: string;
  metric: string;
  value: number;
  unit: string;
  /** The figure to compare with, in the same unit: a floor, brute force, the goal. null where there is none. */
  baseline: number | null;
  /** How many times the baseline it is, seen in slices beside each other; where absent, the two figures are divided. */
  ratio?: Spread;
}

/** Hands in a figure; it is shown when the bench is done. */
export type Report = (row: Omit<Row, "baseline"> & { baseline?: number | null }) => void;

/** What a file `NAME.bench.ts` exports: `name`, `summary` and `run`, each by itself. */
export interface Bench {
  /** As in `npm run bench -- NAME`. */
  name: string;
  /** One line: what is measured, against what. */
  summary: string;
  /** `words`: what was typed behind the name. */
  run(report: Report, words?: readonly string[]): Promise<void> | void;
}
