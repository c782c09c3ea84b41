import type { HouseFacts } from "../../../../core/geocoding/index/collector.ts";
import type { Tags } from "../../../osm/pbf/element.ts";

/** A range of more units than this is a mistake. */
const MAX_UNITS = 500;
/** Longer texts are descriptions, not units. */
const MAX_UNIT_CHARACTERS = 16;

/**
 * The units of `addr:unit`, `addr:flats` or an OpenAddresses UNIT, a line each: "1-4;6" → 1, 2, 3, 4, 6; "2A-2D" → 2A …
 * 2D. A range of `addr:unit` may also be the name of one unit, "1-4": it is kept next to its numbers.
 */
export function unitsOf(written: string, keepsRanges: boolean): string {
  if (written === "") return "";
  const units = new Set<string>();
  for (const part of written.split(/[;,]/)) {
    const unit = part.replace(/\s+/g, " ").trim();
    if (unit === "" || unit.length > MAX_UNIT_CHARACTERS) continue;
    const range = rangeOf(unit);
    if (range.length === 0 || keepsRanges) units.add(unit);
    for (const one of range) if (units.size < MAX_UNITS) units.add(one);
  }
  return [...units].join("\n");
}

function rangeOf(unit: string): string[] {
  const numbers = /^([A-Z]?)(\d{1,5})\s?-\s?([A-Z]?)(\d{1,5})$/i.exec(unit);
  if (numbers && (numbers[3] === "" || numbers[3] === numbers[1])) {
    const [first, last] = [Number(numbers[2]), Number(numbers[4])];
    if (first >= last || last - first > MAX_UNITS) return [];
    return Array.from({ length: last - first + 1 }, (_, i) => `${numbers[1]}${first + i}`);
  }
  const letters = /^(\d{0,4})([A-Z])\s?-\s?(\d{0,4})([A-Z])$/i.exec(unit);
  if (!letters || (letters[3] !== "" && letters[3] !== letters[1])) return [];
  const [first, last] = [letters[2].toUpperCase().charCodeAt(0), letters[4].toUpperCase().charCodeAt(0)];
  if (first >= last) return [];
  return Array.from({ length: last - first + 1 }, (_, i) => `${letters[1]}${String.fromCharCode(first + i)}`);
}

/** The four digits after a ZIP code: "11201-1234" → "1234", else "". */
export function plus4Of(postcode: string, countryCode: string): string {
  return countryCode === "US" ? (/^\d{5}-(\d{4})$/.exec(postcode.trim())?.[1] ?? "") : "";
}

const RESIDENTIAL =
  /^(?:residential|apartments|house|detached|semidetached_house|terrace|bungalow|dormitory|static_caravan|houseboat|cabin|farm)$/;
const COMMERCIAL = /^(?:commercial|retail|office|industrial|warehouse|hotel|supermarket|kiosk)$/;

/** Facts of an OSM element with a house number. */
export function houseFactsOf(tags: Tags, countryCode: string): HouseFacts {
  const { building = "" } = tags;
  const units = [unitsOf(tags["addr:unit"] ?? "", true), unitsOf(tags["addr:flats"] ?? "", false)];
  return {
    units: units.filter((list) => list !== "").join("\n"),
    plus4: plus4Of(tags["addr:postcode"] ?? "", countryCode),
    propertyType: RESIDENTIAL.test(building) ? "residential" : COMMERCIAL.test(building) ? "commercial" : "",
  };
}
