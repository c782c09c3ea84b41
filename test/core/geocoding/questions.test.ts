import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../src/core/geocoding/index/pack.ts";
import { type SearchOptions, search } from "../../../src/core/geocoding/search/search.ts";
import { parseHouseNumber } from "../../../src/core/geocoding/words/house-number.ts";
import { FORWARD, TYPING, worldBase } from "./index/demo-index.ts";

/** Two streets that cross, running east from a point; houses by number, 20 m apart. */
interface Town {
  city: string;
  stateCode: string;
  countryCode: string;
  latitude: number;
  longitude: number;
  streets: Record<string, string[]>;
  postalCode?: string;
}

const TOWNS: Town[] = [
  {
    city: "München",
    stateCode: "",
    countryCode: "DE",
    latitude: 48.137,
    longitude: 11.575,
    postalCode: "80331",
    streets: { Marienplatz: ["1", "8"], Kaufingerstraße: ["10", "12"], "Sophie-Scholl-Straße": ["45"] },
  },
  {
    city: "Milano",
    stateCode: "",
    countryCode: "IT",
    latitude: 45.464,
    longitude: 9.19,
    postalCode: "20123",
    streets: { "Via Torino": ["10"], "Corso Vittorio Emanuele II": ["30"] },
  },
  {
    city: "Paris",
    stateCode: "",
    countryCode: "FR",
    latitude: 48.869,
    longitude: 2.331,
    postalCode: "75002",
    streets: { "Rue de la Paix": ["5", "12 bis"] },
  },
  {
    ...{
      city: "Amsterdam",
      stateCode: "",
      countryCode: "NL",
      latitude: 52.373,
      longitude: 4.883,
      postalCode: "1015 CX",
    },
    streets: { Prinsengracht: ["263"] },
  },
  {
    city: "Madrid",
    stateCode: "",
    countryCode: "ES",
    latitude: 40.416,
    longitude: -3.705,
    postalCode: "28013",
    streets: { "Calle Mayor": ["5"] },
  },
  {
    city: "São Paulo",
    stateCode: "SP",
    countryCode: "BR",
    latitude: -23.561,
    longitude: -46.656,
    streets: { "Avenida Paulista": ["1578"] },
    postalCode: "01310-200",
  },
  {
    city: "Vancouver",
    stateCode: "BC",
    countryCode: "CA",
    latitude: 49.263,
    longitude: -123.135,
    streets: { "West Broadway": ["1388"], "Columbia Street": ["211"], "Nelson Street": ["211"], "BC Parkway": ["1"] },
    postalCode: "V6H 4C1",
  },
  {
    city: "Queens Village",
    stateCode: "NY",
    countryCode: "US",
    latitude: 40.72,
    longitude: -73.74,
    streets: { "Jamaica Avenue": ["221-05", "221-09"], "Hollis Avenue": ["1"] },
    postalCode: "11428",
  },
  {
    ...{
      city: "Lake City",
      stateCode: "FL",
      countryCode: "US",
      latitude: 30.19,
      longitude: -82.64,
      postalCode: "36075",
    },
    streets: { "Oak Boulevard": ["414"] },
  },
];

let indexes: AddressIndex[];
beforeAll(async () => {
  const collector = new AddressCollector();
  for (const { city, stateCode, countryCode, latitude, longitude, postalCode = "", streets } of TOWNS) {
    const context = collector.context({ ...NO_CONTEXT, city, stateCode, countryCode });
    for (const [s, [name, numbers]] of Object.entries(streets).entries()) {
      const street = collector.street(name, context, postalCode);
      const south = latitude + s * 0.002;
      // The first street runs north and meets the others, which run east.
      const far = s === 0 ? { latitude: latitude + 0.01, longitude } : { latitude: south, longitude: longitude + 0.01 };
      collector.line(street, [
        { latitude: south, longitude },
        ...(s === 0 ? [1, 2, 3].map((k) => ({ latitude: latitude + k * 0.002, longitude })) : []),
        far,
      ]);
      for (const [n, number] of numbers.entries())
        collector.house(street, parseHouseNumber(number)!, { latitude: south, longitude: longitude + n * 0.0003 });
    }
  }
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  indexes = [new AddressIndex(keepDecoded(memorySource(objects))), (await worldBase()).index];
}, 240_000);

async function first(text: string, options: Partial<SearchOptions> = {}) {
  const [found] = await search(indexes, text, { ...FORWARD, ...options });
  return found && [found.layer, found.number ?? "", found.name, found.context.city, found.confidence].join(" | ");
}

describe("a complete address, in the order of its country or any other", () => {
  it.each([
    ["Marienplatz 8, 80331 München", "8 | Marienplatz | München"],
    ["80331 München, Marienplatz 8", "8 | Marienplatz | München"],
    ["8 Marienplatz Munich Germany", "8 | Marienplatz | München"],
    ["marienplatz 8 muenchen deutschland", "8 | Marienplatz | München"],
    ["Kaufinger Str. 12 München", "12 | Kaufingerstraße | München"],
    ["Kaufingerstr 12, Munich", "12 | Kaufingerstraße | München"],
    ["Via Torino 10, 20123 Milano", "10 | Via Torino | Milano"],
    ["Via Torino, 10 - Milano MI", "10 | Via Torino | Milano"],
    ["10 Via Torino, Milan, Italy", "10 | Via Torino | Milano"],
    ["C.so Vittorio Emanuele II 30 Milano", "30 | Corso Vittorio Emanuele II | Milano"],
    ["5 rue de la Paix, 75002 Paris", "5 | Rue de la Paix | Paris"],
    ["12bis, rue de la Paix 75002 PARIS FRANCE", "12 bis | Rue de la Paix | Paris"],
    ["Prinsengracht 263, 1015 CX Amsterdam", "263 | Prinsengracht | Amsterdam"],
    ["Calle Mayor, 5, 28013 Madrid", "5 | Calle Mayor | Madrid"],
    ["C/ Mayor 5 Madrid España", "5 | Calle Mayor | Madrid"],
    ["Av. Paulista, 1578 - São Paulo - SP, 01310-200", "1578 | Avenida Paulista | São Paulo"],
    ["1388 W Broadway, Vancouver, BC V6H 4C1", "1388 | West Broadway | Vancouver"],
    ["1388 West Broadway Vancouver British Columbia Canada", "1388 | West Broadway | Vancouver"],
    ["414 Oak Blvd, Lake City, FL 36075", "414 | Oak Boulevard | Lake City"],
  ])("%s", async (text, address) => expect(await first(text)).toBe(`address | ${address} | exact`));
});

describe("a house number", () => {
  it("may stand behind its unit, which is told", async () => {
    for (const text of [
      "#288 1388 West Broadway Vancouver",
      "Unit 288, 1388 W Broadway, Vancouver",
      "288-1388 West Broadway, Vancouver",
    ]) {
      const [found] = await search(indexes, text, FORWARD);
      expect([text, found.number, found.unit, found.confidence]).toEqual([text, "1388", "288", "exact"]);
    }
  });

  it("of Queens may lack its hyphen, but only a known one is exact", async () => {
    expect(await first("22105 Jamaica Ave, Queens Village")).toContain(
      "221-05 | Jamaica Avenue | Queens Village | exact",
    );
    expect(await first("221-07 Jamaica Ave, Queens Village")).toContain(
      "221-07 | Jamaica Avenue | Queens Village | interpolated",
    );
    expect(await first("22111 Jamaica Ave, Queens Village")).toContain("Jamaica Avenue | Queens Village | fallback");
  });

  it("is not taken from another street of the town", async () => {
    const found = await search(indexes, "211 Columbia Street, Vancouver", FORWARD);
    expect(found[0]).toMatchObject({ name: "Columbia Street", number: "211" });
    for (const { name, confidence } of found) expect([name, confidence]).not.toEqual(["Nelson Street", "exact"]);
  });
});

describe("two streets", () => {
  it.each(["Marienplatz & Kaufingerstraße, München", "Kaufingerstr. und Marienplatz, München"])(
    "%s cross where they meet",
    async (text) => {
      const [found] = await search(indexes, text, FORWARD);
      expect(found.confidence).toBe("exact");
      expect(found.location.latitude).toBeCloseTo(48.139, 3);
    },
  );

  it("that do not meet are a fallback to the first", async () => {
    expect(await first("Marienplatz & Nowhere Street, München")).toContain("Marienplatz | München | fallback");
  });

  it("are not seen in the name of a country", async () => {
    expect(await first("Trinidad and Tobago")).toContain("country |");
  });
});

describe("a region", () => {
  it.each([
    ["NYC", "locality |  | New York"],
    ["New York", "locality |  | New York"],
    ["New York, NY", "locality |  | New York"],
    ["USA", "country |  | United States"],
    ["UK", "country |  | United Kingdom"],
    ["Deutschland", "country |  | Germany"],
    ["CA", "country |  | Canada"],
    ["DE", "country |  | Germany"],
    ["FR", "country |  | France"],
    ["Wilmington, DE", "locality |  | Wilmington"],
    ["Paris, TX", "locality |  | Paris"],
    ["Ciudad de México", "locality |  | Mexico City"],
    ["Roma", "locality |  | Rome"],
    ["Washington, DC", "locality |  | Washington"],
    ["Los Angeles County", "county |  | Los Angeles County"],
  ])("%s", async (text, start) => expect(await first(text)).toMatch(new RegExp(`^${start.replaceAll("|", "\\|")}`)));

  it.each([
    ["ar", "القاهرة", "القاهرة"],
    ["de", "Munich", "München"],
    ["en", "München", "Munich"],
    ["es", "London", "Londres"],
    ["fr", "Vienna", "Vienne"],
    ["ja", "Tokyo", "東京"],
    ["ko", "서울", "서울"],
    ["pt", "Lisbon", "Lisboa"],
    ["ru", "Москва", "Москва"],
    ["zh", "Beijing", "北京"],
  ] as const)("in %s: %s is %s", async (language, text, name) => {
    const [found] = await search(indexes, text, { ...FORWARD, language });
    expect([found.layer, found.name]).toEqual(["locality", name]);
  });

  it("is the answer where an address of it is unknown, and no street that only repeats it", async () => {
    expect(await first("12345 Nonexistent Blvd, Vancouver, BC")).toMatch(/^locality \| {2}\| Vancouver .*fallback$/);
  });

  it("comes by country in the caller's order", async () => {
    const countries = async (list: string[]) =>
      (await search(indexes, "London", { ...TYPING, countries: list })).map(({ context }) => context.countryCode);
    expect((await countries(["CA", "GB"]))[0]).toBe("CA");
    expect((await countries(["GB", "CA"]))[0]).toBe("GB");
    expect(new Set(await countries(["US"]))).toEqual(new Set(["US"]));
  });
});

describe("a mistake", () => {
  it.each([
    ["Sophie-Scholl-Strase 45 München", "Sophie-Scholl-Straße"],
    ["SophieScholl-Straße 45 München", "Sophie-Scholl-Straße"],
    ["Prinsengraht 263 Amsterdam", "Prinsengracht"],
    ["5 rue de la Piax Paris", "Rue de la Paix"],
    ["1388 West Braodway Vancouver", "West Broadway"],
  ])("%s", async (text, street) => expect(await first(text)).toContain(` | ${street} | `));
});

describe("exact is what was named, letter for letter but for spelling rules", () => {
  it.each([
    ["Kaufingerstrasse 12, München", "address | 12 | Kaufingerstraße | München | exact"],
    ["Kaufingerstrase 12, München", "address | 12 | Kaufingerstraße | München | interpolated"],
    ["Jaufingerstraße 12, München", "address | 12 | Kaufingerstraße | München | interpolated"],
    ["akufingerstraße 12, München", "address | 12 | Kaufingerstraße | München | interpolated"],
    ["Kaufingerstraße 12, Münchn", "address | 12 | Kaufingerstraße | München | interpolated"],
    ["Kaufingerstraße, München", "address |  | Kaufingerstraße | München | exact"],
    ["Kaufingerstrase, München", "address |  | Kaufingerstraße | München | fallback"],
    ["Paulista, São Paulo", "address |  | Avenida Paulista | São Paulo | fallback"],
    ["1 Decembrie", "locality |  | 1 Decembrie |  | exact"],
  ])("%s", async (text, answer) => expect(await first(text)).toBe(answer));

  it.each(["1", "NULL", "LAX", "restaurants", "Queenslnd"])("nothing is called %s", async (text) => {
    const found = await search(indexes, text, FORWARD);
    expect(found.filter(({ confidence }) => confidence === "exact")).toEqual([]);
  });
});

describe("two streets", () => {
  it.each([
    "Marienplatz / Kaufingerstraße, München",
    "Kaufingerstr./Marienplatz, München",
    "Ecke Marienplatz und Kaufingerstr., München",
    "corner of Marienplatz and Kaufingerstraße, Munich",
  ])("meet: %s", async (text) => {
    const [met] = await search(indexes, text, FORWARD);
    expect([met.name.split(" & ").sort(), met.confidence]).toEqual([["Kaufingerstraße", "Marienplatz"], "exact"]);
  });

  it("that do not meet are never exact", async () => {
    const found = await search(indexes, "Marienplatz / Prinsengracht, München", FORWARD);
    expect(found.map(({ confidence }) => confidence)).not.toContain("exact");
  });
});

describe("a town that is written otherwise", () => {
  it.each([
    ["Kaufingerstraße 12, Múnich", "exact"],
    ["Kaufingerstraße 12, München an der Isar", "interpolated"],
  ])("does not hide the house: %s", async (text, confidence) =>
    expect(await first(text)).toBe(`address | 12 | Kaufingerstraße | München | ${confidence}`),
  );

  it("leaves the street where nothing is known of the town", async () =>
    expect(await first("Kaufingerstraße 12, Xyzzyburg")).toBe("address |  | Kaufingerstraße | München | fallback"));
});
