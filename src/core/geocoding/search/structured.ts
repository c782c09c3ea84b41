import type { Layer } from "./index-search.ts";

/** An address in fields instead of one text. */
export interface StructuredAddress {
  number?: string;
  street?: string;
  city?: string;
  postalCode?: string;
  state?: string;
}

/**
 * Converts the fields to a text for the search, in an order in which no two fields merge: a postal code next to a
 * number would be read as part of it.
 */
export function textOf({ number, street, city, postalCode, state }: StructuredAddress): string {
  const line = [number, street].filter(isGiven).join(" ");
  return [line, city, [state, postalCode].filter(isGiven).join(" ")].filter(isGiven).join(", ");
}

const isGiven = (part: string | undefined): part is string => part !== undefined && part.trim() !== "";

/** Layers to search if the caller does not specify them: the finest of the fields, and for an address its fallbacks. */
export function layersOf({ street, city, postalCode }: StructuredAddress): ReadonlySet<Layer> {
  if (isGiven(street)) return new Set(["address", "postalCode", "locality", "county", "state", "country"]);
  if (isGiven(city)) return new Set(["locality", "county"]);
  return new Set([isGiven(postalCode) ? "postalCode" : "state"]);
}
