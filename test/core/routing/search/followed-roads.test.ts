import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { quiet } from "../../../../src/importer/common/progress.ts";
import type { CachedParts, LayerResources } from "../../../../src/importer/frame/layer.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { RoadGraph } from "../../../../src/importer/layers/roads/graph/road-graph.ts";
import { writeRoads } from "../../../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { samples } from "../../../support/night.ts";
import { randomTown, seeded } from "../graph/random-town.ts";
import { wholeGraph } from "../graph/whole-graph.ts";
import { compare } from "./compare.ts";

const LEVELS = [16, 64, 256, 1024];
const SIZE = samples(26, 32);

/** Writes a graph as an update of one whose division was handed on. */
async function follow(graph: RoadGraph, carried?: Uint8Array) {
  const objects = new Map<string, Uint8Array>();
  const handed: Uint8Array[] = [];
  const division = await writeRoads(graph, (key, bytes) => void objects.set(key, bytes), {
    levelSizes: LEVELS,
    carrying: {
      carried: () => carried && new Uint8Array(carried),
      carry: (bytes) => void handed.push(bytes),
    },
  });
  const [next] = handed;
  return { division, objects, next };
}

/** Parts in memory; nothing is handed on. */
class MemoryParts implements CachedParts {
  found = 0;
  made = 0;
  #before = new Map<string, Uint8Array>();
  #now = new Map<string, Uint8Array>();

  key(...inputs: readonly (Uint8Array | string)[]): Uint8Array {
    const hash = createHash("sha256");
    for (const input of inputs) hash.update(`${input.length}\n`).update(input);
    return hash.digest();
  }

  get isEmpty(): boolean {
    return this.#before.size === 0;
  }

  has(key: Uint8Array): boolean {
    return this.#before.has(hex(key));
  }

  find(key: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    const known = this.#before.get(hex(key));
    if (!known) return undefined;
    this.found++;
    this.#now.set(hex(key), known);
    return new Uint8Array(known);
  }

  put(key: Uint8Array, bytes: Uint8Array): void {
    this.made++;
    this.#now.set(hex(key), bytes.slice());
  }

  publish(): void {
    [this.#before, this.#now, this.found, this.made] = [this.#now, new Map(), 0, 0];
  }

  carried = () => undefined;
  carry(): void {}
  findFile = () => undefined;
  putFile = (_: Uint8Array, path: string) => path;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** Objects that the other one has under the same key with the same bytes. */
const shared = (a: ReadonlyMap<string, Uint8Array>, b: ReadonlyMap<string, Uint8Array>) =>
  [...a].filter(([key, bytes]) => b.has(key) && hex(b.get(key)!) === hex(bytes)).length;

/** Some roads go, crossings move, paths come, within a box; one house path stands by itself. */
function edited(elements: readonly OsmElement[], draw: () => number): OsmElement[] {
  const near = (row: number, column: number) => row < 8 && column < 8;
  const inBox = (id: number) => near(Math.floor((id - 1) / SIZE), (id - 1) % SIZE);
  const kept = elements.flatMap((element): OsmElement[] => {
    if (element.type === "node" && inBox(element.id) && draw() < 0.3)
      return [{ ...element, latitude: element.latitude + 0.0001 }];
    if (element.type === "way" && element.refs.every(inBox) && draw() < 0.1) return [];
    if (element.type === "way" && element.refs.every(inBox) && draw() < 0.2)
      return [{ ...element, tags: { ...element.tags, maxspeed: "20" } }];
    return [element];
  });
  const fresh: OsmElement[] = [];
  for (let i = 0; i < 12; i++) {
    const id = 100_000 + i;
    const [row, column] = [Math.floor(draw() * 7), Math.floor(draw() * 7)];
    fresh.push({
      type: "node",
      id,
      latitude: 41 + (row + 0.5) * 0.001,
      longitude: -8 + (column + 0.5) * 0.0013,
      tags: {},
    });
    const refs = [row * SIZE + column + 1, id, (row + 1) * SIZE + column + 2];
    fresh.push({ type: "way", id, refs, tags: { highway: "residential", name: `New ${i}` } });
  }
  fresh.push({ type: "node", id: 200_000, latitude: 41.02, longitude: -8.01, tags: {} });
  fresh.push({ type: "node", id: 200_001, latitude: 41.0201, longitude: -8.01, tags: {} });
  fresh.push({ type: "way", id: 200_000, refs: [200_000, 200_001], tags: { highway: "path" } });
  const order = { node: 0, way: 1, relation: 2 };
  return [...kept, ...fresh].sort((a, b) => order[a.type] - order[b.type] || a.id - b.id);
}

describe("roads of an update", () => {
  it("are divided as before, so that objects far from all changes stay, and routes are those of Dijkstra", async () => {
    const draw = seeded(5);
    let elements = randomTown(SIZE, 21);
    let before = await follow(buildGraph(elements));
    for (let round = 0; round < samples(1, 2); round++) {
      elements = edited(
        elements.filter(({ id }) => id < 100_000),
        draw,
      );
      const graph = buildGraph(elements);
      const made = await follow(graph, before.next);
      const anew = await follow(graph);
      expect(made.division.cellCounts.slice(1)).toEqual(before.division.cellCounts.slice(1));
      expect(shared(made.objects, before.objects)).toBeGreaterThan(2 * shared(anew.objects, before.objects));
      const router = (await Router.open(memorySource(made.objects)))!;
      const build = wholeGraph(graph, made.division);
      const { wrong, brokenSums } = await compare(router, build, 1, round);
      expect(wrong).toEqual([]);
      expect(brokenSums).toEqual([]);
      before = made;
    }
  });

  it("take from the import before what follows from the same, and are the bytes of roads made from nothing", async () => {
    const elements = randomTown(samples(20, 28), 8);
    const parts = new MemoryParts();
    const first = (tags: Tags) => (element: OsmElement) =>
      element.type === "way" && element.id < 30 ? [{ ...element, tags: { ...element.tags, ...tags } }] : [element];
    const unchanged = (element: OsmElement) => [element];
    // A name stands in tiles alone; where roads go, others may come to lie on islands.
    const gone = (element: OsmElement) => (element.type === "way" && element.id % 3 === 0 ? [] : [element]);
    const edits = [unchanged, first({ maxspeed: "20" }), first({ name: "Another" }), gone];
    for (const [round, edit] of edits.entries()) {
      const graph = buildGraph(elements.flatMap<OsmElement>(edit));
      const [updated, whole] = [new Map<string, string>(), new Map<string, string>()];
      const folder = mkdtempSync(join(tmpdir(), "followed-"));
      const path = (name: string) => join(folder, name);
      // So little memory that cliques go to disk.
      const threads = round === 0 ? 2 : samples(0, 2);
      const resources: LayerResources = { memory: 100_000, threads, path, step: (_, run) => run(quiet), parts };
      const options = { levelSizes: LEVELS, partSize: 200 };
      await writeRoads(graph, (key, bytes) => void updated.set(key, hex(bytes)), { ...options, resources });
      await writeRoads(graph, (key, bytes) => void whole.set(key, hex(bytes)), options);
      rmSync(folder, { recursive: true });
      const byKey = (map: Map<string, string>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(byKey(updated)).toEqual(byKey(whole));
      if (round > 0 && edit !== gone) expect(parts.found).toBeGreaterThan(parts.made);
      parts.publish();
    }
  });

  it("are the same bytes when nothing has changed", async () => {
    const graph = buildGraph(randomTown(samples(16, 25), 4));
    const first = await follow(graph);
    const again = await follow(graph, first.next);
    expect(again.objects).toEqual(first.objects);
    expect(again.next).toEqual(first.next);
  });

  it("are divided anew where too much is new, a cell has grown too large, or a tile is empty", async () => {
    const small = await follow(buildGraph(randomTown(12, 4)));
    for (const other of [randomTown(24, 4), randomTown(12, 5), randomTown(6, 4)]) {
      const graph = buildGraph(other);
      expect((await follow(graph, small.next)).objects).toEqual((await follow(graph)).objects);
    }
  });
});
