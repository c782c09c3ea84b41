import { beforeAll, describe, expect, it } from "vitest";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { nearby } from "../../../src/core/geocoding/search/reverse.ts";
import { search } from "../../../src/core/geocoding/search/search.ts";
import { isNight, samples } from "../../support/night.ts";
import { type Built, demoAddresses, FORWARD, forward, typing, worldBase } from "./index/demo-index.ts";
import { mistyped, randomFrom, type SampledHouse, sampleHouses } from "./sample.ts";

let demo: Built;
let sample: SampledHouse[];
beforeAll(async () => {
  demo = await demoAddresses();
  sample = await sampleHouses(demo.index, samples(30, 120), 49);
}, 60_000);

const full = ({ number, street, city, stateCode, postalCode }: SampledHouse) =>
  `${number} ${street}, ${city}, ${stateCode} ${postalCode}`;
const isIt = (
  house: SampledHouse,
  found: { number?: string; name: string; location: SampledHouse["at"] } | undefined,
) => found?.number === house.number && found.name === house.street && distance(found.location, house.at) < 100;

async function rate(ask: (house: SampledHouse) => Promise<boolean>): Promise<number> {
  let hits = 0;
  for (const house of sample) if (await ask(house)) hits++;
  return hits / sample.length;
}

describe("the demo world's addresses", () => {
  it("take at most ten bytes each, as do the places among them", () => {
    const bytes = [...demo.objects.values()].reduce((sum, object) => sum + object.length, 0);
    expect(demo.counts.addresses).toBeGreaterThan(8000);
    expect(bytes / (demo.counts.addresses + demo.counts.places)).toBeLessThan(10);
    expect(Math.max(...[...demo.objects.values()].map((object) => object.length))).toBeLessThan(100_000);
  });

  it("are found, exactly and first, when they are complete", async () => {
    const found = await rate(async (house) => {
      const [first] = await forward(demo, full(house));
      return isIt(house, first) && first.confidence === "exact";
    });
    expect(found).toBeGreaterThanOrEqual(0.99);
  });

  it("are found without commas and in any case", async () => {
    const found = await rate(async (house) => {
      const [first] = await forward(demo, full(house).replaceAll(",", "").toUpperCase());
      return isIt(house, first);
    });
    expect(found).toBeGreaterThanOrEqual(0.99);
  });

  it("are found among five with a mistake in the street", async () => {
    const draw = randomFrom(7);
    const found = await rate(async (house) => {
      const text = full({ ...house, street: mistyped(house.street, draw) });
      return (await forward(demo, text)).slice(0, 5).some((one) => isIt(house, one));
    });
    expect(found).toBeGreaterThanOrEqual(0.92);
  });

  it("are found by the beginning of their street, near by", async () => {
    const draw = randomFrom(8);
    const found = await rate(async (house) => {
      const near = destination(house.at, draw() * 360, draw() * 2000);
      const answers = await typing(demo, `${house.number} ${house.street.slice(0, -3)}`, { near });
      return answers.some((one) => isIt(house, one));
    });
    expect(found).toBeGreaterThanOrEqual(0.97);
  });

  it("are the nearest to a point five metres away, or their neighbour on the same street is", async () => {
    const draw = randomFrom(9);
    const found = await rate(async (house) => {
      const near = await nearby([demo.index], destination(house.at, draw() * 360, 5), "en");
      return near.find(({ kind }) => kind === "address")?.name === house.street;
    });
    expect(found).toBeGreaterThanOrEqual(0.97);
  });

  it("never answer exactly for a number that is not there", async () => {
    for (const house of sample.slice(0, samples(10, sample.length))) {
      for (const number of ["99999", "0", "1234567", `${house.number}zz`]) {
        for (const one of await forward(demo, full({ ...house, number }))) {
          expect([
            number,
            one.number === undefined || one.confidence === "interpolated" || one.number !== number,
          ]).toEqual([number, true]);
        }
      }
    }
  });

  it("answer at every key from the first letter of the street on", async () => {
    for (const house of sample.slice(0, samples(3, 12))) {
      const text = full(house);
      for (let length = house.number.length + 2; length <= text.length; length++) {
        const answers = await typing(demo, text.slice(0, length), { near: house.at });
        expect([text.slice(0, length), answers.length > 0]).toEqual([text.slice(0, length), true]);
      }
    }
  });

  it("leave a state and a country where all of it lies, though the demo world holds a piece", async () => {
    const world = await worldBase();
    const [montana] = await search([demo.index, world.index], "Montana", FORWARD);
    expect(montana).toMatchObject({ kind: "state", name: "Montana" });
    expect(distance(montana.location, { latitude: 47, longitude: -109.6 })).toBeLessThan(150_000);
    const states = (await search([demo.index, world.index], "Alberta", FORWARD)).filter(({ kind }) => kind === "state");
    expect(states).toHaveLength(1);
    expect(states[0].location.latitude).toBeGreaterThan(52);
  }, 180_000);

  it("lie in the country and state of their side, up to the border itself", async () => {
    for (const house of sample) {
      const south = house.at.latitude < 49;
      expect([house.at, house.countryCode, house.stateCode]).toEqual([
        house.at,
        south ? "US" : "CA",
        south ? "MT" : "AB",
      ]);
    }
  });

  it.runIf(isNight)("are the same objects when built again", async () => {
    const { buildDemo } = await import("./index/demo-index.ts");
    const again = await buildDemo();
    expect([...again.objects.keys()]).toEqual([...demo.objects.keys()]);
    for (const [key, bytes] of again.objects)
      expect([key, Buffer.compare(bytes, demo.objects.get(key)!)]).toEqual([key, 0]);
  });
});
