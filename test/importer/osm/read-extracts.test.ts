import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ImportedElements } from "../../../src/importer/frame/layer-input.ts";
import { StepFolder } from "../../../src/importer/frame/stores/step-folder.ts";
import {
  NO_PLACE,
  type OsmElement,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
} from "../../../src/importer/osm/pbf/element.ts";
import { assemblePolygons } from "../../../src/importer/osm/polygons/multipolygon.ts";
import { type ReadOptions, readExtracts } from "../../../src/importer/osm/read/read-extracts.ts";
import { type Reporter, silent } from "../../../src/importer/report/reporter.ts";
import { plainResources } from "../../support/layer-resources.ts";
import { isNight, samples } from "../../support/night.ts";
import { pbfOf } from "./pbf-of.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "read-"));
});
afterAll(() => rm(folder, { recursive: true }));

const READS = { nodes: ["amenity"], ways: ["highway"], relations: ["type=multipolygon"] };

function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

interface World {
  nodes: OsmNode[];
  ways: OsmWay[];
  relations: OsmRelation[];
}

/**
 * A grid of nodes whose ids spread over nine ranges; ways from anywhere to anywhere, one in ten with a node that no
 * extract has; and areas of four ways each, which share them, some of them not there.
 */
function world(side: number, seed = 7): World {
  const pick = random(seed);
  const idOf = (i: number) => 1 + i * Math.floor(600_000 / (side * side)) + (i % 3);
  const place = (i: number) => ({ longitude: (i % side) / 1000, latitude: Math.floor(i / side) / 1000 });
  const count = side * side;
  const nodes = Array.from(
    { length: count },
    (_, i): OsmNode => ({
      type: "node",
      id: idOf(i),
      ...place(i),
      tags: i % 7 === 0 ? { amenity: "cafe", name: `Café ${i}` } : {},
    }),
  );
  const ways: OsmWay[] = [];
  const relations: OsmRelation[] = [];
  const way = (refs: number[], tags: Record<string, string>) => {
    ways.push({ type: "way", id: 10 + 3 * ways.length, refs, tags });
    return 10 + 3 * (ways.length - 1);
  };
  for (let i = 0; i < count; i++) {
    const refs = Array.from({ length: 2 + pick(6) }, () => idOf(pick(count)));
    if (i % 10 === 0) refs[1] = 700_000 + i;
    way(refs, i % 4 === 0 ? {} : { highway: "path", name: `Weg ${i}` });
  }
  for (let i = 0; i + side + 1 < count; i += 2) {
    if (i % side === side - 1) continue;
    const corners = [i, i + 1, i + side + 1, i + side];
    const members = corners.map((from, k) => ({
      type: "way" as const,
      ref: i % 26 === 0 && k === 2 ? 5 : way([idOf(from), idOf(corners[(k + 1) % 4])], {}),
      role: "outer",
    }));
    const shared = relations.at(-1)?.members.filter(({ type }) => type === "way")[0];
    relations.push({
      type: "relation",
      id: 3 + relations.length * 2,
      members: [
        { type: "node", ref: idOf(i), role: "label" },
        ...members,
        ...(shared && i % 8 === 0 ? [shared] : []),
        { type: "relation", ref: 3, role: "" },
      ],
      tags: { type: i % 20 === 0 ? "route" : "multipolygon", name: `Platz ${i}` },
    });
  }
  return { nodes, ways, relations };
}

const inBlobs = <T extends OsmElement>(elements: readonly T[], size = 1000): T[][] =>
  Array.from({ length: Math.ceil(elements.length / size) }, (_, i) => elements.slice(i * size, (i + 1) * size));

const fileOf = ({ nodes, ways, relations }: World) =>
  pbfOf([...inBlobs(nodes), ...inBlobs(ways), ...inBlobs(relations)]);

/** What a layer would see, found by looking each node up in a table. */
function expected({ nodes, ways, relations }: World) {
  const places = new Map(nodes.map(({ id, longitude, latitude }) => [id, [longitude, latitude] as [number, number]]));
  const lineOf = ({ refs }: OsmWay) =>
    refs.flatMap((ref) => places.get(ref)?.map((degrees) => Math.round(degrees * 1e7)) ?? [NO_PLACE, NO_PLACE]);
  const wayOf = new Map(ways.map((way) => [way.id, way]));
  const wanted = relations.filter(({ tags }) => tags.type === "multipolygon");
  const memberIds = new Set(
    wanted.flatMap(({ members }) => members.flatMap(({ type, ref }) => (type === "way" ? ref : []))),
  );
  const seen = (way: OsmWay) => ({ ...way, line: lineOf(way) });
  return {
    nodes: nodes.filter(({ tags }) => tags.amenity),
    ways: ways.filter(({ tags }) => tags.highway).map(seen),
    memberWays: ways.filter(({ id }) => memberIds.has(id)).map(seen),
    relations: wanted.map((relation) => {
      const lines = relation.members.flatMap(({ type, ref }, member) => {
        const way = type === "way" ? wayOf.get(ref) : undefined;
        return way ? [{ id: way.id, member, refs: way.refs, line: lineOf(way) }] : [];
      });
      const { polygons, open } = assemblePolygons(
        lines.map(({ refs }) => refs),
        (node) => places.get(node),
      );
      const whole = open === 0 && lines.length === relation.members.filter(({ type }) => type === "way").length;
      return { ...relation, lines, area: whole && polygons.length > 0 ? polygons : undefined };
    }),
  };
}

let imports = 0;

/** Reads the files and answers what a layer sees. */
async function read(files: readonly Buffer[], options: ReadOptions) {
  const own = join(folder, `${imports++}`);
  const paths = files.map((_, i) => join(folder, `${imports}-${i}.osm.pbf`));
  await Promise.all(files.map((bytes, i) => writeFile(paths[i], bytes)));
  const phases: string[] = [];
  const counts: string[] = [];
  const begin = (phase: string) => {
    phases.push(phase);
    return silent.begin(phase);
  };
  const work = await StepFolder.open(own, { ...silent, begin });
  try {
    const store = await readExtracts(paths, READS, work, { ...options, threadsFrom: 0 });
    const input = (await ImportedElements.open(store, { addresses: [] })).forLayer(
      READS,
      (what) => counts.push(what),
      plainResources(store),
    );
    const nodes: OsmNode[] = [];
    const ways: unknown[] = [];
    const memberWays: unknown[] = [];
    const kept: OsmRelation[] = [];
    const plain = (way: OsmWay) => ({ ...way, line: [...(way.line ?? [])] });
    await input.scan({
      node: (node) => void nodes.push(node),
      way: (way) => void ways.push(plain(way)),
      memberWay: (way) => void memberWays.push(plain(way)),
      relation: (relation) => void kept.push(relation),
    });
    const relations = kept.map((relation) => ({
      ...relation,
      lines: input.memberLines(relation).map((one) => ({ ...one, line: [...one.line] })),
      area: input.multipolygon(relation),
    }));
    return { seen: { nodes, ways, memberWays, relations }, phases, counts, store, left: await readdir(own) };
  } finally {
    await rm(own, { recursive: true });
  }
}

describe("an extract is read", () => {
  const MORE_THREADS: [how: string, memory: number, threads: number][] = [
    ["by one thread", 512 * 1024 * 1024, 1],
    ["range by range by two threads", 1, 2],
  ];
  const small = world(samples(30, 40));
  const bytes = fileOf(small);
  const right = expected(small);

  it.each([
    ["in one go", 512 * 1024 * 1024, 0],
    ["range by range", 1, 0],
    ["in a few ranges by two threads", 40_000, 2],
    ...(isNight ? MORE_THREADS : []),
  ])("%s, and a layer sees the same: all nodes of each line, and what no extract has", async (_, memory, threads) => {
    const { seen, store } = await read([bytes], { memory, threads });
    expect(seen).toEqual(right);
    const missing = small.nodes.length / 20;
    const note = new RegExp(`^${missing} of the \\d+ nodes that ways name are not in the extracts`);
    expect(store.notes).toEqual([expect.stringMatching(note)]);
  });

  it("in as many steps as its memory asks for, each remembered, and leaves no parts behind", async () => {
    const { phases, left } = await read([bytes], { memory: 1, threads: 0 });
    expect(phases).toEqual([
      "relations",
      "ways",
      ...Array.from({ length: 10 }, (_, i) => `nodes: ${i + 1} of 10`),
      "lines",
      "outlines",
    ]);
    expect(left.filter((name) => /refs-|places-\d|ways\.blocks|members\.by/.test(name))).toEqual([]);
  });

  it("with more outlines than memory holds, sorted on disk", async () => {
    const large = world(samples(70, 140));
    const { seen } = await read([fileOf(large)], { memory: 1, threads: samples(0, 2) });
    expect(seen).toEqual(expected(large));
  });
});

describe("reading that is interrupted", () => {
  it("at any moment goes on from the last finished step, and ends with the same", async () => {
    const town = world(14);
    const path = join(folder, "interrupted.osm.pbf");
    await writeFile(path, fileOf(town));
    const right = expected(town);
    for (let moment = 1; ; moment += process.env.EVERY_KILL ? 14 : 70) {
      const own = join(folder, "interrupted");
      let left = moment;
      const begun: string[] = [];
      const step = () => {
        if (--left === 0) throw new Error("the power is gone");
      };
      const attempt = async (reporter: Reporter) => {
        const work = await StepFolder.open(own, reporter);
        try {
          return await readExtracts([path], READS, work, { memory: 1, threads: 0 });
        } finally {
        }
      };
      const failing = { ...silent, begin: () => ({ ...silent.begin(""), advance: step, end: step }) };
      const whole = await attempt(failing).then(
        () => true,
        () => false,
      );
      const begin = (phase: string) => {
        begun.push(phase);
        return silent.begin(phase);
      };
      const store = await attempt({ ...silent, begin });
      const input = (await ImportedElements.open(store, { addresses: [] })).forLayer(
        READS,
        () => undefined,
        plainResources(store),
      );
      const seen = { nodes: [] as unknown[], ways: [] as unknown[], areas: [] as unknown[] };
      await input.scan({
        node: (node) => void seen.nodes.push(node),
        way: (way) => void seen.ways.push({ ...way, line: [...(way.line ?? [])] }),
        relation: (relation) => void seen.areas.push(input.multipolygon(relation)),
      });
      expect(seen).toEqual({ nodes: right.nodes, ways: right.ways, areas: right.relations.map(({ area }) => area) });
      await rm(own, { recursive: true });
      if (whole) {
        expect(begun).toEqual([]);
        expect(moment).toBeGreaterThan(30);
        return;
      }
    }
  });
});

describe("a multipolygon", () => {
  it("of more than two million nodes is left out and counted, whatever the memory", async () => {
    const nodes = Array.from(
      { length: 2000 },
      (_, i): OsmNode => ({ type: "node", id: i + 1, longitude: i % 2, latitude: i / 1000, tags: {} }),
    );
    const way: OsmWay = { type: "way", id: 4, refs: nodes.map(({ id }) => id), tags: {} };
    const of = (count: number, id: number): OsmRelation => ({
      type: "relation",
      id,
      members: Array.from({ length: count }, () => ({ type: "way", ref: 4, role: "outer" })),
      tags: { type: "multipolygon" },
    });
    const { counts } = await read([pbfOf([nodes, [way], [of(10, 1), of(1001, 2)]])], { memory: 1, threads: 0 });
    expect(counts).toEqual(["relations that do not close", "relations of more than 2000000 nodes, left out"]);
  });
});

describe("an extract that is not sorted", () => {
  const town = world(samples(24, 40));
  const pick = random(3);
  const shuffled = <T>(list: readonly T[]) =>
    list
      .map((one) => [pick(1e6), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  const bytes = pbfOf(
    shuffled([...inBlobs(shuffled(town.nodes)), ...inBlobs(shuffled(town.ways)), ...inBlobs(shuffled(town.relations))]),
  );

  it.each([[512 * 1024 * 1024, 0], [40_000, 1], ...(isNight ? [[1, 2]] : [])])(
    "gives what a sorted one gives, with %i bytes and %i threads, and is named as slow",
    async (memory, threads) => {
      const { seen, store, left } = await read([bytes], { memory, threads });
      expect(seen).toEqual(expected(town));
      expect(left.filter((name) => /\.blocks$|\.sort|run-/.test(name)).sort()).toEqual([
        "lines.blocks",
        "sorted-nodes.blocks",
        "sorted-relations.blocks",
      ]);
      expect(store.notes[0]).toMatch(
        /0\.osm\.pbf is not sorted by kind and id, so reading it takes longer \(osmium sort/,
      );
    },
  );
});

describe("two extracts that overlap", () => {
  it.each([
    [512 * 1024 * 1024, 0],
    [1, 2],
    [40_000, 0],
  ])(
    "make one world; what both have is taken from the later one, with %i bytes and %i threads",
    async (memory, threads) => {
      const whole = world(40);
      const older: World = {
        nodes: whole.nodes.slice(0, 1000).map((node) => ({ ...node, latitude: node.latitude + 1 })),
        ways: whole.ways.slice(0, 2000).map((way) => ({ ...way, tags: { ...way.tags, note: "old" } })),
        relations: whole.relations.slice(0, 300).map((one) => ({ ...one, members: one.members.slice(0, 2) })),
      };
      const newer: World = {
        nodes: whole.nodes.slice(500),
        ways: whole.ways.slice(1500),
        relations: whole.relations.slice(200),
      };
      const merged = <T extends { id: number }>(a: readonly T[], b: readonly T[]) =>
        [...new Map([...a, ...b].map((one) => [one.id, one])).values()].sort((x, y) => x.id - y.id);
      const both = {
        nodes: merged(older.nodes, newer.nodes),
        ways: merged(older.ways, newer.ways),
        relations: merged(older.relations, newer.relations),
      };
      const { seen } = await read([fileOf(older), fileOf(newer)], { memory, threads });
      expect(seen).toEqual(expected(both));
    },
  );
});
