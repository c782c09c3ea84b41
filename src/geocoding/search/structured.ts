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
 * The fields as a text whose words the search reads, in an order in which no two fields run together: a postal code
 * beside a number would be taken for one.
 */
export function textOf({ number, street, city, postalCode, state }: StructuredAddress): string {
  const line = [number, street].filter(isGiven).join(" ");
  return [line, city, [state, postalCode].filter(isGiven).join(" ")].filter(isGiven).join(", ");
}

const isGiven = (part: string | undefined): part is string => part !== undefined && part.trim() !== "";

/** What is looked for when the caller does not say: the finest of the fields, and for an address what may stand in for it. */
export function layersOf({ street, city, postalCode }: StructuredAddress): ReadonlySet<Layer> {
  if (isGiven(street)) return new Set(["address", "postalCode", "locality", "county", "state", "country"]);
  if (isGiven(city)) return new Set(["locality", "county"]);
  return new Set([isGiven(postalCode) ? "postalCode" : "state"]);
}
