import { ImportError } from "../common/import-error.ts";
import { refusePipe } from "../common/refuse-pipe.ts";
import { systemReason } from "../common/system-reason.ts";
import type { Layer, OperatorFiles } from "../frame/layer.ts";

/**
 * Reads the operator's files once before the import starts: a mistake in the last file must not appear only after half an
 * hour. This takes seconds for the largest file (a million speeds: 1 s).
 * @throws ImportError naming the file and the rule
 */
export async function checkOperatorFiles(files: OperatorFiles, layers: readonly Layer[]): Promise<void> {
  // Files that no layer reads are rejected elsewhere, with a specific error.
  for (const { checks } of layers) {
    for (const kind of Object.keys(checks ?? {}) as (keyof OperatorFiles)[]) {
      for (const path of [files[kind] ?? []].flat()) await check(path, checks?.[kind]);
    }
  }
}

async function check(path: string, read: ((path: string) => unknown) | undefined): Promise<void> {
  await refusePipe(path);
  try {
    await read?.(path);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
  }
}
