import { GRID } from "../entry.ts";
import { isUnitWord } from "../habits/behind-number.ts";
import type { AddressIndex } from "../index/address-index.ts";
import { contextWords } from "../parse/context-words.ts";
import { parseAddress } from "../parse/parse-address.ts";
import type { ParsedAddress } from "../parse/parsed-address.ts";
import { parseQuery, type Word } from "../parse/query.ts";
import { tokensOf } from "../words/normalise.ts";
import { type Anchor, isInside, type Spot } from "./anchors.ts";
import { inOtherScript } from "./other-script.ts";
import { anchorsIn, type Found, type SearchOptions, search } from "./search.ts";

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
  const found = await searchParts(indexes, text, options);
  if (found.some(isReached)) return found;
  if (!options.layers.has("address")) return found;
  const other = await inOtherScript(indexes, text, await anchorsIn(indexes, text, options));
  if (other === undefined) return found;
  const again = await searchParts(indexes, other, options);
  return again.some(isReached) || (again[0]?.layer === "address" && found[0]?.layer !== "address") ? again : found;
}

async function searchParts(indexes: readonly AddressIndex[], text: string, options: SearchOptions): Promise<Found[]> {
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
  const wide = { ...options, countries: options.countries ?? countriesOf(address) };
  const [all, anchors] = await Promise.all([search(indexes, parts, wide), anchorsIn(indexes, text, options)]);
  const again = all
    .filter((one) => isInside(spotOf(one), anchors))
    .map((one) => (isAccountedFor(text, one, address, anchors) ? one : doubted(one)));
  if (reached) return again[0]?.confidence === "exact" && again[0].number === best.number ? again.map(withUnit) : found;
  if (!again.some(isReached) && (again[0]?.layer !== "address" || found[0]?.layer === "address")) return found;
  return again.map(withUnit);
}

/** An exact house of a text with other numbers or words is a guess. */
const doubted = (one: Found): Found =>
  one.confidence === "exact" && one.number !== undefined ? { ...one, confidence: "interpolated" } : one;

/**
 * Returns whether the result contains every number of the text and, in each part of it between commas that has words of
 * the address, every word. Other parts are about what is at the address: a firm, a person, a department, a county.
 */
function isAccountedFor(text: string, found: Found, address: ParsedAddress, anchors: readonly Anchor[]): boolean {
  const { name, number = "", unit = "", postalCode, context } = found;
  const own = parseQuery(
    [name, number, postalCode, unit, address.unit ?? "", address.box ?? "", ...Object.values(context)].join(", "),
    false,
  ).words;
  const known = new Set(own.flatMap(({ text: word, forms }) => [word, ...forms]));
  for (const { words } of anchors) for (const word of words) known.add(word);
  for (const word of tokensOf(address.street ?? "")) known.add(word);
  for (const word of contextWords(context).keys()) known.add(word);
  const isKnown = ({ text: word, forms }: Word) => known.has(word) || forms.some((form) => known.has(form));
  const isIdle = ({ text: word, mark, silent }: Word) => mark || silent || isUnitWord(word) || KINDS.has(word);
  return text.split(/[,;\n]/).every((part) => {
    const { words } = parseQuery(part, false);
    const strange = words.filter((word) => !isKnown(word) && !isIdle(word));
    if (strange.length === 0) return true;
    return words.every((word) => !isKnown(word) || isIdle(word)) && !strange.some(({ text: word }) => /\d/.test(word));
  });
}

/** Words for kinds of areas and buildings, which are not the name of one. */
const KINDS = new Set("building bldg county parish department dept district".split(" "));

const spotOf = ({ context, location, kind }: Found): Spot => ({
  context,
  kind,
  latitude: location.latitude * GRID,
  longitude: location.longitude * GRID,
});

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
