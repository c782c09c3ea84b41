import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import { divide } from "../../../src/importer/frame/budget.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { READING } from "../../../src/importer/osm/read/read-extracts.ts";
import type { Forecast } from "../../../src/importer/report/import-counts.ts";
import { PhaseTimes } from "../../../src/importer/report/phase-times.ts";
import { forecastLine } from "../../../src/importer/report/reporter.ts";
import { checkForecast } from "../../../src/importer/run/check-forecast.ts";
import { foresee, lookAt } from "../../../src/importer/run/forecast.ts";
import { samples } from "../../support/night.ts";
import { census } from "./census-layer.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "forecast-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a look at an extract", () => {
  it("of few blobs counts what is there", async () => {
    const path = join(folder, "demo.osm.pbf");
    await writeDemoWorld(path);
    const truth = { nodes: 0, ways: 0, relations: 0, addresses: 0 };
    for (const { type, tags } of demoWorld()) {
      truth[`${type}s`]++;
      if (tags["addr:housenumber"]) truth.addresses++;
    }
    const found = await lookAt(path);
    expect(found).toMatchObject(truth);
    // The graph of this town has 10,3… directed edges.
    expect(found.edges).toBeGreaterThan(8000);
    expect(found.edges).toBeLessThan(12_000);
  });

  it("of many comes close, having seen every kind", async () => {
    const path = join(folder, "many.osm.pbf");
    const million = samples(500_000, 1_000_000);
    const [nodes, ways] = [0.8 * million, 0.2 * million];
    const relations = 0.008 * million;
    function* city(): Generator<OsmElement> {
      for (let id = 1; id <= nodes; id++)
        yield { type: "node", id, latitude: 1, longitude: 1, tags: id % 100 === 0 ? { "addr:housenumber": "1" } : {} };
      for (let id = 1; id <= ways; id++)
        yield {
          type: "way",
          id,
          refs: [id, id + 1, id + 2],
          tags: id % 4 === 0 ? { highway: "residential" } : { building: "yes" },
        };
      for (let id = 1; id <= relations; id++)
        yield { type: "relation", id, members: [], tags: { type: "route", shop: "no" } };
    }
    await writePbf(path, city());
    const found = await lookAt(path);
    for (const [what, truth] of [
      ["nodes", nodes],
      ["ways", ways],
      ["roads", ways / 4],
      ["roadNodes", (3 * ways) / 4],
      ["addresses", nodes / 100],
    ] as const) {
      expect(Math.abs(found[what] / truth - 1), `${what}: ${found[what]}`).toBeLessThan(0.2);
    }
  });

  it("of an empty file finds nothing", async () => {
    const path = join(folder, "empty.osm.pbf");
    await writePbf(path, []);
    expect(await lookAt(path)).toMatchObject({ nodes: 0, edges: 0, addresses: 0 });
  });
});

describe("a forecast", () => {
  const hungry: Layer = { ...census, name: "hungry", minMemory: ({ nodes }) => 1e9 + nodes };

  it("tells what the neediest layer needs, and how long it took here before", async () => {
    const path = join(folder, "small.osm.pbf");
    await writePbf(path, [{ type: "node", id: 1, latitude: 1, longitude: 1, tags: {} }]);
    const times = join(folder, "times.json");
    const measured = await PhaseTimes.open(times, { elements: 10, edges: 1 });
    for (const phase of [...READING, "census", "hungry"]) await measured.record(phase, 20);
    const forecast = await foresee([path], [census, hungry], divide(2e9, 2), times);
    expect(forecast.memory).toMatchObject({ given: 2e9, layer: "hungry" });
    expect(divide(forecast.memory.least, 2).layerMemory).toBeGreaterThan(1e9);
    expect(divide(forecast.memory.least - 1e8, 2).layerMemory).toBeLessThanOrEqual(1e9);
    // Ten times the elements took 140 s, most of which any import takes.
    expect(forecast.seconds).toBeGreaterThan(14);
    expect(forecast.seconds).toBeLessThan(140);
    expect(Object.keys(forecast.phases ?? {})).toEqual([...READING, "census", "hungry"]);
    expect((await foresee([path], [census], divide(2e9, 2), times)).memory.least).toBe(512e6);
    // What is kept for updates takes room of its own.
    const keeping = await foresee([path], [census], divide(2e9, 2), times, true);
    expect(forecast.disk.kept).toBeUndefined();
    expect(keeping.disk.kept).toBeGreaterThan(0);
    expect(keeping.disk.work).toBeGreaterThan(forecast.disk.work);
  });

  it("is a line for a reader", () => {
    expect(forecastLine(likely({}))).toBe(
      "Forecast: 1,200,000 directed edges; 930,000 addresses; memory 2.0 GB (needs 900.0 MB at least); disk 4.0 GB while it works, 1.0 GB in the end; 17 min.",
    );
    expect(forecastLine(likely({ disk: { work: 4e9, published: 1e9, kept: 3e9 } }))).toContain(
      "1.0 GB in the end, 3.0 GB kept for updates; 17 min.",
    );
  });
});

function likely(change: Partial<Forecast>): Forecast {
  const none = { bytes: 5e8, nodes: 0, ways: 0, relations: 0, roads: 0, roadNodes: 0, wayNodes: 0, pois: 0 };
  return {
    counts: { ...none, edges: 1_234_567, addresses: 927_000 },
    memory: { given: 2e9, least: 0.9e9, layer: "roads" },
    disk: { work: 4e9, published: 1e9 },
    seconds: 1000,
    ...change,
  };
}

describe("an import that would not go through", () => {
  const places = () => ({ work: join(folder, "not/yet/there"), published: folder, force: false });

  it("is refused for want of memory, with what to ask for; force does not help", async () => {
    const forecast = likely({ memory: { given: 0.6e9, least: 0.9e9, layer: "roads" } });
    await expect(checkForecast(forecast, { ...places(), force: true })).rejects.toThrow(
      "This import needs --memory 0.9GB at least, for roads (some 1,200,000 directed edges, 930,000 addresses); it has 600.0 MB.",
    );
  });

  it("is refused for want of disk, unless it is forced", async () => {
    const forecast = likely({ disk: { work: 1e18, published: 1e9 } });
    await expect(checkForecast(forecast, places())).rejects.toThrow(
      /The disk of .*there has [\d.]+ GB free, and this import will need some .*start anyway with --force/,
    );
    await checkForecast(forecast, { ...places(), force: true });
    // What is published counts where it comes to lie on the same disk.
    const large = likely({ disk: { work: 0, published: 1e18 } });
    await expect(checkForecast(large, places())).rejects.toThrow(/Free disk space/);
    await checkForecast(large, { ...places(), published: undefined });
    await expect(checkForecast(likely({ disk: { work: 0, published: 0, kept: 1e18 } }), places())).rejects.toThrow(
      /Free disk space/,
    );
  });

  it("is begun when there is room for it", async () => {
    await checkForecast(likely({ disk: { work: 1e3, published: 1e3 } }), places());
  });
});
