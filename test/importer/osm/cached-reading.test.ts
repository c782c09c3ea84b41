import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quiet } from "../../../src/importer/common/progress.ts";
import { ImportedElements } from "../../../src/importer/frame/layer-input.ts";
import { PartCache, publishParts } from "../../../src/importer/frame/stores/part-cache.ts";
import { StepFolder } from "../../../src/importer/frame/stores/step-folder.ts";
import type { OsmElement, OsmRelation } from "../../../src/importer/osm/pbf/element.ts";
import { encodeBlock, frameBlock, frameHeader } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { digestOfBlob, spansOfBlob } from "../../../src/importer/osm/read/cached-reading.ts";
import { readMoved } from "../../../src/importer/osm/read/moved-nodes.ts";
import { readExtracts } from "../../../src/importer/osm/read/read-extracts.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { Changes } from "../../../src/importer/update/changes.ts";
import { mergeExtract } from "../../../src/importer/update/merge-extract.ts";
import { randomFrom } from "../../core/geocoding/sample.ts";
import { plainResources } from "../../support/layer-resources.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "known-reading-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const READS = { nodes: ["amenity"], ways: ["highway"], relations: ["type=multipolygon"] };
const NODES = 1200;
const BLOB = 40;
const BOUNDS = [0, 0, 1, 1] as const;

/** Ways along neighbours, some through nodes that are not there; areas of four ways that no tag asks for. */
function town(): OsmElement[] {
  const node = (i: number): OsmElement => {
    const at = { latitude: 0.1 + (i % 40) / 100, longitude: 0.1 + Math.floor(i / 40) / 100 };
    return { type: "node", id: 10 * i, ...at, tags: i % 5 === 0 ? { amenity: "cafe", name: `Café ${i}` } : {} };
  };
  const way = (i: number): OsmElement => {
    const refs = Array.from({ length: 4 }, (_, k) => 10 * (1 + ((3 * i + k) % NODES)));
    if (i % 11 === 0) refs[1]++;
    return { type: "way", id: 7 * i, refs, tags: i % 3 === 0 ? {} : { highway: "path", name: `Weg ${i}` } };
  };
  const relation = (i: number): OsmRelation => ({
    type: "relation",
    id: i,
    tags: { type: "multipolygon" },
    members: Array.from({ length: 4 }, (_, k) => ({ type: "way", ref: 7 * (3 * i + k), role: "outer" })),
  });
  const list = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i + 1));
  return [...list(NODES, node), ...list(400, way), ...list(60, relation)];
}

async function write(path: string, elements: readonly OsmElement[]): Promise<void> {
  const pieces = [await frameHeader({ bounds: BOUNDS, sorted: true })];
  for (let at = 0, end = 0; at < elements.length; at = end) {
    while (end < elements.length && end - at < BLOB && elements[end].type === elements[at].type) end++;
    pieces.push(await frameBlock(encodeBlock(elements.slice(at, end))));
  }
  await writeFile(path, Buffer.concat(pieces));
}

/** Nodes move, come where a way waits for one, and go; ways and areas get other members. */
function edits(elements: readonly OsmElement[], draw: () => number, round: number): Changes {
  const changes = new Changes();
  const put = (element: OsmElement, is: OsmElement | undefined) =>
    changes.add(element.type, element.id, { version: 0, time: undefined, element: is });
  const any = (type: OsmElement["type"]): OsmElement => {
    const own = elements.filter((one) => one.type === type);
    return own[Math.floor(draw() * own.length)];
  };
  for (let i = 0; i < 2; i++) {
    const node = any("node");
    if (node.type === "node") put(node, { ...node, latitude: node.latitude + 0.0001 * (1 + round) });
  }
  const gone = any("node");
  put(gone, undefined);
  const waited = elements.find((one) => one.type === "way" && one.refs.some((ref) => ref % 10 === 1));
  const missing = waited?.type === "way" ? waited.refs.find((ref) => ref % 10 === 1) : undefined;
  if (missing && round === 1) {
    const fresh: OsmElement = { type: "node", id: missing, latitude: 0.3, longitude: 0.3, tags: { amenity: "bar" } };
    put(fresh, fresh);
  }
  const way = any("way");
  if (way.type === "way") put(way, { ...way, refs: [...way.refs].reverse(), tags: { highway: "steps" } });
  const area = any("relation");
  const other = any("way");
  if (area.type === "relation")
    put(area, { ...area, members: [...area.members.slice(1), { type: "way", ref: other.id, role: "outer" }] });
  if (round === 2) put(any("way"), undefined);
  return changes;
}

const shaOf = async (path: string) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

let reads = 0;

async function seen(path: string, parts?: PartCache) {
  const now = await shaOf(path);
  const moved = (await readMoved(path)) ?? { before: now, nodes: new Float64Array() };
  const work = await StepFolder.open(join(folder, `work-${reads++}`), silent);
  try {
    const before = parts && { parts, now, before: moved.before, moved: moved.nodes };
    const store = await readExtracts([path], READS, work, { threads: 0, before });
    const input = (await ImportedElements.open(store, { addresses: [] })).forLayer(
      READS,
      () => {},
      plainResources(store),
    );
    const all: unknown[] = [];
    await input.scan({
      node: (node) => void all.push(node),
      way: (way) => void all.push(way),
      memberWay: (way) => void all.push(["member", way]),
      relation: (relation) => void all.push(relation, input.memberLines(relation)),
    });
    return { all, counts: store.counts, extracts: store.extracts, notes: store.notes };
  } finally {
  }
}

it("an extract that was changed is read from what the import before kept of it, as if it were read from nothing", async () => {
  const draw = randomFrom(5);
  let path = join(folder, "0", "town.osm.pbf");
  await mkdir(join(folder, "0"));
  await write(path, town());
  let elements = town();
  for (let round = 0; round < 4; round++) {
    const parts = await PartCache.open(join(folder, "parts"), "elements", "p");
    const known = await seen(path, parts);
    parts.close();
    await publishParts(join(folder, "parts"));
    const whole = await seen(path);
    expect(known.all.length).toBeGreaterThan(600);
    expect(known).toEqual(whole);
    // Most blobs are as they were; lines that are found are put under another name.
    if (round > 0) expect(parts.found).toBeGreaterThan(parts.made);
    const next = join(folder, `${round + 1}`, "town.osm.pbf");
    await mkdir(join(folder, `${round + 1}`));
    const changes = edits(elements, draw, round);
    const open = await PartCache.open(join(folder, "parts"), "elements", "p");
    const about = { sha256: await shaOf(path), spansOf: (blob: Uint8Array) => spansOfBlob(open, digestOfBlob(blob)) };
    const counts = await mergeExtract(path, next, changes, {}, quiet, about);
    open.close();
    const plain = join(folder, "plain.osm.pbf");
    expect(await mergeExtract(path, plain, changes, {}, quiet)).toEqual(counts);
    expect(await readFile(next)).toEqual(await readFile(plain));
    elements = elements.flatMap((one) => {
      const change = changes[one.type].get(one.id);
      return change ? (change.element ?? []) : one;
    });
    path = next;
  }
});
