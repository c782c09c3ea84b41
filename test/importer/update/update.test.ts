import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quiet } from "../../../src/importer/common/progress.ts";
import { BlobFile } from "../../../src/importer/osm/pbf/blob-file.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";
import { Changes, readChanges } from "../../../src/importer/update/changes.ts";
import { mergeExtract } from "../../../src/importer/update/merge-extract.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "update-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const node = (id: number, latitude: number, longitude: number, tags = {}): OsmElement => ({
  type: "node",
  id,
  latitude,
  longitude,
  tags,
});
const way = (id: number, refs: number[], tags = {}): OsmElement => ({ type: "way", id, refs, tags });
const relation = (id: number, ref: number): OsmElement => ({
  type: "relation",
  id,
  members: [{ type: "way", ref, role: "outer" }],
  tags: { type: "multipolygon" },
});

/**
 *     3 ─── 4         a square of one degree: the way 10 along its south and east,
 *           │         the relation 20 with that way
 *     1 ─── 2
 */
const TOWN: OsmElement[] = [
  node(1, 0.1, 0.1, { amenity: "cafe" }),
  node(2, 0.1, 0.9),
  node(3, 0.9, 0.1),
  node(4, 0.9, 0.9),
  way(10, [1, 2, 4], { highway: "residential" }),
  relation(20, 10),
];
const BOUNDS = [0, 0, 1, 1] as const;

async function town(name: string, more: { timestamp?: number; elements?: OsmElement[] } = {}): Promise<string> {
  const path = join(folder, `${name}.osm.pbf`);
  const { elements = TOWN, timestamp } = more;
  await writePbf(path, elements, { bounds: BOUNDS, ...(timestamp && { timestamp }) });
  return path;
}

const osc = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<osmChange version="0.6" generator="x">${body}</osmChange>\n`;

let files = 0;
async function changesOf(...bodies: string[]): Promise<Changes> {
  const changes = new Changes();
  for (const body of bodies) {
    const path = join(folder, `${++files}.osc`);
    await writeFile(path, osc(body));
    await readChanges(path, changes);
  }
  return changes;
}

async function elementsOf(path: string): Promise<OsmElement[]> {
  const all: OsmElement[] = [];
  const take = (element: OsmElement) => void all.push(element);
  await scanPbf(path, { node: take, way: take, relation: take }, { workers: 0 });
  return all;
}

async function merge(from: string, changes: Changes) {
  const to = join(folder, `merged-${++files}.osm.pbf`);
  const counts = await mergeExtract(from, to, changes, { timestamp: 1_800_000_000, sequence: 77 }, quiet);
  return { to, counts, elements: await elementsOf(to) };
}

describe("changes of OpenStreetMap", () => {
  it("create, modify and delete elements of an extract, which stays sorted", async () => {
    const { elements, counts, to } = await merge(
      await town("plain"),
      await changesOf(`
        <create><node id="5" version="1" lat="0.5" lon="0.5"/><way id="9" version="1"><nd ref="3"/><nd ref="5"/><tag k="highway" v="path"/></way></create>
        <modify><node id="1" version="2" lat="0.2" lon="0.1"><tag k="amenity" v="bar"/><tag k="name" v="Müller &amp; Söhne"/></node></modify>
        <delete><relation id="20" version="3"/></delete>`),
    );
    expect(elements).toEqual([
      node(1, 0.2, 0.1, { amenity: "bar", name: "Müller & Söhne" }),
      ...[TOWN[1], TOWN[2], TOWN[3]],
      node(5, 0.5, 0.5),
      way(9, [3, 5], { highway: "path" }),
      TOWN[4],
    ]);
    expect(counts).toEqual({ created: 2, modified: 1, deleted: 1, known: 0, elsewhere: 0 });
    const file = await BlobFile.open(to);
    await file.close();
    expect(file.header).toMatchObject({ bounds: [0, 0, 1, 1], timestamp: 1_800_000_000, sequence: 77, sorted: true });
  });

  it("count by version, whatever order the files come in, and are not applied twice", async () => {
    const newer = `<modify><node id="1" version="4" lat="0.4" lon="0.1"/></modify>`;
    const older = `<modify><node id="1" version="3" lat="0.3" lon="0.1"/></modify>`;
    const first = await merge(await town("versions"), await changesOf(newer, older));
    expect(first.elements[0]).toEqual(node(1, 0.4, 0.1));
    const again = await merge(first.to, await changesOf(older, newer));
    expect(again.counts).toMatchObject({ modified: 0, known: 1 });
    expect(again.elements).toEqual(first.elements);
  });

  it("of the whole planet leave out what lies elsewhere, but not the far nodes of a way that begins here", async () => {
    const { elements, counts } = await merge(
      await town("planet"),
      await changesOf(`<create>
        <node id="50" version="1" lat="50" lon="50"/><node id="51" version="1" lat="50" lon="51"/><node id="52" version="1" lat="1.1" lon="1.1"/>
        <way id="60" version="1"><nd ref="50"/><nd ref="51"/></way><way id="61" version="1"><nd ref="4"/><nd ref="52"/></way>
        <relation id="70" version="1"><member type="way" ref="60" role=""/></relation><relation id="71" version="1"><member type="way" ref="61" role=""/></relation>
        </create><delete><node id="99" version="2"/></delete>`),
    );
    expect(elements.map(({ id }) => id)).toEqual([1, 2, 3, 4, 52, 10, 61, 20, 71]);
    expect(counts).toMatchObject({ created: 3, elsewhere: 5 });
  });

  it("that are older than the extract do not bring back what was deleted before", async () => {
    const late = await town("late", { timestamp: Date.parse("2026-11-20T00:00:00Z") / 1000 });
    const create = (timestamp: string) =>
      changesOf(`<create><node id="7" version="1" timestamp="${timestamp}" lat="0.5" lon="0.5"/></create>`);
    expect((await merge(late, await create("2026-11-18T00:00:00Z"))).counts).toMatchObject({ created: 0, known: 1 });
    expect((await merge(late, await create("2026-11-21T00:00:00Z"))).counts).toMatchObject({ created: 1 });
  });

  it("leave blobs without a change as they are, and give the same bytes each time", async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => node(i * 2 + 1, 0.5, (i % 1000) / 1001));
    const path = await town("large", { elements: [...many, way(1, [1, 3])] });
    const before = await BlobFile.open(path);
    const { to } = await merge(
      path,
      await changesOf(
        `<create><node id="4" version="1" lat="0.5" lon="0.25"/><node id="99999" version="1" lat="0.5" lon="0.25"/></create>`,
      ),
    );
    const after = await BlobFile.open(to);
    expect(after.blobs.length).toBe(before.blobs.length + 1);
    for (const i of [1, 2, 3]) {
      expect(await after.readBlob(after.blobs[i])).toEqual(await before.readBlob(before.blobs[i]));
    }
    const ids = (await elementsOf(to)).map(({ type, id }) => `${type}${id}`);
    expect([ids.length, ids[1], ids[2], ids.at(-2)]).toEqual([30_003, "node3", "node4", "node99999"]);
    await before.close();
    await after.close();
  });

  it("may be packed with gzip", async () => {
    const path = join(folder, "packed.osc.gz");
    await writeFile(path, gzipSync(osc(`<delete><node id="1" version="2"/></delete>`)));
    const changes = new Changes();
    await readChanges(path, changes);
    expect([...changes.node]).toEqual([[1, { version: 2, time: undefined, element: undefined }]]);
  });

  it.each([
    [
      "cut off",
      osc("<modify><node id='1' lat='0' lon='0'/></modify>").slice(0, 90),
      /is not a complete file of .*cut off/,
    ],
    ["of another kind", "<osm><node id='1'/></osm>", /begins with <osm>/],
    ["no XML", "Not found", /is not a complete file of OpenStreetMap changes/],
    ["empty", "", /is empty/],
    ["with a node that is nowhere", osc("<create><node id='1' lat='x' lon='0'/></create>"), /position "x", "0"/],
    ["with an id that is none", osc("<create><way id='-1'></way></create>"), /the id "-1"/],
    ["with an element outside of an action", osc("<node id='1' lat='0' lon='0'/>"), /outside of create/],
    ["with an entity of its own", osc("<create><way id='1'><tag k='&x;' v=''/></way></create>"), /entity/i],
    ["a damaged archive", gzipSync(osc("<delete><node id='1'/></delete>")).subarray(0, 60), /damaged or cut off/],
  ])("are refused when the file is %s", async (name, content, sentence) => {
    const path = join(folder, `${name.replaceAll(" ", "-")}.osc`);
    await writeFile(path, content);
    await expect(readChanges(path, new Changes())).rejects.toThrow(sentence);
  });
});
