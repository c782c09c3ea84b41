import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { decodeEach, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { METRES_PER_DEGREE } from "../../../../src/core/geo/distance.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { nearby } from "../../../../src/core/geocoding/search/reverse.ts";
import { search } from "../../../../src/core/geocoding/search/search.ts";
import { searchAddress } from "../../../../src/core/geocoding/search/search-address.ts";
import { quiet } from "../../../../src/importer/common/progress.ts";
import type { OperatorFiles } from "../../../../src/importer/frame/layer.ts";
import { addressesLayer } from "../../../../src/importer/layers/addresses/addresses-layer.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { overtureReaders } from "../../../../src/importer/run/layers.ts";
import { fetchOverture } from "../../../../src/importer/sources/overture/fetch-overture.ts";
import { layerInput, layerOutput } from "../../../core/regions/layer-harness.ts";
import { type AddressRow, writeAddresses } from "../../sources/overture/overture-files.ts";

const folder = mkdtempSync(join(tmpdir(), "merged-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAD = [{ dataset: "NAD", license: "CC0-1.0" }];
/** A spot in Iowa, of which the world base data knows the country. */
const [LATITUDE, LONGITUDE] = [42.0, -93.6];
const north = (metres: number) => LATITUDE + metres / METRES_PER_DEGREE;

const row = (number: string, street: string, metres: number, more: Partial<AddressRow> = {}): AddressRow => ({
  longitude: LONGITUDE,
  latitude: north(metres),
  country: "US",
  number,
  street,
  levels: ["IA", "Storyville"],
  sources: NAD,
  ...more,
});

const csv = (lines: readonly string[]) => `LON,LAT,NUMBER,STREET,UNIT,CITY,REGION,POSTCODE\n${lines.join("\n")}\n`;

let number = 0;

async function build(tables: Record<string, string>, rows: readonly AddressRow[]) {
  const own = join(folder, String(number++));
  const files: OperatorFiles = {
    addresses: Object.entries(tables).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    }),
  };
  let overtureAddresses: string | undefined;
  if (rows.length > 0) {
    await writeAddresses(`${own}.parquet`, rows);
    const source = { words: [`${own}.parquet`] };
    overtureAddresses = (
      await fetchOverture(source, { cache: own, reporter: silent, readers: overtureReaders, memory: 1e9 })
    ).addresses;
  }
  const { objects, counts, sources, areas, out } = layerOutput();
  const input = layerInput({ files: { ...files, ...(overtureAddresses && { overtureAddresses }) } });
  await addressesLayer.build(input, out, quiet);
  return { index: new AddressIndex(decodeEach(memorySource(objects))), counts, sources, areas };
}

const ADDRESSES = { layers: new Set(["address"] as const), limit: 10, open: false, language: "en" } as const;

const ask = (indexes: readonly AddressIndex[], text: string) => search(indexes, text, ADDRESSES);

it("joins the same house of several sources into one, which names them all", async () => {
  const { index, sources } = await build(
    { "city.csv": csv([`${LONGITUDE},${north(0)},12,MAIN ST,APT 1,Storyville,IA,50010-1234`]) },
    [
      row("12", "Main Street", 30, { unit: "APT 2" }),
      row("12", "Main Street", 45, { unit: "APT 3", sources: [{ dataset: "OpenAddresses/Story County" }] }),
      // Another house with this number, 70 m away.
      row("12", "Main Avenue", 20),
    ],
  );
  const found = await ask([index], "12 Main Street, Storyville");
  const [house] = found.filter(({ number, name }) => number === "12" && /st/i.test(name));
  expect(house).toMatchObject({
    confidence: "exact",
    precision: "parcel",
    sources: ["OpenAddresses: city.csv", "Overture: NAD", "Overture: OpenAddresses/Story County"],
  });
  expect(found.filter(({ name }) => /^main st/i.test(name))).toHaveLength(1);
  // The earlier source has the point, where none is more precise.
  expect(house.location.latitude).toBeCloseTo(north(0), 4);
  expect(house.postalCode).toBe("50010");
  const avenue = await ask([index], "12 Main Avenue, Storyville");
  expect(avenue[0]).toMatchObject({ name: "Main Avenue", sources: ["Overture: NAD"] });
  expect(sources.map(({ name, licence, attribution }) => [name, licence, attribution])).toContainEqual([
    "Overture: NAD",
    "CC0-1.0",
    "NAD, Overture Maps Foundation",
  ]);
});

it("keeps houses apart that are farther away than 50 m and on streets of other names", async () => {
  const { index } = await build({ "far.csv": csv([`${LONGITUDE},${north(0)},7,Oak Street,,Storyville,IA,`]) }, [
    row("7", "Oak St", 60),
    row("7", "Elm Street", 5),
    row("8", "Oak Street", 5),
  ]);
  const sourcesOf = async (text: string) => (await ask([index], text))[0]?.sources;
  expect(await sourcesOf("7 Elm Street, Storyville")).toEqual(["Overture: NAD"]);
  expect(await sourcesOf("8 Oak Street, Storyville")).toEqual(["Overture: NAD"]);
  expect(await sourcesOf("7 Oak Street, Storyville")).toEqual(["OpenAddresses: far.csv"]);
});

it("names the sources of all builds that have a house, forward and in reverse", async () => {
  const one = await build({ "own.csv": csv([`${LONGITUDE},${north(0)},3,Pine Street,,Storyville,IA,50010`]) }, []);
  const other = await build({}, [row("3", "Pine Street", 10)]);
  const indexes = [one.index, other.index];
  const found = await ask(indexes, "3 Pine Street, Storyville");
  expect(found).toHaveLength(1);
  expect(found[0].sources?.toSorted()).toEqual(["OpenAddresses: own.csv", "Overture: NAD"]);
  const [near] = await nearby(indexes, { latitude: north(0), longitude: LONGITUDE }, "en");
  expect(near).toMatchObject({ kind: "address", number: "3", precision: "parcel" });
  expect(near.sources?.toSorted()).toEqual(["OpenAddresses: own.csv", "Overture: NAD"]);
});

it("reports the precision of a point between two known houses", async () => {
  const { index } = await build({}, [row("10", "Lake Road", 0), row("20", "Lake Road", 100)]);
  const [found] = await ask([index], "14 Lake Road, Storyville");
  expect(found).toMatchObject({ confidence: "interpolated", precision: "interpolated", sources: ["Overture: NAD"] });
});

it("finds houses of other countries as people write them there", async () => {
  const { index } = await build({}, [
    row("1578", "AVENIDA PAULISTA", 0, {
      longitude: -46.6565,
      latitude: -23.5614,
      country: "BR",
      postcode: "01310200",
      levels: ["SP", "SÃO PAULO"],
    }),
    row("８−９", "丸の内一丁目", 0, {
      longitude: 139.767,
      latitude: 35.681,
      country: "JP",
      levels: ["東京都", "千代田区"],
    }),
    row("245", "CALLE DURANGO", 0, {
      longitude: -99.16,
      latitude: 19.42,
      country: "MX",
      levels: ["CIUDAD DE MÉXICO", "CUAUHTÉMOC"],
    }),
  ]);
  const first = async (text: string) => (await searchAddress([index], text, ADDRESSES))[0];
  expect(await first("Av. Paulista, 1578, São Paulo - SP, 01310-200")).toMatchObject({
    number: "1578",
    confidence: "exact",
    postalCode: "01310-200",
  });
  for (const text of ["東京都千代田区丸の内1丁目8-9", "東京都千代田区丸の内一丁目8番9号", "東京都千代田区丸の内1-8-9"])
    expect(await first(text)).toMatchObject({ number: "8-9", precision: "parcel", confidence: "exact" });
  expect(await first("Calle Durango 245, Cuauhtémoc, CDMX")).toMatchObject({ number: "245", confidence: "exact" });
  expect(await first("Calle Durango 245 entre Medellín y Monterrey, Cuauhtémoc")).toMatchObject({
    number: "245",
    confidence: "exact",
  });
});

it("leaves out addresses without a real place, and those far from all others, as nodes of extracts are", async () => {
  const streets = Array.from(
    { length: 60 },
    (_, i) => `${LONGITUDE},${north(30 * i)},${i + 1},Main Street,,Storyville,IA,`,
  );
  const text = csv([
    ...streets,
    // Any number of them: a program that wrote 0 for what it does not know.
    ...Array.from({ length: 30 }, (_, i) => `0,0,${i + 100},Zero Street,,,,`),
    "0.0004,-0.0004,140,Zero Street,,,,",
    "180,-90,150,Pole Street,,,,",
    "-180,42,151,Pole Street,,,,",
    // Its axes are swapped.
    `${LATITUDE},-73.6,160,Swapped Street,,,,`,
  ]);
  const { index, counts, areas } = await build({ "odd.csv": text }, []);
  expect(counts["left out: line of a file without a position"]).toBe(33);
  expect(counts["left out: address of a file far from all others"]).toBe(1);
  for (const asked of ["105 Zero Street", "150 Pole Street", "160 Swapped Street"])
    expect((await ask([index], asked)).filter(({ number }) => Number(number) >= 100)).toEqual([]);
  expect((await ask([index], "7 Main Street, Storyville")).map(({ number }) => number)).toContain("7");
  expect(areas).toHaveLength(1);
  expect(areas[0][0]).toBeGreaterThan(-94);
  expect(areas[0][2]).toBeLessThan(-93);
});

it("leaves out rows of Overture at 0, 0 and the like", async () => {
  const rows = [row("12", "Main Street", 0), { ...row("13", "Zero Street", 0), longitude: 0, latitude: 0 }];
  const { index } = await build({}, [...rows, { ...row("14", "Zero Street", 0), longitude: -180 }]);
  expect((await ask([index], "12 Main Street")).map(({ number }) => number)).toContain("12");
  for (const asked of ["13 Zero Street", "14 Zero Street"])
    expect((await ask([index], asked)).filter(({ number }) => number === "13" || number === "14")).toEqual([]);
});
