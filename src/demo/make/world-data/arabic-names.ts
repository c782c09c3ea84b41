import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { countryName } from "../../../core/regions/region.ts";

/** Arabic letters without those of Persian, Urdu, Uyghur and Kurdish. */
export const ARABIC = /^[\u0621-\u063a\u0641-\u0652\s]+$/u;

/** Arabic names of cities by country and English name (country-city-multilanguage). */
export function arabicNames(folder: string): (country: string, name: string) => string | undefined {
  const path = join(folder, "country-city-multilanguage/package/data/cities.json");
  const lists = JSON.parse(readFileSync(path, "utf8")) as {
    country: string;
    cities: { label: string; label_ar: string }[];
  }[];
  const byCountry = new Map(
    lists.map(({ country, cities }) => {
      const names = cities.filter(({ label_ar: name }) => ARABIC.test(name));
      return [country, new Map(names.map(({ label, label_ar: name }) => [fold(label), name.trim()]))] as const;
    }),
  );
  return (country, name) => byCountry.get(countryName(country))?.get(fold(name));
}
