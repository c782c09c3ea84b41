import { basename } from "node:path";
import { ImportError } from "../common/import-error.ts";
import type { Progress } from "../common/progress.ts";
import { download, fetchText } from "../sources/download.ts";

/** A point of a replication: its number, and the time that everything up to it was created [seconds since 1970]. */
interface ReplicationState {
  sequence: number;
  timestamp: number | undefined;
}

interface ReplicationOptions {
  /** Folder of downloads. */
  folder: string;
  progress: Progress;
  allowHttp?: boolean;
}

/** As many files of changes at a time; with a file a minute that is three days. */
const MAX_FILES = 4500;

/**
 * The files of changes after a number, in their order, from a replication as OpenStreetMap and Geofabrik have it:
 *
 *     state.txt             sequenceNumber=4567, timestamp=2026-11-21T21\:21\:02Z
 *     000/004/567.osc.gz    the changes of that number
 *
 * @throws ImportError when one of them does not exist
 */
export async function changesSince(
  base: string,
  after: number,
  options: ReplicationOptions,
): Promise<{ paths: string[]; reached: ReplicationState }> {
  const root = base.replace(/\/+$/, "");
  const state = readState(await fetchText(`${root}/state.txt`, options.allowHttp), `${root}/state.txt`);
  if (state.sequence < after) {
    throw new ImportError(
      `${root} has changes up to number ${state.sequence}, the extract those up to ${after}: they belong to different replications.`,
    );
  }
  if (state.sequence - after > MAX_FILES) {
    throw new ImportError(
      `The extract is ${(state.sequence - after).toLocaleString("en-US")} files of changes behind ${root}. A newer extract is quicker: import that.`,
    );
  }
  const paths: string[] = [];
  for (let number = after + 1; number <= state.sequence; number++) {
    const url = `${root}/${pathOf(number)}.osc.gz`;
    try {
      paths.push(await download(url, options));
    } catch (error) {
      if (!(error instanceof ImportError) || !/returned 404/.test(error.message)) throw error;
      throw new ImportError(
        `The changes number ${number} are missing at ${url}; without them no later ones can be applied. Servers keep them for some months: import a newer extract.`,
      );
    }
  }
  return { paths, reached: state };
}

/** 4567 → "000/004/567" */
export function pathOf(sequence: number): string {
  const digits = String(sequence).padStart(9, "0");
  return `${digits.slice(0, -6)}/${digits.slice(-6, -3)}/${digits.slice(-3)}`;
}

/** @throws ImportError for a text that is no state */
export function readState(text: string, where: string): ReplicationState {
  const sequence = /^sequenceNumber\s*=\s*(\d+)\s*$/m.exec(text)?.[1];
  if (sequence === undefined)
    throw new ImportError(`${where} does not say a sequenceNumber: it is no replication of OpenStreetMap.`);
  const time = Date.parse((/^timestamp\s*=\s*(\S+)\s*$/m.exec(text)?.[1] ?? "").replaceAll("\\", ""));
  return { sequence: Number(sequence), timestamp: Number.isFinite(time) ? time / 1000 : undefined };
}

/** Files that are named by their numbers must follow one another. @throws ImportError naming what is missing */
export function refuseGaps(paths: readonly string[]): void {
  const numbers = paths.map((path) => /^(\d+)\.osc(\.gz)?$/.exec(basename(path))?.[1]);
  if (numbers.length < 2 || numbers.includes(undefined)) return;
  const sorted = numbers.map(Number).sort((a, b) => a - b);
  const gap = sorted.findIndex((number, i) => i > 0 && number > sorted[i - 1] + 1);
  if (gap < 0) return;
  throw new ImportError(
    `Changes number ${sorted[gap - 1] + 1} are missing between ${sorted[gap - 1]} and ${sorted[gap]}: without them the extract would be wrong.`,
  );
}
