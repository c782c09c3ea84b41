import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quiet } from "../../../../src/importer/common/progress.ts";
import type { LayerResources } from "../../../../src/importer/frame/layer.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { RoadGraph } from "../../../../src/importer/layers/roads/graph/road-graph.ts";
import { OperatorSpeeds } from "../../../../src/importer/layers/roads/profiles/apply-speeds.ts";
import type { Sides } from "../../../../src/importer/layers/roads/profiles/speed-file.ts";
import { writeRoads } from "../../../../src/importer/layers/roads/write/write-roads.ts";
import { samples } from "../../../support/night.ts";
import { randomTown } from "./random-town.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parts-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Four and more levels in a town of a few thousand junctions. */
const LEVELS = [16, 64, 256, 1024, 4096];

/** A work folder that remembers steps; `stopIn`: the step that fails before it is done. */
class TestResources implements LayerResources {
  readonly memory: number;
  readonly threads: number;
  readonly done = new Map<string, string>();
  readonly ran: string[] = [];
  stopIn: string | undefined;
  readonly #folder = mkdtempSync(join(folder, "room-"));

  constructor(memory: number, threads: number) {
    this.memory = memory;
    this.threads = threads;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  files(): string[] {
    return readdirSync(this.#folder);
  }

  async step<T>(name: string, run: (progress: typeof quiet) => Promise<T>): Promise<T> {
    const known = this.done.get(name);
    if (known !== undefined) return JSON.parse(known) as T;
    this.ran.push(name);
    const result = JSON.stringify((await run(quiet)) ?? null);
    if (name === this.stopIn) throw new Error(`stopped in ${name}`);
    this.done.set(name, result);
    return JSON.parse(result) as T;
  }
}

type Objects = Map<string, string>;

async function objectsOf(
  graph: RoadGraph,
  resources?: TestResources,
  partSize?: number,
  objects: Objects = new Map(),
): Promise<Objects> {
  const write = (key: string, bytes: Uint8Array) => {
    objects.set(key, Buffer.from(bytes).toString("base64"));
  };
  await writeRoads(graph, write, {
    ...(resources && { resources }),
    levelSizes: LEVELS,
    ...(partSize && { partSize }),
  });
  return new Map([...objects].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A town in which every third road has speeds of its own in two windows of the week. */
function townInTraffic(): RoadGraph {
  const elements = randomTown(samples(18, 24), 9);
  const ways = new Map<number, Sides>();
  for (const { type, id } of elements) {
    if (type === "way" && id % 3 === 0)
      ways.set(id, { forward: { speeds: Float64Array.of(0, 5 + (id % 40), 70), line: 1 } });
  }
  const windows = [
    { days: 31, from: 420, until: 570 },
    { days: 96, from: 0, until: 1440 },
  ];
  return buildGraph(elements, {
    speeds: new OperatorSpeeds({ windows, ways, segments: new Map(), classes: new Map() }),
  });
}

/** What is compared with: each graph, made in one piece, once for all tests. */
const PLAIN = buildGraph(randomTown(samples(22, 30), 3));
const SMALL = buildGraph(randomTown(samples(14, 20), 4));
let plainObjects: Objects;
let smallObjects: Objects;
beforeAll(async () => {
  plainObjects = await objectsOf(PLAIN);
  smallObjects = await objectsOf(SMALL);
});

describe("roads made in parts", () => {
  it.each([
    ["a part for each tile", 0, 1],
    ["a part for a few tiles", 0, 300],
    ["threads, and a part for a few tiles", 2, 300],
  ])("are the same bytes with %s", { timeout: 120_000 }, async (_, threads, partSize) => {
    expect(plainObjects.size).toBeGreaterThan(40);
    // A tenth of a megabyte: cliques go to disk.
    expect(await objectsOf(PLAIN, new TestResources(40_000, threads), partSize)).toEqual(plainObjects);
  });

  it("are the same bytes where some roads have speeds of their own at times", { timeout: 120_000 }, async () => {
    const graph = townInTraffic();
    const whole = await objectsOf(graph);
    expect([...whole.keys()].some((key) => /^roads\/bundles\/0\/\d+-2\//.test(key))).toBe(true);
    expect(await objectsOf(graph, new TestResources(100_000, 0), 200)).toEqual(whole);
  });

  it.each(["dividing", "tiles", "car", "bike"])("go on from %s, and are the same bytes", async (step) => {
    const resources = new TestResources(2 ** 30, 0);
    const objects: Objects = new Map();
    resources.stopIn = step;
    await expect(objectsOf(SMALL, resources, 100, objects)).rejects.toThrow(`stopped in ${step}`);
    resources.stopIn = undefined;
    resources.ran.length = 0;
    expect(
      new Map([...(await objectsOf(SMALL, resources, 100, objects))].sort(([a], [b]) => (a < b ? -1 : 1))),
    ).toEqual(smallObjects);
    expect(resources.ran[0]).toBe(step);
  });

  it("leave no cliques and packs behind in the work folder", async () => {
    const resources = new TestResources(1000, 0);
    await objectsOf(SMALL, resources, 100);
    expect(resources.files().filter((name) => /cliques|packs|sort/.test(name))).toEqual([]);
  });
});
