import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { distance } from "../../../../src/core/geo/distance.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { isSubdivisionCode } from "../../../../src/core/geocoding/parse/subdivision-codes.ts";
import { type Found, LAYERS, type SearchOptions } from "../../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { fold, tokensOf } from "../../../../src/core/geocoding/words/normalise.ts";
import { countryName } from "../../../../src/core/regions/region.ts";
import { worldCities } from "../../../../src/importer/world/cities.ts";
import { samples } from "../../../support/night.ts";
import { FORWARD, worldBase } from "../index/demo-index.ts";
import { randomFrom } from "../sample.ts";

/** Streets of two imported towns; some have the names of cities elsewhere, and most are in other towns too. */
const STREETS = [
  "Oxford Street",
  "Main Street",
  "Cedarwood Circle",
  "King Street",
  "Pennsylvania Avenue NW",
  "Calle Valencia",
  "Calle Mayor",
  "Avenida Paris",
  "Avenida de la Constitución",
  "Rue de Rivoli",
  "Rue de la Gare",
  "Via Roma",
  "Via Garibaldi",
  "Hauptstraße",
  "Bahnhofstraße",
  "Lindenallee",
  "Rua de São Paulo",
  "Rua da Paz",
  "ul. Warszawska",
  "улица Ленина",
  "Storgatan",
  "Kirkegata",
  "Istanbul Caddesi",
  "Vancouver Road",
];
const HOUSE = "50";

const IMPORTED = [
  { city: "Vancouver", stateCode: "BC", countryCode: "CA", latitude: 49.26, longitude: -123.1 },
  { city: "Erlangen", stateCode: "", countryCode: "DE", latitude: 49.59, longitude: 11 },
];

let indexes: AddressIndex[];
beforeAll(async () => {
  const collector = new AddressCollector();
  for (const { city, stateCode, countryCode, latitude, longitude } of IMPORTED) {
    const context = collector.context({ ...NO_CONTEXT, city, stateCode, countryCode });
    for (const [s, name] of STREETS.entries()) {
      const street = collector.street(name, context, "");
      const at = { latitude: latitude + s * 0.002, longitude };
      collector.line(street, [at, { ...at, longitude: longitude + 0.01 }]);
      collector.house(street, parseHouseNumber(HOUSE)!, at);
    }
  }
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  indexes = [new AddressIndex(keepDecoded(memorySource(objects))), (await worldBase()).index];
}, 240_000);

const ask = (text: string, options: Partial<SearchOptions> = {}) =>
  searchInTurns([indexes], text, { ...FORWARD, ...options });

async function first(text: string, options: Partial<SearchOptions> = {}) {
  const [found] = await ask(text, options);
  if (!found) return "nothing";
  const { countryCode, stateCode } = found.context;
  const isShown = countryCode === "US" || countryCode === "CA" || found.layer === "state";
  const area = isShown ? stateCode : countryCode;
  return `${[found.number, found.name].filter(Boolean).join(" ")}, ${area || countryCode} ${found.confidence}`;
}

describe("a city that the text names", () => {
  it.each([
    ["50 Oxford Street, London", "London, GB fallback"],
    ["50 Oxford Street London", "London, GB fallback"],
    ["50 Oxford St, London, UK", "London, GB fallback"],
    ["50 Oxford St, London, ON", "London, ON fallback"],
    ["hospital krems", "Krems an der Donau, AT fallback"],
    ["10 Main St, Boston", "Boston, MA fallback"],
    ["50 Main St Boston MA", "Boston, MA fallback"],
    ["1600 Pennsylvania Ave NW, Washington, DC", "Washington, DC fallback"],
    ["50 Pennsylvania Ave NW, Washington", "Washington, DC fallback"],
    ["23 Cedarwood Circle, London", "London, GB fallback"],
    ["50 Cedarwood Circle, Texas", "Texas, TX fallback"],
    ["Calle Valencia 50, Barcelona", "Barcelona, ES fallback"],
    ["50 Rue de Rivoli, Paris", "Paris, FR fallback"],
    ["Rivoli, Paris", "Paris, FR fallback"],
    ["Hauptstr. 50, Wien", "Vienna, AT fallback"],
    ["50 King Street, Perth, WA", "Perth, AU fallback"],
    ["Via Roma 50, Milano MI", "Milan, IT fallback"],
  ])("has no result outside it: %s", async (text, answer) => {
    expect(await first(text)).toBe(answer);
    for (const one of await ask(text)) expect(one.confidence).toBe("fallback");
  });

  it.each([
    ["50 Oxford Street, Vancouver", "50 Oxford Street, BC exact"],
    ["Hauptstraße 50, Erlangen", "50 Hauptstraße, DE exact"],
    ["Hauptstraße 50 Erlangen Deutschland", "50 Hauptstraße, DE exact"],
    ["50 Vancouver Road, Vancouver, BC", "50 Vancouver Road, BC exact"],
    ["Erlangen, Hauptstraße 50", "50 Hauptstraße, DE exact"],
    ["Hauptstraße 50, Erlangen, Bayern", "50 Hauptstraße, DE interpolated"],
    ["Hauptstraße 50, Erlangen, Bavaria, Germany", "50 Hauptstraße, DE interpolated"],
    ["Hauptstraße 50, Erlangen, Federal Republic of Germany", "50 Hauptstraße, DE exact"],
  ])("has its own streets: %s", async (text, answer) => expect(await first(text)).toBe(answer));

  it.each([
    ["Avenida Paris 50", "50 Avenida Paris"],
    ["Calle Valencia 50", "50 Calle Valencia"],
    ["50 Avenida Paris, Erlangen", "50 Avenida Paris"],
    ["Rue de Rivoli 50", "50 Rue de Rivoli"],
  ])("may be the name of a street: %s", async (text, answer) => expect(await first(text)).toContain(`${answer}, `));

  it.each([
    ["Unter den Linden 10, Berlin", "Berlin, DE fallback"],
    ["in der Linden", "Linden, GY fallback"],
    ["an der Isar, München", "Munich, DE fallback"],
  ])("may follow words that continue a name, with no name before them: %s", async (text, answer) =>
    expect(await first(text)).toBe(answer),
  );

  it.each(["Gozo beach", "beach Gozo", "Zzyzx, Gozo", "12 Zzyzx Street, Gozo"])(
    "is not guessed from a short word beside words that fit nothing: %s",
    async (text) => expect(await ask(text)).toEqual([]),
  );

  it("is found by a typo in a longer word, also beside words that fit nothing", async () => {
    expect(await first("Zzyzxstrasse 5, Heidelberrg")).toBe("Heidelberg, DE fallback");
  });

  it.each(["Spital Vaduz", "Bahnhof Schaan"])("ranks before the state of its name: %s", async (text) => {
    expect((await ask(text)).map(({ kind }) => kind)).toEqual(["locality", "state"]);
  });

  it("is the larger one of two by its urban area", async () => {
    // Valencia in Venezuela has hardly less.
    expect(await first("Valencia")).toBe("Valencia, ES fallback");
    expect(await first("Paris, Texas")).toBe("Paris, TX exact");
  });

  it("is not overridden by a position", async () => {
    const near = { latitude: 49.26, longitude: -123.1 };
    for (const text of ["50 Oxford Street, London", "50 Oxford Street London"])
      expect(await first(text, { near })).toMatch(/^London, (GB|ON) fallback$/);
    expect(await first("Hauptstraße 50, Erlangen", { near })).toBe("50 Hauptstraße, DE exact");
  });

  it("comes before the state of its name, if that is called after it, and after a country", async () => {
    for (const text of ["Schaan", "São Paulo", "Mendoza", "Київ", "Zürich"])
      expect([text, (await ask(text))[0]]).toMatchObject([text, { layer: "locality", confidence: "exact" }]);
    for (const text of ["Georgia", "Texas", "Portugal", "Oklahoma", "Luxembourg", "Panamá"])
      expect([text, (await ask(text))[0].layer]).not.toEqual([text, "locality"]);
  });

  it("is not an airport's suburb where the airport is meant", async () => {
    const [found] = await ask("Heathrow", { layers: new Set(LAYERS) });
    expect(found).toMatchObject({ layer: "place", context: { countryCode: "GB" } });
    expect((await ask("Boston", { layers: new Set(LAYERS) }))[0].layer).toBe("locality");
  });

  it("may follow the first word of a part, which begins no epithet", async () => {
    for (const text of [
      "an der Wien",
      "auf Erlangen",
      "im Erlangen",
      "Hauptstraße 50, bei Erlangen",
      "Wien, an der Berlin",
    ])
      for (const open of [true, false]) expect([text, await ask(text, { open })]).toEqual([text, expect.any(Array)]);
    expect(await first("Hauptstraße 50, bei Erlangen")).toMatch(/^50 Hauptstraße, DE /);
  });

  it("in crossings has no result outside it either", async () => {
    for (const text of ["Oxford Street / Main Street, London", "corner of Via Roma and Via Garibaldi, Torino"])
      for (const one of await ask(text))
        expect([text, one.layer]).toEqual([text, expect.stringMatching(/^(?:locality|state)$/)]);
  });
});

describe("a state or country that does not contain the city before it", () => {
  it.each([
    ["Portland, FR", "France, FR fallback"],
    ["Portland FR", "France, FR fallback"],
    ["London, Germany", "Germany, DE fallback"],
    ["Lisbon, Bavaria", "Bavaria, BY fallback"],
    ["Berlin, Bavaria", "Bavaria, BY fallback"],
    ["Chicago, TX", "Texas, TX fallback"],
    ["London, GA", "Georgia, GA fallback"],
    ["Springfield, DE", "Delaware, DE fallback"],
    ["Dover, DE", "Dover, DE exact"],
    ["DE", "Germany, DE exact"],
    ["Paris, CA", "Paris, ON exact"],
    ["Hauptstraße 50, Erlangen, FR", "France, FR fallback"],
    ["50 Oxford Street, Vancouver, Germany", "Germany, DE fallback"],
    ["Málaga, Antigua & Barbuda", "Antigua & Barbuda, AG fallback"],
    ["50 Oxford Street, Portland, CA", "California, CA fallback"],
  ])("is the result: %s", async (text, answer) => {
    expect(await first(text)).toBe(answer);
    for (const one of await ask(text)) expect(one.layer === "address").toBe(false);
  });

  it.each([
    ["Via Roma 50, Milano, MI", "Milan, IT fallback"],
    ["Lausanne, TI", "Lausanne, CH fallback"],
    ["São Paulo, PA", "São Paulo, BR fallback"],
    ["Rua de São Paulo 50, Vancouver", "50 Rua de São Paulo, BC exact"],
    ["Portland fr", "Portland, OR fallback"],
    ["Paris la", "Paris, FR fallback"],
    ["12 Rue Co London", "London, GB fallback"],
    ["Berlin, BE", "Berlin, DE exact"],
  ])("is not meant by a code of the city's country, or words without a comma: %s", async (text, answer) =>
    expect(await first(text)).toBe(answer),
  );

  it.each([
    ["Milano, MI", "Milan, IT exact"],
    ["Milano, mi", "Milan, IT exact"],
    ["Milano MI", "Milan, IT exact"],
    ["milano mi", "Milan, IT exact"],
    ["20121 Milano (MI)", "Milan, IT fallback"],
    ["Milano, RM", "Milan, IT fallback"],
    ["Amsterdam, NH", "Amsterdam, NL exact"],
    ["Lausanne VD", "Lausanne, CH exact"],
    ["Lugano TI", "Lugano, CH exact"],
    ["Erlangen, BY", "Erlangen, DE exact"],
    ["Erlangen, HH", "Erlangen, DE fallback"],
    ["Campinas SP", "Campinas, BR exact"],
    ["Campinas - SP", "Campinas, BR exact"],
    ["Sydney NSW", "Sydney, AU exact"],
    ["Perth, WA, Australia", "Perth, AU exact"],
    ["Portland or", "Portland, OR exact"],
    ["Kraków MA", "Kraków, PL exact"],
    ["Bari, BA, Italia", "Bari, IT exact"],
    ["Hauptstraße 50, Erlangen, BY", "50 Hauptstraße, DE exact"],
    ["Hauptstraße 50, Erlangen by", "50 Hauptstraße, DE exact"],
    ["Hauptstraße 50, Erlangen, HH", "50 Hauptstraße, DE interpolated"],
  ])("confirms the city that it contains, as a code of its country: %s", async (text, answer) =>
    expect(await first(text)).toBe(answer),
  );

  it("is the country or state of the US with a code that provinces elsewhere have too", async () => {
    for (const [text, answer] of [
      ["MI", "Michigan, MI exact"],
      ["CA", "Canada, CA exact"],
      ["BY", "Belarus, BY exact"],
      ["50 Oxford Street, CA", "50 Oxford Street, BC"],
    ])
      expect([text, await first(text)]).toEqual([text, expect.stringContaining(answer)]);
  });

  it("is kept for every city: a town in it is the only other result", async () => {
    const draw = randomFrom(34);
    const cities = worldCities().filter(
      ({ name, population }) => population > 20_000 && tokensOf(name).some((word) => word.length > 3),
    );
    const countries = [...new Set(cities.map(({ country }) => country))].sort();
    const total = samples(100, 500);
    let contradictions = 0;
    for (let asked = 0; asked < total; asked++) {
      const city = cities[Math.floor(draw() * cities.length)];
      const code = countries[Math.floor(draw() * countries.length)];
      if (code === city.country || isSubdivisionCode(code, city.country)) continue;
      const where = asked % 2 === 0 ? code : countryName(code);
      const text = [`${city.name}, ${where}`, `50 Oxford Street, ${city.name}, ${where}`][asked % 4 < 2 ? 0 : 1];
      const found = await ask(text);
      // Guadeloupe is also a state of France, and Luxembourg one of Belgium.
      const meant = new Set((await ask(where, { limit: 50 })).map(({ context }) => context.countryCode));
      const isThere = ({ context }: Found) => meant.has(context.countryCode);
      expect([text, found.filter((one) => !isThere(one))]).toEqual([text, []]);
      expect([text, found.length]).toEqual([text, expect.toSatisfy((length: number) => length > 0)]);
      if (found.every(({ kind }) => kind === "country" || kind === "state")) contradictions++;
    }
    expect(contradictions).toBeGreaterThan(total / 2);
  }, 120_000);
});

/** Returns whether a result is a state or country with the city's name in some language: Victoria, Saint Michael. */
async function isRegionNamed(name: string, { kind, location }: Found): Promise<boolean> {
  const named = await ask(name, { limit: 50 });
  return named.some((one) => one.kind === kind && one.confidence === "exact" && distance(one.location, location) < 1);
}

describe("streets of cities that are not imported", () => {
  it("return nothing farther than 500 km from a city of the name, and nothing exact", async () => {
    const draw = randomFrom(33);
    const all = worldCities().filter(({ population }) => population > 5000);
    const byName = new Map<string, typeof all>();
    for (const city of worldCities()) byName.set(fold(city.name), [...(byName.get(fold(city.name)) ?? []), city]);
    const wrong: string[] = [];
    let [asked, found] = [0, 0];
    const total = samples(250, 2000);
    while (asked < total) {
      const city = all[Math.floor(draw() * all.length)];
      const street = STREETS[Math.floor(draw() * STREETS.length)];
      // Names of numbers and codes alone are not names of cities in a text.
      if (IMPORTED.some((one) => one.city === city.name) || tokensOf(city.name).every((word) => word.length < 4))
        continue;
      const named = asked % 2 === 0;
      const text = `${asked % 3 === 0 ? `${street} ${HOUSE}` : `${HOUSE} ${street}`}, ${city.name}${named ? `, ${countryName(city.country)}` : ""}`;
      asked++;
      const answers = await ask(text);
      if (answers.length > 0) found++;
      const meant = byName.get(fold(city.name))!.filter(({ country }) => !named || country === city.country);
      for (const one of answers) {
        // The country around a city of no known name.
        if (named && one.kind === "country" && one.context.countryCode === city.country) continue;
        const away = Math.min(...meant.map((other) => distance(other, one.location)));
        const isNamed = away <= 500_000 || (await isRegionNamed(city.name, one));
        if (!isNamed || one.confidence === "exact") wrong.push(`${text} → ${one.name} ${one.confidence}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(found / asked).toBeGreaterThan(0.98);
  }, 240_000);
});
