import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Manifest } from "../../../src/core/geo/builds/manifest.ts";
import { unseal } from "../../../src/core/geo/builds/sealed.ts";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import type { OsmElement, OsmNode, OsmRelation, OsmWay } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { READING } from "../../../src/importer/osm/read/read-extracts.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { liveId, readLiveList } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { type Reporter, silent } from "../../../src/importer/report/reporter.ts";
import { type ImportOptions, importGeodata } from "../../../src/importer/run/import.ts";
import { samples } from "../../support/night.ts";
import { census } from "./census-layer.ts";

// Processes and real files: minutes on a machine that is busy with other things, seconds else.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let bucket: Bucket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterEach(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

const node = (id: number, longitude: number, latitude: number, tags = {}): OsmNode => ({
  type: "node",
  id,
  latitude,
  longitude,
  tags,
});
const way = (id: number, refs: number[], tags: Record<string, string>): OsmWay => ({ type: "way", id, refs, tags });
const area = (id: number, ways: number[], tags = {}): OsmRelation => ({
  type: "relation",
  id,
  members: ways.map((ref) => ({ type: "way", ref, role: "outer" })),
  tags: { type: "multipolygon", ...tags },
});

//  4───3        cafe 9 inside; way 20 bounds the square with way 21, neither wanted by a tag
//  │ 9 │──5     highway 22 leads from 3 to 5
//  1───2        relation 31 lacks a way, relation 32 a node
const town: OsmElement[] = [
  node(1, 0, 0),
  node(2, 1, 0),
  node(3, 1, 1),
  node(4, 0, 1),
  node(5, 2, 0.5),
  node(9, 0.5, 0.5, { amenity: "cafe", name: "Corner" }),
  way(20, [1, 2, 3], { natural: "coastline" }),
  way(21, [3, 4, 1], {}),
  way(22, [3, 5, 777], { highway: "residential" }),
  way(23, [1, 2, 778, 1], {}),
  area(30, [20, 21], { landuse: "forest" }),
  area(31, [20, 999], {}),
  area(32, [23], {}),
];

async function extract(
  name: string,
  elements: OsmElement[],
  bounds?: [number, number, number, number],
): Promise<string> {
  const path = join(folder, `${name}.osm.pbf`);
  await writePbf(path, elements, { bounds });
  return path;
}

function run(extracts: string[], options: Partial<ImportOptions> = {}): ReturnType<typeof importGeodata> {
  return importGeodata({
    name: "town",
    extracts,
    files: { addresses: [] },
    layers: [census],
    cache: join(folder, "cache"),
    bucket,
    reporter: silent,
    ...options,
  });
}

async function published(manifest: Manifest, kind: string): Promise<Record<string, unknown>[]> {
  const stored = await bucket.get(`builds/${manifest.id}/census/${kind}.json`);
  return JSON.parse(Buffer.from(unseal(stored?.bytes ?? new Uint8Array()) ?? []).toString());
}

async function everything(): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const key of (await bucket.list("")).keys()) {
    const stored = await bucket.get(key);
    all.set(key, Buffer.from(stored?.bytes ?? []).toString("base64"));
  }
  // Says since when a build is live; the builds themselves are compared.
  all.delete("live.json");
  return all;
}

describe("an import", () => {
  it("with nearly nothing of what is live replaces it only with force, and is then continued", async () => {
    const roads = Array.from({ length: 120 }, (_, i) => way(100 + i, [1, 2], { highway: "residential" }));
    const { manifest } = await run([await extract("big", [...town.slice(0, 4), ...roads])], { keepsContent: true });
    const small = [await extract("small", [...town.slice(0, 4), roads[0]])];
    await expect(run(small, { keepsContent: true })).rejects.toThrow(
      /nearly nothing of what is live as town: census 1/,
    );
    expect(await liveId(bucket, "town")).toBe(manifest.id);
    await run(small, { keepsContent: true, name: "other" });
    const forced = await run(small, { keepsContent: true, force: true });
    expect(await liveId(bucket, "town")).toBe(forced.manifest.id);
  });

  it("gives layers what they asked for, with places, lines and areas", async () => {
    const { manifest } = await run([await extract("town", town)]);
    expect(await published(manifest, "nodes")).toMatchObject([{ id: 9, tags: { name: "Corner" } }]);
    expect(await published(manifest, "ways")).toEqual([
      {
        ...town[8],
        line: [
          [1, 1],
          [2, 0.5],
        ],
        whole: false,
      },
    ]);
    const relations = await published(manifest, "relations");
    expect(relations.map(({ id, area }) => [id, Array.isArray(area)])).toEqual([
      [30, true],
      [31, false],
      [32, false],
    ]);
    const [polygon] = relations[0].area as { outer: number[][] }[];
    expect(polygon.outer).toHaveLength(5);
  });

  it("says in the manifest what is in the build", async () => {
    const { manifest, elements } = await run([await extract("town", town, [0, 0, 1.5, 1])]);
    expect(elements).toEqual({ nodes: 6, ways: 4, relations: 3 });
    expect(manifest).toMatchObject({
      version: 1,
      name: "town",
      bounds: [0, 0, 1.5, 1],
      inputs: [{ name: "town.osm.pbf", bounds: [0, 0, 1.5, 1] }],
      sources: [
        { name: "Census", licence: "CC0-1.0" },
        { name: "OpenStreetMap", licence: "ODbL-1.0", attribution: "© OpenStreetMap contributors" },
      ],
      layers: {
        census: {
          formatVersion: 3,
          objects: 3,
          counts: {
            areas: 1,
            "no areas": 2,
            ways: 1,
            "nodes missing from lines": 1,
            "relations cut by the extract's edge": 2,
          },
        },
      },
    });
    const { list } = await readLiveList(bucket);
    expect(list.builds).toMatchObject([
      { name: "town", id: manifest.id, areas: [[0, 0, 1.5, 1]], layers: { census: 3 } },
    ]);
  });

  it("makes the same bytes from the same input", async () => {
    const path = await extract("town", town);
    const first = await run([path]);
    const before = await everything();
    await bucket.delete([...before.keys(), "live.json"]);
    const second = await run([path], { cache: join(folder, "elsewhere") });
    expect(second.manifest).toEqual(first.manifest);
    const after = await everything();
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(after).toEqual(before);
  });

  it("leaves nothing behind in its cache folder", async () => {
    await run([await extract("town", town)]);
    expect(await readdir(join(folder, "cache/work"))).toEqual([]);
  });

  it("merges extracts: what stands in both comes once, as the later one has it", async () => {
    const west = [
      node(1, 0, 0),
      node(3, 1, 1),
      node(9, 5, 5, { amenity: "bar" }),
      way(40, [1, 3], { highway: "path" }),
    ];
    const east = [
      node(1, 0, 0),
      node(2, 1, 0),
      node(9, 6, 6, { amenity: "pub" }),
      way(39, [1, 2], { highway: "track" }),
      way(40, [1, 2], { highway: "path" }),
    ];
    const { manifest } = await run([await extract("west", west), await extract("east", east)]);
    expect(await published(manifest, "nodes")).toMatchObject([{ id: 9, longitude: 6, tags: { amenity: "pub" } }]);
    expect((await published(manifest, "ways")).map(({ id, refs }) => [id, refs])).toEqual([
      [39, [1, 2]],
      [40, [1, 2]],
    ]);
    expect(manifest.inputs).toHaveLength(2);
  });

  it("with nothing that a layer wants is a build all the same", async () => {
    const { manifest } = await run([await extract("sea", [node(1, 0, 0)])]);
    expect(manifest.layers.census.objects).toBe(3);
    expect(await published(manifest, "nodes")).toEqual([]);
  });

  it("publishes nothing in a dry run, and says how large it would be", async () => {
    const path = await extract("town", town);
    const { manifest, published: live } = await run([path], { bucket: undefined });
    expect(live).toBe(false);
    expect(manifest.layers.census.bytes).toBeGreaterThan(500);
    expect((await bucket.list("")).size).toBe(0);
    expect((await run([path])).manifest.id).toBe(manifest.id);
  });
});

describe("a file that is not sorted", () => {
  it("gives what the sorted one gives", async () => {
    const ids = Array.from({ length: 12_000 }, (_, i) => i + 1);
    const nodes = ids.map((id) =>
      node(id, (id % 180) / 100, (id % 90) / 100, id % 7 === 0 ? { amenity: "bench" } : {}),
    );
    const ways = ids.slice(0, 8_000).map((id) => way(id, [id, id + 5], { highway: "path", note: String(id) }));
    const sorted = await extract("sorted", [...nodes, ...ways]);
    // Ways first, and the second half of each kind before the first.
    const parts = await Promise.all(
      [ways.slice(4_000), nodes.slice(6_000), ways.slice(0, 4_000), nodes.slice(0, 6_000)].map((part, i) =>
        extract(`part${i}`, part),
      ),
    );
    const unsorted = join(folder, "unsorted.osm.pbf");
    const [first, ...rest] = await Promise.all(parts.map((path) => readFile(path)));
    // Each part begins with the same header; the chain of blobs behind it can be joined.
    const header = first.readUInt32BE(0) + 4 + first[4 + first.readUInt32BE(0) - 1];
    await writeFile(unsorted, Buffer.concat([first, ...rest.map((bytes) => bytes.subarray(header))]));

    const expected = await run([sorted]);
    const found = await run([unsorted]);
    for (const kind of ["nodes", "ways"]) {
      expect(await published(found.manifest, kind)).toEqual(await published(expected.manifest, kind));
    }
    expect(found.manifest.layers.census.counts).toEqual({ ways: 8_000 });
  });
});

describe("an import that fails", () => {
  it.each([
    ["cut off", (path: string) => truncate(path, 150), /cut off/],
    ["no PBF", (path: string) => writeFile(path, "not a map"), /not an OpenStreetMap PBF/],
  ])("because the file is %s leaves the live build as it was", async (_, spoil, sentence) => {
    const path = await extract("town", town);
    await run([path]);
    const before = await everything();
    await spoil(path);
    const error = await run([path]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(sentence);
    expect(await everything()).toEqual(before);
  });

  it("in a layer leaves the live build as it was, and goes on from there the next time", async () => {
    const path = await extract("town", town);
    await run([path]);
    const before = await everything();
    let broken = true;
    const phases: string[] = [];
    const reporter: Reporter = { ...silent, skipped: (phase) => void phases.push(phase) };
    const fragile: Layer = {
      ...census,
      name: "fragile",
      async build(_, out) {
        await out.write("fragile/a", Buffer.from("a"));
        if (broken) throw new Error("out of coffee");
      },
    };
    const layers = [census, fragile];
    await expect(run([path], { layers, reporter })).rejects.toThrow("out of coffee");
    expect(await everything()).toEqual(before);

    broken = false;
    const { manifest } = await run([path], { layers, reporter });
    expect(phases).toEqual(["relations", "ways", "nodes", "lines", "outlines", "census"]);
    expect(Object.keys(manifest.layers)).toEqual(["census", "fragile"]);
    expect((await readLiveList(bucket)).list.builds[0].id).toBe(manifest.id);
  });

  it("because an operator's file is not there says which", async () => {
    const files = { addresses: [], places: join(folder, "absent.csv") };
    await expect(run([await extract("town", town)], { files })).rejects.toThrow(
      /Cannot read .*absent.csv: there is no/,
    );
  });

  it("because no layer reads an operator's file says so, at once where the layers tell, else before it publishes", async () => {
    const path = await extract("town", town);
    const files = { addresses: [path], dma: path };
    const telling: Layer = { ...census, files: ["dma"] };
    await expect(run([path], { files, layers: [telling] })).rejects.toThrow(/reads OpenAddresses files/);
    const asking: Layer = {
      ...census,
      async build(input, out) {
        await out.write("census/dma", Buffer.from(input.files.dma ?? ""));
      },
    };
    await expect(run([path], { files, layers: [asking] })).rejects.toThrow(/\(census\) reads OpenAddresses files/);
    await run([path], { files: { addresses: [], dma: path }, layers: [asking] });
    expect((await readLiveList(bucket)).list.builds).toHaveLength(1);
  });

  it("refuses to run twice at the same time", async () => {
    const path = await extract("town", town);
    const { promise: atWork, resolve: begun } = Promise.withResolvers<void>();
    const { promise: refused, resolve: goOn } = Promise.withResolvers<void>();
    const slow: Layer = {
      ...census,
      build: async (input, out, progress) => {
        begun();
        await refused;
        await census.build(input, out, progress);
      },
    };
    const first = run([path], { layers: [slow] });
    await atWork;
    await expect(run([path])).rejects.toThrow(/An import named town is running already \(process \d+\)/);
    // Another file under the same name is no different; under another name it is none of its business.
    const other = await extract("other", [node(1, 1, 1, { amenity: "bench" })]);
    await expect(run([other])).rejects.toThrow(/An import named town is running already/);
    await run([other], { name: "village" });
    goOn();
    const { manifest } = await first;
    expect((await readLiveList(bucket)).list.builds.map(({ name }) => name)).toEqual(["town", "village"]);
    expect((await readLiveList(bucket)).list.builds[0].id).toBe(manifest.id);
  });

  it("because one of the same name, from another machine, was faster leaves that live and says how to change it", async () => {
    const path = await extract("town", town);
    const other = await extract("other", [node(1, 1, 1, { amenity: "bench" })]);
    let faster = "";
    const slow: Layer = {
      ...census,
      build: async (input, out, progress) => {
        faster = (await run([other], { cache: join(folder, "elsewhere") })).manifest.id;
        await census.build(input, out, progress);
      },
    };
    const failed = await run([path], { layers: [slow] }).catch((error: Error) => error.message);
    expect(failed).toMatch(new RegExp(`it is build ${faster} now.*activate [0-9a-f]{16}`));
    expect((await readLiveList(bucket)).list.builds.map(({ id }) => id)).toEqual([faster]);
    // Started again, it knows what it replaces.
    const { manifest } = await run([path]);
    expect((await readLiveList(bucket)).list.builds).toMatchObject([{ id: manifest.id, previous: [faster] }]);
  });

  it("takes over from one that was killed, also when several want to at once", async () => {
    const path = await extract("town", town);
    const work = join(folder, "cache/work");
    await mkdir(work, { recursive: true });
    // No process has this number: Linux gives none above 2²².
    await writeFile(join(work, "town.pid"), "99999999");
    const all = await Promise.allSettled([run([path]), run([path]), run([path])]);
    const refused = all.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(refused.length).toBeLessThanOrEqual(2);
    for (const reason of refused) expect(reason).toMatch(/running already/);
    expect((await readLiveList(bucket)).list.builds).toHaveLength(1);
    expect(await readdir(work)).toEqual([]);
  });

  it("because the disk is full, or the bucket read-only, says so, leaves the live build, and works when there is room", async () => {
    const { manifest } = await run([await extract("small", [node(1, 1, 1, { amenity: "bench" })])]);
    const before = await everything();
    const ids = Array.from({ length: 20_000 }, (_, i) => i + 1);
    const large = await extract(
      "large",
      ids.map((id) => node(id, (id % 180) / 10, 1, { amenity: `a${id}` })),
    );
    const script = join(import.meta.dirname, "import-process.ts");
    // No file may be larger than 200 blocks of 512 or 1024 bytes, as if the disk were full there.
    const command = `ulimit -f 200; exec "$0" "$@"`;
    const child = spawn("sh", ["-c", command, process.execPath, script, large, folder], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    expect((await once(child, "close"))[0]).not.toBe(0);
    expect(errors).toMatch(/The import could not write.*What is live did not change/);
    expect(await everything()).toEqual(before);

    const readOnly: Bucket = {
      where: "a read-only bucket",
      get: (key) => bucket.get(key),
      list: (prefix) => bucket.list(prefix),
      folders: (prefix) => bucket.folders(prefix),
      put: (key, bytes, onlyIf) => bucket.put(key, bytes, onlyIf),
      putFile: (key, range, done) => bucket.putFile(key, range, done),
      read: (key) => bucket.read(key),
      delete: (keys) => bucket.delete(keys),
      close: () => undefined,
      putMany: () => Promise.reject(Object.assign(new Error("read-only"), { code: "EROFS", path: "/blobs/1" })),
    };
    await expect(run([large], { bucket: readOnly })).rejects.toThrow(
      "The import could not write /blobs/1: the disk is read-only. What is live did not change",
    );
    expect((await readLiveList(bucket)).list.builds[0].id).toBe(manifest.id);
    expect((await run([large])).manifest.layers.census.bytes).toBeGreaterThan(200_000);
  });

  it("refuses layers that write keys of others, or a key twice", async () => {
    const path = await extract("town", town);
    const writing = (...keys: string[]): Layer => ({
      ...census,
      build: async (_, out) => {
        for (const key of keys) await out.write(key, new Uint8Array(1));
      },
    });
    await expect(run([path], { layers: [writing("roads/1")] })).rejects.toThrow(/may not write/);
    await expect(run([path], { layers: [writing("census/1", "census/1")] })).rejects.toThrow(/twice/);
  });
});

describe("an import that is killed", () => {
  it("at any moment goes on when it is started again, and ends with the same bytes", async () => {
    const ids = Array.from({ length: samples(24_000, 60_000) }, (_, i) => i + 1);
    const path = await extract("large", [
      ...ids.map((id) => node(id, (id % 1800) / 10, (id % 900) / 10, id % 3 === 0 ? { amenity: `a${id}` } : {})),
      ...ids.map((id) => way(id, [id, Math.max(1, id - 1)], { highway: `h${id % 100}` })),
    ]);
    const { manifest } = await run([path]);
    const whole = await everything();
    await bucket.delete([...whole.keys(), "live.json"]);

    const script = join(import.meta.dirname, "import-process.ts");
    for (const phase of [...READING, "census", "publish", "never"]) {
      const child = spawn(process.execPath, [script, path, folder, phase], { stdio: ["ignore", "ignore", "inherit"] });
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      expect([phase, code ?? signal]).toEqual([phase, phase === "never" ? 0 : "SIGKILL"]);
      if (phase !== "never") expect((await readLiveList(bucket)).list.builds).toEqual([]);
    }
    expect((await readLiveList(bucket)).list.builds[0].id).toBe(manifest.id);
    expect(await everything()).toEqual(whole);
  });
});
