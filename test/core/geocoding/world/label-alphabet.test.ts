import { expect, it } from "vitest";
import { Pace } from "../../../../src/core/geo/pace.ts";
import { LANGUAGES, type Language } from "../../../../src/core/geocoding/entry/entry.ts";
import { alphabetOfText } from "../../../../src/core/geocoding/words/alphabets.ts";
import { worldCities } from "../../../../src/importer/world/cities.ts";
import { answersTo } from "../../../../src/worker/answers/geocode/answers.ts";
import { defaultForwardLayers } from "../../../../src/worker/wire/geocode/geocode-fields.ts";
import { liveBase } from "../../../support/geocoding/ask.ts";
import { samples } from "../../../support/night.ts";
import { randomFrom } from "../sample.ts";

const COUNTRIES = "JP KR CN TW RU UA GR EG TH IN GE IL".split(" ");

it("a label is in one alphabet, in every language, of districts, cities and states", async () => {
  const geodata = await liveBase();
  const draw = randomFrom(1207);
  const cities = Map.groupBy(worldCities(), ({ country }) => country);
  const pace = new Pace(async () => undefined);
  const mixed: string[] = [];
  const total = samples(240, 2400);
  for (let asked = 0; asked < total; asked++) {
    const own = cities.get(COUNTRIES[asked % COUNTRIES.length])!.slice(0, 400);
    const { name } = own[Math.floor(draw() * own.length)];
    const query = DISTRICTS[asked] ?? name;
    const language: Language = LANGUAGES[Math.floor(draw() * LANGUAGES.length)];
    const options = { language, open: false, limit: 3, layers: defaultForwardLayers(undefined), defaultLayers: true };
    for (const { formattedAddress } of await answersTo(geodata, query, { ...options, now: 0, pace })) {
      const words = formattedAddress.match(/\p{L}+/gu)?.filter((word) => !isCode(word));
      const alphabets = new Set(words?.map(alphabetOfText));
      if (alphabets.size > 1) mixed.push(`${query} (${language}) → ${formattedAddress}`);
    }
  }
  expect(mixed).toEqual([]);
}, 120_000);

/** Codes of states are the same in every language. */
const isCode = (word: string) => /^[A-Z]{2,3}$/.test(word);

const DISTRICTS = [
  "東京都千代田区",
  "서울특별시 강남구",
  "北京市海淀区",
  "東京都渋谷区",
  "서울 종로구",
  "Tokyo",
  "Seoul",
  "北京",
];
