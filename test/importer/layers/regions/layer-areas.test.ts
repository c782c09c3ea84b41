import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../../src/importer/publish/bucket.ts";
import { readLiveList } from "../../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../../src/importer/run/import.ts";
import { layers } from "../../../../src/importer/run/layers.ts";

let folder: string;
let bucket: Bucket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "areas-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterEach(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

/** One address in Vermont, one 0.1° north-east of it. */
const CSV =
  "LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n-72.6,44.2,1,Main St,Montpelier,VT,05602\n-72.5,44.3,2,Main St,Montpelier,VT,05602\n";

async function live(extracts: string[], files: { addresses?: string[]; places?: string }) {
  const all = { addresses: [], ...files };
  const { manifest } = await importGeodata({
    name: "town",
    extracts,
    files: all,
    layers,
    cache: folder,
    bucket,
    reporter: silent,
  });
  return { manifest, build: (await readLiveList(bucket)).list.builds[0] };
}

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** A road in Portugal, and nothing that has a name or a number. */
async function road(): Promise<string> {
  const elements: OsmElement[] = [
    { type: "node", id: 1, latitude: 40.9, longitude: -8.1, tags: {} },
    { type: "node", id: 2, latitude: 41.1, longitude: -7.9, tags: {} },
    { type: "way", id: 1, refs: [1, 2], tags: { highway: "residential" } },
  ];
  const path = join(folder, "road.osm.pbf");
  await writePbf(path, elements, { bounds: [-8.1, 40.9, -7.9, 41.1] });
  return path;
}

describe("an import of addresses alone", () => {
  it("is live as addresses, in the box around them, and says nothing of maps, roads, places and regions", async () => {
    const { manifest, build } = await live([], { addresses: [await file("vt.csv", CSV)] });
    expect(Object.keys(build.layers)).toEqual(["addresses"]);
    const [west, south, east, north] = build.areas[0];
    expect([west, south, east, north].map((value) => Math.round(value * 1000) / 1000)).toEqual([
      -72.602, 44.198, -72.498, 44.302,
    ]);
    expect(manifest.bounds).toEqual(build.areas[0]);
    // The manifest still says what was looked for.
    expect(manifest.layers.basemap).toMatchObject({ objects: 0, areas: [] });
  });
});

describe("an import of an extract", () => {
  it("is not live in layers it has nothing for", async () => {
    const { build } = await live([await road()], {});
    expect(Object.keys(build.layers).sort()).toEqual(["basemap", "regions", "roads"]);
    expect(build.layerAreas).toBeUndefined();
    expect(build.areas).toEqual([[-8.1, 40.9, -7.9, 41.1]]);
  });

  it("has addresses and an operator's places where those are, and all else where the extract is", async () => {
    const addresses = [await file("vt.csv", CSV)];
    const places = await file("own.csv", "name,latitude,longitude\nDepot,10,20\n");
    const { build } = await live([await road()], { addresses, places });
    const extract = [-8.1, 40.9, -7.9, 41.1];
    expect(build.areas).toEqual([extract]);
    expect(build.layerAreas?.addresses).toEqual([
      extract,
      [-72.602, 44.198, -72.498, 44.302].map((value) => expect.closeTo(value, 6)),
    ]);
    expect(build.layerAreas?.places).toEqual([extract, [19.8, 9.9, 20.2, 10.1]]);
    expect(build.layerAreas?.roads).toBeUndefined();
  });
});
