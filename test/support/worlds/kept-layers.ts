import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { quiet } from "../../../src/importer/common/progress.ts";
import type { Bounds, DataSource, Layer, LayerOutput } from "../../../src/importer/frame/layer.ts";
import { layerInput, layerOutput } from "../../core/regions/layer-harness.ts";
import { builtOnce, keptFolder } from "./kept-folder.ts";

export interface KeptLayer {
  objects: Map<string, Uint8Array>;
  counts: Record<string, number>;
  sources: DataSource[];
  areas: Bounds[];
  notes: string[];
}

/** Built or read by this process, by name. */
const results = new Map<string, Promise<unknown>>();

/**
 * The result of a build that takes seconds, as plain data: one process of a test run builds it and the others read it, as does the
 * next run of the same source. A mutation test changes code without changing its source, so it always builds.
 */
export function keptOnce<T>(name: string, build: () => Promise<T>): Promise<T> {
  const result = results.get(name) ?? ("$mutant" in globalThis ? build() : readOrBuild(name, build));
  results.set(name, result);
  return result as Promise<T>;
}

/** A layer of the world base data, which takes up to ten seconds of CPU to build. */
export const keptLayer = (layer: Layer): Promise<KeptLayer> => keptOnce(`layer-${layer.name}`, () => build(layer));

async function build(layer: Layer): Promise<KeptLayer> {
  const { out, ...made } = layerOutput();
  const [areas, notes]: [Bounds[], string[]] = [[], []];
  const all: LayerOutput = { ...out, area: (bounds) => void areas.push(bounds), note: (text) => void notes.push(text) };
  await layer.build(layerInput(), all, quiet);
  return { ...made, areas, notes };
}

/** A layer that writes what `keptLayer` built. An import with it stages and publishes as usual. */
export function replayedLayer(layer: Layer): Layer {
  return {
    ...layer,
    async build(_input, out) {
      const { objects, counts, sources, areas, notes } = await keptLayer(layer);
      for (const [key, bytes] of objects) await out.write(key, bytes);
      for (const [what, by] of Object.entries(counts)) out.count(what, by);
      for (const source of sources) out.source(source);
      for (const bounds of areas) out.area(bounds);
      for (const text of notes) out.note(text);
    },
  };
}

async function readOrBuild<T>(name: string, build: () => Promise<T>): Promise<T> {
  const path = join(keptFolder(), name);
  const built: T[] = [];
  await builtOnce(path, async () => {
    built.push(await build());
    writeFileSync(`${path}.${process.pid}`, serialize(built[0]));
    renameSync(`${path}.${process.pid}`, path);
  });
  return built.length > 0 ? built[0] : (deserialize(readFileSync(path)) as T);
}
