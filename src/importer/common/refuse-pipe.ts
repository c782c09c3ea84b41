import { stat } from "node:fs/promises";
import { ImportError } from "./import-error.ts";

/** Rejects what can be read only once, before it is opened: a pipe that nothing writes to would wait forever. @throws ImportError */
export async function refusePipe(path: string): Promise<void> {
  // Those that are not there are reported where they are read.
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isFile() || found.isDirectory()) return;
  throw new ImportError(
    `${path} is a pipe or a device, which cannot be read twice, as an import does. Write it to a file and import that.`,
  );
}
