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

/** A layer of the world base data, which takes ten seconds of CPU to build. */
export function keptLayer(layer: Layer): Promise<KeptLayer> {
  const known = layers.get(layer) ?? keptResult(`layer-${layer.name}`, () => build(layer));
  layers.set(layer, known);
  return known;
}

/**
 * A result that one process of a test run builds, and that the others read, as does the next run of the same source. A mutation test
 * changes code without changing its source, so it always builds.
 * @param build depends on the source of src alone, and returns what `v8.serialize` can write
 */
export async function keptResult<T>(name: string, build: () => Promise<T>): Promise<T> {
  if ("$mutant" in globalThis) return build();
  const path = join(keptFolder(), name);
  let made: T | undefined;
  await builtOnce(path, async () => {
    made = await build();
    writeFileSync(`${path}.${process.pid}`, serialize(made));
    renameSync(`${path}.${process.pid}`, path);
  });
  return made ?? (deserialize(readFileSync(path)) as T);
}

async function build(layer: Layer): Promise<KeptLayer> {
  const { out, ...made } = layerOutput();
  await layer.build(layerInput(), out, quiet);
  return made;
}
