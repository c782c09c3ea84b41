import { once } from "node:events";
import { createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { search } from "../../../src/core/geocoding/search/search.ts";
import { hash52, placeId, placeKey } from "../../../src/core/places/place.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { overtureReaders } from "../../../src/importer/run/layers.ts";
import { fetchOverture } from "../../../src/importer/sources/overture/fetch-overture.ts";
import { CommandError } from "../../../src/server/base/command.ts";
import { full } from "../../core/geocoding/cases.ts";
import { FORWARD } from "../../core/geocoding/index/demo-index.ts";
import { sampleHouses } from "../../core/geocoding/sample.ts";
import { importPlaces } from "../../core/places/import-places.ts";
import { EXTRACTS, runLayer } from "../../core/regions/extract-harness.ts";
import { type AddressRow, writeAddresses, writePlaces } from "../../importer/sources/overture/overture-files.ts";
import type { Report } from "../bench.ts";
import { followedImport } from "./measured-import.ts";
import { labeledTown } from "./overture-town.ts";

export const name = "overture";
export const summary =
  "Overture: imports of addresses=N or places=N, a labeled town=EXTRACT, queries with two sources (forward=EXTRACT).";

export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const value = (key: string) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const [addresses, places, town, forward] = ["addresses", "places", "town", "forward"].map(value);
  const options = { memory: value("memory") ?? "2GB", threads: Number(value("threads") ?? 2) };
  if (addresses !== undefined) await importOf("addresses", Number(addresses), 80_000, options, report);
  if (places !== undefined) await importOf("places", Number(places), 40_000, options, report);
  if (town !== undefined) await labeled(pathOf(town), report);
  if (forward !== undefined) await twoSources(pathOf(forward), report);
}

function pathOf(word: string): string {
  const path = word.includes("/") ? word : join(EXTRACTS, `${word}.osm.pbf`);
  if (!existsSync(path)) throw new CommandError(`There is no ${path}.`);
  return path;
}

type Rows = "addresses" | "places";

async function generate(kind: Rows, count: number, path: string): Promise<void> {
  const instance = await DuckDBInstance.create();
  const duck = await instance.connect();
  const points = `${path}.csv`;
  await writePoints(points, count);
  const sources =
    "[{'property': '', 'dataset': 'DATASET', 'license': 'CC0-1.0', 'record_id': 'r' || i, 'update_time': NULL, 'confidence': NULL, 'between': NULL::DOUBLE[]}]";
  const base = `SELECT i, i % 20000 AS n, i // 20000 AS town, x, y, unhex(g) AS geometry
    FROM read_csv('${points}', columns = {'i': 'BIGINT', 'x': 'DOUBLE', 'y': 'DOUBLE', 'g': 'VARCHAR'})`;
  const common = `printf('%08x-0000-4000-8000-%012x', hash(i) % 4294967295, i) AS id, geometry,
      {'xmin': x::FLOAT, 'xmax': x::FLOAT, 'ymin': y::FLOAT, 'ymax': y::FLOAT} AS bbox, 1 AS version`;
  const select =
    kind === "addresses"
      ? `SELECT ${common}, ${sources.replace("DATASET", "IBGE")} AS sources, 'BR' AS country, printf('%05d%03d', 10000 + town, n // 100) AS postcode,
          'RUA ' || (['DAS FLORES','DO SOL','SETE','QUINZE','DOM PEDRO','TIRADENTES','BAHIA','GOIAS'])[1 + n // 100 % 8] || ' ' || (n // 800) AS street,
          (1 + n % 100 * 2)::VARCHAR AS number, CASE WHEN n % 7 = 0 THEN 'AP ' || n % 30 END AS unit,
          [{'value': 'SP'}, {'value': 'MUNICIPIO ' || town}] AS address_levels, NULL::VARCHAR AS postal_city FROM points`
      : `SELECT ${common}, ${sources.replace("DATASET", "meta")} AS sources,
          {'primary': (['Bella','Nova','Sol','Casa','Porto','Luna','Verde','Azul'])[(1 + hash(i) % 8)::INT] || ' ' || (['Lanches','Moda','Farma','Auto','Pet','Center'])[(1 + hash(i + 7) % 6)::INT] || ' ' || (hash(i) % 5000),
           'common': MAP {'en': 'Place ' || i}} AS names,
          {'primary': c, 'hierarchy': ['top', c], 'alternates': NULL::VARCHAR[]} AS taxonomy,
          (hash(i + 3) % 1000) / 1000.0 AS confidence, 'open' AS operating_status, ['https://example.com/' || i] AS websites, NULL::VARCHAR[] AS emails,
          ['+55' || (1100000000 + i)] AS phones, CASE WHEN i % 10 = 0 THEN {'wikidata': 'Q' || (i % 300), 'names': {'primary': 'Brand ' || (i % 300), 'common': NULL::MAP(VARCHAR, VARCHAR)}} END AS brand,
          [{'freeform': 'Rua Sete ' || n, 'locality': 'Municipio ' || town, 'postcode': NULL::VARCHAR, 'region': 'SP', 'country': 'BR'}] AS addresses
          FROM (SELECT *, (['restaurant','cafe','bakery','clothing_store','hotel','pharmacy','bar','hair_salon'])[(1 + hash(i + 1) % 8)::INT] AS c FROM points)`;
  try {
    await duck.run(`COPY (WITH points AS (${base}) ${select}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  } finally {
    duck.closeSync();
    instance.closeSync();
  }
}

/** Towns of 20,000 rows in a grid on land (no release has addresses at sea), sorted by area as in a release: number, position, and the position as Well-Known Binary. */
async function writePoints(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  const bytes = Buffer.from("010100000000000000000000000000000000000000", "hex");
  for (let i = 0; i < count; ) {
    let text = "";
    for (const end = Math.min(count, i + 10_000); i < end; i++) {
      const town = Math.floor(i / 20_000);
      const n = i % 20_000;
      const x = -57 + (town % 40) * 0.2 + (n % 141) * 4e-4;
      const y = -21 + Math.floor(town / 40) * 0.2 + Math.floor(n / 141) * 4e-4;
      bytes.writeDoubleLE(x, 5);
      bytes.writeDoubleLE(y, 13);
      text += `${i},${x},${y},${bytes.toString("hex")}\n`;
    }
    if (!file.write(text)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

async function importOf(
  kind: Rows,
  count: number,
  goal: number,
  { memory, threads }: { memory: string; threads: number },
  report: Report,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "overture-bench-"));
  try {
    const path = join(folder, `${kind}.parquet`);
    await generate(kind, count, path);
    const words = [
      ...[path, "--source", `overture-${kind}`, "--name", "bench", "--json", "--force", "--memory", memory],
      ...["--threads", `${threads}`, "--cache", join(folder, "cache"), "--persist-to", join(folder, "state")],
    ];
    const figures = await followedImport(words, threads);
    const what = `${count.toLocaleString("en-US")} ${kind}, ${memory}`;
    report({
      case: what,
      metric: "rows per CPU second",
      value: count / figures.cpuSeconds,
      unit: "/s",
      baseline: goal,
    });
    report({ case: what, metric: "time", value: figures.seconds, unit: "s" });
    report({ case: what, metric: "resident at most", value: figures.peak / 1e6, unit: "MB" });
    report({ case: what, metric: "published", value: figures.published / count, unit: "bytes each" });
    for (const { phase, cpuSeconds } of figures.phases)
      if (cpuSeconds > 0.5) report({ case: what, metric: `CPU: ${phase}`, value: cpuSeconds, unit: "s" });
    for (const { step, cpuSeconds } of figures.steps)
      if (cpuSeconds > 0.5) report({ case: what, metric: `CPU: ${step}`, value: cpuSeconds, unit: "s" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function labeled(extract: string, report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "overture-town-"));
  try {
    const truth = await importPlaces(extract);
    const rows = labeledTown(truth.places, "39");
    const path = join(folder, "places.parquet");
    await writePlaces(
      path,
      rows.map(({ row }) => row),
    );
    const { places } = await fetchOverture(
      { words: [path] },
      { cache: folder, reporter: silent, readers: overtureReaders, memory: 1e9 },
    );
    const built = await importPlaces(extract, undefined, places);
    const labels = new Map(rows.map(({ row, truth: of }) => [placeId(placeKey("overture", hash52(row.id))), of]));
    const shown = built.places.filter(({ id }) => labels.has(id)).map(({ id }) => labels.get(id));
    const own = built.places.length - shown.length;
    const known = new Set(truth.places.map(({ id }) => id));
    const seen = new Set<string>();
    let [junk, duplicates] = [0, 0];
    for (const of of shown) {
      if (of === undefined) junk++;
      else if (known.has(of) || seen.has(of)) duplicates++;
      else seen.add(of);
    }
    const fresh = new Set(rows.flatMap(({ truth: of }) => (of === undefined || known.has(of) ? [] : [of])));
    const share = (part: number, whole: number) => (100 * part) / whole;
    const what = `${built.places.length} places shown, ${own} of the extract`;
    report({ case: what, metric: "duplicates", value: share(duplicates, built.places.length), unit: "%", baseline: 2 });
    report({ case: what, metric: "junk", value: share(junk, built.places.length), unit: "%", baseline: 5 });
    report({ case: what, metric: "new places found", value: share(seen.size, fresh.size), unit: "%" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const QUERIES = 600;
const ROUNDS = 5;

/** The same queries to an index of an extract, and to one in which Overture has most of its houses again. */
async function twoSources(extract: string, report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "overture-forward-"));
  try {
    const one = await runLayer(addressesLayer, [extract], { addresses: [] });
    const alone = new AddressIndex(keepDecoded(memorySource(one.objects)));
    const houses = await sampleHouses(alone, 20_000, 39);
    const path = join(folder, "a.parquet");
    await writeAddresses(path, houses.map(rowOf));
    const { addresses = "" } = await fetchOverture(
      { words: [path] },
      { cache: folder, reporter: silent, readers: overtureReaders, memory: 1e9 },
    );
    const two = await runLayer(addressesLayer, [extract], { addresses: [], overtureAddresses: addresses });
    const both = new AddressIndex(keepDecoded(memorySource(two.objects)));
    const texts = houses.slice(0, QUERIES).map(full);
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [i, index] of [alone, both].entries()) {
        for (const text of texts) {
          const start = performance.now();
          await search([index], text, FORWARD);
          if (round > 0) times[i].push(performance.now() - start);
        }
      }
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1];
    const size = (objects: ReadonlyMap<string, Uint8Array>) =>
      [...objects.values()].reduce((sum, { length }) => sum + length, 0);
    report({
      case: "forward",
      metric: "p50, two sources",
      value: median(times[1]),
      baseline: median(times[0]),
      unit: "ms",
    });
    report({
      case: "forward",
      metric: "size, two sources",
      value: size(two.objects),
      baseline: size(one.objects),
      unit: "bytes",
    });
    let named = 0;
    for (const text of texts) {
      const [found] = await search([both], text, FORWARD);
      if ((found?.sources?.length ?? 0) > 1) named++;
    }
    report({ case: "forward", metric: "results that name both", value: (100 * named) / texts.length, unit: "%" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Sampled = Awaited<ReturnType<typeof sampleHouses>>[number];

function rowOf({ at, number, street, city, stateCode, countryCode }: Sampled): AddressRow {
  return {
    latitude: at.latitude + 1e-4,
    longitude: at.longitude,
    country: countryCode,
    number,
    street: street.toUpperCase(),
    levels: [stateCode, city],
    sources: [{ dataset: "NAD" }],
  };
}
