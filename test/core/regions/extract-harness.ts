import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { quiet } from "../../../src/importer/common/progress.ts";
import type { Layer, OperatorFiles } from "../../../src/importer/frame/layer.ts";
import { ImportedElements } from "../../../src/importer/frame/layer-input.ts";
import { StepFolder } from "../../../src/importer/frame/stores/step-folder.ts";
import { readExtracts } from "../../../src/importer/osm/read/read-extracts.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { plainResources } from "../../support/layer-resources.ts";
import { layerOutput } from "./layer-harness.ts";

/** Where real extracts lie, if they do. */
export const EXTRACTS = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");

/** What a layer makes of extracts, in memory. */
export async function runLayer(layer: Layer, extracts: readonly string[], files: OperatorFiles = { addresses: [] }) {
  const folder = await mkdtemp(join(tmpdir(), "graticule-regions-"));
  const result = layerOutput();
  try {
    const work = await StepFolder.open(folder, silent);
    const store = await readExtracts(extracts, layer.reads, work);
    const elements = await ImportedElements.open(store, files);
    await layer.build(
      elements.forLayer(layer.reads, (what) => result.out.count(what), plainResources(store)),
      result.out,
      quiet,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  return result;
}
