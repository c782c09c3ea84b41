import type { ArchiveFigures } from "../db/archive/archive-figures.ts";

/** Status of the deployment's archive as of the last scheduled run. */
export interface ArchiveReport {
  /** Time of the run [ms]. */
  at: number;
  /** Consecutive failed runs, up to this one; 0: the last run succeeded. */
  failing: number;
  /** Total number of failed runs. */
  failed: number;
  /** Absent if a database did not respond. */
  figures?: ArchiveFigures;
}

/** @param before the report of the previous run */
export function nextReport(
  before: ArchiveReport | undefined,
  at: number,
  isFailed: boolean,
  figures: ArchiveFigures | undefined,
): ArchiveReport {
  const { failing = 0, failed = 0 } = before ?? {};
  return isFailed
    ? { at, failing: failing + 1, failed: failed + 1, figures: figures ?? before?.figures }
    : { at, failing: 0, failed, figures };
}
