import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DataSource } from "../../../core/geo/builds/manifest.ts";
import { ImportError } from "../../common/import-error.ts";
import type { OverturePlan } from "./fetch-overture.ts";
import type { Dataset } from "./part-file.ts";

/** @throws ImportError for a file that is gone or damaged */
export async function readPlan(path: string): Promise<OverturePlan> {
  try {
    const plan = JSON.parse(await readFile(path, "utf8")) as OverturePlan;
    if (plan.version === 2 && Array.isArray(plan.parts)) return plan;
  } catch {
    // Reported below.
  }
  throw new ImportError(`${path} cannot be read. Run the import of Overture's files again.`);
}

/** Paths of the parts, in order. */
export const partsOf = (path: string, { parts }: OverturePlan): string[] =>
  parts.map(({ file }) => join(dirname(path), file));

/** Name of a dataset as a source of this import. */
export const sourceName = ({ name }: Dataset): string => `Overture: ${name}`;

/** Overture's own terms, for datasets whose license the files do not name. */
const TERMS = "https://docs.overturemaps.org/attribution/";

/** The license that places have as a whole (docs.overturemaps.org/attribution, 2026). */
const PLACES_LICENCE = "CDLA-Permissive-2.0";

/** A dataset in the manifest, in attributions, and in responses. */
export function dataSourceOf(dataset: Dataset, { kind, release }: OverturePlan): DataSource {
  const licence = dataset.licence ?? (kind === "places" ? PLACES_LICENCE : "as Overture lists it");
  const isOpenStreetMap = dataset.name === "OpenStreetMap";
  return {
    name: sourceName(dataset),
    url: TERMS,
    licence: isOpenStreetMap ? "ODbL-1.0" : licence,
    attribution: isOpenStreetMap
      ? "© OpenStreetMap contributors, Overture Maps Foundation"
      : `${dataset.name}, Overture Maps Foundation`,
    ...(release !== undefined && { edition: release }),
  };
}
