import { BoundedMap } from "../geo/bounded-map.ts";
import type { Context } from "../geocoding/entry/entry.ts";
import { tokensOf } from "../geocoding/words/normalise.ts";

/** Returns whether this is the record's city, or a part of it that people write instead. */
export function agreesOnCity({ city, borough }: Context, asked: string): boolean | "unknown" {
  if (city === "" && borough === "") return "unknown";
  return [city, borough].some((name) => name !== "" && cityKey(name) === cityKey(asked));
}

const CITY_WORDS: Record<string, string> = {
  saint: "st",
  sainte: "ste",
  mount: "mt",
  fort: "ft",
  heights: "hts",
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  township: "",
  twp: "",
};
const cityKeys = new BoundedMap<string, string>(5000);

/** "Saint Louis" and "St. Louis", "City of San José" and "San Jose" alike. */
export function cityKey(name: string): string {
  let key = cityKeys.get(name);
  if (key === undefined) {
    const words = tokensOf(name.replace(/-/g, " "));
    const own =
      /^(?:city|town|village|borough|township) of /.test(`${words.join(" ")} `) && words.length > 2
        ? words.slice(2)
        : words;
    key = own.map((word) => CITY_WORDS[word] ?? word).join("");
    cityKeys.set(name, key);
  }
  return key;
}
