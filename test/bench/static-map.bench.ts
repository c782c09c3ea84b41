import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { basemapLayer } from "../../src/importer/layers/basemap/basemap-layer.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { silent } from "../../src/importer/report/reporter.ts";
import { importGeodata } from "../../src/importer/run/import.ts";
import { geodataBucketName } from "../../src/server/geodata/geodata-bucket.ts";
import type { Report } from "./bench.ts";
import { extract } from "./support/geodata-platform.ts";
import { measureLoad } from "./support/load.ts";
import { percentile } from "./support/percentile.ts";
import { cpuSeconds, residentBytes } from "./support/process-cpu.ts";
import { staticMapStages } from "./support/static-map-stages.ts";
import { type PlatformWorker, startPlatform } from "./worker.ts";

export const name = "static-map";
export const summary =
  "Static maps of the Worker: first, warm, cached, 304, by stages, beside the faster of resvg-js and sharp; markers, tiles.";

interface City {
  name: string;
  extract: string;
  latitude: number;
  longitude: number;
  zoom: number;
}

const CITIES: City[] = [
  { name: "Monaco z15", extract: "monaco", latitude: 43.7384, longitude: 7.4246, zoom: 15 },
  { name: "Heidelberg z13", extract: "heidelberg", latitude: 49.4094, longitude: 8.6947, zoom: 13 },
];
const SIZE = "width=600&height=400";
const WARM = 24;
/** Requests before the clock counts: V8 compiles the drawing after some 50 maps, and answers from memory after some 1,000. */
const WARM_UP = { drawn: 60, kept: 2000 };

export async function run(report: Report): Promise<void> {
  const cities = CITIES.filter((city) => extract(city.extract));
  if (cities.length === 0) throw new Error("There is no extract: GEODATA_DIR names the folder with monaco.osm.pbf.");
  const platform = await startPlatform({
    unlimited: ["staticMap", "postStaticMap", "rasterTile", "mapTile"],
    prepare: (_database, _project, state) => importCities(cities, state),
  });
  try {
    const Authorization = platform.keys.testPublishable;
    for (const city of cities)
      for (const scale of [1, 2]) await measureCity(platform, city, scale, { Authorization }, report);
    await measureMarkers(platform, cities[0], { Authorization }, report);
    await measureTiles(platform, cities[0], { Authorization }, report);
    await measureLargest(platform, cities[0], { Authorization }, report);
  } finally {
    await platform.stop();
  }
}

async function importCities(cities: readonly City[], state: string): Promise<void> {
  const bucket = openLocalBucket(state, geodataBucketName());
  const cache = mkdtempSync(join(tmpdir(), "graticule-bench-maps-"));
  try {
    for (const city of cities) {
      const extracts = [extract(city.extract) as string];
      const layers = [basemapLayer];
      await importGeodata({
        name: city.extract,
        extracts,
        files: { addresses: [] },
        layers,
        cache,
        bucket,
        reporter: silent,
      });
    }
  } finally {
    bucket.close();
    rmSync(cache, { recursive: true, force: true });
  }
}

type Headers = Record<string, string>;

async function measureCity(
  platform: PlatformWorker,
  { name: city, latitude, longitude, zoom }: City,
  scale: number,
  headers: Headers,
  report: Report,
): Promise<void> {
  const label = `${city} @${scale}x`;
  // A hair's breadth between them: other maps, and the same work.
  const path = (n: number) =>
    `/maps/static?${SIZE}&scale=${scale}&center=${latitude},${longitude + n * 1e-6}&zoom=${zoom}`;
  const view = { center: { latitude, longitude }, zoom, width: 600, height: 400 };
  const began = performance.now();
  const before = cpuSeconds(platform.pid);
  const response = await fetch(platform.url + path(-1), { headers });
  const size = (await response.arrayBuffer()).byteLength;
  report({ case: label, metric: "first", value: performance.now() - began, unit: "ms" });
  report({ case: label, metric: "first, CPU", value: (cpuSeconds(platform.pid) - before) * 1000, unit: "ms" });
  report({ case: label, metric: "PNG", value: size / 1000, unit: "kB" });

  const svg = await (await fetch(`${platform.url}${path(0)}&format=svg`, { headers })).text();
  const native = await fastestNative(svg);
  const warm = await measureLoad(platform, (n) => ({ path: path(n + 1), headers }), {
    count: WARM,
    parallel: 1,
    warmUp: WARM_UP.drawn,
  });
  report({ case: label, metric: "warm, p50", value: warm.p50, unit: "ms", baseline: native.ms });
  report({ case: label, metric: "warm, CPU", value: warm.cpu / 1000, unit: "ms", baseline: native.cpu });
  for (const { stage, ms } of await staticMapStages(platform.state, view, scale))
    report({ case: label, metric: `stage: ${stage}`, value: ms, unit: "ms" });

  const cached = await measureLoad(platform, () => ({ path: path(1), headers }), {
    count: 400,
    parallel: 1,
    warmUp: WARM_UP.kept,
  });
  report({ case: label, metric: "cached, p50", value: cached.p50, unit: "ms" });
  report({ case: label, metric: "cached, CPU", value: cached.cpu / 1000, unit: "ms" });
  const etag = (await fetch(platform.url + path(1), { headers })).headers.get("etag") ?? "";
  const known = { ...headers, "if-none-match": etag };
  const same = await measureLoad(platform, () => ({ path: path(1), headers: known }), {
    count: 400,
    parallel: 1,
    warmUp: WARM_UP.kept,
  });
  report({ case: label, metric: "304, p50", value: same.p50, unit: "ms" });
  report({ case: label, metric: "304, CPU", value: same.cpu / 1000, unit: "ms" });
}

/** What 500 markers of as many colours cost over the same map without any. */
async function measureMarkers(platform: PlatformWorker, city: City, headers: Headers, report: Report): Promise<void> {
  const { latitude, longitude, zoom } = city;
  const marker = (n: number) => {
    const [north, east] = [((n * 7919) % 1000) / 1000 - 0.5, ((n * 104729) % 1000) / 1000 - 0.5];
    const color = ((n * 2654435761) % 0xffffff).toString(16).padStart(6, "0");
    return `color:0x${color}|${(latitude + 0.006 * north).toFixed(4)},${(longitude + 0.012 * east).toFixed(4)}`;
  };
  const map = (n: number, count: number) => ({
    width: 600,
    height: 400,
    zoom,
    center: `${latitude},${longitude + n * 1e-6}`,
    markers: Array.from({ length: count }, (_, i) => marker(i)),
  });
  const warm = (count: number, from: number) => {
    const make = (n: number) => ({
      method: "POST" as const,
      path: "/maps/static",
      headers,
      body: map(from + n, count),
    });
    return measureLoad(platform, make, { count: WARM, parallel: 1, warmUp: WARM_UP.drawn });
  };
  const [none, many] = [await warm(0, 100), await warm(500, 200)];
  report({ case: "500 markers", metric: "CPU beyond none", value: (many.cpu - none.cpu) / 1000, unit: "ms" });
}

/** Tiles: vector, and raster as they are drawn (in blocks of 16) and from memory. */
async function measureTiles(platform: PlatformWorker, city: City, headers: Headers, report: Report): Promise<void> {
  const { latitude, longitude } = city;
  const tile = (z: number) => {
    const sine = Math.sin((latitude * Math.PI) / 180);
    const x = ((longitude + 180) / 360) * 2 ** z;
    const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z;
    return [Math.floor(x), Math.floor(y)];
  };
  const load = (path: (n: number) => string, count: number) =>
    measureLoad(platform, (n) => ({ path: path(n), headers }), {
      count,
      parallel: 1,
      warmUp: Math.max(count >> 2, count < 100 ? 0 : WARM_UP.kept),
    });
  const [x, y] = tile(17);
  // Blocks side by side, four tiles wide.
  const drawn = await load((n) => `/maps/raster/radar-default-v1/17/${x + 4 * (n % 8)}/${y + 4 * (n >> 3)}.png`, 32);
  report({ case: "raster tile", metric: "drawn, CPU of one of 16", value: drawn.cpu / 1000 / 16, unit: "ms" });
  const kept = await load(() => `/maps/raster/radar-default-v1/17/${x}/${y}.png`, 400);
  report({ case: "raster tile", metric: "warm, CPU", value: kept.cpu / 1000, unit: "ms" });
  const [column, row] = tile(14);
  const vector = await load(() => `/maps/tiles/14/${column}/${row}.mvt`, 400);
  report({ case: "vector tile", metric: "warm, CPU", value: vector.cpu / 1000, unit: "ms" });
}

/** The largest image there is, and what the process holds while it is made. */
async function measureLargest(platform: PlatformWorker, city: City, headers: Headers, report: Report): Promise<void> {
  const before = residentBytes(platform.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(platform.pid));
  }, 20);
  const began = performance.now();
  const cpu = cpuSeconds(platform.pid);
  const path = `/maps/static?width=2048&height=2048&scale=3&center=${city.latitude},${city.longitude}&zoom=${city.zoom}`;
  const response = await fetch(platform.url + path, { headers });
  const size = (await response.arrayBuffer()).byteLength;
  clearInterval(watch);
  if (response.status !== 200) throw new Error(`the largest map answered ${response.status}`);
  report({ case: "2048 × 2048 @3x", metric: "time", value: performance.now() - began, unit: "ms" });
  report({ case: "2048 × 2048 @3x", metric: "CPU", value: (cpuSeconds(platform.pid) - cpu) * 1000, unit: "ms" });
  report({ case: "2048 × 2048 @3x", metric: "PNG", value: size / 1e6, unit: "MB" });
  report({ case: "2048 × 2048 @3x", metric: "memory above idle", value: (most - before) / 1e6, unit: "MB" });
}

const require = createRequire(import.meta.url);
const FONTS = [
  "400Regular/NotoSans_400Regular",
  "500Medium/NotoSans_500Medium",
  "400Regular_Italic/NotoSans_400Regular_Italic",
];

/** Milliseconds and CPU of the native renderer that needs less time for the same SVG, as PNG. */
async function fastestNative(svg: string): Promise<{ ms: number; cpu: number }> {
  const { Resvg } = require("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const sharp = require("sharp") as (input: Buffer) => { png(): { toBuffer(): Promise<Buffer> } };
  const fontFiles = FONTS.map((file) => require.resolve(`@expo-google-fonts/noto-sans/${file}.ttf`));
  const input = Buffer.from(svg);
  const figures = [
    await timed(async () => {
      new Resvg(svg, { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: "Noto Sans" } }).render().asPng();
    }),
    await timed(async () => {
      await sharp(input).png().toBuffer();
    }),
  ];
  return figures.sort((a, b) => a.ms - b.ms)[0];
}

async function timed(work: () => Promise<void>): Promise<{ ms: number; cpu: number }> {
  for (let i = 0; i < 4; i++) await work();
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let i = 0; i < WARM; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { ms: percentile(times, 0.5), cpu: (user + system) / 1000 / WARM };
}
