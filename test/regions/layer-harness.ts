import type { DataSource, LayerInput, LayerOutput } from "../../src/importer/layer.ts";

/** An import without extracts, with what a test adds. */
export function layerInput(more: Partial<LayerInput> = {}): LayerInput {
  return {
    extracts: [],
    files: { addresses: [] },
    scan: () => Promise.resolve(),
    location: () => undefined,
    line: () => [],
    isWhole: () => false,
    multipolygon: () => undefined,
    memberRefs: () => undefined,
    locations: { indexOf: () => -1, arrays: { latitudes: new Int32Array(), longitudes: new Int32Array() } },
    ...more,
  };
}

/** Takes what a layer hands out; the same key twice is an error, as in the frame. */
export function layerOutput() {
  const objects = new Map<string, Uint8Array>();
  const counts: Record<string, number> = {};
  const sources: DataSource[] = [];
  const out: LayerOutput = {
    write(key, bytes) {
      if (objects.has(key)) throw new Error(`${key} is written twice`);
      objects.set(key, bytes);
      return Promise.resolve();
    },
    count(what, by = 1) {
      counts[what] = (counts[what] ?? 0) + by;
    },
    note() {},
    area() {},
    source: (source) => void sources.push(source),
  };
  return { objects, counts, sources, out };
}
