import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import type { Candidate } from "../../../../src/core/geocoding/search/choose-builds.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { type City, worldCities } from "../../../../src/importer/world/cities.ts";
import { randomFrom } from "../sample.ts";

/** An import of one town: its streets, with one house of each. */
export interface TownBuild {
  town: City;
  name: string;
  houses: { text: string; number: string; street: string }[];
  objects: Map<string, Uint8Array>;
  /** Keys of objects that were read, since the last time somebody looked. */
  reads: string[];
  candidate: Candidate<string>;
}

const HEADS =
  "Oak Maple Cedar Pine Washington Lake Walnut Church Willow Mill Sunset Lincoln Highland River Park Jefferson";
const OWN = "ba do fi ga ka lo mi nu pe ra so ta vu wi zo";

/** Builds of as many towns of the US, no two of one name; streets are alike everywhere, but for a few of each town's own. */
export function townBuilds(count: number, streets = 30): TownBuild[] {
  const seen = new Set<string>();
  const towns = worldCities().filter(({ country, name }) => country === "US" && !seen.has(name) && seen.add(name));
  return towns.slice(0, count).map((town, t) => townBuild(town, t, streets));
}

function townBuild(town: City, t: number, streets: number): TownBuild {
  const draw = randomFrom(100 + t);
  const pick = (list: string) => list.split(" ")[Math.floor(draw() * list.split(" ").length)];
  const collector = new AddressCollector();
  const context = collector.context({ ...NO_CONTEXT, city: town.name, stateCode: town.state, countryCode: "US" });
  const houses: TownBuild["houses"] = [];
  for (let s = 0; s < streets; s++) {
    const own = s % 3 === 0;
    const head = own
      ? `${pick(OWN)}${pick(OWN)}${pick(OWN)}`.replace(/^./, (letter) => letter.toUpperCase())
      : pick(HEADS);
    const street = `${head} ${["Street", "Avenue", "Road"][s % 3]}`;
    const zip = `${10000 + ((t * 37 + (s % 2)) % 89999)}`;
    const number = `${100 + Math.floor(draw() * 800)}`;
    const at = { latitude: town.latitude + (draw() - 0.5) / 50, longitude: town.longitude + (draw() - 0.5) / 50 };
    collector.house(collector.street(street, context, zip), parseHouseNumber(number)!, at);
    houses.push({ number, street, text: `${number} ${street}, ${town.name}, ${town.state} ${zip}` });
  }
  const { latitude, longitude, population, name } = town;
  const importance = Math.min(255, 32 * Math.log10(population + 1));
  const place = { ...NO_CONTEXT, stateCode: town.state, countryCode: "US" };
  collector.entry({
    kind: "locality",
    name,
    context: place,
    postalCode: "",
    latitude,
    longitude,
    importance,
    names: [],
  });
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  const memory = memorySource(objects);
  const reads: string[] = [];
  const source = keepDecoded({
    read(key: string) {
      reads.push(key);
      return memory.read(key);
    },
  });
  return { town, name, houses, objects, reads, candidate: { build: `${t}`, index: new AddressIndex(source) } };
}
