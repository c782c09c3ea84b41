import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bounds } from "../../../src/core/geo/builds/manifest.ts";
import { quiet } from "../../../src/importer/common/progress.ts";
import type {
  DataSource,
  LayerInput,
  LayerOutput,
  LayerResources,
  ObjectStream,
} from "../../../src/importer/frame/layer.ts";
import { temporaryName } from "../../../src/importer/frame/stores/temporary-name.ts";

/** Room for a layer of a test: a few megabytes, no threads; files in the system's temporary folder. */
export function testResources(more: Partial<LayerResources> = {}): LayerResources {
  let folder: string | undefined;
  const path = (name: string) => {
    folder ??= mkdtempSync(join(tmpdir(), "layer-"));
    return join(folder, temporaryName(name));
  };
  return { memory: 64 * 1024 * 1024, threads: 0, path, step: (_name, run) => run(quiet), ...more };
}

/** An import without extracts, with what a test adds. */
export function layerInput(more: Partial<LayerInput> = {}): LayerInput {
  return {
    resources: testResources(),
    extracts: [],
    files: { addresses: [] },
    scan: () => Promise.resolve(),
    blocks: () => ({ path: "", blocks: [], reads: {} }),
    digests: () => Promise.resolve([]),
    line: () => [],
    isWhole: () => false,
    multipolygon: () => undefined,
    memberLines: () => [],
    ...more,
  };
}

/** A stream that hands over what came, once it ends. */
export function memoryStream(end: (bytes: Uint8Array) => Promise<void>): ObjectStream {
  let bytes = Buffer.alloc(0);
  return {
    get length() {
      return bytes.length;
    },
    async append(more) {
      bytes = Buffer.concat([bytes, more]);
    },
    async patch(offset, over) {
      if (offset + over.length > bytes.length) throw new RangeError("nothing to patch there");
      bytes.set(over, offset);
    },
    end: () => end(bytes),
  };
}

/** Takes what a layer hands out; the same key twice is an error, as in the frame. */
export function layerOutput() {
  const objects = new Map<string, Uint8Array>();
  const counts: Record<string, number> = {};
  const sources: DataSource[] = [];
  const areas: Bounds[] = [];
  const out: LayerOutput = {
    write(key, bytes) {
      if (objects.has(key)) throw new Error(`${key} is written twice`);
      objects.set(key, bytes);
      return Promise.resolve();
    },
    stream: async (key) => memoryStream((bytes) => out.write(key, bytes)),
    count(what, by = 1) {
      counts[what] = (counts[what] ?? 0) + by;
    },
    note() {},
    area: (box) => void areas.push(box),
    source: (source) => void sources.push(source),
  };
  return { objects, counts, sources, areas, out };
}
