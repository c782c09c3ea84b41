import { ImportError } from "../../importer/common/import-error.ts";
import type { OvertureSource } from "../../importer/common/overture-source.ts";
import { divide } from "../../importer/frame/budget.ts";
import { operatorFiles } from "../../importer/frame/fingerprints.ts";
import type { OperatorFiles } from "../../importer/frame/layer.ts";
import type { PreviousImport } from "../../importer/frame/stores/previous-import.ts";
import type { ImportOptions } from "../../importer/run/import.ts";
import { isParquet } from "../../importer/sources/sources.ts";

type Shared = Pick<ImportOptions, "cache" | "reporter" | "budget">;

/** @throws ImportError for options of Overture without its files */
export function checkOverture({ words, kind, country, bounds, confidence }: OvertureSource): void {
  if (words.length > 0) return;
  if (kind !== undefined)
    throw new ImportError(`--source overture-${kind}: none of these are Parquet files of Overture.`);
  const option =
    country !== undefined ? "country" : bounds ? "bbox" : confidence !== undefined ? "confidence" : undefined;
  if (option) throw new ImportError(`--${option} requires Parquet files of Overture, or --source elevation.`);
}

/** Reads what an import needs of a release of Overture. */
export async function overtureFiles(
  source: OvertureSource,
  { cache, reporter, budget }: Shared,
): Promise<Partial<OperatorFiles>> {
  const { fetchOverture } = await import("../../importer/sources/overture/fetch-overture.ts");
  const { overtureReaders: readers } = await import("../../importer/run/layers.ts");
  const memory = (budget ?? divide()).layerMemory;
  const { addresses, places, divisions } = await fetchOverture(source, { cache, reporter, memory, readers });
  return {
    ...(addresses !== undefined && { overtureAddresses: addresses }),
    ...(places !== undefined && { overturePlaces: places }),
    ...(divisions !== undefined && { overtureDivisions: divisions }),
  };
}

/** The words of an update: a newer release of Overture, and changes of OpenStreetMap. */
export async function splitChanges(words: readonly string[]): Promise<{ release: string[]; others: string[] }> {
  const release: string[] = [];
  const others: string[] = [];
  for (const word of words) ((await isParquet(word)) ? release : others).push(word);
  return { release, others };
}

/** The same import of a newer release: with its kinds, area and confidence. @throws ImportError */
export async function newRelease(
  kept: PreviousImport,
  words: readonly string[],
  shared: Shared,
): Promise<PreviousImport> {
  if (!kept.overture) {
    throw new ImportError(
      `${kept.name} has no data of Overture. Import it once with all of its files: npm run import -- FILE_OR_URL… --name ${kept.name}`,
    );
  }
  const overture = { ...kept.overture, words };
  return { ...kept, files: { ...kept.files, ...(await overtureFiles(overture, shared)) }, overture };
}

/** Whether two imports have the same inputs: plans and merged extracts are named after what is in them. */
export function isSame(a: PreviousImport, b: PreviousImport): boolean {
  const inputs = ({ extracts, files }: PreviousImport) => JSON.stringify([extracts, operatorFiles(files)]);
  return inputs(a) === inputs(b);
}
