import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../src/geo/distance.ts";
import { searchAddress } from "../../src/geocoding/search-address.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { isReported } from "./cases.ts";
import { type Built, buildAddresses, demoAddresses, FORWARD, forward } from "./demo-index.ts";
import { type SampledHouse, sampleHouses } from "./sample.ts";

/** What people write around an address, and no index of addresses knows. */
const DRESSES: [what: string, dress: (text: string) => string][] = [
  ["nothing more", (text) => text],
  ["a firm in front", (text) => `Acme Widgets LLC, ${text}`],
  ["a person it is sent to", (text) => `c/o Jane Doe, ${text}`],
  ["a department", (text) => `Attn: Shipping Department, ${text}`],
  ["a floor", (text) => text.replace(",", ", 2nd Floor,")],
  ["a building", (text) => text.replace(",", ", Building C,")],
  ["a county", (text) => text.replace(/, ([^,]*)$/, ", Some County, $1")],
];
const AMERICAN = ({ number, street, city, stateCode, postalCode }: SampledHouse) =>
  `${number} ${street}, ${city}, ${stateCode} ${postalCode}`;
const GERMAN = ({ number, street, city, postalCode }: SampledHouse) => `${street} ${number}, ${postalCode} ${city}`;

const ask = async ({ index }: Built, text: string) => searchAddress([index], text, FORWARD);

/** Share of houses that are the first answer to their dressed address. */
async function reached(built: Built, houses: readonly SampledHouse[], write: (house: SampledHouse) => string) {
  let hits = 0;
  for (const house of houses) {
    const [first] = await ask(built, write(house));
    if (first?.number === house.number && first.confidence === "exact" && distance(first.location, house.at) < 150)
      hits++;
  }
  return hits / houses.length;
}

describe("a whole address of the demo world", () => {
  let demo: Built;
  let houses: SampledHouse[];
  beforeAll(async () => {
    demo = await demoAddresses();
    houses = await sampleHouses(demo.index, 60, 9);
  }, 60_000);

  it.each(DRESSES)("is found with %s", async (_, dress) => {
    expect(await reached(demo, houses, (house) => dress(AMERICAN(house)))).toBeGreaterThanOrEqual(0.98);
  });

  it("keeps the unit that was told beside a name", async () => {
    const [first] = await ask(demo, `Acme Widgets LLC, ${AMERICAN(houses[0]).replace(",", ", Apt 4B,")}`);
    expect(first).toMatchObject({ number: houses[0].number, unit: "4B", confidence: "exact" });
  });

  it("is never there with a number that is not, and no likelier than by its words in another country", async () => {
    for (const house of houses.slice(0, 30)) {
      for (const [, dress] of DRESSES) {
        const wrong = await ask(demo, dress(AMERICAN({ ...house, number: "99999" })));
        expect(wrong.filter(({ confidence, number }) => confidence === "exact" && number !== undefined)).toEqual([]);
        const away = dress(`${house.number} ${house.street}, ${house.city}, France`);
        expect(await ask(demo, away)).toEqual(await forward(demo, away));
      }
    }
  });

  it("is its street where the number is not known and the name in front hid the street", async () => {
    const [first] = await ask(demo, `Acme Widgets LLC, ${AMERICAN({ ...houses[0], number: "99999" })}`);
    expect(first).toMatchObject({ layer: "address", name: houses[0].street, confidence: "fallback" });
  });
});

for (const [town, file, write] of [
  ["Heidelberg", "heidelberg.osm.pbf", GERMAN],
  ["Queens Village", "queens-village-ny.osm.pbf", AMERICAN],
] as const) {
  const path = join(EXTRACTS, file);
  describe(`a whole address of ${town}${existsSync(path) ? "" : " (skipped: no extract)"}`, () => {
    it.skipIf(!existsSync(path))(
      "is found with whatever stands around it",
      async () => {
        const built = await buildAddresses([path]);
        const houses = (await sampleHouses(built.index, 200, 5)).filter(isReported);
        for (const [what, dress] of DRESSES) {
          const share = await reached(built, houses, (house) => dress(write(house)));
          expect([what, share]).toEqual([what, expect.toSatisfy((rate: number) => rate >= 0.98)]);
        }
      },
      120_000,
    );
  });
}
