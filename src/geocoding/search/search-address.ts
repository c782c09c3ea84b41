import type { AddressIndex } from "../index/address-index.ts";
import { parseAddress } from "../parse/parse-address.ts";
import type { ParsedAddress } from "../parse/parsed-address.ts";
import { tokensOf } from "../words/normalise.ts";
import { type Found, type SearchOptions, search } from "./search.ts";

/** Country codes whose addresses may say "US" for the country. */
const UNITED_STATES = ["US", "PR", "GU", "VI", "AS", "MP"];

/**
 * Like `search`, for full addresses. Because of additional words, such as a leading firm, a floor or a county, the
 * search may not find the house; then the text is split into its parts, and these are searched without the rest.
 *
 *     "c/o Jane Doe, 20 Jay St, 2nd Floor, Brooklyn, Kings County, NY 11201"  →  "20 Jay St, Brooklyn, NY, 11201"
 */
export async function searchAddress(
  indexes: readonly AddressIndex[],
  text: string,
  options: SearchOptions,
): Promise<Found[]> {
  const found = await search(indexes, text, options);
  const [best] = found;
  const reached = found.some(isReached);
  // If not all words of the house query were matched, the text may contain more than an address.
  const isWhole = best?.confidence === "exact" || best?.number === undefined;
  if (!options.layers.has("address") || (reached && isWhole)) return found;
  const address = parseAddress(text);
  const parts = address.street === undefined ? undefined : partsOf(address);
  if (parts === undefined || tokensOf(parts).length >= tokensOf(text).length) return found;
  const withUnit = (one: Found) => (one.number === undefined ? one : { ...one, unit: one.unit ?? address.unit });
  const again = await search(indexes, parts, { ...options, countries: options.countries ?? countriesOf(address) });
  if (reached) return again[0]?.confidence === "exact" && again[0].number === best.number ? again.map(withUnit) : found;
  if (!again.some(isReached) && (again[0]?.layer !== "address" || found[0]?.layer === "address")) return found;
  return again.map(withUnit);
}

/** Returns whether it is a house or matches the entire query, and is not a street or region that is only a fallback. */
const isReached = ({ reached }: Found) => reached === true;

function partsOf({ number, street, city, stateCode, postalCode }: ParsedAddress): string | undefined {
  if (city === undefined && postalCode === undefined) return undefined;
  const line = [number, street].filter((part) => part !== undefined).join(" ");
  return [line, city, stateCode, postalCode].filter((part) => part !== undefined).join(", ");
}

function countriesOf({ countryCode }: ParsedAddress): string[] | undefined {
  return countryCode === undefined ? undefined : countryCode === "US" ? UNITED_STATES : [countryCode];
}
