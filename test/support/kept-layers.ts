import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { quiet } from "../../src/importer/common/progress.ts";
import type { DataSource, Layer } from "../../src/importer/frame/layer.ts";
import { layerInput, layerOutput } from "../regions/layer-harness.ts";
import { builtOnce, keptFolder } from "./kept-folder.ts";

export interface KeptLayer {
  objects: Map<string, Uint8Array>;
  counts: Record<string, number>;
  sources: DataSource[];
}

const layers = new Map<Layer, Promise<KeptLayer>>();

/**
 * A layer of the world base data. It takes ten seconds of CPU to build, so one process of a test run builds it and the others read it,
 * as does the next run of the same source. A mutation test changes a layer's code without changing its source, so it always builds.
 */
export function keptLayer(layer: Layer): Promise<KeptLayer> {
  const known = layers.get(layer) ?? ("$mutant" in globalThis ? build(layer) : readOrBuild(layer));
  layers.set(layer, known);
  return known;
}

async function build(layer: Layer): Promise<KeptLayer> {
  const { out, ...made } = layerOutput();
  await layer.build(layerInput(), out, quiet);
  return made;
}

async function readOrBuild(layer: Layer): Promise<KeptLayer> {
  const path = join(keptFolder(), `layer-${layer.name}`);
  let made: KeptLayer | undefined;
  await builtOnce(path, async () => {
    made = await build(layer);
    writeFileSync(`${path}.${process.pid}`, serialize(made));
    renameSync(`${path}.${process.pid}`, path);
  });
  return made ?? (deserialize(readFileSync(path)) as KeptLayer);
}
