import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RoadRecord } from "../../../../src/core/routing/graph/road-record.ts";
import { demoWorld } from "../../../../src/demo/world/demo-world.ts";
import { ImportError } from "../../../../src/importer/common/import-error.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { Column } from "../../../../src/importer/layers/roads/graph/column.ts";
import { openGraph, shareGraph } from "../../../../src/importer/layers/roads/graph/graph-columns.ts";
import { loadGraph, saveGraph } from "../../../../src/importer/layers/roads/graph/graph-file.ts";
import { minMemoryOfGraph } from "../../../../src/importer/layers/roads/graph/graph-memory.ts";
import { GraphReader } from "../../../../src/importer/layers/roads/graph/graph-reader.ts";
import { RecordTable } from "../../../../src/importer/layers/roads/graph/record-table.ts";
import type { RoadGraph } from "../../../../src/importer/layers/roads/graph/road-graph.ts";
import { OperatorSpeeds } from "../../../../src/importer/layers/roads/profiles/apply-speeds.ts";
import { readSpeedFile } from "../../../../src/importer/layers/roads/profiles/speed-file.ts";
import { NOTHING } from "../../../../src/importer/report/import-counts.ts";
import { seeded } from "../../../core/routing/graph/random-town.ts";
import { contentOf } from "./graph-content.ts";

let folder: string;
let graph: RoadGraph;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "graph-"));
  graph = buildGraph(demoWorld({ size: 1 }));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a column", () => {
  it("keeps what was written when it grows within and beyond what was expected", () => {
    for (const expected of [0, 5000, 100_000]) {
      const column = new Column(Int32Array, "pieces of roads", expected);
      for (let i = 0; i < 50_000; i++) column.push(i * 3);
      expect(column.length).toBe(50_000);
      expect(column.values).toEqual(Int32Array.from({ length: 50_000 }, (_, i) => i * 3));
    }
  });

  it("shows values that stay, whatever is added later", () => {
    const column = new Column(Uint8Array, "bytes");
    for (let i = 0; i < 1000; i++) column.push(7);
    const values = column.values;
    for (let i = 0; i < 100_000; i++) column.push(9);
    expect(values.length).toBe(1000);
    expect(values.every((value) => value === 7)).toBe(true);
  });

  it("refuses one row more than it can number, with a sentence that says which", () => {
    const column = new Column(Int32Array, "pieces of roads", 10, 2000);
    for (let i = 0; i < 2000; i++) column.push(i);
    expect(() => column.push(1)).toThrow(ImportError);
    expect(() => column.push(1)).toThrow("more than 2,000 pieces of roads");
    expect(column.length).toBe(2000);
    expect(column.at(1999)).toBe(1999);
    expect(() => new Column(Uint8Array, "bytes of road names", 0, 5000).extend(5001)).toThrow("bytes of road names");
  });
});

describe("the table of records", () => {
  it("numbers records as they come, equal ones once, and gives back what went in", () => {
    const random = seeded(5);
    const table = new RecordTable();
    const first = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      const name = ["Straße", "улица", "通り", "🛣️", ""][i % 5] + "x".repeat(random() * 4) + Math.floor(random() * 1500);
      const record: RoadRecord = { class: "residential", name, ...(i % 3 === 0 && { junction: "roundabout" }) };
      const key = JSON.stringify(record);
      const known = first.get(key) ?? first.size;
      first.set(key, known);
      expect(table.add(record)).toBe(known);
      expect(table.isRing(known)).toBe(i % 3 === 0);
    }
    const records = table.finish();
    expect(records.count).toBe(first.size);
    for (const [key, number] of first) {
      expect(records.text(number)).toBe(key);
      expect(records.get(number)).toEqual(JSON.parse(key));
    }
  });

  it("holds a name longer than any sign", () => {
    const table = new RecordTable();
    const name = "ü".repeat(70_000);
    table.add({ class: "path", name });
    table.add({ class: "path", name: `${name}!` });
    expect(table.add({ class: "path", name })).toBe(0);
    expect(table.finish().get(1).name).toBe(`${name}!`);
  });
});

describe("a graph", () => {
  it("lies in memory that threads share", async () => {
    const { columns } = shareGraph(graph);
    for (const [name, column] of Object.entries(columns)) {
      if (column.length > 0) expect(column.buffer, name).toBeInstanceOf(SharedArrayBuffer);
    }
    const worker = new Worker(
      `const { parentPort } = require("node:worker_threads");
       parentPort.on("message", ({ columns }) => { columns.pieceLength[0] = 4711; parentPort.postMessage("done"); });`,
      { eval: true },
    );
    const before = graph.pieceLength[0];
    await new Promise((resolve) => {
      worker.once("message", resolve);
      worker.postMessage(shareGraph(graph));
    });
    expect(graph.pieceLength[0]).toBe(4711);
    graph.pieceLength[0] = before;
    await worker.terminate();
  });

  it("takes what is foretold: its columns, and as much again at most while it is made", () => {
    const columns = Object.values(shareGraph(graph).columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const counts = {
      ...NOTHING,
      edges: graph.edges.count,
      roads: graph.report.ways,
      roadNodes: graph.shapeLatitude.length + graph.pieceCount,
    };
    const foretold = minMemoryOfGraph(counts) - minMemoryOfGraph(NOTHING);
    expect(foretold).toBeGreaterThan(columns);
    expect(foretold).toBeLessThan(2.5 * columns);
    expect(foretold / graph.edges.count).toBeLessThan(100);
  });

  it("is the same after a thread opened it", () => {
    expect(contentOf(openGraph(structuredClone(shareGraph(graph))))).toEqual(contentOf(graph));
  });

  it("is the same after it lay in a file", async () => {
    const path = join(folder, "graph");
    await saveGraph(path, graph);
    expect(contentOf(await loadGraph(path))).toEqual(contentOf(graph));
  });

  it("comes from its file without lines and names where they are not wanted", async () => {
    const path = join(folder, "bare");
    await saveGraph(path, graph);
    const bare = await loadGraph(path, { shapes: false });
    expect(bare.records.count).toBe(0);
    expect(bare.shapeLatitude).toHaveLength(0);
    expect({ ...contentOf(bare), shapes: 0, records: 0 }).toEqual({ ...contentOf(graph), shapes: 0, records: 0 });
  });

  it("is opened again without a second copy of what is still there", async () => {
    const path = join(folder, "door");
    const door = new GraphReader(path);
    await door.save(graph);
    const bare = await door.open({ shapes: false });
    expect(bare.shapeLatitude).toHaveLength(0);
    expect(bare.pieceStart.buffer).toBe(graph.pieceStart.buffer);
    const whole = await door.open({ shapes: true });
    expect(whole.pieceStart.buffer).toBe(graph.pieceStart.buffer);
    expect(contentOf(whole)).toEqual(contentOf(graph));
    // In another process there is only the file.
    const later = await new GraphReader(path).open({ shapes: true });
    expect(later.pieceStart.buffer).not.toBe(graph.pieceStart.buffer);
    expect(contentOf(later)).toEqual(contentOf(graph));
  });

  it("is not taken from a file that is cut off", async () => {
    const path = join(folder, "cut");
    await saveGraph(path, graph);
    await truncate(path, 100_000);
    await expect(loadGraph(path)).rejects.toThrow("shorter than its header says");
    await writeFile(path, "");
    await expect(loadGraph(path)).rejects.toThrow("shorter than its header says");
  });

  it("with an operator's speeds is the same after it lay in a file", async () => {
    const csv = join(folder, "speeds.csv");
    const world = [...demoWorld({ size: 1 })];
    const ids = world.filter(({ type, tags }) => type === "way" && tags.highway).map(({ id }) => id);
    const lines = ids.flatMap((id, i) => [`${id},07:00-09:00,${(i % 90) + 1}`, `${id},,${(i % 70) + 5}`]);
    await writeFile(csv, ["way_id,hours,speed", ...lines].join("\n"));
    const speeds = new OperatorSpeeds(await readSpeedFile(csv, () => {}));
    const timed = buildGraph(world, { speeds });
    expect(timed.traffic?.rows.length).toBeGreaterThan(20);
    const path = join(folder, "timed");
    await saveGraph(path, timed);
    expect(contentOf(await loadGraph(path))).toEqual(contentOf(timed));
  });

  it("without any road is a file too", async () => {
    const path = join(folder, "empty");
    const empty = buildGraph([]);
    await saveGraph(path, empty);
    expect(contentOf(await loadGraph(path))).toEqual(contentOf(empty));
  });
});

it("a graph gives each job of a thread little to copy, however large it is", () => {
  // What is in shared memory is not copied.
  const copied = (size: number) => serialize(shareGraph(buildGraph(demoWorld({ size }))).plain).length;
  const [small, large] = [copied(1), copied(4)];
  expect(large).toBeLessThan(1.3 * small);
  expect(large).toBeLessThan(50_000);
});
