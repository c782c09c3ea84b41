import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGeodataBucket } from "../../src/cli/geodata-bucket.ts";
import type { Coordinate } from "../../src/geo/coordinate.ts";
import { destination, distance } from "../../src/geo/distance.ts";
import { memorySource } from "../../src/geo/tile-source.ts";
import { AddressIndex, keepDecoded } from "../../src/geocoding/address-index.ts";
import { NamesTile } from "../../src/geocoding/names-tile.ts";
import { nearby } from "../../src/geocoding/reverse.ts";
import { type Found, type SearchOptions, search } from "../../src/geocoding/search.ts";
import { addressesLayer } from "../../src/importer/addresses/addresses-layer.ts";
import { writeDemoWorld } from "../../src/importer/demo/write.ts";
import { importGeodata } from "../../src/importer/import.ts";
import { osmRegions } from "../../src/importer/regions/osm-regions.ts";
import { silent } from "../../src/importer/reporter.ts";
import { findSources } from "../../src/importer/sources/sources.ts";
import { type Built, buildAddresses, demoAddresses, FORWARD, TYPING } from "../geocoding/demo-index.ts";
import { mistyped, randomFrom, type SampledHouse, sampleHouses } from "../geocoding/sample.ts";
import { syntheticTowns } from "../geocoding/synthetic.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import type { Report } from "./bench.ts";
import { measureLoad } from "./load.ts";
import { percentile } from "./percentile.ts";
import { startPlatform } from "./worker.ts";

export const name = "geocode";
export const summary =
  "Addresses found: hit rates against the goals, time and cold reads in the engine, time over HTTP, a synthetic country.";

/** Houses asked for per world. Those of odd numbers are for tuning, those of even numbers are reported. */
const SAMPLE = 600;
/** Houses of the synthetic country; 8000000 in SYNTHETIC_HOUSES for the whole of the goal's. */
const SYNTHETIC = Number(process.env.SYNTHETIC_HOUSES ?? 1_000_000);

export async function run(report: Report): Promise<void> {
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
  await overHttp(report);
}

const NUMBER_LAST = new Set(["DE", "AT", "IT", "ES", "PT", "NL"]);

const line = ({ number, street, countryCode }: SampledHouse) =>
  NUMBER_LAST.has(countryCode) ? `${street} ${number}` : `${number} ${street}`;
const full = (house: SampledHouse) =>
  NUMBER_LAST.has(house.countryCode)
    ? `${line(house)}, ${house.postalCode} ${house.city}`
    : [line(house), house.city, `${house.stateCode} ${house.postalCode}`]
        .filter((part) => part.trim() !== "")
        .join(", ");

const isIt = (house: SampledHouse, found: Found) =>
  found.number === house.number && found.name === house.street && distance(found.location, house.at) < 150;

async function engine(world: string, built: Built, report: Report): Promise<void> {
  const bytes = [...built.objects.values()].reduce((sum, object) => sum + object.length, 0);
  report({ case: world, metric: "size", value: bytes / built.counts.addresses, unit: "bytes/address" });
  const sample = (await sampleHouses(built.index, SAMPLE, 2026)).filter(
    ({ number }) => Number.parseInt(number, 10) % 2 === 0,
  );
  const draw = randomFrom(11);
  const around = (house: SampledHouse) => destination(house.at, draw() * 360, draw() * 5000);
  const ask = async (
    what: string,
    goal: number | null,
    among: number,
    make: (house: SampledHouse) => { text: string; options: SearchOptions } | undefined,
  ) => {
    const asked = sample.flatMap((house) => {
      const made = make(house);
      return made ? [{ house, ...made }] : [];
    });
    let hits = 0;
    const times: number[] = [];
    for (const round of [0, 1]) {
      for (const { house, text, options } of asked) {
        const began = performance.now();
        const found = await search([built.index], text, options);
        if (round === 0) continue;
        times.push(performance.now() - began);
        if (found.slice(0, among).some((one) => isIt(house, one))) hits++;
      }
    }
    report({
      case: `${world}: ${what}`,
      metric: "found",
      value: (100 * hits) / asked.length,
      unit: "%",
      baseline: goal,
    });
    report({ case: `${world}: ${what}`, metric: "p50", value: percentile(times, 0.5), unit: "ms" });
    report({ case: `${world}: ${what}`, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
  };
  await ask("full, first", 99.5, 1, (house) => ({ text: full(house), options: FORWARD }));
  await ask("a mistake, of 5", 92, 5, (house) => {
    const street = mistyped(house.street, draw);
    return street === house.street ? undefined : { text: full({ ...house, street }), options: FORWARD };
  });
  await ask("last 4 letters missing, of 10", 99, 10, (house) => {
    // Of a house that knows neither city nor code, the missing letters would be those of its number.
    if (house.city.length < 4) return undefined;
    return { text: full(house).slice(0, -4), options: { ...TYPING, near: around(house) } };
  });
  await everyKey(world, built, sample.slice(0, 100), around, report);
  await reverse(world, built, sample, draw, report);
  await cold(world, built, sample, around, report);
}

async function everyKey(
  world: string,
  { index }: Built,
  sample: readonly SampledHouse[],
  around: (house: SampledHouse) => Coordinate,
  report: Report,
): Promise<void> {
  const times: number[] = [];
  for (const house of sample) {
    const text = full(house);
    const near = around(house);
    for (let length = 1; length <= text.length; length++) {
      const began = performance.now();
      await search([index], text.slice(0, length), { ...TYPING, near });
      times.push(performance.now() - began);
    }
  }
  report({ case: `${world}: every key`, metric: "p50", value: percentile(times, 0.5), unit: "ms" });
  report({ case: `${world}: every key`, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
}

async function reverse(
  world: string,
  { index }: Built,
  sample: readonly SampledHouse[],
  draw: () => number,
  report: Report,
) {
  const points = sample.map((house) => ({ house, point: destination(house.at, draw() * 360, 5) }));
  for (const { point } of points) await nearby([index], point, "en");
  const times: number[] = [];
  let street = 0;
  for (const { house, point } of points) {
    const began = performance.now();
    const found = await nearby([index], point, "en");
    times.push(performance.now() - began);
    if (found.find(({ kind }) => kind === "address")?.name === house.street) street++;
  }
  const label = `${world}: reverse, 5 m off`;
  report({ case: label, metric: "right street", value: (100 * street) / points.length, unit: "%", baseline: 99 });
  report({ case: label, metric: "p50", value: percentile(times, 0.5), unit: "ms" });
  report({ case: label, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
}

/** With nothing in memory: reads, bytes, time. */
async function cold(
  world: string,
  { objects }: { objects: Map<string, Uint8Array> },
  sample: readonly SampledHouse[],
  around: (house: SampledHouse) => Coordinate,
  report: Report,
): Promise<void> {
  const source = memorySource(objects);
  for (const what of ["forward", "keystroke"] as const) {
    const reads: number[] = [];
    const sizes: number[] = [];
    for (const house of sample.slice(0, 200)) {
      let [count, size] = [0, 0];
      const index = new AddressIndex(
        keepDecoded({
          async read(key) {
            const object = await source.read(key);
            count++;
            size += object?.length ?? 0;
            return object;
          },
        }),
      );
      const typed = { ...TYPING, near: around(house) };
      await (what === "forward"
        ? search([index], full(house), FORWARD)
        : search([index], line(house).slice(0, -3), typed));
      reads.push(count);
      sizes.push(size / 1000);
    }
    const label = `${world}: cold ${what}`;
    report({ case: label, metric: "reads p90", value: percentile(reads, 0.9), unit: "" });
    report({ case: label, metric: "bytes p90", value: percentile(sizes, 0.9), unit: "kB", baseline: 250 });
  }
}

async function synthetic(report: Report): Promise<void> {
  const began = performance.now();
  const objects = syntheticTowns(SYNTHETIC);
  const world = `synthetic, ${SYNTHETIC} houses`;
  report({ case: world, metric: "build", value: (performance.now() - began) / 1000, unit: "s" });
  const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
  report({ case: world, metric: "size", value: bytes / SYNTHETIC, unit: "bytes/address", baseline: 10 });
  decode(world, objects, report);
  const index = new AddressIndex(keepDecoded(memorySource(objects)));
  const sample = await sampleHouses(index, 200, 5);
  const draw = randomFrom(12);
  const around = (house: SampledHouse) => destination(house.at, draw() * 360, draw() * 5000);
  let hits = 0;
  for (const house of sample)
    if ((await search([index], full(house), FORWARD)).slice(0, 1).some((one) => isIt(house, one))) hits++;
  report({
    case: `${world}: full, first`,
    metric: "found",
    value: (100 * hits) / sample.length,
    unit: "%",
    baseline: 99.5,
  });
  const built = { index, objects, counts: {} };
  await everyKey(world, built, sample.slice(0, 60), around, report);
  await cold(world, built, sample, around, report);
}

/** Reading the largest tile of names: what the first question about a town costs. */
function decode(world: string, objects: ReadonlyMap<string, Uint8Array>, report: Report): void {
  const tiles = [...objects].filter(([key]) => key.startsWith("addresses/names/")).map(([, bytes]) => bytes);
  const largest = tiles.reduce((a, b) => (b.length > a.length ? b : a));
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    new NamesTile(largest);
    times.push(performance.now() - began);
  }
  report({
    case: `${world}: decode a tile of ${Math.round(largest.length / 1000)} kB`,
    metric: "p50",
    value: percentile(times, 0.5),
    unit: "ms",
  });
}

/** The demo world behind the real Worker. */
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
      ["forward", 2, (house) => `/v1/geocode/forward?query=${encodeURIComponent(full(house))}`],
      [
        "keystroke",
        1.5,
        (house) =>
          `/v1/search/autocomplete?query=${encodeURIComponent(line(house).slice(0, -3))}&near=${house.at.latitude},${house.at.longitude}`,
      ],
      ["reverse", 2, (house) => `/v1/geocode/reverse?coordinates=${house.at.latitude},${house.at.longitude}`],
    ];
    for (const [what, goal, pathOf] of asks) {
      const make = (n: number) => ({ path: pathOf(sample[n % sample.length]), headers });
      const figures = await measureLoad(platform, make, { count: 1000, parallel: 1 });
      report({ case: `HTTP: ${what}`, metric: "cpu", value: figures.cpu, unit: "µs" });
      report({ case: `HTTP: ${what}`, metric: "p50", value: figures.p50, unit: "ms", baseline: goal });
      report({ case: `HTTP: ${what}`, metric: "p99", value: figures.p99, unit: "ms", baseline: 15 });
    }
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
