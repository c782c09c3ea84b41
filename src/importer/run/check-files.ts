import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { ImportError } from "../common/import-error.ts";
import type { Layer, OperatorFiles } from "../frame/layer.ts";
import { readOperatorPlaces } from "../layers/places/operator-places.ts";
import { readDmaTable } from "../layers/regions/dma.ts";
import { readPostalCodes } from "../layers/regions/postal-codes.ts";
import { readSpeedFile } from "../layers/roads/profiles/speed-file.ts";

type Kind = Exclude<keyof OperatorFiles, "addresses">;

/** How each kind is read whole, as its layer will read it. */
const CHECKS: Record<Kind, (path: string) => unknown> = {
  dma: (path) => readDmaTable(path),
  postalCodes: (path) => readPostalCodes(path),
  places: async (path) => readOperatorPlaces(await readFile(path, "utf8"), basename(path)),
  speeds: (path) => readSpeedFile(path, () => {}),
};

/**
 * Reads an operator's files once before any work is done: a mistake in the last one should not show only after half an
 * hour of an import. This takes seconds for the largest (a million speeds: 1 s), and the result is thrown away.
 * @throws ImportError naming the file and the rule
 */
export async function checkOperatorFiles(files: OperatorFiles, layers: readonly Layer[]): Promise<void> {
  for (const kind of Object.keys(CHECKS) as Kind[]) {
    const path = files[kind];
    // A file that no layer reads is refused elsewhere, with its own error.
    if (path === undefined || !layers.some((layer) => layer.files?.includes(kind) ?? true)) continue;
    try {
      await CHECKS[kind](path);
    } catch (error) {
      if (error instanceof ImportError) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      const why = { ENOENT: "there is no such file", EISDIR: "it is a folder" }[code] ?? message;
      throw new ImportError(`Cannot read ${path}: ${why}.`);
    }
  }
}
