import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoWorld } from "../../../../src/demo/world/demo-world.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { isTouristBoat } from "../../../../src/importer/layers/roads/profiles/ferries.ts";
import { rulesByHour } from "../../../../src/importer/layers/roads/profiles/hourly-rules.ts";
import type { OsmElement, OsmWay } from "../../../../src/importer/osm/pbf/element.ts";
import { randomTown, seeded } from "../../../core/routing/graph/random-town.ts";
import { samples } from "../../../support/night.ts";
import { contentOf } from "./graph-content.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "order-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Another order of the elements, with older versions of some of them before. */
function shuffled(elements: readonly OsmElement[], random: () => number): OsmElement[] {
  const list = [...elements];
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  const older = list
    .filter(() => random() < 0.2)
    .map((element): OsmElement => {
      if (element.type === "node") return { ...element, latitude: element.latitude + 1, tags: { barrier: "wall" } };
      if (element.type === "way") return { ...element, refs: element.refs.toReversed(), tags: { highway: "path" } };
      return { ...element, tags: {} };
    });
  return [...older, ...list];
}

/** A town whose roads bend between the crossings: points of their own, some with a gate or a tag that means nothing. */
function bentTown(seed: number, random: () => number): OsmElement[] {
  const town = randomTown(12, seed);
  const nodes = new Map(town.flatMap((element) => (element.type === "node" ? [[element.id, element] as const] : [])));
  const points: OsmElement[] = [];
  const bent = town.map((element): OsmElement => {
    if (element.type !== "way") return element;
    const refs = element.refs.flatMap((ref, i) => {
      const [from, to] = [nodes.get(element.refs[i - 1]), nodes.get(ref)];
      if (!from || !to) return [ref];
      const count = Math.floor(random() * 4);
      const added = Array.from({ length: count }, (_, k) => {
        const share = (k + 1) / (count + 1);
        const id = 1_000_000 + points.length;
        points.push({
          type: "node",
          id,
          latitude: from.latitude + (to.latitude - from.latitude) * share + random() * 1e-4,
          longitude: from.longitude + (to.longitude - from.longitude) * share,
          tags: random() < 0.1 ? { barrier: "gate" } : {},
        });
        return id;
      });
      return [...added, ref];
    });
    return { ...element, refs };
  });
  return [...points, ...bent];
}

/** The elements with some nodes missing: alone, in a row, at ends of ways, and all of a way. */
function withGaps(elements: readonly OsmElement[], random: () => number): OsmElement[] {
  const gone = new Set<number>();
  for (const element of elements) {
    if (element.type === "node" && random() < 0.02) gone.add(element.id);
    if (element.type !== "way") continue;
    const chance = random();
    if (chance < 0.02) gone.add(element.refs[0]);
    else if (chance < 0.03) for (const ref of element.refs) gone.add(ref);
    else if (chance < 0.05) for (const ref of element.refs.slice(1)) gone.add(ref);
  }
  return elements.filter(({ type, id }) => type !== "node" || !gone.has(id));
}

/** Ways that pass a node twice, or name it twice in a row. */
function withLoops(elements: readonly OsmElement[], random: () => number): OsmElement[] {
  return elements.map((element) => {
    if (element.type !== "way" || element.refs.length < 2) return element;
    const [first, second] = element.refs;
    const chance = random();
    if (chance < 0.05) return { ...element, refs: [first, first, ...element.refs.slice(1)] };
    if (chance < 0.1) return { ...element, refs: [...element.refs, first] };
    return chance < 0.12 ? { ...element, refs: [first, second, first, ...element.refs.slice(1)] } : element;
  });
}

/** Where the roads are cut, told in the plainest way: lists of nodes. */
function plainPieces(elements: readonly OsmElement[]): number[][] {
  const nodes = new Map(
    elements.flatMap((element) => (element.type === "node" ? [[element.id, element] as const] : [])),
  );
  const ways = elements
    .filter((element): element is OsmWay => element.type === "way")
    .filter((way) => way.refs.length > 1 && !isTouristBoat(way) && rulesByHour(way.tags))
    .sort((a, b) => a.id - b.id);
  const uses = new Map<number, number>();
  for (const { refs } of ways) {
    refs.forEach((ref, i) => {
      uses.set(ref, (uses.get(ref) ?? 0) + (i === 0 || i === refs.length - 1 ? 2 : 1));
    });
  }
  const pieces: number[][] = [];
  for (const { refs } of ways) {
    const line = refs.filter((ref) => nodes.has(ref)).filter((ref, i, all) => ref !== all[i - 1]);
    let from = 0;
    for (let i = 1; i < line.length; i++) {
      const tags = nodes.get(line[i])?.tags ?? {};
      if (i < line.length - 1 && uses.get(line[i]) === 1 && Object.keys(tags).length === 0) continue;
      pieces.push(line.slice(from, i + 1));
      from = i;
    }
  }
  return pieces;
}

/** Nodes whose tags do nothing to traffic would be cut by the plain reading alone. */
const withoutIdleTags = (elements: readonly OsmElement[]): OsmElement[] =>
  elements.map((element) =>
    element.type === "node" && element.tags.barrier === undefined && element.tags.highway !== "traffic_signals"
      ? { ...element, tags: {} }
      : element,
  );

describe("a graph", () => {
  it.each([1, 2, 3, 4])("is the same from elements in any order, some of them twice (seed %i)", (seed) => {
    const random = seeded(seed);
    const town = withLoops(withGaps(bentTown(seed, random), random), random);
    const expected = contentOf(buildGraph(town));
    expect(expected.shapes.length).toBeGreaterThan(200);
    expect(expected.nodeRecords.length).toBeGreaterThan(100);
    expect(contentOf(buildGraph(shuffled(town, random)))).toEqual(expected);
  });

  it.each([1, 2, 3, 4])("cuts roads where a plain reading of the map cuts them (seed %i)", (seed) => {
    const random = seeded(seed + 100);
    const town = withoutIdleTags(withLoops(withGaps(bentTown(seed, random), random), random));
    const graph = buildGraph(town);
    const nodes = new Map(town.flatMap((element) => (element.type === "node" ? [[element.id, element] as const] : [])));
    const places = plainPieces(town).map((piece) =>
      piece.map((ref) => [Math.round(nodes.get(ref)!.latitude * 1e6), Math.round(nodes.get(ref)!.longitude * 1e6)]),
    );
    const found = Array.from({ length: graph.pieceCount }, (_, piece) => {
      const end = (node: number) => [graph.nodeLatitude[node], graph.nodeLongitude[node]];
      const line = [end(graph.pieceStart[piece])];
      for (let i = graph.shapeFirst[piece]; i < graph.shapeFirst[piece + 1]; i++) {
        line.push([graph.shapeLatitude[i], graph.shapeLongitude[i]]);
      }
      return [...line, end(graph.pieceEnd[piece])];
    });
    // Roads over the same nodes are one (`joinDoubles`), or one for each mode.
    const lines = (some: readonly number[][][]) =>
      new Set(some.map((line) => [JSON.stringify(line), JSON.stringify(line.toReversed())].sort()[0]));
    expect(lines(found)).toEqual(lines(places));
    expect(found.length).toBeLessThanOrEqual(places.length);
  });

  it("is the same when the ids of its nodes are sorted on disk", () => {
    const world = [...demoWorld({ size: samples(1, 3) })];
    const graph = buildGraph(world, {}, { path: join(folder, "nodes"), memory: 0 });
    expect(contentOf(graph)).toEqual(contentOf(buildGraph(world)));
  });

  it("tells what it left out", () => {
    const at = (id: number) => ({ type: "node" as const, id, latitude: id / 1000, longitude: 0, tags: {} });
    const road = (id: number, refs: number[]) => ({ type: "way" as const, id, refs, tags: { highway: "primary" } });
    const { report, pieceCount } = buildGraph([
      at(1),
      at(2),
      at(3),
      road(1, [1, 2, 9, 3]),
      road(2, [8, 9]),
      road(3, [3]),
    ]);
    expect(report).toMatchObject({ ways: 2, brokenWays: 1, missingNodes: 3 });
    expect(pieceCount).toBe(1);
  });
});
