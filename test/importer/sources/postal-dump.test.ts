import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { LAYERS, search } from "../../../src/core/geocoding/search/search.ts";
import { quiet } from "../../../src/importer/common/progress.ts";
import { postalAddresses } from "../../../src/importer/layers/addresses/postal-addresses.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { isPostalDump } from "../../../src/importer/sources/postal-dump.ts";
import { findSources } from "../../../src/importer/sources/sources.ts";
import { layerInput, layerOutput } from "../../core/regions/layer-harness.ts";

/** Made up, in the form of allCountries.txt: codes that two countries have, one of two places, one said twice. */
const ROWS = [
  "US\t01999\tElmsford\tMassachusetts\tMA\tOakshire\t999\t\t\t42.61\t-71.2\t4",
  "DE\t01999\tTannenau\tSachsen\tSN\t\t\tKreis Tann\t14999\t51.1\t13.9\t6",
  "FR\t01999\tBourg-Tilleul\tRhône-Alpes\t84\tAin\t01\tArr\t012\t46.1\t5.1\t5",
  "FR\t01999\tSaint-Frêne\tRhône-Alpes\t84\tAin\t01\tArr\t012\t46.2\t5.2\t5",
  "FR\t01999\tSaint-Frêne\tRhône-Alpes\t84\tAin\t01\tArr\t012\t46.2\t5.2\t5",
  "CA\tT9Z\tMaple Flats\tAlberta\tAB\tFlats\t\t\t\t55.1\t-117.2\t6",
  "GB\tZE9 4QQ\tHolmwick\tScotland\tSCT\t\t\t\t\t60.1\t-1.2\t6",
  "JP\t999-0101\tKirinomachi\tTokyo To\t13\t\t\t\t\t35.6\t139.7\t",
];
const BAD = [
  "XX\t1\tNowhere\t\t\t\t\t\t\t91\t0\t",
  "US\t\tNo code\t\t\t\t\t\t\t1\t1\t",
  "US\t12345\tShort",
  "US\t1\tx\t\t\t\t\t\t\t\t\t",
];

let folder: string;
let index: AddressIndex;
let counts: Record<string, number>;
let names: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postal-"));
  const path = join(folder, "allCountries.txt");
  await writeFile(path, `\ufeff${[...ROWS, ...BAD].join("\r\n")}\n\n`);
  const { postalCodes, addresses, extracts } = await findSources([path], { cache: folder, reporter: silent });
  expect([extracts, addresses]).toEqual([[], []]);
  const made = layerOutput();
  await postalAddresses.build(layerInput({ files: { addresses: postalCodes } }), made.out, quiet);
  counts = made.counts;
  names = made.sources.map(({ name, licence }) => `${name}, ${licence}`);
  index = new AddressIndex(keepDecoded(memorySource(made.objects)));
});
afterAll(() => rm(folder, { recursive: true }));

const first = async (text: string) => {
  const [best] = await search([index], text, { layers: new Set(LAYERS), limit: 5, language: "en", open: false });
  return best && `${best.kind} ${best.name} ${best.context.city} ${best.context.countryCode} ${best.confidence}`;
};

it.each([
  ["01999, Germany", "postalCode 01999 Tannenau DE exact"],
  ["D-01999 Tannenau", "postalCode 01999 Tannenau DE exact"],
  ["F-01999", "postalCode 01999 Bourg-Tilleul FR exact"],
  ["D-01999", "postalCode 01999 Tannenau DE exact"],
  ["01999 Saint-Frêne", "postalCode 01999 Saint-Frêne FR exact"],
  ["Elmsford, MA 01999", "postalCode 01999 Elmsford US exact"],
  ["T9Z", "postalCode T9Z Maple Flats CA exact"],
  ["ZE9 4QQ", "postalCode ZE9 4QQ Holmwick GB exact"],
  ["999-0101", "postalCode 999-0101 Kirinomachi JP exact"],
])("a postal code of GeoNames is found: %s", async (text, expected) => {
  expect(await first(text)).toBe(expected);
});

it.each([
  ["10115 Berlin", "postalCode 10115 Berlin DE exact"],
  ["10115", "postalCode 10115 Berlin DE exact"],
  ["10115, Germany", "postalCode 10115 Berlin DE exact"],
  ["SW1A 1AA", "postalCode SW1A 1AA Westminster GB exact"],
  ["sw1a1aa", "postalCode SW1A 1AA Westminster GB exact"],
  ["150-0001", "postalCode 150-0001 Jingumae JP exact"],
  ["〒150-0001", "postalCode 150-0001 Jingumae JP exact"],
])("a real postal code is found: %s", async (text, expected) => {
  const path = join(folder, "some.txt");
  const rows = [
    "DE\t10115\tBerlin\tBerlin\tBE\t\t00\t\t11000\t52.5323\t13.3846\t4",
    "GB\tSW1A 1AA\tWestminster\tEngland\tENG\t\t\t\t\t51.501\t-0.1416\t6",
    "JP\t150-0001\tJingumae\tTokyo To\t13\t\t\t\t\t35.6692\t139.7065\t",
  ];
  await writeFile(path, `${rows.join("\n")}\n`);
  const made = layerOutput();
  await postalAddresses.build(layerInput({ files: { addresses: [path] } }), made.out, quiet);
  const own = new AddressIndex(keepDecoded(memorySource(made.objects)));
  const options = { layers: new Set(LAYERS), limit: 5, language: "en", open: false } as const;
  const [best] = await search([own], text, options);
  expect(best && `${best.kind} ${best.name} ${best.context.city} ${best.context.countryCode} ${best.confidence}`).toBe(
    expected,
  );
});

it("a code that no country has is not found", async () => {
  expect(await first("88888")).toBeUndefined();
});

it("what a file of postal codes has twice counts once, and what cannot be read is counted", () => {
  expect(counts["postal codes"]).toBe(7);
  expect(counts["left out: line of a file without a country, a code or a position"]).toBe(4);
  expect(names).toEqual(["GeoNames: allCountries.txt, CC BY 4.0"]);
});

it("the words of postal codes tell builds apart", async () => {
  expect((await index.coverage()).size).toBe(0);
  expect(await index.holds([])).toMatchObject({ entries: 7 });
});

it("a build of postal codes lies where its codes are", async () => {
  const { manifest } = await importGeodata({
    name: "codes",
    extracts: [],
    files: { addresses: [join(folder, "allCountries.txt")] },
    layers: [postalAddresses],
    cache: join(folder, "cache"),
    reporter: silent,
  });
  expect(manifest.layers.addresses.areas).toEqual([[-117.3, 35.5, 139.8, 60.2].map((edge) => expect.closeTo(edge, 6))]);
});

it("other tables are no postal codes", () => {
  expect(isPostalDump(`${ROWS[0]}\n`)).toBe(true);
  expect(isPostalDump("LON,LAT,NUMBER,STREET\n1,2,3,x\n")).toBe(false);
  expect(isPostalDump("AD\tone\ttwo\n")).toBe(false);
});
