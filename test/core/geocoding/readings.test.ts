import { beforeAll, describe, expect, it } from "vitest";
import { distance } from "../../../src/core/geo/distance.ts";
import { isSubdivisionCode } from "../../../src/core/geocoding/parse/subdivision-codes.ts";
import { countryName } from "../../../src/core/regions/region.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import type { Geodata } from "../../../src/worker/geodata/live.ts";
import { ask, liveBase } from "../../support/geocoding/ask.ts";
import { baseQuestions } from "../../support/geocoding/base-questions.ts";
import { judge, type Question } from "../../support/geocoding/question.ts";
import { samples } from "../../support/night.ts";
import { randomFrom } from "./sample.ts";

/** What holds of any question to the world base: the texts are generated, and their answers known. */

let geodata: Geodata;
let questions: Question[];
beforeAll(async () => {
  geodata = await liveBase();
  questions = baseQuestions(4711, 120);
}, 240_000);

/** Some of a list, the same for the same seed. */
function drawn<T>(list: readonly T[], most: number, seed: number): T[] {
  const draw = randomFrom(seed);
  return Array.from({ length: Math.min(most, list.length) }, () => list[Math.floor(draw() * list.length)]);
}

describe("a generated question", () => {
  it("is answered on the right continent, and never wrongly `exact`, in at least 99 of 100 cases", async () => {
    const wrong: string[] = [];
    const some = drawn(questions, samples(500, 5000), 1);
    for (const question of some) {
      const outcome = judge(question, await ask(geodata, question));
      if (outcome.wrongExact || outcome.far) wrong.push(question.query);
    }
    expect([wrong.length <= some.length / 100, wrong]).toEqual([true, wrong]);
  }, 600_000);

  it("of a city of the US and its state is the city", async () => {
    const wrong: string[] = [];
    for (const question of drawn(
      questions.filter(({ set }) => set === "US city, state"),
      samples(300, 2400),
      2,
    ))
      if (!judge(question, await ask(geodata, question)).right) wrong.push(question.query);
    expect(wrong.length).toBeLessThanOrEqual(samples(1, 2));
  }, 600_000);

  it("has no answer outside a country that it names", async () => {
    const draw = randomFrom(3);
    const cities = worldCities().filter(({ population }) => population > 20_000);
    const codes = [...new Set(cities.map(({ country }) => country))].sort();
    const wrong: string[] = [];
    for (let i = 0; i < samples(150, 1500); i++) {
      const city = cities[Math.floor(draw() * cities.length)];
      const country = codes[Math.floor(draw() * codes.length)];
      if (country === city.country || isSubdivisionCode(country, city.country)) continue;
      const name = countryName(country);
      const meant = new Set(
        (await ask(geodata, { query: name, set: "", at: [], km: 0, from: "" })).map(({ countryCode }) => countryCode),
      );
      const query = [`${city.name}, ${name}`, `12 Main Street, ${city.name}, ${name}`][i % 2];
      for (const { countryCode, formattedAddress } of await ask(geodata, { query, set: "", at: [], km: 0, from: "" }))
        if (!meant.has(countryCode)) wrong.push(`${query} → ${formattedAddress}`);
    }
    expect(wrong).toEqual([]);
  }, 600_000);
});

/** Changes that mean the same: the first answer stays where it is in 99 of 100 questions. */
const CHANGES: readonly [what: string, change: (query: string) => string][] = [
  ["upper case", (query) => query.toUpperCase()],
  ["lower case", (query) => query.toLowerCase()],
  ["no accents", (query) => query.normalize("NFD").replace(/\p{M}/gu, "")],
  ["no commas", (query) => query.replaceAll(",", "")],
  ["the other order", (query) => query.split(", ").reverse().join(", ")],
  ["more spaces", (query) => `  ${query.replaceAll(" ", "  ")} `],
];

describe.each(CHANGES)("a question in %s", (what, change) => {
  it("has the same first answer in at least 99 of 100 cases", async () => {
    // Without a comma "Georgetown TX" is one, and "Springfield Oregon"; a city alone in another order is itself.
    const some = drawn(
      questions.filter(
        ({ set, query }) => /city|state, country/.test(set) && !/typo|code/.test(set) && query !== change(query),
      ),
      samples(150, 1500),
      5,
    );
    const changed: string[] = [];
    for (const question of some) {
      const [before] = await ask(geodata, question);
      const [after] = await ask(geodata, { ...question, query: change(question.query) });
      if (!before || !after || distance(before, after) > 1000)
        changed.push(`${question.query} → ${after?.formattedAddress}`);
    }
    expect(some.length).toBeGreaterThan(30);
    expect([what, changed.length <= Math.max(1, some.length / 100), changed]).toEqual([what, true, changed]);
  }, 600_000);
});
