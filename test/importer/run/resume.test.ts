import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { divide } from "../../../src/importer/frame/budget.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { READING } from "../../../src/importer/osm/read/read-extracts.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { readLiveList } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { type Reporter, silent } from "../../../src/importer/report/reporter.ts";
import { type ImportOptions, importGeodata } from "../../../src/importer/run/import.ts";
import { ThreadPool } from "../../../src/importer/threads/thread-pool.ts";
import { census } from "./census-layer.ts";

let folder: string;
let extract: string;
let bucket: Bucket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "resume-"));
  extract = join(folder, "town.osm.pbf");
  const town: OsmElement[] = [
    { type: "node", id: 1, latitude: 1, longitude: 1, tags: { amenity: "cafe" } },
    { type: "node", id: 2, latitude: 1.1, longitude: 1, tags: { shop: "books" } },
    { type: "way", id: 1, refs: [1, 2], tags: { highway: "path" } },
  ];
  await writePbf(extract, town);
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterEach(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

/** What a run did: phases that began, and phases that an earlier run had done. */
interface Seen {
  begun: string[];
  skipped: string[];
}

async function run(layers: Layer[], options: Partial<ImportOptions> = {}) {
  const seen: Seen = { begun: [], skipped: [] };
  const reporter: Reporter = {
    ...silent,
    begin(phase, forecast) {
      seen.begun.push(phase);
      return silent.begin(phase, forecast);
    },
    skipped: (phase) => void seen.skipped.push(phase),
  };
  const files = { addresses: [] };
  const all = { name: "town", extracts: [extract], files, layers, cache: join(folder, "cache"), bucket, reporter };
  const result = await importGeodata({ ...all, ...options }).catch((error: Error) => error);
  return { result, seen };
}

const manifestOf = (result: unknown) => {
  if (result instanceof Error) throw result;
  return (result as Awaited<ReturnType<typeof importGeodata>>).manifest;
};
const workFolders = async () =>
  (await readdir(join(folder, "cache/work"))).flatMap((job) => readdirSync(join(folder, "cache/work", job))).sort();

/** A layer of three steps, which ends with an error before one of them. */
function mill(fail: () => string | undefined): Layer {
  const stop = (step: string) => {
    if (fail() === step) throw new Error(`no wind for ${step}`);
  };
  return {
    name: "mill",
    formatVersion: 1,
    summary: "corn, ground in steps",
    reads: { nodes: ["amenity"] },
    files: [],
    async build(input, out) {
      const { resources } = input;
      const corn = await resources.step("corn", async () => {
        writeFileSync(resources.path("corn"), "corn");
        await out.write("mill/corn", Buffer.from("corn"));
        out.count("sacks", 2);
        return { path: resources.path("corn"), weight: 40 };
      });
      stop("flour");
      const flour = await resources.step("mill: flour", async (progress) => {
        progress.expect(1);
        if (!existsSync(corn.path)) throw new Error("the corn is gone");
        await out.write("mill/half", Buffer.from("half"));
        stop("half-way");
        await out.write("mill/flour", Buffer.from(`flour of ${corn.weight}`));
        out.count("sacks");
        out.note("ground");
        return corn.weight * 0.8;
      });
      stop("bread");
      await resources.step("bread", async () => {
        await out.write("mill/bread", Buffer.from(`bread of ${flour}`));
        out.area([0, 0, 1, 1]);
      });
      stop("end");
    },
  };
}

describe("a layer that works in steps", () => {
  it("goes on behind the last finished step, and ends with the same build", async () => {
    const whole = manifestOf(
      (await run([mill(() => undefined)], { cache: join(folder, "other"), bucket: undefined })).result,
    );
    expect(whole.layers.mill).toMatchObject({ objects: 4, counts: { sacks: 3 }, areas: [[0, 0, 1, 1]] });
    let weather: string | undefined;
    const layer = mill(() => weather);
    for (const [stop, begun, skipped] of [
      ["flour", ["mill: corn"], []],
      ["half-way", ["mill: flour"], ["mill: corn"]],
      ["bread", ["mill: flour"], ["mill: corn"]],
      ["end", ["mill: bread"], ["mill: corn", "mill: flour"]],
    ] as const) {
      weather = stop;
      const { result, seen } = await run([layer]);
      expect((result as Error).message).toBe(`no wind for ${stop}`);
      expect(seen.begun.filter((phase) => phase.startsWith("mill: "))).toEqual(begun);
      expect(seen.skipped.filter((phase) => phase.startsWith("mill: "))).toEqual(skipped);
    }
    weather = undefined;
    // Another budget changes nothing.
    const { result, seen } = await run([layer], { budget: divide(512e6, 1) });
    expect(manifestOf(result)).toEqual(whole);
    expect(seen.begun).toEqual(["mill", "publish"]);
    expect(await workFolders()).toEqual([]);
  });

  it("leaves no temporary file when it is done, published or not", async () => {
    await run([mill(() => undefined)], { bucket: undefined });
    const [elements, layer] = await workFolders();
    expect([elements, layer]).toEqual([expect.stringMatching(/^elements-/), expect.stringMatching(/^mill-/)]);
    const [job] = await readdir(join(folder, "cache/work"));
    const left = (await readdir(join(folder, "cache/work", job, layer))).filter(
      (name) => !name.startsWith("mill.pack"),
    );
    expect(left).toEqual(["objects.json", "state.json"]);
  });

  it.each<[string, (layer: Layer) => Layer["build"], RegExp]>([
    [
      "writes before its first step",
      () => async (input, out) => {
        await out.write("mill/a", Buffer.from("a"));
        await input.resources.step("b", async () => undefined);
      },
      /wrote or counted something outside its steps, before "mill: b"/,
    ],
    [
      "counts between two steps",
      () => async (input, out) => {
        await input.resources.step("a", async () => undefined);
        out.count("sacks");
        await input.resources.step("b", async () => undefined);
      },
      /wrote or counted something outside its steps/,
    ],
    [
      "does a step twice",
      () => async (input) => {
        await input.resources.step("a", async () => undefined);
        await input.resources.step("a", async () => undefined);
      },
      /the step "mill: a" comes twice/,
    ],
    [
      "asks for a file that it did not declare",
      () => async (input) => void input.files.dma,
      /asks for dma and does not say so/,
    ],
  ])("is refused when it %s", async (_, build, sentence) => {
    const layer = mill(() => undefined);
    const { result } = await run([{ ...layer, build: build(layer) }]);
    expect(String(result)).toMatch(sentence);
  });
});

describe("a thread that runs out of memory", () => {
  it("ends the import with a sentence; with less to do it goes on behind the last step, and the live build stays until then", async () => {
    const before = manifestOf((await run([mill(() => undefined)])).result);
    let rounds = 1_000_000;
    const layer: Layer = {
      ...mill(() => undefined),
      async build(input, out) {
        await input.resources.step("corn", () => out.write("mill/corn", Buffer.from("corn")));
        await input.resources.step("flour", async () => {
          const pool = new ThreadPool<number, number>(1, new URL("./hungry-thread.ts", import.meta.url), {
            heap: 48e6,
          });
          try {
            await out.write("mill/flour", Buffer.from(`${await pool.run(rounds)}`));
          } finally {
            await pool.close();
          }
        });
      },
    };
    const failed = await run([{ ...layer, formatVersion: 2 }]);
    expect(failed.result).toBeInstanceOf(ImportError);
    expect((failed.result as Error).message).toMatch(/memory.*--memory/);
    expect((await readLiveList(bucket)).list.builds.map(({ id }) => id)).toEqual([before.id]);
    rounds = 10;
    const { result, seen } = await run([{ ...layer, formatVersion: 2 }]);
    expect(manifestOf(result).layers.mill.objects).toBe(2);
    expect(seen.skipped).toContain("mill: corn");
  });
});

describe("what an import has done", () => {
  const shops: Layer = {
    ...census,
    name: "shops",
    files: [],
    reads: { nodes: ["shop"] },
    build: async (input, out) => {
      const seen: unknown[] = [];
      await input.scan({ node: (node) => void seen.push(node) });
      await out.write("shops/all", Buffer.from(JSON.stringify(seen)));
    },
  };
  const paths: Layer = {
    ...shops,
    name: "paths",
    reads: { ways: ["highway"] },
    build: async (input, out) => {
      const seen: unknown[] = [];
      await input.scan({ way: (way) => void seen.push([way.id, input.line(way)]) });
      await out.write("paths/all", Buffer.from(JSON.stringify(seen)));
    },
  };
  const broken: Layer = { ...shops, name: "broken", build: () => Promise.reject(new Error("out of coffee")) };

  it("is found again by an import with other layers", async () => {
    const alone = manifestOf((await run([paths], { cache: join(folder, "other"), bucket: undefined })).result);
    expect(String((await run([shops, paths, broken])).result)).toMatch(/out of coffee/);
    // Fewer layers: all is done, and published with the bytes that it has when built by itself.
    const fewer = await run([paths]);
    expect(fewer.seen).toEqual({ begun: ["publish"], skipped: [...READING, "paths"] });
    expect(manifestOf(fewer.result)).toEqual(alone);
    // What was not published yet is still there; and so is its neighbour.
    const more = await run([shops, paths]);
    expect(more.seen.skipped).toEqual([...READING, "shops", "paths"]);
  });

  it("of fewer layers serves more of them, but for the elements they did not need", async () => {
    await run([shops], { bucket: undefined });
    const { seen } = await run([shops, paths]);
    expect(seen.begun).toEqual([...READING, "paths", "publish"]);
    expect(seen.skipped).toEqual(["shops"]);
    expect(await workFolders()).toEqual([]);
  });

  it("of a layer with an operator's file is done anew when that file changes, the other layers are not", async () => {
    const table = join(folder, "places.csv");
    const reading: Layer = {
      ...shops,
      name: "reading",
      files: ["places"],
      build: async (input, out) => {
        await out.write("reading/file", Buffer.from(input.files.places ?? ""));
      },
    };
    writeFileSync(table, "a");
    const files = { addresses: [], places: table };
    await run([shops, reading], { bucket: undefined, files });
    writeFileSync(table, "b");
    const { seen } = await run([shops, reading], { files });
    expect(seen.begun).toEqual(["reading", "publish"]);
  });

  it("is spoken of when it belongs to other files, with its size", async () => {
    await run([shops], { bucket: undefined });
    const said: string[] = [];
    const other = join(folder, "other.osm.pbf");
    await writePbf(other, [{ type: "node", id: 7, latitude: 2, longitude: 2, tags: { shop: "tea" } }]);
    await run([shops], { extracts: [other], reporter: { ...silent, say: (line) => void said.push(line) } });
    expect(said[0]).toMatch(/work holds [\d.]+ k?B of other imports that did not publish/);
  });

  it("tells how much the work folder held", async () => {
    const { result } = await run([shops]);
    expect((result as Awaited<ReturnType<typeof importGeodata>>).workFolder).toEqual({
      largest: expect.any(Number),
      left: 0,
    });
    expect((result as Awaited<ReturnType<typeof importGeodata>>).workFolder.largest).toBeGreaterThan(300);
  });
});
