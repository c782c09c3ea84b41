import type { ParsedAddress } from "../parse/parsed-address.ts";
import { countryOfText, splitAddress } from "./split-address.ts";

/** Splits a full address of the US or Canada into its parts as written; undefined if nothing shows that it is one. */
export function parseNorthAmerican(text: string, country?: string): ParsedAddress | undefined {
  const own = country === "US" || country === "CA" ? country : undefined;
  if (country !== undefined && !own) return undefined;
  const known = own ?? countryOfText(text);
  if (!known) return undefined;
  const { line, city, stateCode, postalCode } = splitAddress(text, known);
  const unit = line.units.map(({ designator, id }) => id || designator).join(" ");
  const isBox = line.kind === "box";
  const parts: ParsedAddress = {
    number: isBox ? "" : line.number,
    street: isBox ? "" : line.written,
    unit,
    box: isBox ? line.number : "",
    city,
    stateCode,
    postalCode,
    countryCode: known,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== "")) as ParsedAddress;
}
