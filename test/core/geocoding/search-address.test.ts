import { beforeAll, describe, expect, it } from "vitest";
import { samples } from "../../support/night.ts";
import { type Built, demoAddresses, forward } from "./index/demo-index.ts";
import { AMERICAN, ask, DRESSES, reached } from "./parse/whole-address.ts";
import { type SampledHouse, sampleHouses } from "./sample.ts";

describe("a whole address of the demo world", () => {
  let demo: Built;
  let houses: SampledHouse[];
  beforeAll(async () => {
    demo = await demoAddresses();
    houses = await sampleHouses(demo.index, samples(30, 60), 9);
  }, 60_000);

  it.each(DRESSES)("is found with %s", async (_, dress) => {
    expect(await reached(demo, houses, (house) => dress(AMERICAN(house)))).toBeGreaterThanOrEqual(0.98);
  });

  it("keeps the unit that was told beside a name", async () => {
    const [first] = await ask(demo, `Acme Widgets LLC, ${AMERICAN(houses[0]).replace(",", ", Apt 4B,")}`);
    expect(first).toMatchObject({ number: houses[0].number, unit: "4B", confidence: "exact" });
  });

  it("is never there with a number that is not, and no likelier than by its words in another country", async () => {
    for (const house of houses.slice(0, samples(4, 30))) {
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
