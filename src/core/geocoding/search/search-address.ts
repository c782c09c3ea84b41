import type { AddressIndex } from "../index/address-index.ts";
import { probeOf } from "../index/word-filter.ts";
import type { Towns } from "../parse/cities-at-end.ts";
import { contextWords } from "../parse/context-words.ts";
import type { ParsedAddress } from "../parse/parsed-address.ts";
import { parseQuery, type Word } from "../parse/query.ts";
import { isUnitWord } from "../words/behind-number.ts";
import { tokensOf } from "../words/normalise.ts";
import { isInside } from "./inside.ts";
import { type Anchor, spotOf } from "./named-region.ts";
import { inOtherScript } from "./other-script.ts";
import { parseAddress } from "./parse-address.ts";
import { type Found, type Searched, type SearchOptions, search, searchNamed } from "./search.ts";

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
  const { found, anchors } = await searchParts(indexes, text, options);
  if (found.some(isReached)) return found;
  if (!options.layers.has("address")) return found;
  const other = await inOtherScript(indexes, text, anchors, options.pace);
  if (other === undefined || !(await mayHave(indexes, other, text))) return found;
  const again = (await searchParts(indexes, other, options)).found;
  return again.some(isReached) || (again[0]?.layer === "address" && found[0]?.layer !== "address") ? again : found;
}

/** Returns whether any build may have a street with a word that only the other text has; kinds of streets do not count. */
async function mayHave(indexes: readonly AddressIndex[], other: string, text: string): Promise<boolean> {
  const before = new Set(tokensOf(text));
  const words = parseQuery(other, false).words.filter((word) => word.weight > 0.5 && !before.has(word.text));
  const probes = words.map(probeOf);
  if (probes.length === 0) return false;
  const held = await Promise.all(
    // The world base data has no streets; builds from before word filters existed may have any word.
    indexes.map(async (index) => (index.hasPlacesInHeads ? [0] : ((await index.holds(probes))?.qualities ?? [1]))),
  );
  return held.flat().some((quality) => quality > 0);
}

async function searchParts(indexes: readonly AddressIndex[], text: string, options: SearchOptions): Promise<Searched> {
  const searched = await searchNamed(indexes, text, options);
  const { found, anchors } = searched;
  const best = found.find(isReached) ?? found[0];
  const reached = found.some(isReached);
  // If not all words of the house query were matched, the text may contain more than an address.
  const isWhole = best?.confidence === "exact" || best?.number === undefined;
  if (!options.layers.has("address") || (reached && isWhole)) return searched;
  const address = parseAddress(text, undefined, townsOf(anchors));
  const parts = address.street === undefined ? undefined : partsOf(address);
  if (parts === undefined || tokensOf(parts).length >= tokensOf(text).length) return searched;
  const withUnit = (one: Found) => (one.number === undefined ? one : { ...one, unit: one.unit ?? address.unit });
  const wide = { ...options, countries: options.countries ?? countriesOf(address) };
  const again = (await search(indexes, parts, wide))
    .filter((one) => isInside(spotOf(one), anchors))
    .map((one) => (isAccountedFor(text, one, address, anchors) ? one : doubted(one)));
  const better = { found: again.map(withUnit), anchors };
  if (reached) return again[0]?.confidence === "exact" && again[0].number === best.number ? better : searched;
  if (!again.some(isReached) && (again[0]?.layer !== "address" || found[0]?.layer === "address")) return searched;
  return better;
}

/** The towns among the regions that a text names. */
const townsOf =
  (anchors: readonly Anchor[]): Towns =>
  (name, country) => {
    const key = tokensOf(name).join(" ");
    const isTown = ({ kind, context }: Anchor["regions"][number]) =>
      kind === "locality" && (country === undefined || context.countryCode === country);
    return anchors.some(({ words, regions }) => words.join(" ") === key && regions.some(isTown));
  };

/** An exact house of a text with other numbers or words is a guess, and an exact street lacks the house. */
function doubted(one: Found): Found {
  if (one.confidence !== "exact" || one.layer !== "address") return one;
  if (one.number !== undefined) return { ...one, confidence: "interpolated" };
  const { reached: _, ...street } = one;
  return { ...street, confidence: "fallback" };
}

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

/** Returns whether it is a house or matches the entire query, and is not a street or region that is only a fallback. */
const isReached = ({ reached }: Found) => reached === true;

function partsOf({ number, street, city, stateCode, postalCode, countryCode }: ParsedAddress): string | undefined {
  if (city === undefined && postalCode === undefined) return undefined;
  // The first of three numbers is the part of the district that stands for the street.
  const [, chome, house] = (countryCode === "JP" && /^(\d{1,2})-(\d+-\d+)$/.exec(number ?? "")) || [];
  const line = chome
    ? `${street ?? ""}${chome}丁目 ${house}`
    : [number, street].filter((part) => part !== undefined).join(" ");
  return [line, city, stateCode, postalCode].filter((part) => part !== undefined).join(", ");
}

function countriesOf({ countryCode }: ParsedAddress): string[] | undefined {
  return countryCode === undefined ? undefined : countryCode === "US" ? UNITED_STATES : [countryCode];
}
