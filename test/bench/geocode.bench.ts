import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepDecoded, memorySource } from "../../src/core/geo/builds/tile-source.ts";
import { destination } from "../../src/core/geo/distance.ts";
import { AddressIndex } from "../../src/core/geocoding/index/address-index.ts";
import { nearby } from "../../src/core/geocoding/search/reverse.ts";
import { search } from "../../src/core/geocoding/search/search.ts";
import { writeDemoWorld } from "../../src/demo/world/write.ts";
import { addressesLayer } from "../../src/importer/layers/addresses/addresses-layer.ts";
import { osmRegions } from "../../src/importer/layers/regions/osm-regions.ts";
import { silent } from "../../src/importer/report/reporter.ts";
import { importGeodata } from "../../src/importer/run/import.ts";
import { findSources } from "../../src/importer/sources/sources.ts";
import { openGeodataBucket } from "../../src/server/geodata/geodata-bucket.ts";
import {
  around,
  casesOf,
  full,
  isHit,
  isOnStreet,
  isReported,
  KINDS,
  type Kind,
  line,
} from "../core/geocoding/cases.ts";
import { ColdSource } from "../core/geocoding/index/cold-source.ts";
import { type Built, buildAddresses, demoAddresses, FORWARD, TYPING } from "../core/geocoding/index/demo-index.ts";
import { syntheticTowns } from "../core/geocoding/index/synthetic.ts";
import { randomFrom, type SampledHouse, sampleHouses } from "../core/geocoding/sample.ts";
import { EXTRACTS } from "../core/regions/extract-harness.ts";
import type { Report } from "./bench.ts";
import { decodeInWorker } from "./support/decode-tile.ts";
import { measureLoad } from "./support/load.ts";
import { percentile } from "./support/percentile.ts";
import { startPlatform } from "./worker.ts";

export const name = "geocode";
export const summary =
  "Addresses found: hit rates against the goals, time and cold reads in the engine, time over HTTP, a synthetic country.";

/** Houses drawn per world; the half that is not for tuning is asked for (cases.ts). */
const SAMPLE = 1200;
/** Houses of the synthetic country; 8000000 in SYNTHETIC_HOUSES for the whole of the goal's. */
const SYNTHETIC = Number(process.env.SYNTHETIC_HOUSES ?? 1_000_000);

/** Requests before those that are measured: the first thousands run uncompiled. */
const WARM_UP = 5000;

/** `http`: only what requests cost. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  if (words.includes("http")) return overHttp(report);
  await engine("demo world", await demoAddresses(), report);
  for (const city of ["queens-village-ny", "vancouver", "heidelberg"]) {
    const path = join(EXTRACTS, `${city}.osm.pbf`);
    if (existsSync(path)) await engine(city, await buildAddresses([path]), report);
  }
  const zip = join(EXTRACTS, "openaddresses-us-ca-santa_clara.zip");
  if (existsSync(zip)) {
    const cache = mkdtempSync(join(tmpdir(), "graticule-addresses-"));
    const { addresses } = await findSources([zip], { cache, reporter: silent });
    await engine("santa clara, OpenAddresses", await buildAddresses([], addresses), report);
    rmSync(cache, { recursive: true });
  }
  await synthetic(report);
  await decodeInWorker(report);
  await overHttp(report);
}

async function engine(world: string, built: Built, report: Report): Promise<void> {
  const bytes = [...built.objects.values()].reduce((sum, object) => sum + object.length, 0);
  report({ case: world, metric: "size", value: bytes / built.counts.addresses, unit: "bytes/address" });
  const sample = (await sampleHouses(built.index, SAMPLE, 2026)).filter(isReported);
  for (const kind of KINDS) await found(world, kind, kind.goal, built, sample, report);
  await everyKey(world, built, sample.slice(0, 100), report);
  await reverse(world, built, sample, report);
  await cold(world, built, sample, report);
}

/** How many are found: of all, and of those that a person would ask so. */
async function found(
  world: string,
  kind: Kind,
  goal: number,
  { index }: Pick<Built, "index">,
  sample: readonly SampledHouse[],
  report: Report,
): Promise<void> {
  const cases = casesOf(kind, sample);
  const hits = { all: 0, plain: 0 };
  const times: number[] = [];
  for (const round of [0, 1]) {
    for (const one of cases) {
      const { text, near, odd } = one;
      const began = performance.now();
      const answers = await search([index], text, { ...kind.options, near });
      if (round === 0) continue;
      times.push(performance.now() - began);
      if (!answers.slice(0, kind.among).some((answer) => isHit(one, answer))) continue;
      hits.all++;
      if (!odd) hits.plain++;
    }
  }
  const label = `${world}: ${kind.label}`;
  const plain = cases.filter(({ odd }) => !odd).length;
  report({ case: label, metric: `of ${cases.length}`, value: (100 * hits.all) / cases.length, unit: "%" });
  if (plain > 0)
    report({ case: label, metric: `of ${plain} plain`, value: (100 * hits.plain) / plain, unit: "%", baseline: goal });
  report({ case: label, metric: "p50", value: percentile(times, 0.5), unit: "ms" });
  report({ case: label, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
}

async function everyKey(
  world: string,
  { index }: Pick<Built, "index">,
  sample: readonly SampledHouse[],
  report: Report,
): Promise<void> {
  const draw = randomFrom(12);
  const asked = sample.map((house) => ({ text: full(house), near: around(house, draw) }));
  const times: number[] = [];
  for (const round of [0, 1]) {
    for (const { text, near } of asked) {
      for (let length = 1; length <= text.length; length++) {
        const began = performance.now();
        await search([index], text.slice(0, length), { ...TYPING, near });
        if (round === 1) times.push(performance.now() - began);
      }
    }
  }
  report({ case: `${world}: every key`, metric: "p50", value: percentile(times, 0.5), unit: "ms", baseline: 0.1 });
  report({ case: `${world}: every key`, metric: "p99", value: percentile(times, 0.99), unit: "ms", baseline: 5 });
}

async function reverse(
  world: string,
  { index }: Pick<Built, "index">,
  sample: readonly SampledHouse[],
  report: Report,
) {
  const draw = randomFrom(13);
  const points = sample.map((house) => ({ house, point: destination(house.at, draw() * 360, 5) }));
  for (const { point } of points) await nearby([index], point, "en");
  const times: number[] = [];
  let street = 0;
  for (const { house, point } of points) {
    const began = performance.now();
    const answers = await nearby([index], point, "en");
    times.push(performance.now() - began);
    if (isOnStreet(house, answers)) street++;
  }
  const label = `${world}: reverse, 5 m off`;
  report({ case: label, metric: "right street", value: (100 * street) / points.length, unit: "%", baseline: 99 });
  report({ case: label, metric: "p50", value: percentile(times, 0.5), unit: "ms" });
  report({ case: label, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
}

/** With nothing in memory: reads, rounds of reads that wait for the round before, bytes. */
async function cold(
  world: string,
  { objects }: { objects: ReadonlyMap<string, Uint8Array> },
  sample: readonly SampledHouse[],
  report: Report,
): Promise<void> {
  const draw = randomFrom(14);
  const asks = {
    forward: (index: AddressIndex, house: SampledHouse) => search([index], full(house), FORWARD),
    keystroke: (index: AddressIndex, house: SampledHouse) =>
      search([index], line(house).slice(0, -3), { ...TYPING, near: around(house, draw) }),
    reverse: (index: AddressIndex, house: SampledHouse) => nearby([index], house.at, "en"),
  };
  for (const [what, ask] of Object.entries(asks)) {
    const seen: ColdSource[] = [];
    for (const house of sample.slice(0, 200)) {
      const source = new ColdSource(objects);
      await ask(new AddressIndex(keepDecoded(source)), house);
      seen.push(source);
    }
    const label = `${world}: cold ${what}`;
    const at = (share: number, value: (source: ColdSource) => number) => percentile(seen.map(value), share);
    report({ case: label, metric: "reads p90", value: at(0.9, ({ reads }) => reads), unit: "" });
    report({ case: label, metric: "rounds p50", value: at(0.5, ({ rounds }) => rounds), unit: "", baseline: 3 });
    report({ case: label, metric: "rounds p90", value: at(0.9, ({ rounds }) => rounds), unit: "" });
    const value = at(0.9, ({ bytes }) => bytes / 1000);
    report({ case: label, metric: "bytes p90", value, unit: "kB", baseline: 250 });
  }
}

async function synthetic(report: Report): Promise<void> {
  const began = performance.now();
  const objects = syntheticTowns(SYNTHETIC);
  const world = `synthetic, ${SYNTHETIC} houses`;
  const seconds = (performance.now() - began) / 1000;
  report({ case: world, metric: "build", value: seconds, unit: "s" });
  report({ case: world, metric: "packed", value: SYNTHETIC / seconds, unit: "addresses/s", baseline: 100_000 });
  report({
    case: world,
    metric: "memory, most",
    value: process.resourceUsage().maxRSS / 1000,
    unit: "MB",
    baseline: 2000,
  });
  const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
  report({ case: world, metric: "size", value: bytes / SYNTHETIC, unit: "bytes/address", baseline: 10 });
  const index = new AddressIndex(keepDecoded(memorySource(objects)));
  const sample = (await sampleHouses(index, SAMPLE, 5)).filter(isReported);
  for (const kind of KINDS) {
    const [goal, among] = kind.name === "mistake" ? [96, 10] : [kind.goal, kind.among];
    await found(world, { ...kind, among }, goal, { index }, sample, report);
  }
  await everyKey(world, { index }, sample.slice(0, 60), report);
  await cold(world, { objects }, sample, report);
}

/** The demo world behind the real Worker. */
/** Beside ours: Nominatim 5.3 over HTTP with the extract of Queens Village, on a machine under load [ms]. Nobody publishes a keystroke. */
const PEERS: Readonly<Record<string, number>> = { forward: 10.9, reverse: 27 };

async function overHttp(report: Report): Promise<void> {
  const platform = await startPlatform({ unlimited: ["forwardGeocode", "autocomplete", "reverseGeocode"] });
  const folder = mkdtempSync(join(tmpdir(), "graticule-geocode-"));
  try {
    const path = join(folder, "demo.osm.pbf");
    await writeDemoWorld(path, { size: 1 });
    const bucket = openGeodataBucket({ remote: false, state: platform.state });
    const layers = [osmRegions, addressesLayer];
    const files = { addresses: [] };
    await importGeodata({ name: "demo", extracts: [path], files, layers, cache: folder, bucket, reporter: silent });
    bucket.close();
    // A running Worker looks for new builds every five seconds.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const sample = await sampleHouses((await demoAddresses()).index, 200, 4);
    const headers = { Authorization: platform.keys.testPublishable };
    const asks: [string, number, (house: SampledHouse) => string][] = [
      ["forward", 1.2, (house) => `/v1/geocode/forward?query=${encodeURIComponent(full(house))}`],
      [
        "keystroke",
        0.9,
        (house) =>
          `/v1/search/autocomplete?query=${encodeURIComponent(line(house).slice(0, -3))}&near=${house.at.latitude},${house.at.longitude}`,
      ],
      ["reverse", 2, (house) => `/v1/geocode/reverse?coordinates=${house.at.latitude},${house.at.longitude}`],
    ];
    for (const [what, goal, pathOf] of asks) {
      const make = (n: number) => ({ path: pathOf(sample[n % sample.length]), headers });
      const figures = await measureLoad(platform, make, { count: 2000, parallel: 1, warmUp: WARM_UP });
      report({ case: `HTTP: ${what}`, metric: "cpu", value: figures.cpu, unit: "µs" });
      report({ case: `HTTP: ${what}`, metric: "p50", value: figures.p50, unit: "ms", baseline: goal });
      report({ case: `HTTP: ${what}`, metric: "p99", value: figures.p99, unit: "ms", baseline: 15 });
      const peer = PEERS[what];
      if (peer !== undefined) report({ case: `HTTP: ${what}`, metric: "p50 of Nominatim", value: peer, unit: "ms" });
    }
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
