import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { worldCities } from "../../../../src/importer/world/cities.ts";
import { randomFrom } from "../sample.ts";

const HEADS =
  "Oak Maple Cedar Pine Elm Washington Lake Hill Walnut Spring North Ridge Church Willow Mill Sunset Railroad Jackson Lincoln Highland Forest River Franklin Meadow Chestnut Park Dogwood Hickory Jefferson Locust Center Cherry Madison Spruce Poplar Laurel".split(
    " ",
  );
const TAILS = "wood land view dale field brook side crest ton haven".split(" ");
const TYPES = ["Street", "Avenue", "Road", "Drive", "Lane", "Court", "Way", "Boulevard", "Place", "Circle"];

/** Houses on streets of American towns, as many as asked for: towns where they are, streets and numbers made up. */
export function syntheticTowns(houses: number): Map<string, Uint8Array> {
  const collector = new AddressCollector();
  const towns = worldCities().filter(({ country, state }) => country === "US" && state !== "");
  const people = towns.reduce((sum, { population }) => sum + population, 0);
  const draw = randomFrom(8);
  for (const [t, town] of towns.entries()) {
    const context = collector.context({ ...NO_CONTEXT, city: town.name, stateCode: town.state, countryCode: "US" });
    const streets = Math.max(1, Math.round(((town.population / people) * houses) / 32));
    const reach = 0.004 * Math.sqrt(streets);
    for (let s = 0; s < streets; s++) {
      const head = HEADS[Math.floor(draw() * HEADS.length)];
      const tail = draw() < 0.5 ? "" : TAILS[Math.floor(draw() * TAILS.length)];
      const ordinal = draw() < 0.15 ? `${1 + Math.floor(draw() * 99)}th` : head + tail;
      const zip = `${10000 + ((t * 7 + Math.floor(s / 150)) % 89999)}`;
      const street = collector.street(`${ordinal} ${TYPES[Math.floor(draw() * TYPES.length)]}`, context, zip);
      let [latitude, longitude] = [town.latitude + (draw() - 0.5) * reach, town.longitude + (draw() - 0.5) * reach];
      let number = 100 + Math.floor(draw() * 40) * 10;
      const step = draw() < 0.5 ? ([0.00017, 0] as const) : ([0, 0.00022] as const);
      for (let h = 0; h < 32; h++) {
        number += 1 + Math.floor(draw() * 4);
        collector.house(street, parseHouseNumber(`${number}`)!, {
          latitude: latitude + (number % 2) * 0.0002,
          longitude: longitude + (number % 2) * 0.0002,
        });
        latitude += step[0];
        longitude += step[1];
      }
    }
  }
  return new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
}
