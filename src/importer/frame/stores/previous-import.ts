import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ImportError } from "../../common/import-error.ts";
import type { OvertureSource } from "../../common/overture-source.ts";
import type { OperatorFiles } from "../layer.ts";

/**
 * The inputs of an import, so that an update can use the same inputs with changes:
 *
 *     kept/town/import.json      this
 *     kept/town/parts/…          parts of layers, for those that nothing new goes into
 *     kept/town/5c3f…/0/…        an extract with changes applied; named after what went into it
 */
export interface PreviousImport {
  version: 1;
  name: string;
  /** Absolute paths: those of the operator, and after an update those in the kept folder. */
  extracts: string[];
  files: OperatorFiles;
  /** Names of layers. */
  layers: string[];
  attribution?: string;
  /** What was imported of Overture. */
  overture?: OvertureSource;
}

export function previousFolder(cache: string, name: string): string {
  return join(cache, "kept", name);
}

/** Where parts of layers are kept for the next update (part-cache.ts). */
export function partsFolder(cache: string, name: string): string {
  return join(previousFolder(cache, name), PARTS);
}
const PARTS = "parts";

const pathOf = (cache: string, name: string) => join(previousFolder(cache, name), "import.json");

/** @throws ImportError when the name was never imported here */
export async function readPreviousImport(cache: string, name: string): Promise<PreviousImport> {
  const text = await readFile(pathOf(cache, name), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new ImportError(
      `No import named ${name} is remembered in ${cache}, so there is nothing to update. Import it once: npm run import -- FILE --name ${name}`,
    );
  });
  try {
    const kept = JSON.parse(text) as PreviousImport;
    if (kept.version === 1 && Array.isArray(kept.extracts) && Array.isArray(kept.layers)) return kept;
  } catch {
    // Said below.
  }
  throw new ImportError(
    `${pathOf(cache, name)} cannot be read. Import ${name} once more: npm run import -- FILE --name ${name}`,
  );
}

/** Remembers an import that is live now, and removes extracts of updates that it does not need. */
export async function savePreviousImport(cache: string, kept: PreviousImport): Promise<void> {
  const path = pathOf(cache, kept.name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.part`, JSON.stringify(kept, undefined, 1));
  await rename(`${path}.part`, path);
  for (const entry of await readdir(dirname(path), { withFileTypes: true })) {
    const folder = join(dirname(path), entry.name);
    if (
      !entry.isDirectory() ||
      entry.name === PARTS ||
      kept.extracts.some((extract) => extract.startsWith(`${folder}/`))
    )
      continue;
    await rm(folder, { recursive: true, force: true });
  }
}
