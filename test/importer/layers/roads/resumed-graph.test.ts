import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeDemoWorld } from "../../../../src/demo/world/write.ts";
import type { Layer, LayerOutput } from "../../../../src/importer/frame/layer.ts";
import { roadsLayer } from "../../../../src/importer/layers/roads/roads-layer.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../../src/importer/run/import.ts";

/** The roads, cut off when the first object is written. */
const interrupted: Layer = {
  ...roadsLayer,
  build(input, out, progress) {
    const broken = new Proxy(out, {
      get(target, name: keyof LayerOutput) {
        if (name === "write" || name === "stream") throw new Error("the power went");
        return target[name].bind(target);
      },
    });
    return roadsLayer.build(input, broken, progress);
  },
};

it("an import that was interrupted after its graph goes on from it, to the same objects and counts", async () => {
  const folder = await mkdtemp(join(tmpdir(), "resumed-"));
  const extract = join(folder, "demo.osm.pbf");
  await writeDemoWorld(extract);
  const run = async (layer: Layer, cache: string) => {
    const begun: string[] = [];
    const skipped: string[] = [];
    const reporter = {
      ...silent,
      begin: (phase: string) => {
        begun.push(phase);
        return silent.begin(phase);
      },
      skipped: (phase: string) => void skipped.push(phase),
    };
    const options = { name: "demo", extracts: [extract], files: { addresses: [] }, layers: [layer], reporter };
    const { manifest } = await importGeodata({ ...options, cache: join(folder, cache) });
    return { manifest, begun, skipped };
  };
  const whole = await run(roadsLayer, "whole");
  expect(whole.begun).toContain("roads: graph");
  await expect(run(interrupted, "cut")).rejects.toThrow("the power went");
  const resumed = await run(roadsLayer, "cut");
  expect(resumed.begun).not.toContain("roads: graph");
  expect(resumed.skipped).toContain("roads: graph");
  expect(resumed.manifest.layers).toEqual(whole.manifest.layers);
  await rm(folder, { recursive: true });
});
