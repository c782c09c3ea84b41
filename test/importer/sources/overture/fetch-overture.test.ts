import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Bounds } from "../../../../src/core/geo/builds/manifest.ts";
import { ByteReader } from "../../../../src/core/geo/bytes/bytes.ts";
import { TextCache } from "../../../../src/core/geo/bytes/text-cache.ts";
import type { OvertureSource } from "../../../../src/importer/common/overture-source.ts";
import { decodePlaced } from "../../../../src/importer/layers/addresses/records/place-records.ts";
import { readRaw } from "../../../../src/importer/layers/addresses/records/raw-record.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { overtureReaders } from "../../../../src/importer/run/layers.ts";
import { joinBoxes } from "../../../../src/importer/sources/overture/area.ts";
import { fetchOverture } from "../../../../src/importer/sources/overture/fetch-overture.ts";
import { chunksOfPart, readPart } from "../../../../src/importer/sources/overture/part-file.ts";
import { partsOf, readPlan } from "../../../../src/importer/sources/overture/plan.ts";
import { httpsOfS3, releaseIn } from "../../../../src/importer/sources/overture/release.ts";
import {
  type AddressRow,
  type FileServer,
  serveFiles,
  writeAddresses,
  writeDivisions,
  writePlaces,
} from "./overture-files.ts";

const folder = mkdtempSync(join(tmpdir(), "fetch-overture-"));
const path = (name: string) => join(folder, name);
let server: FileServer;
let cache: string;

const LINZ = [{ dataset: "OpenAddresses/LINZ" }];
const IBGE = [{ dataset: "IBGE", license: "CC0-1.0" }];

const brazil: AddressRow[] = [
  {
    longitude: -46.6565,
    latitude: -23.5614,
    country: "BR",
    number: "1578",
    street: "AVENIDA PAULISTA",
    postcode: "01310200",
    levels: ["SP", "SÃO PAULO", "Bela Vista"],
    sources: [{ dataset: "IBGE", property: "/geometry" }, ...IBGE],
  },
  { longitude: -46.65, latitude: -23.56, country: "BR", number: "S/N", street: "RUA SEM", sources: IBGE },
  { longitude: -46.65, latitude: -23.56, country: "BR", number: null, street: "RUA SEM", sources: IBGE },
];

/** Rows of one country, in one place, many enough for row groups of their own (DuckDB makes them of 2,048). */
const many = (country: string, longitude: number, latitude: number): AddressRow[] =>
  Array.from({ length: 2048 }, (_, i) => ({
    longitude: longitude + (i % 50) * 1e-4,
    latitude: latitude + Math.floor(i / 50) * 1e-4,
    country,
    number: String(1 + i),
    street: `Street ${i % 37}`,
    sources: LINZ,
  }));

beforeAll(async () => {
  await writeAddresses(
    path("a.parquet"),
    [...many("AU", 150, -33), ...many("NZ", 174.7, -36.8), ...many("US", -73, 40)],
    2048,
  );
  await writeAddresses(path("b.parquet"), brazil);
  await writePlaces(path("places.parquet"), [
    {
      longitude: 8.69,
      latitude: 49.41,
      names: { primary: "Café Schafheutle", common: { en: "Cafe Schafheutle" } },
      hierarchy: ["food_and_drink", "cafe"],
      confidence: 0.95,
      sources: [{ dataset: "meta" }],
    },
  ]);
  await writeDivisions(path("divisions.parquet"), [
    {
      rings: [
        [
          [8, 49],
          [9, 49],
          [9, 50],
          [8, 50],
          [8, 49],
        ],
      ],
      names: { primary: "Kreis", common: { en: "District" } },
      subtype: "county",
      country: "DE",
      region: "DE-BW",
    },
  ]);
  const files = new Map(
    ["a", "b"].map((name) => [
      `release/2026-10-21.0/theme=addresses/type=address/${name}.parquet`,
      { bytes: readFileSync(path(`${name}.parquet`)), etag: `"${name}1"` },
    ]),
  );
  files.set("release/2026-10-21.0/theme=addresses/notes.txt", { bytes: Buffer.from("no"), etag: '"n"' });
  server = await serveFiles(files);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  cache = mkdtempSync(join(folder, "cache-"));
  server.requests.length = 0;
  server.fail = undefined;
});

const fetchFrom = (source: OvertureSource, memory = 1e9) =>
  fetchOverture(source, { cache, reporter: silent, readers: overtureReaders, memory, allowHttp: true, retryAfter: 1 });

const remote = () => [`${server.url}release/2026-10-21.0/theme=addresses/`];

async function rowsOf(plan: string) {
  const found: { street: string; tags: Record<string, string | undefined>; source: number; precision: number }[] = [];
  // Half a megabyte: one for all rows.
  const texts = new TextCache();
  for (const file of partsOf(plan, await readPlan(plan))) {
    for await (const chunk of chunksOfPart(file)) {
      const { bytes, ends } = decodePlaced(chunk);
      for (const i of ends.keys()) {
        const raw = readRaw(new ByteReader(bytes, i === 0 ? 0 : ends[i - 1]), texts);
        if (raw.kind === "row") found.push(raw);
      }
    }
  }
  return found;
}

it("reads addresses with their country's conventions, and counts those without a number", async () => {
  const { addresses = "" } = await fetchFrom({ words: [path("b.parquet")] });
  const plan = await readPlan(addresses);
  expect(plan).toMatchObject({ kind: "addresses", rows: 1, datasets: [{ name: "IBGE", licence: "CC0-1.0" }] });
  expect(plan.skipped).toEqual({ "address without a street or a number": 2 });
  const [row] = await rowsOf(addresses);
  expect(row).toMatchObject({
    street: "Avenida Paulista",
    tags: {
      "addr:housenumber": "1578",
      "addr:city": "São Paulo",
      "addr:state": "SP",
      "addr:postcode": "01310-200",
      "addr:country": "BR",
    },
    precision: 1,
  });
});

it("reads of a release in a bucket only the row groups of a country", async () => {
  const { addresses = "" } = await fetchFrom({ words: remote(), country: "NZ" });
  expect(await readPlan(addresses)).toMatchObject({ rows: 2048, release: "2026-10-21.0" });
  const bytes = server.requests.reduce((sum, { length }) => sum + length, 0);
  const { row_groups: groups } = await groupsOf(path("a.parquet"));
  const own = Number(groups[1].total_compressed_size ?? 0n);
  // Two footers, which small files are smaller than, and what is in use of one row group of three.
  const footers = server.requests.filter(({ path: name, length }) => name.endsWith(".parquet") && length > 4);
  const read = footers.filter(({ path: name }) => name.endsWith("a.parquet")).slice(1);
  expect(read.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(own);
  expect(bytes).toBeGreaterThan(0);
  const rows = await rowsOf(addresses);
  expect(new Set(rows.map(({ tags }) => tags["addr:country"]))).toEqual(new Set(["NZ"]));
});

it("reads only the rows of a box", async () => {
  const { addresses = "" } = await fetchFrom({ words: remote(), bounds: [149.9995, -33.0005, 150.0005, -32.9995] });
  const plan = await readPlan(addresses);
  expect(plan.rows).toBe(36);
  const [[west, , east]] = plan.bounds;
  expect(west).toBeGreaterThanOrEqual(149.9995);
  expect(east).toBeLessThanOrEqual(150.0005);
});

it("continues after an interruption with what was read, and gives the same plan", async () => {
  const whole = await fetchFrom({ words: remote() });
  const text = readFileSync(whole.addresses ?? "", "utf8");
  cache = mkdtempSync(join(folder, "cache-"));
  const before = server.requests.length;
  let left = before;
  server.fail = () => left++ > before + 7;
  await expect(fetchFrom({ words: remote() })).rejects.toThrow(/Could not (download|fetch)/);
  server.fail = undefined;
  server.requests.length = 0;
  const { addresses = "" } = await fetchFrom({ words: remote() });
  expect(readFileSync(addresses, "utf8")).toBe(text);
  const again = server.requests.filter(({ length }) => length > 4).length;
  server.requests.length = 0;
  await fetchFrom({ words: remote() });
  // Footers only.
  expect(server.requests.filter(({ length }) => length > 4).length).toBeLessThan(again);
});

it("rejects a file that changes while it is read", async () => {
  server.fail = () => false;
  const files = new Map([["x.parquet", { bytes: readFileSync(path("a.parquet")), etag: '"1"' }]]);
  const other = await serveFiles(files);
  other.fail = (number) => {
    // After the footer, another version is there.
    if (number === 2) files.set("x.parquet", { bytes: readFileSync(path("a.parquet")), etag: '"2"' });
    return false;
  };
  await expect(fetchFrom({ words: [`${other.url}x.parquet`] })).rejects.toThrow("changed while it was read");
  await other.close();
});

it("tells kinds of files by their columns", async () => {
  const plans = await fetchFrom({ words: [path("b.parquet"), path("places.parquet"), path("divisions.parquet")] });
  expect(Object.keys(plans).sort()).toEqual(["addresses", "divisions", "places"]);
  await expect(fetchFrom({ words: [path("places.parquet")], kind: "addresses" })).rejects.toThrow(
    "places.parquet has no addresses of Overture: the columns country, number, street are missing.",
  );
});

it.each([
  [{ words: ["b.parquet"], country: "XX" }, "--country XX: no such country"],
  [{ words: ["b.parquet"], country: "JP" }, "have no addresses of Overture in this area"],
  [{ words: ["nowhere.parquet"] }, "there is no such file"],
  [{ words: [""] }, "is not a Parquet file|has no file that ends with .parquet|b.parquet"],
])("rejects %j", async (source, message) => {
  const words = source.words.map((name) => (name === "" ? import.meta.filename : path(name)));
  await expect(fetchFrom({ ...source, words })).rejects.toThrow(new RegExp(message));
});

it("rejects a row group that does not fit into the memory", async () => {
  await expect(fetchFrom({ words: [path("a.parquet")] }, 1000)).rejects.toThrow("Use a larger --memory.");
});

it("keeps nothing of a part that was cut", async () => {
  expect(await readPart(join(cache, "none"))).toBeUndefined();
});

it("reads public buckets without keys", () => {
  expect(httpsOfS3("s3://overturemaps-us-west-2/release/2026-10-21.0/theme=places/")).toBe(
    "https://overturemaps-us-west-2.s3.amazonaws.com/release/2026-10-21.0/theme%3Dplaces/",
  );
  expect(httpsOfS3("s3://my.bucket/a b.parquet")).toBe("https://s3.amazonaws.com/my.bucket/a%20b.parquet");
  expect(() => httpsOfS3("s3://bucket")).toThrow("s3://bucket/key");
});

it("joins boxes that are near each other, and keeps continents apart", () => {
  const boxes: Bounds[] = [
    [-47, -24, -46, -23],
    [-46.5, -24.5, -45, -23.5],
    [139, 35, 140, 36],
    [-74, 40, -73, 41],
  ];
  expect(joinBoxes(boxes)).toEqual([
    [-74, 40, -73, 41],
    [-47, -24.5, -45, -23],
    [139, 35, 140, 36],
  ]);
});

it("finds the release in a path", () => {
  expect(releaseIn("s3://b/release/2026-10-21.0/theme=places/")).toBe("2026-10-21.0");
  expect(releaseIn("/data/places.parquet")).toBeUndefined();
});

async function groupsOf(file: string) {
  const { parquetMetadata } = await import("hyparquet");
  const bytes = readFileSync(file);
  return parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), { geoparquet: false });
}
