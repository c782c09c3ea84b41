import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { ImportError } from "../common/import-error.ts";
import { folderSize } from "../frame/stores/job-folder.ts";
import type { Forecast } from "../report/import-counts.ts";
import { amount } from "../report/reporter.ts";

interface Places {
  /** The folder of the work. */
  work: string;
  /** The folder of the parts that are kept; besides that of the work. */
  kept?: string;
  /** Of the local bucket; undefined where nothing is published on this machine. */
  published?: string;
  /** The disk may be too small. */
  force: boolean;
}

/** @throws ImportError when the memory or the disk is too small for the import */
export async function checkForecast({ counts, memory, disk }: Forecast, places: Places): Promise<void> {
  if (memory.given < memory.least) {
    throw new ImportError(
      `This import needs --memory ${gigabytes(memory.least)} at least, for ${memory.layer} (some ${amount(Number(counts.edges.toPrecision(2)), "directed edges")}, ${amount(Number(counts.addresses.toPrecision(2)), "addresses")}); it has ${amount(memory.given, "B")}.`,
    );
  }
  if (places.force) return;
  const work = await diskOf(places.work);
  const published = places.published === undefined ? undefined : await diskOf(places.published);
  // Files of an interrupted run already exist.
  const missing = async (bytes: number, folder?: string) =>
    Math.max(0, bytes - (folder === undefined ? 0 : await folderSize(folder)));
  const needed = (await missing(disk.work, places.work)) + (await missing(disk.kept ?? 0, places.kept));
  const together = published?.device === work.device ? needed + disk.published : needed;
  if (work.free < together) throw tooSmall(places.work, together, work.free);
  if (published && published.device !== work.device && published.free < disk.published)
    throw tooSmall(places.published!, disk.published, published.free);
}

function tooSmall(folder: string, needed: number, free: number): ImportError {
  return new ImportError(
    `The disk of ${folder} has ${amount(free, "B")} free, and this import will need some ${amount(needed, "B")}. Free disk space, specify a folder on another disk (--cache, --persist-to), or start anyway with --force.`,
  );
}

/** 2_300_000_000 → "2.3GB", rounded up, as `--memory` reads it. */
function gigabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e8) / 10}GB`;
}

/** The disk of a folder that may not be there yet. */
async function diskOf(folder: string): Promise<{ device: number; free: number }> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const [{ dev }, { bavail, bsize }] = [await stat(at), await statfs(at)];
      return { device: dev, free: bavail * bsize };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || at === dirname(at)) throw error;
    }
  }
}
