import { distance } from "../../../src/core/geo/distance.ts";
import { LANGUAGES, type Language } from "../../../src/core/geocoding/entry/entry.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { countryName } from "../../../src/core/regions/region.ts";
import { type City, worldCities } from "../../../src/importer/world/cities.ts";
import { cityAliases } from "../../../src/importer/world/lists.ts";
import { FORWARD, worldBase } from "../../core/geocoding/index/demo-index.ts";
import { EXONYMS, exonymCities } from "../../core/geocoding/parse/exonyms.ts";
import { randomFrom } from "../../core/geocoding/sample.ts";
import type { Report } from "../bench.ts";

export const name = "names";
export const summary = "Names of cities in ten languages, exonyms and villages, found in the world base data alone.";

const SAMPLE = 200;
const LARGE = 100_000;
/** A result this near the city is the city [m]. */
const MAX_AWAY = 30_000;
/** Languages with Latin letters: a city without a name in one is called by its own. */
const LATIN: readonly Language[] = ["de", "en", "es", "fr", "pt"];
const VILLAGES = ["DE", "FR", "ES", "PL"];

interface Asked {
  text: string;
  city: City;
}

/** Words: `show` lists what is not found. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const show = words.includes("show");
  const { index, objects } = await worldBase();
  const bytes = [...objects.values()].reduce((sum, one) => sum + one.length, 0);
  report({ case: "world base data", metric: "addresses", value: bytes / 1e6, unit: "MB" });
  const cities = worldCities();
  const large = cities.filter(({ population }) => population >= LARGE);
  const aliases = cityAliases();
  const ask = async (label: string, asked: readonly Asked[]) => {
    let [first, five] = [0, 0];
    for (const { text, city } of asked) {
      const found = await searchInTurns([[index]], text, FORWARD);
      const at = found.findIndex(
        ({ location, context }) => context.countryCode === city.country && distance(location, city) < MAX_AWAY,
      );
      if (at === 0) first++;
      if (at >= 0 && at < 5) five++;
      if (show && (at < 0 || at >= 5))
        console.log(
          label,
          "|",
          text,
          "→",
          found.slice(0, 2).map((one) => `${one.name} ${one.context.countryCode}`),
        );
    }
    const share = (count: number) => (100 * count) / asked.length;
    report({ case: label, metric: `first of ${asked.length}`, value: share(first), unit: "%" });
    report({ case: label, metric: "in five", value: share(five), unit: "%" });
  };

  await ask(
    "own name, country",
    sampled(large).map((city) => ({ city, text: `${city.name}, ${countryName(city.country)}` })),
  );
  await ask(
    "own name",
    sampled(large).map((city) => ({ city, text: city.name })),
  );
  for (const language of LANGUAGES) {
    if (language === "en") continue;
    const named = large.flatMap((city) => {
      const other = aliases.get(city.id)?.find(([one]) => one === language)?.[1];
      return other === undefined ? [] : [{ city, text: other }];
    });
    const covered = LATIN.includes(language) ? large.length : named.length;
    report({
      case: `${language}: cities over 100,000`,
      metric: "named",
      value: (100 * named.length) / large.length,
      unit: "%",
    });
    report({
      case: `${language}: cities over 100,000`,
      metric: "named or Latin",
      value: (100 * covered) / large.length,
      unit: "%",
    });
    await ask(`${language}: name`, sampled(named));
    await ask(
      `${language}: name, country`,
      sampled(named).map(({ city, text }) => ({ city, text: `${text}, ${countryName(city.country, language)}` })),
    );
  }
  const find = exonymCities(cities, aliases);
  for (const language of LANGUAGES)
    await ask(
      `${language}: exonyms`,
      EXONYMS.filter((one) => one.language === language).map((one) => ({
        text: one.name,
        city: find(one.country, one.english),
      })),
    );
  for (const country of VILLAGES) {
    const villages = cities.filter(
      (city) => city.country === country && city.population >= 1000 && city.population < 5000,
    );
    await ask(
      `${country}: villages, country`,
      sampled(villages).map((city) => ({ city, text: `${city.name}, ${countryName(country)}` })),
    );
    await ask(
      `${country}: villages`,
      sampled(villages).map((city) => ({ city, text: city.name })),
    );
  }
}

function sampled<T>(list: readonly T[]): T[] {
  const draw = randomFrom(33);
  const left = [...list];
  const out: T[] = [];
  while (out.length < SAMPLE && left.length > 0) out.push(...left.splice(Math.floor(draw() * left.length), 1));
  return out;
}
