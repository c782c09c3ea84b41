import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import { estimateHouse } from "../../../core/geocoding/search/estimated-house.ts";
import { parseAddress } from "../../../core/geocoding/search/parse-address.ts";
import { wholeStreet } from "../../../core/geocoding/search/whole-street.ts";
import { isUnitWord } from "../../../core/geocoding/words/behind-number.ts";
import { tokensOf } from "../../../core/geocoding/words/normalise.ts";
import type { LegDestination } from "../../../core/tracking/types/trip.ts";
import { addressIndexesAt } from "../../geodata/addresses.ts";
import type { Geodata } from "../../geodata/live.ts";
import type { WireAddress } from "../../wire/address.ts";
import { ALL_LAYERS } from "../../wire/geocode/geocode-fields.ts";
import { searchWithAirports } from "./airports.ts";
import { answersTo } from "./answers.ts";
import type { Asked } from "./asked.ts";

/** The longest street that stands for a house of it whose number no data has: from its point to its end [m]. */
const MAX_STREET = 1000;

/** The position of an address that nobody looks at before it is used. */
export interface AddressPoint extends Pick<LegDestination, "confidence" | "precision"> {
  location: Coordinate;
  /** How far the address may be from it [m]; undefined: it is the address, or between its neighbors. */
  reach?: number;
}

/**
 * The point of an address, or why there is none.
 *
 *     its house, a place, a position     its point
 *     between known numbers              the point between them, `interpolated`
 *     a number that no data has          between or beside known houses, `interpolated`; else the street, `fallback`
 *     a street alone                     the street, if all of it is within `radius`
 *     a town, a postal code, a state     none
 */
export async function pointOfAddress(
  geodata: Geodata,
  text: string,
  radius: number,
  pace: Pace,
  now: number,
): Promise<AddressPoint | string> {
  const asked = { layers: ALL_LAYERS, limit: 2, language: "en" as const, open: false, defaultLayers: true, pace, now };
  const found = await pointOf(geodata, text, radius, asked);
  if (found !== NOT_FOUND) return found;
  const address = addressIn(text);
  if (!address) return found;
  const again = await pointOf(geodata, address.text, radius, { ...asked, countries: address.countries });
  const isGuess = typeof again !== "string" && again.confidence === "exact";
  return isGuess ? { ...again, confidence: "interpolated" } : again;
}

async function pointOf(geodata: Geodata, text: string, radius: number, asked: Asked): Promise<AddressPoint | string> {
  const [first, second] = await answersTo(geodata, text, asked);
  if (!first) return NOT_FOUND;
  const { confidence, precision, layer, latitude, longitude } = first;
  const isStreet = layer === "address" && precision === "street";
  if (isStreet) return pointOnStreet(geodata, text, radius, asked);
  if (confidence === "fallback") return NOT_FOUND;
  if (layer !== "address" && layer !== "place" && layer !== "point")
    return `The address is only a ${NAMES[layer] ?? layer}. Add the street and the house number, or use coordinates.`;
  const others = second?.confidence === "exact" && confidence === "exact" ? [second] : [];
  // Of two pharmacies of a town, neither is meant; a house may be in the data twice.
  const isOther = (other: WireAddress) => layer === "place" || distance(first, other) > SAME_PLACE;
  if (layer !== "point" && others.some(isOther))
    return "The address is ambiguous. Add the town and the postal code, or use coordinates.";
  return { location: { latitude, longitude }, confidence, precision };
}

async function pointOnStreet(
  geodata: Geodata,
  text: string,
  radius: number,
  asked: Asked,
): Promise<AddressPoint | string> {
  const [found] = await searchWithAirports(geodata, text, asked);
  if (found?.kind !== "street") return NOT_FOUND;
  const { sought, location, confidence } = found;
  if (confidence === "fallback" && sought === undefined) return NOT_FOUND;
  const street = await wholeStreet(addressIndexesAt(geodata, location), found, asked.language, asked.pace);
  // Where two streets meet, there is no street of that name.
  if (!street) return { location, confidence };
  if (sought === undefined) {
    if (street.reach <= radius) return { location, confidence, precision: "street" };
    const far = Math.ceil(street.reach);
    return `The address is a street, up to ${far} m from its middle. Add the house number, use coordinates, or set arrivalRadius to at least ${far}.`;
  }
  const house = estimateHouse(street.houses, sought, found.context.countryCode);
  if (house)
    return { location: house.location, reach: house.off, confidence: "interpolated", precision: "interpolated" };
  if (street.reach <= Math.max(radius, MAX_STREET))
    return { location, reach: street.reach, confidence, precision: "street" };
  return "The data lacks the house number, and numbers near it, on a long street. Use coordinates.";
}

/**
 * The street, number, town and state of a text, if it has no other words than codes, and whole parts without a number: a
 * postal code that no data has, a person, a firm.
 */
function addressIn(text: string): { text: string; countries?: string[] } | undefined {
  const { number, street, city, stateCode, countryCode } = parseAddress(text);
  if (number === undefined || street === undefined || city === undefined) return undefined;
  const address = [`${number} ${street}`, city, stateCode].filter((part) => part !== undefined).join(", ");
  const known = new Set(tokensOf(address));
  const hasDigit = (word: string) => /\d/.test(word);
  const isBeside = text.split(/[,;\n]/).every((part) => {
    const words = tokensOf(part);
    const strange = words.filter((word) => !known.has(word) && !isUnitWord(word));
    return strange.every(hasDigit) || (strange.length === words.length && !words.some(hasDigit));
  });
  if (!isBeside) return undefined;
  return { text: address, ...(countryCode !== undefined && { countries: [countryCode] }) };
}

const NOT_FOUND = "The address was not found.";
/** Houses of one address are nearer to each other than this [m]. */
const SAME_PLACE = 1000;
const NAMES: Readonly<Record<string, string>> = { postalCode: "postal code", locality: "town" };
