import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OsmElement, OsmNode, OsmRelation, OsmWay } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";
import { writeGridOfCopies } from "./grid-of-copies.ts";

let folder: string;
const found: OsmElement[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "grid-"));
  const village = (first: number, longitude: number): OsmElement[] => [
    { type: "node", id: first, latitude: 10, longitude, tags: { name: "Old Oak" } },
    { type: "node", id: first + 9_000_000_000, latitude: 10.1, longitude: longitude + 0.1, tags: {} },
    {
      type: "way",
      id: first,
      refs: [first, first + 9_000_000_000, 777],
      tags: { highway: "path", name: "Main Street" },
    },
    {
      type: "relation",
      id: first,
      members: [
        { type: "way", ref: first, role: "outer" },
        { type: "way", ref: 999_999, role: "outer" },
      ],
      tags: { type: "multipolygon" },
    },
  ];
  const sources = [join(folder, "a.osm.pbf"), join(folder, "b.osm.pbf")];
  await writePbf(sources[0], village(1000, 20));
  await writePbf(sources[1], village(5000, 60));
  const path = join(folder, "grid.osm.pbf");
  await writeGridOfCopies(path, { sources, copies: 5 });
  const take = (element: OsmElement) => void found.push(element);
  await scanPbf(path, { node: take, way: take, relation: take });
});
afterAll(() => rm(folder, { recursive: true }));

const of = <T extends OsmElement>(type: T["type"]) => found.filter((element): element is T => element.type === type);

it("a grid of copies holds every element of each copy, sorted, with ids of its own that are dense", () => {
  expect(found.map(({ type }) => type[0]).join("")).toBe("nnnnnnnnnnwwwwwrrrrr");
  for (const type of ["node", "way", "relation"] as const) {
    const ids = of(type).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids.at(-1)).toBeLessThan(5 * 4 * 256);
  }
});

it("its ways and relations name the elements of their own copy, and what was missing stays so", () => {
  const nodes = new Map(of<OsmNode>("node").map((node) => [node.id, node]));
  const ways = new Set(of<OsmWay>("way").map(({ id }) => id));
  for (const { refs } of of<OsmWay>("way")) {
    const [a, b, missing] = refs.map((ref) => nodes.get(ref));
    expect(missing).toBeUndefined();
    expect((b?.latitude ?? 0) - (a?.latitude ?? 0)).toBeCloseTo(0.1, 6);
  }
  for (const { members } of of<OsmRelation>("relation"))
    expect(members.map(({ ref }) => ways.has(ref))).toEqual([true, false]);
});

it("its copies lie side by side, and have names of their own", () => {
  const oaks = of<OsmNode>("node").filter(({ tags }) => tags.name);
  expect(oaks.map(({ tags }) => tags.name)).toEqual(["Old Oak", "Old Oakbe", "Old Oakbi", "Old Oakbo", "Old Oakbu"]);
  const places = oaks.map(({ latitude, longitude }) => `${latitude} ${longitude}`);
  expect(places).toEqual(["41.95 1.95", "41.95 2.45", "41.95 2.95", "42.45 1.95", "42.45 2.45"]);
});
