import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Bounds } from "../../../../src/core/geo/builds/manifest.ts";
import { demoBounds, demoWorld } from "../../../../src/demo/world/demo-world.ts";
import { quiet } from "../../../../src/importer/common/progress.ts";
import type { LayerResources } from "../../../../src/importer/frame/layer.ts";
import { ImportedElements } from "../../../../src/importer/frame/layer-input.ts";
import { indexOf, readIndex, stagedFile } from "../../../../src/importer/frame/stores/staged-index.ts";
import { type OutputState, StagedOutput } from "../../../../src/importer/frame/stores/staged-output.ts";
import { StepFolder } from "../../../../src/importer/frame/stores/step-folder.ts";
import { basemapLayer, buildBasemap } from "../../../../src/importer/layers/basemap/basemap-layer.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";
import { type ElementStore, readExtracts } from "../../../../src/importer/osm/read/read-extracts.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { isNight, samples } from "../../../support/night.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
let store: ElementStore;
let work: StepFolder;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "basemap-budgets-"));
  const path = join(folder, "demo.osm.pbf");
  // By day the south-west of the demo world.
  const [west, south, east, north] = demoBounds();
  const side = samples(0.4, 1);
  const bounds: Bounds = [west, south, west + side * (east - west), south + side * (north - south)];
  const isInside = (element: OsmElement) =>
    element.type !== "node" || (element.longitude <= bounds[2] && element.latitude <= bounds[3]);
  await writePbf(path, [...demoWorld()].filter(isInside), { bounds });
  work = await StepFolder.open(join(folder, "work"), silent);
  store = await readExtracts([path], basemapLayer.reads, work);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

/** Steps as an import remembers them: what is done is not done again. */
class Steps {
  readonly done = new Map<string, string>();
  readonly ran: string[] = [];
  stage: OutputState | undefined;
}

interface Way {
  memory?: number;
  threads?: number;
  stepBytes?: number;
  steps?: Steps;
  /** The step after which the import is interrupted. */
  until?: number;
}

/** So few that there are several steps. */
const STEP_BYTES = samples(200_000, 1e6);

let builds = 0;

async function build({ memory = 400e6, threads = 0, stepBytes, steps = new Steps(), until = Infinity }: Way = {}) {
  const name = steps.stage ? `layer-${builds}` : `layer-${++builds}`;
  const pack = join(work.folder, `${name}.pack`);
  const stage = steps.stage
    ? await StagedOutput.resume(pack, "basemap", steps.stage)
    : await StagedOutput.create(pack, "basemap");
  const resources: LayerResources = {
    memory,
    threads,
    path: (file) => join(work.folder, `${name}-${file}`),
    async step(step, run) {
      const before = steps.done.get(step);
      if (before !== undefined) return JSON.parse(before);
      if (steps.ran.length >= until) throw new Error("interrupted");
      steps.ran.push(step);
      const result = await run(quiet);
      steps.done.set(step, JSON.stringify(result ?? null));
      steps.stage = JSON.parse(JSON.stringify(await stage.checkpoint()));
      return result;
    },
  };
  const elements = await ImportedElements.open(store, { addresses: [] });
  const input = elements.forLayer(basemapLayer.reads, (what) => stage.count(what), resources);
  try {
    await buildBasemap(input, stage, threads, stepBytes);
  } catch (error) {
    await stage.abandon();
    throw error;
  }
  const { counts } = await stage.finish(1);
  const hashes: Record<string, string> = {};
  for await (const { key, file, offset, length, sha256 } of readIndex(indexOf(pack))) {
    const bytes = (await readFile(stagedFile(pack, file))).subarray(offset, offset + length);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    hashes[key] = sha256;
  }
  return { hashes, counts, steps };
}

describe("a basemap", () => {
  let plain: ReturnType<typeof build>;
  beforeAll(() => {
    plain = build();
    return plain;
  });

  it("has the same bytes at any memory, any number of threads, and in any steps", async () => {
    const expected = await plain;
    // The same that was made before there were budgets and threads (plus its seal).
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(expected.hashes).toEqual({ "basemap/tiles.pmtiles": sha256, "basemap/glyphs.bin": sha256 });
    const ways: Way[] = [
      { memory: 2e6, threads: 2, stepBytes: 0.3 * STEP_BYTES },
      ...(isNight ? [{ memory: 1 }, { threads: 3, stepBytes: 2e6 }] : []),
    ];
    for (const way of ways) {
      const { hashes, counts } = await build(way);
      expect({ way, hashes, counts }).toEqual({ way, hashes: expected.hashes, counts: expected.counts });
    }
  });

  it("that is interrupted after any step goes on with the next, and ends with the same bytes", async () => {
    const expected = await build({ stepBytes: STEP_BYTES });
    const names = expected.steps.ran;
    expect(names.length).toBeGreaterThan(6);
    // By day after every fourth step.
    for (let until = 1; until < names.length; until += process.env.EVERY_KILL ? 1 : 4) {
      const steps = new Steps();
      await expect(build({ stepBytes: STEP_BYTES, steps, until })).rejects.toThrow("interrupted");
      const { hashes, counts } = await build({ stepBytes: STEP_BYTES, steps });
      expect(steps.ran).toEqual(names);
      expect({ hashes, counts }).toEqual({ hashes: expected.hashes, counts: expected.counts });
    }
  });

  it("leaves no pieces behind once they are in the archive", async () => {
    const { hashes } = await build({ memory: 1, stepBytes: STEP_BYTES });
    expect(hashes).toEqual((await plain).hashes);
    const left = (await readdir(work.folder)).filter((name) => name.startsWith(`layer-${builds}-`));
    expect(left.filter((name) => /pieces|merged|shore|borders/.test(name))).toEqual([]);
  });
});
