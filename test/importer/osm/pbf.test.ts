import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ProtobufWriter } from "../../../src/core/geo/bytes/protobuf.ts";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { BlobFile, unpackBlob } from "../../../src/importer/osm/pbf/blob-file.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import type { Selection } from "../../../src/importer/osm/pbf/selection.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";
import { packLz4 } from "../odd/odd-bytes.ts";
import { shell } from "./pbf-of.ts";
import { selects } from "./selects.ts";

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pbf-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Every kind of element, with the values that break careless decoders: large ids, negative degrees, empty tags, emoji. */
const sample: OsmElement[] = [
  { type: "node", id: 1, latitude: 49, longitude: -123.1234567, tags: {} },
  { type: "node", id: 2, latitude: -89.9999999, longitude: 179.9999999, tags: { amenity: "cafe", name: "Café 🗺️" } },
  { type: "node", id: 12_345_678_901, latitude: 0, longitude: 0, tags: { amenity: "bar", name: "" } },
  { type: "way", id: 7, refs: [1, 2, 12_345_678_901, 1], tags: { highway: "residential", name: "Zeder-Straße" } },
  { type: "way", id: 8, refs: [], tags: {} },
  { type: "way", id: 9_000_000_000, refs: [2, 1], tags: { building: "yes" } },
  {
    type: "relation",
    id: 3,
    members: [
      { type: "way", ref: 9_000_000_000, role: "outer" },
      { type: "node", ref: 2, role: "" },
      { type: "relation", ref: 1, role: "subarea" },
    ],
    tags: { type: "multipolygon" },
  },
];

async function readAll(path: string, select?: Selection, workers?: number): Promise<OsmElement[]> {
  const elements: OsmElement[] = [];
  const keep = (element: OsmElement) => void elements.push(element);
  await scanPbf(path, { node: keep, way: keep, relation: keep }, { select, workers });
  return elements;
}

function many(count: number): OsmElement[] {
  return Array.from(
    { length: count },
    (_, i): OsmElement => ({
      type: "node",
      id: i * 3 + 1,
      latitude: Math.round(((i * 7919) % 1700000) - 850000) / 1e4,
      longitude: Math.round(((i * 104729) % 3600000) - 1800000) / 1e4,
      tags: i % 10 === 0 ? { highway: i % 20 === 0 ? "crossing" : "stop" } : {},
    }),
  );
}

async function refusal(path: string): Promise<string> {
  const error = await readAll(path).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ImportError);
  return (error as ImportError).message;
}

describe("an .osm.pbf file", () => {
  it("comes back as it was written, element by element", async () => {
    const path = join(folder, "sample.osm.pbf");
    await writePbf(path, sample, { bounds: [-124, 48, -123, 50] });
    expect(await readAll(path)).toEqual(sample);
    expect(await readAll(path, undefined, 0)).toEqual(sample);
  });

  it("carries its box in the header", async () => {
    const path = join(folder, "box.osm.pbf");
    await writePbf(path, sample, { bounds: [-124.5, 48.25, -123, 50], writingProgram: "a test" });
    expect(await scanPbf(path, {})).toEqual({
      bounds: [-124.5, 48.25, -123, 50],
      writingProgram: "a test",
      sorted: true,
    });
  });

  it("has the same bytes when it holds the same elements", async () => {
    const [a, b] = [join(folder, "a.osm.pbf"), join(folder, "b.osm.pbf")];
    await writePbf(a, sample);
    await writePbf(b, sample);
    expect(await readFile(a)).toEqual(await readFile(b));
  });

  it("keeps its order over many blocks", async () => {
    const path = join(folder, "many.osm.pbf");
    const nodes = many(50_000);
    await writePbf(path, nodes);
    expect(await readAll(path)).toEqual(nodes);
  });

  it("is written sorted or not at all", async () => {
    const path = join(folder, "unsorted.osm.pbf");
    await expect(writePbf(path, [sample[1], sample[0]])).rejects.toThrow("node 1 comes after node 2");
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.part`)).toBe(false);
  });
});

describe("a selection by tags", () => {
  it.each<[string, Selection]>([
    ["a key", { nodes: ["highway"] }],
    ["a pair", { nodes: ["highway=stop"] }],
    ["a pair of a key that is wanted whole", { nodes: ["highway=stop", "highway"] }],
    ["a key nobody has", { nodes: ["railway", "highway=no_such_value"] }],
    ["nothing", { nodes: [] }],
  ])("hands over what a look at the tags finds: %s", async (_, select) => {
    const path = join(folder, "select.osm.pbf");
    const nodes = many(20_000);
    await writePbf(path, nodes);
    const expected = nodes.filter((node) => selects(select.nodes, node.tags));
    expect(await readAll(path, { ways: [], relations: [], ...select })).toEqual(expected);
  });

  it("works on every kind of element", async () => {
    const path = join(folder, "kinds.osm.pbf");
    await writePbf(path, sample);
    const select: Selection = { nodes: ["amenity=bar"], ways: ["building"], relations: ["type=multipolygon"] };
    expect((await readAll(path, select)).map(({ id }) => id)).toEqual([12_345_678_901, 9_000_000_000, 3]);
  });
});

describe("a file that cannot be imported", () => {
  it("says that it is not there", async () => {
    expect(await refusal(join(folder, "absent.osm.pbf"))).toMatch(/there is no such file/);
  });

  it.each([
    ["a web page", Buffer.from("<!DOCTYPE html><html><body>Not found</body></html>")],
    ["nothing", Buffer.alloc(0)],
    ["three bytes", Buffer.from([0, 0, 0])],
    ["a zip archive", Buffer.from("504b0304140000000800", "hex")],
    ["zeros", Buffer.alloc(5000)],
  ])("says that it is no PBF when it holds %s", async (_, bytes) => {
    const path = join(folder, "other.osm.pbf");
    await writeFile(path, bytes);
    expect(await refusal(path)).toMatch(/not an OpenStreetMap PBF file/);
  });

  it("says that it is cut off, wherever the cut is", async () => {
    const whole = join(folder, "whole.osm.pbf");
    await writePbf(whole, many(20_000));
    const bytes = await readFile(whole);
    const path = join(folder, "cut.osm.pbf");
    const file = await BlobFile.open(whole);
    const { blobs } = file;
    await file.close();
    for (const length of [blobs[1].offset - 1, blobs[1].offset + 5, blobs[1].offset - 12, bytes.length - 1]) {
      await writeFile(path, bytes.subarray(0, length));
      expect(await refusal(path)).toMatch(/is cut off/);
    }
  });

  it("says that it is damaged, whatever byte is wrong, or still yields elements", async () => {
    const whole = join(folder, "sound.osm.pbf");
    await writePbf(whole, many(500));
    const bytes = await readFile(whole);
    const path = join(folder, "damaged.osm.pbf");
    let refused = 0;
    for (let at = 0; at < bytes.length; at += 7) {
      const broken = Buffer.from(bytes);
      broken[at] ^= 0xff;
      await writeFile(path, broken);
      const error = await readAll(path, undefined, 0).catch((caught: unknown) => caught);
      if (Array.isArray(error)) continue;
      expect(error).toBeInstanceOf(ImportError);
      refused++;
    }
    expect(refused).toBeGreaterThan(20);
  });

  it("names the feature it would need", async () => {
    const path = join(folder, "history.osm.pbf");
    const header = new ProtobufWriter();
    header.textField(4, "OsmSchema-V0.6");
    header.textField(4, "HistoricalInformation");
    await writeFile(path, shell("OSMHeader", 1, header.finish()));
    expect(await refusal(path)).toMatch(/"HistoricalInformation".*history file/);
  });

  it("names the compression it does not know", async () => {
    const path = join(folder, "lzma.osm.pbf");
    await writePbf(path, sample.slice(0, 1));
    await writeFile(path, Buffer.concat([await readFile(path), shell("OSMData", 4, Buffer.from("?"))]));
    expect(await refusal(path)).toMatch(/lzma.*osmium cat/);
  });
});

describe("a blob", () => {
  it("may be raw or packed with zstd or LZ4", () => {
    const content = Buffer.from("content of a block");
    const raw = new ProtobufWriter();
    raw.bytesField(1, content);
    expect(Buffer.from(unpackBlob(raw.finish(), "x"))).toEqual(content);
    const zstd = new ProtobufWriter();
    zstd.varintField(2, content.length);
    zstd.bytesField(7, zstdCompressSync(content));
    expect(Buffer.from(unpackBlob(zstd.finish(), "x"))).toEqual(content);
    const lz4 = new ProtobufWriter();
    lz4.varintField(2, content.length);
    lz4.bytesField(6, packLz4(content));
    expect(Buffer.from(unpackBlob(lz4.finish(), "x"))).toEqual(content);
  });
});
