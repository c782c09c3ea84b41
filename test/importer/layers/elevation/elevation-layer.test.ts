import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unpaced } from "../../../../src/core/geo/pace.ts";
import { unproject } from "../../../../src/core/maps/base/view.ts";
import { elevationLayer } from "../../../../src/importer/layers/elevation/elevation-layer.ts";
import { liveId } from "../../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../../src/importer/run/import.ts";
import { fetchElevations } from "../../../../src/importer/sources/elevation-tiles.ts";
import { climbOfLine, profileOf } from "../../../../src/worker/answers/routes/ground.ts";
import { groundAt } from "../../../../src/worker/geodata/elevation.ts";
import { openGeodata } from "../../../../src/worker/geodata/live.ts";
import { forgetGeodata } from "../../../../src/worker/geodata/r2-source.ts";
import { terrainSources, terrainTiles, terrainVersion } from "../../../../src/worker/geodata/terrain.ts";
import { FakeBucket } from "../../../worker/geodata/fake-bucket.ts";
import { type Ground, writeTerrarium } from "./terrarium-archive.ts";

/** A slope with a hill: at the 30 m of the grid it is exact to centimeters. */
const ground: Ground = (latitude, longitude) =>
  250 + 900 * (latitude - 49.4) - 400 * (longitude - 8.6) + 60 * Math.sin(latitude * 150) * Math.cos(longitude * 120);
const BBOX: [number, number, number, number] = [8.62, 49.41, 8.68, 49.48];

let folder: string;
let server: Server;
let url: string;
const requests: string[] = [];
/** Changes the version of the served file. */
let version = '"a"';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elevation-"));
  const path = join(folder, "planet.pmtiles");
  const metadata = { attribution: '<a href="https://mapterhorn.com/attribution">&copy; Mapterhorn</a>' };
  await writeTerrarium(path, { bounds: [8.5, 49.3, 8.8, 49.6], zoom: 11, side: 512, ground, metadata });
  const bytes = await readFile(path);
  server = createServer(({ headers }, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    requests.push(headers.range ?? "whole");
    const part = bytes.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, { etag: version, "content-range": `bytes ${from}-${to}/${bytes.length}` }).end(part);
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/planet.pmtiles`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const fetched = (source: string, cache = "cache", bounds = BBOX) =>
  fetchElevations({ source, bounds, cache: join(folder, cache), reporter: silent, allowHttp: true });

describe("an import of elevations", () => {
  it("reads the tiles of an area by ranges, and finds the ground where it is", async () => {
    requests.length = 0;
    const plan = await fetched(url);
    expect(requests).not.toContain("whole");
    const { bounds, zoom, attribution } = JSON.parse(await readFile(plan, "utf8"));
    // Whole blocks, at the zoom with pixels of at most 31.3 m.
    expect({ bounds, zoom, attribution }).toEqual({
      bounds: [8.6, 49.4, 8.7, 49.5],
      zoom: 11,
      attribution: "© Mapterhorn",
    });

    const bucket = openLocalBucket(join(folder, "state"), "geodata");
    const { manifest } = await importGeodata({
      ...{
        name: "elevation-planet",
        extracts: [],
        files: { elevation: plan, addresses: [] },
        layers: [elevationLayer],
      },
      ...{ cache: join(folder, "cache"), bucket, reporter: silent },
    });
    expect(manifest.layers.elevation).toMatchObject({ counts: { blocks: 1 }, areas: [[8.6, 49.4, 8.7, 49.5]] });
    expect(manifest.sources).toMatchObject([{ name: "Elevation: planet.pmtiles", attribution: "© Mapterhorn" }]);
    // Of 79 km².
    expect(manifest.layers.elevation.bytes).toBeLessThan(0.79 * 1.2e6);

    const copy = new FakeBucket();
    for (const key of (await bucket.list("")).keys()) copy.put(key, (await bucket.get(key))?.bytes ?? "");
    bucket.close();
    const credits: string[] = [];
    const credit = (sources: readonly { name: string }[]) => void credits.push(...sources.map(({ name }) => name));
    const geodata = await openGeodata(copy, { now: Date.now(), waitUntil: undefined, credit });
    const points = Array.from({ length: 200 }, (_, i) => ({
      latitude: 49.4001 + ((i * 37) % 100) / 1001,
      longitude: 8.6001 + ((i * 61) % 100) / 1001,
    }));
    const found = await groundAt(geodata, [...points, { latitude: 50, longitude: 8.65 }], unpaced());
    for (const [i, { latitude, longitude }] of points.entries())
      expect(Math.abs((found[i] as number) - ground(latitude, longitude))).toBeLessThan(0.35);
    expect(found[200]).toBeUndefined();
    expect(new Set(credits)).toEqual(new Set(["Elevation: planet.pmtiles"]));

    // Contours of maps, at zooms of the overview and of the grid itself.
    for (const zoom of [9, 10, 11, 13, 15]) {
      copy.asked.length = 0;
      const view = { center: { latitude: 49.45, longitude: 8.65 }, zoom, width: 300, height: 300 };
      const off: number[] = [];
      for (const { tile, x, y, z } of (await terrainTiles(geodata, view, unpaced())).drawn) {
        const { features, points, ends } = tile.get("contour") ?? { features: [], points: [], ends: [] };
        for (const { tags, first, last } of features) {
          for (let i = first === 0 ? 0 : ends[first - 1]; i < ends[last - 1]; i++) {
            const at = unproject((x + points[2 * i] / 4096) / 2 ** z, (y + points[2 * i + 1] / 4096) / 2 ** z);
            off.push(Math.abs(Number(tags.ele) - ground(at.latitude, at.longitude)));
          }
        }
      }
      if (zoom > 9) expect(off.length).toBeGreaterThan(20);
      // Zoom 9 would read sixteen times as many blocks without overviews; they stay in memory.
      expect(copy.asked.some((key) => key.includes("/overview/"))).toBe(zoom === 9);
      expect(Math.max(0, ...off)).toBeLessThan(zoom <= 10 ? 6 : 2.5);
    }
    expect(terrainVersion(geodata)).toContain(manifest.id);
    const far = { center: { latitude: 20, longitude: 8 }, zoom: 12, width: 300, height: 300 };
    expect([(await terrainTiles(geodata, far, unpaced())).drawn, terrainSources(geodata, far)]).toEqual([[], []]);
    expect(terrainSources(geodata, { z: 12, x: 2146, y: 1397 })).toHaveLength(1);

    // A damaged block is left out and reported, and nothing of it is cached.
    const damaged = new FakeBucket();
    for (const [key, bytes] of copy.objects)
      damaged.put(key, /elevation\/\d+\//.test(key) ? bytes.slice(0, 40) : bytes);
    const leftOut: string[] = [];
    const broken = await openGeodata(damaged, {
      now: Date.now(),
      waitUntil: undefined,
      leftOut: (what) => leftOut.push(what),
    });
    const near = { center: { latitude: 49.45, longitude: 8.65 }, zoom: 12.9, width: 100, height: 100 };
    forgetGeodata();
    expect((await terrainTiles(broken, near, unpaced())).isWhole).toBe(false);
    expect(leftOut).toContain("elevation");
    forgetGeodata();

    // A path up the slope and down again, and one that leaves the area.
    const [low, high] = [49.41, 49.49].map((latitude) => ({ latitude, longitude: 8.65 }));
    const { climb, length, samples } = await profileOf(geodata, [low, high, low], 5, unpaced());
    expect(length).toBeCloseTo(2 * 8896, -1);
    for (const [i, latitude] of [49.41, 49.45, 49.49, 49.45, 49.41].entries())
      expect(Math.abs((samples[i].elevation ?? 0) - ground(latitude, 8.65))).toBeLessThan(0.35);
    expect(climb?.ascent).toBeCloseTo(climb?.descent ?? 0, -1);
    const away = await profileOf(geodata, [low, { latitude: 49.2, longitude: 8.65 }], 2, unpaced());
    expect([away.climb, away.samples[1].elevation]).toEqual([undefined, undefined]);
    expect(await climbOfLine(geodata, [low, high, low], [], unpaced())).toEqual(climb);
  });

  it("continues with the tiles that it has, and gives the same plan again", async () => {
    const plan = await fetched(url);
    requests.length = 0;
    expect(await fetched(url)).toBe(plan);
    const tiles = (await readdir(join(plan, ".."))).filter((name) => name.startsWith("11-"));
    await rm(join(plan, "..", tiles[0]));
    expect(await fetched(url)).toBe(plan);
    // Header, root and metadata twice; one tile.
    expect(requests.length).toBeLessThanOrEqual(5);
  });

  it("rejects a file that changes while it is read", async () => {
    version = '"a"';
    const say = () => {
      version = '"b"';
    };
    const cut = fetchElevations({
      ...{ source: url, bounds: BBOX, cache: join(folder, "changed"), allowHttp: true },
      reporter: { ...silent, say },
    });
    await expect(cut).rejects.toThrow(/changed while it was read/);
    version = '"a"';
  });

  it.each<[string, string, [number, number, number, number], RegExp]>([
    ["no archive", "notes.txt", BBOX, /notes\.txt is no PMTiles archive/],
    ["no file", "nowhere.pmtiles", BBOX, /there is no such file/],
    ["another area", "planet.pmtiles", [10.1, 49.1, 10.2, 49.2], /covers 8\.5,49\.3,8\.8,49\.6, not this area/],
    ["another encoding", "mapbox.pmtiles", BBOX, /encoding "mapbox"/],
  ])("answers %s with a sentence", async (_, name, bounds, sentence) => {
    await writeFile(join(folder, "notes.txt"), "buy milk ".repeat(2000));
    const other = { bounds: [8.5, 49.3, 8.8, 49.6] as typeof BBOX, zoom: 3, side: 4, ground };
    await writeTerrarium(join(folder, "mapbox.pmtiles"), { ...other, metadata: { encoding: "mapbox" } });
    await expect(fetched(join(folder, name), "cache2", bounds)).rejects.toThrow(sentence);
  });

  it("leaves unknown what the archive lacks, and reads PNG", async () => {
    const path = join(folder, "half.pmtiles");
    // The tile border runs through the block at 8.6133°.
    const options = { bounds: [8.5, 49.3, 8.8, 49.6] as typeof BBOX, zoom: 11, side: 64, ground };
    await writeTerrarium(path, { ...options, format: "png", lacks: (x) => x > 1072 });
    const plan = await fetched(path, "half");
    const bucket = openLocalBucket(join(folder, "half-state"), "geodata");
    await importGeodata({
      ...{ name: "half", extracts: [], files: { elevation: plan, addresses: [] }, layers: [elevationLayer] },
      ...{ cache: join(folder, "half"), bucket, reporter: silent },
    });
    const copy = new FakeBucket();
    for (const key of (await bucket.list("")).keys()) copy.put(key, (await bucket.get(key))?.bytes ?? "");
    bucket.close();
    const geodata = await openGeodata(copy, { now: Date.now(), waitUntil: undefined });
    const at = (longitude: number) => groundAt(geodata, [{ latitude: 49.45, longitude }], unpaced());
    expect([(await at(8.605))[0] === undefined, (await at(8.69))[0] === undefined]).toEqual([false, true]);
  });

  it.each<[string, Ground, RegExp]>([
    ["pictures", (latitude) => 20_000 * Math.sin(latitude * 1e4), /no elevation \(-500 to 9,000 m\)/],
    ["one peak that is too high", (latitude) => (latitude > 49.45 ? 9200 : 100), /value of 9,200 m is no elevation/],
    ["depths of the sea", () => -3000, /value of -3,000 m is no elevation/],
    ["no values at all", () => -32_768, /nothing in it to import/],
  ])("rejects an archive of %s, and changes nothing that is live", async (what, other, sentence) => {
    const path = join(folder, "wrong.pmtiles");
    const options = { bounds: [8.5, 49.3, 8.8, 49.6] as typeof BBOX, zoom: 11, side: 16 };
    const bucket = openLocalBucket(join(folder, "wrong-state"), "geodata");
    const run = async (ground: Ground, cache: string) => {
      await writeTerrarium(path, { ...options, ground });
      const files = { elevation: await fetched(path, cache), addresses: [] };
      const own = { name: "hills", extracts: [], files, layers: [elevationLayer] };
      return importGeodata({ ...own, cache: join(folder, cache), bucket, reporter: silent });
    };
    try {
      // From the shore of the Dead Sea to the top of Everest.
      const { manifest } = await run((latitude) => (latitude > 49.45 ? 8849 : -430), `right ${what}`);
      await expect(run(other, what)).rejects.toThrow(sentence);
      expect(await liveId(bucket, "hills")).toBe(manifest.id);
    } finally {
      bucket.close();
    }
  });
});
