import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { areasOf, buildKey } from "../../../src/core/geo/builds/manifest.ts";
import type { DecodedSource } from "../../../src/core/geo/builds/tile-source.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import type { Found } from "../../../src/core/geocoding/search/found.ts";
import { searchAddress } from "../../../src/core/geocoding/search/search-address.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { timeZoneAt } from "../../../src/core/regions/time-zone.ts";
import { addressesToSearch } from "../../../src/worker/geodata/addresses.ts";
import { openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { type Geodata, openGeodata } from "../../../src/worker/geodata/live.ts";
import type { BuildSource } from "../../../src/worker/geodata/r2-source.ts";
import { everyRegionAt } from "../../../src/worker/geodata/regions.ts";
import { FORWARD } from "../../core/geocoding/index/demo-index.ts";
import { type SampledHouse, sampleHouses } from "../../core/geocoding/sample.ts";
import { EXTRACTS } from "../../core/regions/extract-harness.ts";
import { demoAt, ManyImports } from "./many-imports.ts";

const SMALL = ["melbourne", "new-york-part", "paris-part", "rome-centre", "singapore-bayfront"];
/** Whole towns, and as many demo worlds as make it fifteen imports: minutes, so only where somebody asks for them (EVERY_EXTRACT=1). */
const TOWNS = ["baltimore", "heidelberg", "malta", "milan-small", "porto", "queens-village-ny", "vancouver"];
const OPEN_ADDRESSES = "openaddresses-us-ca-santa_clara.zip";
const files = [
  ...SMALL.map((name) => [name, join(EXTRACTS, "small", `${name}.osm.pbf`)] as const),
  ["monaco", join(EXTRACTS, "monaco.osm.pbf")] as const,
  ...(process.env.EVERY_EXTRACT
    ? [
        // Half a million addresses; by day, a few like them.
        ["santa-clara", join(EXTRACTS, OPEN_ADDRESSES)] as const,
        ...TOWNS.map((name) => [name, join(EXTRACTS, `${name}.osm.pbf`)] as const),
      ]
    : []),
];
const DEMOS = process.env.EVERY_EXTRACT ? [0, 1, 2, 3, 4, 5, 6] : [0];
/** One more than a request once looked at. */
const MIN_COUNT = process.env.EVERY_EXTRACT ? 15 : 9;

/** Imports of OpenAddresses alone, which have no map. */
const [SANTA_CLARA, GILROY] = ["santa-clara", "gilroy"];
/** An OpenAddresses file of a town in Santa Clara County: its streets from a corner to the northeast. */
const fewAddresses = (city: string, postalCode: string, west: number, south: number) =>
  [
    "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH",
    ...Array.from({ length: 400 }, (_, i) => {
      const [street, house] = [Math.floor(i / 40), i % 40];
      const name = ["Almond", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Juniper", "Laurel", "Maple"][street];
      const [longitude, latitude] = [west + house / 4000, south + street / 500];
      return `${longitude},${latitude},${100 + 2 * house},${name} Court,,${city},,CA,${postalCode},,${i}`;
    }),
  ].join("\n");

const title = `${MIN_COUNT} imports or more, all live`;
if (files.some(([, path]) => !existsSync(path)))
  describe.skip(`${title} (skipped: no extract)`, () => it("", () => {}));
else
  describe(title, () => {
    let imports: ManyImports;
    let folder: string | undefined;
    let geodata: Geodata;
    /** Some houses of each import that has any. */
    const houses = new Map<string, SampledHouse[]>();
    const indexes = new Map<string, AddressIndex>();

    beforeAll(async () => {
      imports = await ManyImports.open();
      await imports.world();
      for (const [name, path] of files) await imports.files(name, [path]);
      if (!process.env.EVERY_EXTRACT) {
        folder = mkdtempSync(join(tmpdir(), "fifteen-"));
        const towns: [name: string, csv: string][] = [
          [SANTA_CLARA, fewAddresses("Santa Clara", "95050", -121.95, 37.35)],
          [GILROY, fewAddresses("Gilroy", "95020", -121.57, 37.01)],
        ];
        for (const [name, csv] of towns) {
          const path = join(folder, `${name}.csv`);
          writeFileSync(path, csv);
          await imports.files(name, [path]);
        }
      }
      for (const i of DEMOS) await imports.demo(`demo-${i}`, demoAt(i));
      geodata = await openGeodata(imports.bucket, { now: 0, waitUntil: undefined });
      for (const source of geodata.with("addresses")) {
        const { name } = source.build;
        indexes.set(name, new AddressIndex(withoutGaps(source)));
        houses.set(name, await sampleHouses(indexes.get(name)!, 8, 15));
      }
    }, 600_000);
    afterAll(async () => {
      await imports.close();
      if (folder) rmSync(folder, { recursive: true });
    });

    /** A build whose end may be looked for: what is behind it is absent, not damaged. */
    const withoutGaps = (source: BuildSource): DecodedSource => ({
      cached: async (key, decode, options) =>
        imports.bucket.objects.has(buildKey(source.build.id, key)) ? source.cached(key, decode, options) : undefined,
    });
    const isAddressesOnly = (name: string) => name === SANTA_CLARA || name === GILROY;
    const forward = async (text: string) =>
      searchInTurns(await addressesToSearch(geodata, text, { open: false }), text, FORWARD);

    it("are as many as are asked for, and the world's base", () => {
      const count = files.length + DEMOS.length + (process.env.EVERY_EXTRACT ? 0 : 2);
      expect(imports.live().builds).toHaveLength(count + 1);
      expect(count).toBeGreaterThanOrEqual(MIN_COUNT);
    });

    it("tell each of their addresses to whoever asks from nowhere", async () => {
      const missed: string[] = [];
      let asked = 0;
      for (const [name, list] of houses) {
        for (const house of list) {
          const { number, street, city, stateCode, postalCode, at } = house;
          if (city === "" && postalCode === "") continue;
          const text = `${number} ${street}, ${city}, ${stateCode} ${postalCode}`;
          // What its own import does not tell alone ("119/A", "Level 57"), fifteen cannot.
          const [alone] = await searchAddress([indexes.get(name)!], text, FORWARD);
          if (alone?.confidence !== "exact" || alone.number !== number) continue;
          const found = await forward(text);
          asked++;
          // The demo worlds share a town's name and a highway, and 10 Bayfront Avenue is a mall with many doors.
          const [first] = found;
          const there = found.some((one) => one.confidence === "exact" && distance(one.location, at) < 300);
          if (first?.confidence !== "exact" || first.number !== number || !there) missed.push(`${name}: ${text}`);
        }
      }
      expect(asked).toBeGreaterThan(5 * MIN_COUNT);
      expect(missed).toEqual([]);
    });

    it("tell the towns they know", async () => {
      const missed: string[] = [];
      let told = 0;
      for (const [name, list] of houses) {
        for (const city of new Set(list.map((house) => house.city).filter((city) => city !== ""))) {
          const isFound = (one: Found) => one.name === city || one.context.city === city;
          // A town that only houses name (Milano, in an extract of some streets) is none that its own import tells alone.
          if (!(await searchAddress([indexes.get(name)!], city, FORWARD)).some(isFound)) continue;
          told++;
          const found = await forward(city);
          if (!found.some(isFound)) missed.push(`${name}: ${city}`);
        }
      }
      expect(told).toBeGreaterThanOrEqual(process.env.EVERY_EXTRACT ? MIN_COUNT : 5);
      expect(missed).toEqual([]);
    });

    it("tell country, state and time zone of one side of the border", async () => {
      for (const i of DEMOS) {
        for (const { at, stateCode, countryCode } of houses.get(`demo-${i}`)!) {
          const regions = await everyRegionAt(geodata, at);
          expect([regions.country?.code, regions.state?.code]).toEqual([countryCode, stateCode]);
          expect(timeZoneAt(at, regions)).toBe(countryCode === "US" ? "America/Denver" : "America/Edmonton");
        }
      }
      // A state that a demo world has a piece of lies where all of it lies.
      const [montana] = await forward("Montana");
      expect(montana).toMatchObject({ kind: "state", name: "Montana" });
      expect(distance(montana.location, { latitude: 47, longitude: -109.6 })).toBeLessThan(150_000);
    });

    it("know where their houses are: an OpenAddresses file takes nothing from the others", async () => {
      for (const [name, [house]] of houses) {
        if (!house) continue;
        const { country } = await everyRegionAt(geodata, house.at);
        if (house.countryCode !== "")
          expect([name, country?.code]).toEqual([name, isAddressesOnly(name) ? country?.code : house.countryCode]);
      }
      const santaClara = imports.live().builds.find(({ name }) => name === SANTA_CLARA)!;
      for (const [west, south, east, north] of areasOf(santaClara, "addresses"))
        expect([west > -123, east < -120, south > 36, north < 38.5]).toEqual([true, true, true, true]);
    });

    it("each draw their map", async () => {
      const basemap = await openBasemap(geodata, imports.bucket);
      for (const [name, [house]] of houses) {
        if (!house || isAddressesOnly(name)) continue;
        const { latitude, longitude } = house.at;
        const n = 2 ** 14;
        const sin = Math.sin((latitude * Math.PI) / 180);
        const x = Math.floor(((longitude + 180) / 360) * n);
        const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * n);
        const tile = await basemap.tile(14, x, y);
        expect([name, (tile?.length ?? 0) > 200]).toEqual([name, true]);
      }
    });
  });
