import type { ArchiveFigures } from "../../db/archive/archive-figures.ts";

/** What the deployment knows of its archive, as of the last round. */
export interface ArchiveReport {
  /** When the round was [ms]. */
  at: number;
  /** Rounds in a row in which something failed, up to this one; 0: all went well. */
  failing: number;
  /** All rounds in which something failed. */
  failed: number;
  /** Absent: a database did not answer. */
  figures?: ArchiveFigures;
}

/** @param before the report of the round before */
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
