import { type AddressQuestion, validateAddress } from "../../../src/core/addresses/validate.ts";
import { keepDecoded, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import { AddressCollector, type HouseFacts } from "../../../src/core/geocoding/index/collector.ts";
import { packAddresses } from "../../../src/core/geocoding/index/pack.ts";
import { splitHouseNumbers } from "../../../src/core/geocoding/words/house-number.ts";

/** "number | street | city | state | postal code | units | country", a house a line; else countries by the form of the code. */
export function town(houses: string, facts: HouseFacts = {}): AddressIndex {
  const collector = new AddressCollector();
  const rows = houses
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));
  rows.forEach(([numbers, street, city, stateCode, postalCode, units = "", country], i) => {
    const countryCode = country ?? (/[A-Z]/.test(postalCode) || stateCode === "QC" ? "CA" : "US");
    const context = collector.context({ ...NO_CONTEXT, city, stateCode, countryCode, county: "Test" });
    const id = collector.street(street, context, postalCode);
    for (const number of splitHouseNumbers(numbers)) {
      // Houses stand along their street, by number; streets lie side by side.
      const at = { latitude: 40 + i * 0.002, longitude: -90 + (number.first % 5000) * 1e-5 };
      collector.house(id, number, at, { units: units.replaceAll(" ", "\n"), ...facts });
    }
  });
  const objects = new Map([...packAddresses(collector)].map(({ key, bytes }) => [key, bytes]));
  return new AddressIndex(keepDecoded(memorySource(objects)));
}

/** "first line | city | state | postal code | unit" */
export function questionOf(text: string): AddressQuestion {
  const [addressLabel, city, stateCode, postalCode, unit] = text.split("|").map((cell) => cell.trim());
  const country = /[A-Z]/i.test(postalCode) ? "CA" : "US";
  return { addressLabel, city, stateCode, postalCode, country, ...(unit && { unit }) };
}

export const ask = (index: AddressIndex, text: string) => validateAddress([index], questionOf(text));
