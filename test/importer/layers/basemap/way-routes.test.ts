import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { divide } from "../../../../src/importer/frame/budget.ts";
import { basemapLayer } from "../../../../src/importer/layers/basemap/basemap-layer.ts";
import { shieldOf } from "../../../../src/importer/layers/basemap/features/roads.ts";
import { routeOf, type WayRoute } from "../../../../src/importer/layers/basemap/features/way-routes.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../../src/importer/run/import.ts";
import { importBasemap, Sketch } from "./import-basemap.ts";

const HERE = [0.004, 0.004] as const;
const BOX = [0, 0, 0.01, 0.01] as const;

const road = (network: string, ref: string): WayRoute => ({ network, ref });

describe("the shield of a road", () => {
  it.each<[string, string | undefined, WayRoute[], string, string]>([
    ["a bare number is its route's", "82", [road("US:CA", "82")], "82", "US:CA"],
    ["whatever stands before it", "SR 82", [road("US:CA", "82")], "82", "US:CA"],
    ["also in Michigan", "M-22", [road("US:MI", "22")], "22", "US:MI"],
    ["a European road is one", "E 45", [road("e-road", "E 45")], "E45", "e-road"],
    [
      "a motorway that is a European road, too, has its own number",
      "A 5",
      [road("e-road", "E 35"), road("BAB", "A 5")],
      "A5",
      "BAB",
    ],
    ["which it has without a relation of its own", "A 5", [road("e-road", "E 35")], "A5", "other"],
    ["another number is another road's", "82", [road("US:CA", "182")], "82", "other"],
    ["the way's word counts before its routes'", "I 80", [road("US:US", "40")], "80", "US:I"],
    [
      "a road without a number has that of its largest route",
      undefined,
      [road("US:NV", "1"), road("US:I", "80"), road("US:US", "93")],
      "80",
      "US:I",
    ],
  ])("%s", (_, ref, routes, text, network) => {
    for (const order of [routes, [...routes].reverse()])
      expect(shieldOf(ref ? { ref } : {}, order)).toMatchObject({ shield_text: text, network });
  });

  it("is none where neither way nor route has a number", () => {
    expect(shieldOf({}, [])).toEqual({});
    expect(shieldOf({}, [{ ref: "5", colour: "#ff0000" }])).toEqual({});
  });
});

describe("a route relation", () => {
  it.each<[Record<string, string>, WayRoute | undefined]>([
    [
      { route: "road", network: "US:TX:FM", ref: "1960" },
      { network: "US:TX", ref: "1960" },
    ],
    [{ route: "road", network: "US:I:Business:Loop", ref: "80" }, undefined],
    [
      { route: "road", network: "E-road", ref: "E 45" },
      { network: "e-road", ref: "E 45" },
    ],
    [{ route: "road", network: "US:I" }, undefined],
    [
      { route: "tram", ref: "1", colour: "Red" },
      { ref: "1", colour: "#ff0000" },
    ],
    [
      { route: "subway", ref: "U2", colour: "#0C5" },
      { ref: "U2", colour: "#00cc55" },
    ],
    [{ route: "tram", ref: "1" }, undefined],
    [{ route: "tram", ref: "1", colour: "url(x)" }, undefined],
    [{ route: "hiking", ref: "E 5", colour: "red" }, undefined],
  ])("%o says %o", (tags, route) => {
    expect(routeOf({ tags })).toEqual(route);
  });
});

describe("an extract with routes", () => {
  it("has shields by network and lines of transit in their colours, whichever order the relations have", async () => {
    const sketch = new Sketch();
    sketch.node(BOX[0], BOX[1]);
    sketch.node(BOX[2], BOX[3]);
    const line = (y: number, tags: Record<string, string>) =>
      sketch.way(
        [
          [0.001, y],
          [0.008, y],
        ],
        tags,
      );
    const state = line(0.002, { highway: "primary", ref: "82" });
    line(0.003, { highway: "primary", ref: "B 37" });
    const europe = line(0.004, { highway: "motorway", ref: "E 45" });
    const shared = line(0.005, { railway: "tram" });
    line(0.006, { railway: "tram" });
    sketch.relation([state], { type: "route", route: "road", network: "US:CA", ref: "82" });
    sketch.relation([europe, 7], { type: "route", route: "road", network: "e-road", ref: "E 45" });
    sketch.relation([shared], { type: "route", route: "tram", ref: "4", colour: "blue" });
    sketch.relation([shared], { type: "route", route: "tram", ref: "12", colour: "#d00" });
    const map = await importBasemap(sketch.elements, [...BOX]);
    const roads = (await map.features("roads", 14, ...HERE)).map(({ properties }) => properties);
    const told = (network: string) => roads.filter((one) => one.network === network).map((one) => one.shield_text);
    expect([told("US:CA"), told("e-road"), told("other")]).toEqual([["82"], ["E45"], ["B37"]]);
    const trams = roads.filter((one) => one.kind_detail === "tram");
    expect(trams.map(({ colour, ref }) => [colour, ref])).toEqual(
      expect.arrayContaining([
        ["#dd0000", "12 4"],
        [undefined, undefined],
      ]),
    );
    expect(trams).toHaveLength(2);
  });

  it("is drawn anew by an update of which only a relation is another", async () => {
    const folder = mkdtempSync(join(tmpdir(), "way-routes-"));
    const bucket = openLocalBucket(join(folder, "state"), "geodata");
    try {
      const importOf = async (network: string, cache: string, kept: object) => {
        const sketch = new Sketch();
        sketch.node(BOX[0], BOX[1]);
        sketch.node(BOX[2], BOX[3]);
        const corners = [0.001, 0.008].map((x): [number, number] => [x, 0.002]);
        const way = sketch.way(corners, { highway: "primary", ref: "82" });
        sketch.relation([way], { type: "route", route: "road", network, ref: "82" });
        const order = { node: 0, way: 1, relation: 2 };
        const path = join(folder, "roads.osm.pbf");
        const all = sketch.elements.sort((a, b) => order[a.type] - order[b.type] || a.id - b.id);
        await writePbf(path, all, { bounds: [...BOX] });
        const layers = [basemapLayer];
        const given = { name: "roads", extracts: [path], files: { addresses: [] }, layers, reporter: silent };
        return (await importGeodata({ ...given, budget: divide(8e9, 1), cache: join(folder, cache), ...kept }))
          .manifest;
      };
      const kept = { bucket, parts: join(folder, "parts") };
      const first = await importOf("US:CA", "cache", kept);
      const updated = await importOf("US:NV", "cache", kept);
      expect(updated).not.toEqual(first);
      expect(updated).toEqual(await importOf("US:NV", "cache-whole", {}));
    } finally {
      bucket.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
