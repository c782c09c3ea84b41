import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../src/core/geocoding/index/pack.ts";
import { LAYERS } from "../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../src/core/geocoding/words/house-number.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { FORWARD, worldBase } from "./index/demo-index.ts";

/** Streets that run east, and one that all of them meet. */
function townOf(city: string, countryCode: string, across: string, ...streets: string[]): AddressIndex {
  const collector = new AddressCollector();
  const context = collector.context({ ...NO_CONTEXT, city, countryCode });
  const spots = streets.map((_, i) => ({ latitude: 39.3 + i * 0.002, longitude: -76.6 }));
  for (const [i, name] of streets.entries()) {
    const street = collector.street(name, context, "");
    const at = spots[i];
    collector.line(street, [at, { ...at, longitude: -76.59 }]);
    collector.house(street, parseHouseNumber("12")!, { ...at, longitude: -76.595 });
  }
  collector.line(collector.street(across, context, ""), [...spots, { latitude: 39.35, longitude: -76.6 }]);
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  return new AddressIndex(keepDecoded(memorySource(objects)));
}

let world: AddressIndex;
beforeAll(async () => {
  world = (await worldBase()).index;
}, 240_000);

async function ask(text: string, index = world, options = {}) {
  const found = await searchInTurns([[index]], text, { ...FORWARD, layers: new Set(LAYERS), ...options });
  return found.map(({ name, number, confidence }) => `${number ? `${number} ` : ""}${name} ${confidence}`);
}

describe("in the world base", () => {
  it.each([
    ["LAX", "Los Angeles International Airport exact"],
    ["Bombay", "Mumbai exact"],
    ["Queensland", "Queensland exact"],
    ["Aarhus", "Århus exact"],
    ["Ålborg", "Aalborg exact"],
    ["Muenchen", "Munich exact"],
    ["Freiburg im Breisgau", "Freiburg exact"],
    ["Freiburg im Breisgau, Germany", "Freiburg exact"],
    ["Frankfurt, Germany", "Frankfurt am Main exact"],
    ["Geneva", "Genève exact"],
    ["Mexiko", "Mexico exact"],
    ["México", "Mexico exact"],
    ["Kiribati", "Kiribati exact"],
    // No number of people is known.
    ["Ganzhou", "Ganzhou exact"],
    ["No. 12 Renmin Rd, Maoming", "Maoming fallback"],
    // Words that say only that it is a town.
    ["Quebec City", "Québec exact"],
    ["Ondo City", "Ondo exact"],
    ["London City", "London fallback"],
    // A code or a foreign name of one, and what people call another.
    ["uk", "United Kingdom exact"],
    ["BO", "Bolivia exact"],
    ["Bo", "Bolivia fallback"],
    ["Gasa", "Gaza fallback"],
    // The number is of the words before it; the country comes first.
    ["Travessa São José 45 Guarapuava, Paraná", "Guarapuava fallback"],
    ["中国厦门中山路100号", "Xiamen fallback"],
    // 1500 is in Vienna, which is also called Viana, and a G1R in Québec looks like one in Glasgow.
    ["Av. Brasil 1.500 Viana Brazil", "Viana fallback"],
    ["Av. Brasil 1.500 Porto União", "Porto União fallback"],
    ["Av. Brasil, 1.500, Campo Mourão", "Campo Mourão fallback"],
    ["G1R", "Québec fallback"],
  ])("%s is %s", async (text, first) => expect((await ask(text))[0]).toBe(first));

  it("the largest cities are exact by their names alone, but for namesakes of their size", async () => {
    const doubted: string[] = [];
    for (const { name, country } of worldCities().slice(0, 300)) {
      const [first] = await ask(name);
      if (!first.endsWith(" exact")) doubted.push(`${name}, ${country}`);
    }
    expect(doubted.length, doubted.join("; ")).toBeLessThanOrEqual(10);
  });

  it.each(["1", "NULL", "restaurants", "Laxx", "Queenslnd", "Vaezzano, Italy", "Ttae", "Mumbaj"])(
    "nothing is said to be %s",
    async (text) => expect((await ask(text)).filter((one) => one.endsWith(" exact"))).toEqual([]),
  );
});

describe("a street", () => {
  it("has no word of the town in its name, where a comma is between them", async () => {
    const index = townOf("Baltimore", "US", "North Front Street", "East Baltimore Street", "East Street");
    expect(await ask("East Street, Baltimore", index)).toEqual(["East Street exact", "East Baltimore Street fallback"]);
    expect((await ask("12 East Street, Baltimore", index))[0]).toBe("12 East Street exact");
    expect(await ask("corner of East Street and North Front Street, Baltimore", index)).toEqual([
      "East Street & North Front Street exact",
      "East Baltimore Street & North Front Street interpolated",
    ]);
  });

  it("with a number for a name meets another where a slash is between them", async () => {
    const index = townOf("Espinho", "PT", "Rua 31", "Avenida 8", "Rua 16");
    expect((await ask("Rua 31/Avenida 8, Espinho", index))[0]).toBe("Rua 31 & Avenida 8 exact");
    expect((await ask("Rua 31/Rua 16, Espinho", index))[0]).toBe("Rua 31 & Rua 16 exact");
  });

  it("by the initial of a given name is found, and may be another", async () => {
    const index = townOf("Lindau", "DE", "Lange Gasse", "Konrad-Adenauer-Straße");
    expect((await ask("K.-Adenauer-Str. 12, Lindau", index))[0]).toBe("12 Konrad-Adenauer-Straße interpolated");
  });
});

describe("a postal code that the data has", () => {
  it("is found beside its town, and its area by itself", async () => {
    const collector = new AddressCollector();
    const context = collector.context({ ...NO_CONTEXT, city: "Lindau", countryCode: "DE" });
    const at = { latitude: 47.55, longitude: 9.68 };
    collector.house(collector.street("Lange Gasse", context, "88131"), parseHouseNumber("5")!, at);
    const own = { ...NO_CONTEXT, city: "Lindau", countryCode: "DE" };
    const code = { name: "88131", postalCode: "88131", importance: 90, names: [], ...at };
    collector.entry({ kind: "postalCode", context: own, ...code });
    const town = { name: "Lindau", postalCode: "", importance: 130, names: [], ...at };
    collector.entry({ kind: "locality", context: { ...NO_CONTEXT, countryCode: "DE" }, ...town });
    const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
    const index = new AddressIndex(keepDecoded(memorySource(objects)));
    for (const text of ["88131 Lindau", "Lindau 88131", "88131, Germany", "D-88131 Lindau"])
      expect([text, (await ask(text, index))[0]]).toEqual([text, "88131 exact"]);
    expect((await ask("88132 Lindau", index)).filter((one) => one.endsWith(" exact"))).toEqual([]);
  });
});
