import { beforeAll, describe, expect, it } from "vitest";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector } from "../../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../../src/core/geocoding/index/pack.ts";
import { searchInTurns } from "../../../../src/core/geocoding/search/search-in-turns.ts";
import { parseHouseNumber } from "../../../../src/core/geocoding/words/house-number.ts";
import { FORWARD } from "../index/demo-index.ts";
import { COUNTRY_FORMS, cornerOf, formsOf, hasStreet, written } from "./country-forms.ts";
import { COUNTRIES, type CountryCases } from "./habits-cases.ts";

const streetsOf = ({ streets }: CountryCases) =>
  streets
    .trim()
    .split("\n")
    .map((row) => row.split("|")[0].trim());

const [NUMBER, NEXT] = ["12", "16"];

/** The country's streets, all through one point, so that each pair of them meets there. */
function townOf(cases: CountryCases): AddressIndex {
  const collector = new AddressCollector();
  const context = collector.context({ ...NO_CONTEXT, city: cases.city, countryCode: cases.country });
  for (const [s, name] of streetsOf(cases).entries()) {
    const street = collector.street(name, context, cases.postalCode);
    const at = { latitude: 45 + s * 0.001, longitude: 9.01 };
    collector.line(street, [at, { latitude: 45, longitude: 9 }, { ...at, longitude: 8.99 }]);
    for (const [n, number] of [NUMBER, NEXT, "2", "301"].entries())
      collector.house(street, parseHouseNumber(number)!, { ...at, longitude: 9.01 + n * 0.0003 });
  }
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  return new AddressIndex(keepDecoded(memorySource(objects)));
}

/** The country's lines with a number in one of these forms. */
function* lines({ city, postalCode, lines: orders }: CountryCases, street: string, form: string) {
  const text = written(form, NUMBER, street, NEXT);
  if (hasStreet(form)) {
    yield `${text}, ${city} ${postalCode}`;
    yield `${text}, ${city}`;
    return;
  }
  const parts: Record<string, string> = { S: street, N: text, C: city, P: postalCode };
  for (const order of orders) yield order.replace(/[SNCP]/g, (part) => parts[part]);
}

async function missesOf(
  index: AddressIndex,
  texts: Iterable<string>,
  street: string,
  confidence: string,
  number = NUMBER,
) {
  const missed: string[] = [];
  for (const text of texts) {
    const found = await searchInTurns([[index]], text, FORWARD);
    const [first] = found;
    const isRight = first?.name === street && first.confidence === confidence;
    const isNumber = number === "" || first?.number === number;
    const wrong = found.some((one) => one.confidence === "exact" && one.number !== undefined && one.number !== NUMBER);
    if (!isRight || !isNumber || wrong) missed.push(`${text} → ${first?.number} ${first?.name} ${first?.confidence}`);
  }
  return missed;
}

describe.each(COUNTRIES)("in $country", (cases) => {
  const forms = COUNTRY_FORMS[cases.country];
  let index: AddressIndex;
  beforeAll(() => {
    index = townOf(cases);
  });

  it.each(formsOf(forms.units))("the house of %s is found, as exact", async (form) => {
    for (const street of streetsOf(cases).slice(0, 4)) {
      const texts = [...lines(cases, street, form)];
      expect((await missesOf(index, texts, street, "exact")).join("\n")).toBe("");
    }
  });

  it.each(formsOf(forms.ranges))("the houses of %s are at least near one of them", async (form) => {
    for (const street of streetsOf(cases).slice(0, 4)) {
      const texts = [...lines(cases, street, form)];
      expect((await missesOf(index, texts, street, "interpolated", "")).join("\n")).toBe("");
    }
  });

  it.each(formsOf(forms.corners))("%s is the corner", async (form) => {
    const streets = streetsOf(cases);
    for (let i = 0; i + 1 < Math.min(4, streets.length); i++) {
      const [a, b] = [streets[i], streets[i + 1]];
      // Chinese words are not written between Latin names.
      if (/\p{Script=Han}/u.test(form) && !/^\p{Script=Han}.*\n\p{Script=Han}/u.test(`${a}\n${b}`)) continue;
      const text = cornerOf(form, a, b, cases.city);
      const [found] = await searchInTurns([[index]], text, FORWARD);
      const name = found?.name.split(" & ").sort().join(" & ");
      expect(`${text} → ${name} ${found?.confidence}`).toBe(`${text} → ${[a, b].sort().join(" & ")} exact`);
    }
  });
});

describe("the table of forms", () => {
  it("has a row for every country", () => {
    expect(Object.keys(COUNTRY_FORMS).sort()).toEqual(COUNTRIES.map(({ country }) => country).sort());
  });
});
