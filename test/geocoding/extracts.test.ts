import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { destination, distance } from "../../src/geo/distance.ts";
import { nearby } from "../../src/geocoding/reverse.ts";
import type { Found } from "../../src/geocoding/search.ts";
import { silent } from "../../src/importer/reporter.ts";
import { findSources } from "../../src/importer/sources/sources.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { type Built, buildAddresses, forward, typing } from "./demo-index.ts";
import { mistyped, randomFrom, type SampledHouse, sampleHouses } from "./sample.ts";

/** Real towns, with the goals of the design; half of the houses (by number) are left for tuning. */
const TOWNS: [town: string, file: string, goals: { full: number; mistake: number; cut: number; reverse: number }][] = [
  ["Queens Village", "queens-village-ny.osm.pbf", { full: 0.995, mistake: 0.92, cut: 0.99, reverse: 0.97 }],
  ["Vancouver", "vancouver.osm.pbf", { full: 0.98, mistake: 0.92, cut: 0.97, reverse: 0.97 }],
  ["Heidelberg", "heidelberg.osm.pbf", { full: 0.99, mistake: 0.92, cut: 0.97, reverse: 0.99 }],
  ["Santa Clara", "openaddresses-us-ca-santa_clara.zip", { full: 0.995, mistake: 0.92, cut: 0.99, reverse: 0.99 }],
];

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function open(file: string): Promise<Built> {
  const path = join(EXTRACTS, file);
  if (!file.endsWith(".zip")) return buildAddresses([path]);
  const cache = await mkdtemp(join(tmpdir(), "graticule-addresses-"));
  folders.push(cache);
  const { addresses } = await findSources([path], { cache, reporter: silent });
  return buildAddresses([], addresses);
}

const line = ({ number, street, countryCode }: SampledHouse) =>
  countryCode === "DE" ? `${street} ${number}` : `${number} ${street}`;
const full = (house: SampledHouse) =>
  house.countryCode === "DE"
    ? `${line(house)}, ${house.postalCode} ${house.city}`
    : [line(house), house.city, `${house.stateCode} ${house.postalCode}`]
        .filter((part) => part.trim() !== "")
        .join(", ");
const isIt = (house: SampledHouse, found: Found) =>
  found.number === house.number && found.name === house.street && distance(found.location, house.at) < 150;

for (const [town, file, goals] of TOWNS) {
  const there = existsSync(join(EXTRACTS, file));
  describe(`${town}${there ? "" : " (skipped: no extract)"}`, () => {
    it.skipIf(!there)(
      "is found: complete, with a mistake, cut short, and by coordinates",
      async () => {
        const built = await open(file);
        const draw = randomFrom(1);
        const sample = (await sampleHouses(built.index, 300, 99)).filter(
          ({ number }) => Number.parseInt(number, 10) % 2 === 0,
        );
        const rate = async (houses: readonly SampledHouse[], hits: (house: SampledHouse) => Promise<boolean>) => {
          let count = 0;
          for (const house of houses) if (await hits(house)) count++;
          return count / houses.length;
        };
        const complete = await rate(sample, async (house) =>
          (await forward(built, full(house))).slice(0, 1).some((one) => isIt(house, one) && one.confidence === "exact"),
        );
        const mistaken = sample.map((house) => ({ house, street: mistyped(house.street, draw) }));
        const wrong = mistaken.filter(({ house, street }) => street !== house.street);
        const mistake = await rate(
          wrong.map(({ house }) => house),
          async (house) => {
            const { street } = wrong.find((one) => one.house === house)!;
            return (await forward(built, full({ ...house, street }))).slice(0, 5).some((one) => isIt(house, one));
          },
        );
        const cut = await rate(
          sample.filter(({ city }) => city.length >= 4),
          async (house) => {
            const near = destination(house.at, draw() * 360, draw() * 5000);
            return (await typing(built, full(house).slice(0, -4), { near })).some((one) => isIt(house, one));
          },
        );
        const reverse = await rate(sample, async (house) => {
          const found = await nearby([built.index], destination(house.at, draw() * 360, 5), "en");
          return found.find(({ kind }) => kind === "address")?.name === house.street;
        });
        for (const [what, seen] of Object.entries({ full: complete, mistake, cut, reverse })) {
          expect([what, seen]).toEqual([
            what,
            expect.toSatisfy((share: number) => share >= goals[what as keyof typeof goals]),
          ]);
        }
      },
      120_000,
    );
  });
}
