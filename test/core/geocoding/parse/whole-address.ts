import { distance } from "../../../../src/core/geo/distance.ts";
import { searchAddress } from "../../../../src/core/geocoding/search/search-address.ts";
import { type Built, FORWARD } from "../index/demo-index.ts";
import type { SampledHouse } from "../sample.ts";

/** What people write around an address, and no index of addresses knows. */
export const DRESSES: [what: string, dress: (text: string) => string][] = [
  ["nothing more", (text) => text],
  ["a firm in front", (text) => `Acme Widgets LLC, ${text}`],
  ["a person it is sent to", (text) => `c/o Jane Doe, ${text}`],
  ["a department", (text) => `Attn: Shipping Department, ${text}`],
  ["a floor", (text) => text.replace(",", ", 2nd Floor,")],
  ["a building", (text) => text.replace(",", ", Building C,")],
  ["a county", (text) => text.replace(/, ([^,]*)$/, ", Some County, $1")],
];
export const AMERICAN = ({ number, street, city, stateCode, postalCode }: SampledHouse) =>
  `${number} ${street}, ${city}, ${stateCode} ${postalCode}`;
export const GERMAN = ({ number, street, city, postalCode }: SampledHouse) =>
  `${street} ${number}, ${postalCode} ${city}`;

export const ask = async ({ index }: Built, text: string) => searchAddress([index], text, FORWARD);

/** Share of houses that are the first answer to their dressed address. */
export async function reached(built: Built, houses: readonly SampledHouse[], write: (house: SampledHouse) => string) {
  let hits = 0;
  for (const house of houses) {
    const [first] = await ask(built, write(house));
    if (first?.number === house.number && first.confidence === "exact" && distance(first.location, house.at) < 150)
      hits++;
  }
  return hits / houses.length;
}
