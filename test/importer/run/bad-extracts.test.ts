import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProtobufWriter } from "../../../src/core/geo/bytes/protobuf.ts";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { StepFolder } from "../../../src/importer/frame/stores/step-folder.ts";
import { BlobFile } from "../../../src/importer/osm/pbf/blob-file.ts";
import type { OsmElement, OsmNode } from "../../../src/importer/osm/pbf/element.ts";
import { areaOf, readExtracts } from "../../../src/importer/osm/read/read-extracts.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { type HeaderOf, pbfOf, shell } from "../osm/pbf-of.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bad-"));
});
afterAll(() => rm(folder, { recursive: true }));

const READS = { nodes: ["amenity"], ways: ["highway"], relations: ["type=multipolygon"] };

const nodes = Array.from(
  { length: 100 },
  (_, i): OsmNode => ({ type: "node", id: i + 1, latitude: 49 + i / 1000, longitude: 8 + i / 1000, tags: {} }),
);
const street: OsmElement = { type: "way", id: 7, refs: [1, 2, 3], tags: { highway: "residential" } };
const town: OsmElement[][] = [nodes.slice(0, 50), nodes.slice(50), [street]];

/** Reads the file with so many threads; where the data blobs lie in it, if it can be opened. */
async function read(bytes: Uint8Array, threads = 0) {
  const path = join(folder, "town.osm.pbf");
  await writeFile(path, bytes);
  await rm(join(folder, "work"), { recursive: true, force: true });
  const work = await StepFolder.open(join(folder, "work"), silent);
  try {
    return await readExtracts([path], READS, work, { memory: 1, threads, threadsFrom: 0 });
  } finally {
  }
}

async function refusal(bytes: Uint8Array, threads = 0): Promise<string> {
  const error = await read(bytes, threads).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ImportError);
  return (error as ImportError).message;
}

async function blobsOf(bytes: Uint8Array) {
  const path = join(folder, "whole.osm.pbf");
  await writeFile(path, bytes);
  const file = await BlobFile.open(path);
  await file.close();
  return file.blobs;
}

const notesOn = async (blobs: OsmElement[][], header: HeaderOf = {}) => (await read(pbfOf(blobs, header))).notes;

describe("a file that is not what it should be is refused with its name and the byte", () => {
  it("when it is cut off", async () => {
    const whole = pbfOf(town);
    expect(await refusal(whole.subarray(0, whole.length - 20))).toBe(
      `town.osm.pbf ends early, after ${whole.length - 20} bytes: it is cut off. Download it again.`,
    );
  });

  it.each([0, 2])("when a blob is damaged, with %i threads", async (threads) => {
    const bytes = pbfOf(town);
    const { offset } = (await blobsOf(bytes))[1];
    // The length of the group becomes larger than the block.
    bytes[offset + 12] = 0xff;
    expect(await refusal(bytes, threads)).toMatch(
      new RegExp(`^town\\.osm\\.pbf is damaged near byte ${offset}.*Download it again\\.$`),
    );
  });

  it("when its compressed bytes are not what was compressed", async () => {
    const broken = Buffer.concat([pbfOf(town), shell("OSMData", 3, Buffer.from("no zlib at all"))]);
    const { offset } = (await blobsOf(broken))[3];
    expect(await refusal(broken)).toMatch(new RegExp(`^town\\.osm\\.pbf is damaged near byte ${offset} \\(.+\\)`));
  });

  it("when a blob is larger than the format's 32 MiB", async () => {
    const before = pbfOf(town);
    const bytes = Buffer.concat([before, shell("OSMData", 1, Buffer.alloc(33 * 1024 * 1024))]);
    expect(await refusal(bytes)).toMatch(
      new RegExp(
        `^town\\.osm\\.pbf holds a blob \\(346\\d+ bytes\\) at byte ${before.length} that is larger than the 32 MiB`,
      ),
    );
  });

  it("when a blob is larger than 32 MiB once it is unpacked", async () => {
    const { deflateSync } = await import("node:zlib");
    const before = pbfOf(town);
    const bytes = Buffer.concat([before, shell("OSMData", 3, deflateSync(Buffer.alloc(33 * 1024 * 1024)))]);
    expect(await refusal(bytes)).toMatch(
      /^town\.osm\.pbf holds a blob \(unpacked\) at byte \d+ that is larger than the 32 MiB/,
    );
  });

  it.each([0, 1])("when a node has an id that OpenStreetMap does not use, with %i threads", async (threads) => {
    const bytes = pbfOf([nodes.slice(0, 50), [{ ...nodes[50], id: -4 }], [street]]);
    const { offset } = (await blobsOf(bytes))[1];
    expect(await refusal(bytes, threads)).toBe(
      `town.osm.pbf, blob at byte ${offset}: node. The id -4 is outside what OpenStreetMap uses. Renumber the file (osmium renumber) and import that.`,
    );
  });

  it.each<[string, OsmElement]>([
    ["way names a node", { ...street, refs: [1, 2 ** 36] } as OsmElement],
    [
      "relation names a member",
      {
        type: "relation",
        id: 5,
        members: [{ type: "way", ref: 2 ** 36, role: "" }],
        tags: { type: "multipolygon" },
      },
    ],
  ])("when a %s with such an id", async (_, element) => {
    const bytes = pbfOf([nodes, [element]]);
    const { offset } = (await blobsOf(bytes))[1];
    expect(await refusal(bytes)).toMatch(
      new RegExp(`^town\\.osm\\.pbf, blob at byte ${offset}: (node|relation)\\. The id 68719476736 is outside`),
    );
  });

  it("and can be read when it is mended: nothing of the failed attempt is in the way", async () => {
    const bytes = pbfOf(town);
    const path = join(folder, "mended.osm.pbf");
    const { offset } = (await blobsOf(bytes))[2];
    const broken = Buffer.from(bytes);
    broken.fill(0xff, offset + 5, offset + 9);
    const attempt = async (content: Uint8Array) => {
      await writeFile(path, content);
      const work = await StepFolder.open(join(folder, "mended"), silent);
      try {
        return await readExtracts([path], READS, work, { memory: 1, threads: 0 });
      } finally {
      }
    };
    await expect(attempt(broken)).rejects.toThrow(ImportError);
    const store = await attempt(bytes);
    expect(store.counts).toEqual({ nodes: 100, ways: 1, relations: 0 });
  });
});

describe("an extract that is odd is read, and a note says what was made of it", () => {
  it("when it lacks nodes that its ways name", async () => {
    const far: OsmElement = { type: "way", id: 9, refs: [99, 1000, 1001], tags: { highway: "path" } };
    expect(await notesOn([nodes, [street, far]])).toEqual([
      "2 of the 6 nodes that ways name are not in the extracts: lines end or are cut short there.",
    ]);
  });

  it("when its header's box lies elsewhere", async () => {
    expect(await notesOn(town, { bounds: [-74, 40, -73, 41] })).toEqual([
      "The header of town.osm.pbf (byte 0) says it covers [-74, 40, -73, 41], but its nodes lie elsewhere; it is taken to cover [8, 49, 8.099, 49.099].",
    ]);
  });

  it("when its header's box is half the Earth", async () => {
    const store = await read(pbfOf(town, { bounds: [-180, -90, 180, 90] }));
    expect(store.extracts[0].bounds).toEqual([8, 49, 8.099, 49.099]);
    expect(store.notes).toEqual([
      "The header of town.osm.pbf (byte 0) says it covers [-180, -90, 180, 90], but its nodes fill [8, 49, 8.099, 49.099] only; it is taken to cover that.",
    ]);
  });

  it("when it is not sorted", async () => {
    expect(await notesOn([nodes.slice(50), nodes.slice(0, 50), [street]])).toEqual([
      "town.osm.pbf is not sorted by kind and id, so reading it takes longer (osmium sort would help).",
    ]);
    expect(await notesOn([nodes, [street], [{ ...nodes[0], id: 500 }]])).toHaveLength(1);
  });

  it("but not when all is well", async () => {
    expect(await notesOn(town, { bounds: [7.9, 48.9, 8.1, 49.05] })).toEqual([]);
    expect((await read(pbfOf([]))).extracts[0].bounds).toEqual([0, 0, 0, 0]);
  });

  it("a box across the 180th meridian is believed", () => {
    expect(areaOf("fiji", [177, -20, -178, -15], [-180, -20, 180, -15])).toEqual({ bounds: [177, -20, -178, -15] });
  });
});

describe("a header without sense", () => {
  it("is no reason to fail: the file is read", async () => {
    const header = new ProtobufWriter();
    header.textField(4, "OsmSchema-V0.6");
    const bytes = Buffer.concat([shell("OSMHeader", 1, header.finish()), pbfOf(town).subarray(pbfOf([]).length)]);
    expect((await read(bytes)).counts.nodes).toBe(100);
  });
});
