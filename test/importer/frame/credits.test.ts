import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { creditsOf } from "../../../src/importer/frame/credits.ts";
import type { StagedLayer } from "../../../src/importer/frame/stores/staged-output.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "credits-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const layer = (name: string, more: Partial<StagedLayer> = {}): StagedLayer => ({
  name,
  formatVersion: 1,
  objects: 1,
  bytes: 1,
  counts: {},
  notes: [],
  sources: [],
  asked: [],
  ...more,
});
const extract = (timestamp?: string) => ({
  name: "x.osm.pbf",
  bounds: [0, 0, 1, 1] as const,
  areas: [[0, 0, 1, 1]] as const,
  ...(timestamp && { timestamp }),
});
const NATURAL_EARTH = { name: "Natural Earth", url: "https://www.naturalearthdata.com", licence: "Public domain" };

describe("the sources of a build", () => {
  it("name OpenStreetMap with the age of the oldest extract, and each layer's own beside it", async () => {
    const credits = await creditsOf({
      layers: [layer("regions", { sources: [NATURAL_EARTH] }), layer("roads")],
      extracts: [extract("2026-11-20T21:20:00Z"), extract("2026-11-18T21:20:00Z"), extract()],
      files: { addresses: [] },
    });
    expect(credits.sources.map(({ name, date }) => [name, date])).toEqual([
      ["Natural Earth", undefined],
      ["OpenStreetMap", "2026-11-18T21:20:00Z"],
    ]);
    expect(credits.byLayer).toEqual({ regions: ["Natural Earth", "OpenStreetMap"], roads: ["OpenStreetMap"] });
  });

  it("take the licence of an OpenAddresses file from the definition beside it, or from LICENSE.txt", async () => {
    const city = join(folder, "city.csv");
    await writeFile(
      join(folder, "city.json"),
      JSON.stringify({
        website: "https://city.example/data",
        license: { text: "CC BY 4.0", url: "https://city.example/licence", "attribution name": "© City of Example" },
      }),
    );
    await writeFile(join(folder, "LICENSE.txt"), "\nOpen Data Licence of the County\nand more\n");
    const county = join(folder, "county.csv");
    const own = [city, county].map((path) => ({
      name: `OpenAddresses: ${path.slice(folder.length + 1)}`,
      url: "https://openaddresses.io",
      licence: "as the file's own source says",
    }));
    const { sources } = await creditsOf({
      layers: [layer("addresses", { sources: own, asked: ["addresses"] })],
      extracts: [],
      files: { addresses: [city, county] },
      attribution: "© The County",
    });
    expect(sources).toEqual([
      {
        name: "OpenAddresses: city.csv",
        url: "https://city.example/data",
        licence: "CC BY 4.0",
        licenceUrl: "https://city.example/licence",
        attribution: "© City of Example",
      },
      {
        name: "OpenAddresses: county.csv",
        url: "https://openaddresses.io",
        licence: "Open Data Licence of the County",
        attribution: "© The County",
      },
    ]);
  });

  it("name the operator's files, with the words of --attribution; those of an extract that has no such file, for all layers", async () => {
    const speeds = join(folder, "speeds.csv");
    const given = { extracts: [extract()], attribution: "© Our Surveyors" };
    const roads = await creditsOf({
      ...given,
      layers: [layer("roads", { asked: ["speeds"] }), layer("basemap")],
      files: { addresses: [], speeds },
    });
    expect(roads.sources.find(({ name }) => name === "speeds.csv")).toMatchObject({ attribution: "© Our Surveyors" });
    expect(roads.byLayer.basemap).toEqual(["OpenStreetMap"]);
    const plain = await creditsOf({ ...given, layers: [layer("basemap")], files: { addresses: [] } });
    expect(plain.byLayer.basemap).toEqual(["OpenStreetMap", "The operator's own data"]);
  });
});
