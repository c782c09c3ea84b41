import { type Progress, quiet } from "../../src/importer/common/progress.ts";
import { divide } from "../../src/importer/frame/budget.ts";
import type { LayerResources } from "../../src/importer/frame/layer.ts";

/** Resources of a layer that is built without an import: steps are not remembered, and nothing is cached. */
export function plainResources({ folder }: { folder: string }): LayerResources {
  const { layerMemory, threads } = divide();
  return {
    memory: layerMemory,
    threads,
    path: (name) => `${folder}/layer.${name}`,
    step: <T>(_name: string, run: (progress: Progress) => Promise<T>) => run(quiet),
  };
}
