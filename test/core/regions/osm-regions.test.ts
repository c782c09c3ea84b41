import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { RegionIndex, tilesFrom } from "../../../src/core/regions/region-index.ts";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { kindsOf } from "../../../src/importer/layers/regions/admin-level.ts";
import { parseDmaTable } from "../../../src/importer/layers/regions/dma.ts";
import { regionsOf } from "../../../src/importer/layers/regions/osm-region.ts";
import { osmRegions } from "../../../src/importer/layers/regions/osm-regions.ts";
import type { OsmElement, OsmRelation, Tags } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { runLayer } from "./extract-harness.ts";

describe("a boundary's kind", () => {
  it.each<[string, Tags, string, string[]]>([
    ["level 2 is a country", { admin_level: "2" }, "", ["country"]],
    ["level 4 is a state", { admin_level: "4" }, "CA", ["state"]],
    ["level 6 is a county", { admin_level: "6" }, "US", ["county"]],
    ["level 8 is a locality", { admin_level: "8" }, "US", ["locality"]],
    ["level 7 is a township in New Jersey", { admin_level: "7" }, "US", []],
    ["but a borough in New York", { admin_level: "7", border_type: "borough" }, "US", ["borough"]],
    ["and a municipality in Portugal", { admin_level: "7" }, "PT", ["locality"]],
    ["where level 8 is a parish", { admin_level: "8" }, "PT", ["borough"]],
    ["Heidelberg is its own county", { admin_level: "6", "de:place": "city" }, "DE", ["county", "locality"]],
    ["Berlin its own state", { admin_level: "4", place: "city" }, "DE", ["state", "locality"]],
    ["a level nobody uses is none", { admin_level: "3" }, "US", []],
    ["no level is none", {}, "US", []],
  ])("%s", (_, tags, country, kinds) => {
    expect(kindsOf(tags, country)).toEqual(kinds);
  });
});

describe("a boundary's code and name", () => {
  const first = (tags: Tags) => regionsOf(tags, "US").map(({ code, name, country }) => [country, code, name])[0];

  it("of a state come from ISO 3166-2 and from its English name", () => {
    const tags = { admin_level: "4", "ISO3166-2": "CA-QC", name: "Québec", "name:en": "Quebec" };
    expect(first(tags)).toEqual(["CA", "QC", "Quebec"]);
  });

  it("of a US county are its FIPS number, whole or in two parts", () => {
    expect(first({ admin_level: "6", name: "Kings County", "nist:fips_code": "36047" })).toEqual([
      "US",
      "36047",
      "Kings County",
    ]);
    const parts = { admin_level: "6", name: "Kings County", "nist:fips_code": "047", "nist:state_fips": "36" };
    expect(first(parts)).toEqual(["US", "36047", "Kings County"]);
  });

  it("of an overseas department are those of the country that ISO 3166-1 makes of it", () => {
    expect(first({ admin_level: "4", "ISO3166-2": "FR-GF", name: "Guyane" })).toEqual(["GF", "GF", "Guyane"]);
  });

  it("of a postal code are the code", () => {
    expect(first({ boundary: "postal_code", postal_code: "69117" })).toEqual(["", "69117", "69117"]);
    expect(first({ boundary: "postal_code", name: "no code" })).toBeUndefined();
  });

  it("are missing without a name, or for a country without its code", () => {
    expect(first({ admin_level: "8" })).toBeUndefined();
    expect(first({ admin_level: "2", name: "Atlantis" })).toBeUndefined();
  });
});

/**
 * Three towns in the Gulf of Guinea's empty sea: East and West share a way, North lacks one.
 *
 *     5 ─── 6 ─── 7
 *     │ cut │     │         1° = (0,-4) at node 1
 *     2 ─── 3 ─── 4
 *     │ West│ East│
 *     1 ─── 8 ─── 9
 */
const PLACES: [id: number, longitude: number, latitude: number][] = [
  [1, 0, -4],
  [2, 0, -3],
  [3, 1, -3],
  [4, 2, -3],
  [8, 1, -4],
  [9, 2, -4],
];
const town = (id: number, ways: number[], tags: Tags): OsmRelation => ({
  type: "relation",
  id,
  members: ways.map((ref) => ({ type: "way", ref, role: "outer" })),
  tags: { type: "boundary", boundary: "administrative", admin_level: "8", ...tags },
});
const ISLANDS: OsmElement[] = [
  ...PLACES.map(([id, longitude, latitude]): OsmElement => ({ type: "node", id, latitude, longitude, tags: {} })),
  { type: "way", id: 10, refs: [8, 1, 2, 3], tags: {} },
  { type: "way", id: 11, refs: [3, 8], tags: {} },
  { type: "way", id: 12, refs: [8, 9, 4, 3], tags: {} },
  town(20, [10, 11], { name: "West" }),
  town(21, [11, 12], { name: "East" }),
  town(22, [11, 99], { name: "Cut" }),
  town(23, [10, 12], { name: "Both", admin_level: "2", "ISO3166-1:alpha2": "XZ" }),
  town(24, [10, 11], { boundary: "postal_code", postal_code: "1000", admin_level: "" }),
  town(25, [11, 12], { name: "Border", type: "multilinestring" }),
];

describe("the regions of an import", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "graticule-islands-"));
    await writePbf(join(folder, "islands.osm.pbf"), ISLANDS);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("are found at their place, with the world base below, and never twice", async () => {
    const { objects, counts } = await runLayer(osmRegions, [join(folder, "islands.osm.pbf")]);
    const index = new RegionIndex([tilesFrom(memorySource(objects))]);
    expect(await index.regionsAt({ latitude: -3.5, longitude: 0.5 })).toEqual({
      country: { code: "XZ", name: "XZ", flag: "🇽🇿" },
      locality: { code: "", name: "West" },
      postalCode: { code: "1000", name: "1000" },
    });
    expect(await index.regionsAt({ latitude: -3.5, longitude: 1.5 })).toEqual({
      country: { code: "XZ", name: "XZ", flag: "🇽🇿" },
      locality: { code: "", name: "East" },
    });
    expect(await index.regionsAt({ latitude: -2.5, longitude: 0.5 })).toEqual({});
    expect(counts).toMatchObject({ locality: 2, country: 1, postalCode: 1, "relations cut by the extract's edge": 1 });
  });

  it("are the same bytes in every run", async () => {
    const bytes = async () => {
      const { objects } = await runLayer(osmRegions, [join(folder, "islands.osm.pbf")]);
      return [...objects].map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`);
    };
    expect(await bytes()).toEqual(await bytes());
  });

  it("take postal codes from the operator's file, in lines or as one collection", async () => {
    const area = (code: string, west: number) => ({
      type: "Feature",
      properties: { ZCTA5CE20: code },
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [west, -4],
            [west + 0.5, -4],
            [west + 0.5, -3],
            [west, -3],
            [west, -4],
          ],
        ],
      },
    });
    const areas = [area("10001", 1), area("10002", 1.5)];
    const lines = `{\n"type": "FeatureCollection",\n"features": [\n${areas.map((one) => JSON.stringify(one)).join(",\n")}\n]\n}\n`;
    const whole = JSON.stringify({ type: "FeatureCollection", features: areas }, null, 2);
    for (const text of [lines, whole]) {
      const postalCodes = join(folder, "postal.geojson");
      await writeFile(postalCodes, text);
      const { objects, counts } = await runLayer(osmRegions, [join(folder, "islands.osm.pbf")], {
        addresses: [],
        postalCodes,
      });
      const index = new RegionIndex([tilesFrom(memorySource(objects))]);
      const codes = [0.5, 1.2, 1.7].map(async (longitude) => {
        return (await index.regionsAt({ latitude: -3.5, longitude })).postalCode?.code;
      });
      expect(await Promise.all(codes)).toEqual(["1000", "10001", "10002"]);
      expect(counts.postalCode).toBe(3);
    }
  });

  it("fail with a file of postal codes that holds none, or areas without a code", async () => {
    const postalCodes = join(folder, "wrong.geojson");
    const run = async (text: string) => {
      await writeFile(postalCodes, text);
      await runLayer(osmRegions, [join(folder, "islands.osm.pbf")], { addresses: [], postalCodes });
    };
    await expect(run("not JSON")).rejects.toThrow("--postal-codes: the file is no GeoJSON");
    await expect(run('{"type":"FeatureCollection","features":[]}')).rejects.toThrow("holds no areas");
    await expect(run('{"type":"Feature","properties":{"a":1},"geometry":null}')).rejects.toThrow("area 1 has no code");
  });

  it("fail with the line of the operator's table that is wrong", async () => {
    const dma = join(folder, "dma.csv");
    await writeFile(dma, "fips,code,name\n36047,501\n");
    const run = runLayer(osmRegions, [join(folder, "islands.osm.pbf")], { addresses: [], dma });
    await expect(run).rejects.toThrow('--dma: line 2: expected "county FIPS,code,name", found "36047,501"');
  });
});

describe("the operator's table of market areas", () => {
  it("may have a header, quotes, commas in names, and numbers without their leading zero", () => {
    const table = parseDmaTable(
      '\uFEFFfips,code,name\r\n36047,501,"New York, NY"\r\n1001,698,Montgomery "Selma"\r\n\r\n',
    );
    expect([...table]).toEqual([
      ["36047", { code: "501", name: "New York, NY" }],
      ["01001", { code: "698", name: 'Montgomery "Selma"' }],
    ]);
  });

  it("is rejected when empty or when a county occurs twice", () => {
    expect(() => parseDmaTable("fips,code,name\n")).toThrow(ImportError);
    expect(() => parseDmaTable("36047,501,A\n36047,502,B\n")).toThrow("line 2: county 36047 occurs twice");
  });
});
