import { haversine } from "../../geo/distance.ts";
import type { Pace } from "../../geo/pace.ts";
import type { House, Language } from "../entry/entry.ts";
import type { AddressIndex } from "../index/address-index.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { isSameStreet } from "../words/same-street.ts";
import type { Found } from "./found.ts";

/** Parts of the street are looked for within this distance of its point [m], in the nearest tiles: a bound on the work. */
const REACH = 1500;
const TILES = 8;
/** Time to compare a name, and to read a byte of a street's details [microseconds]. */
const ENTRY_COST = 0.1;
const BYTE_COST = 0.05;

/** A street in all of its parts. */
export interface WholeStreet {
  houses: House[];
  /** Distance of its farthest known point from the point of the result [m]. */
  reach: number;
}

/** The street of a result; undefined if no street there has its name, as for the crossing of two. */
export async function wholeStreet(
  indexes: readonly AddressIndex[],
  { name, context, location }: Pick<Found, "name" | "context" | "location">,
  language: Language,
  pace?: Pace,
): Promise<WholeStreet | undefined> {
  const houses: House[] = [];
  let reach = 0;
  let isKnown = false;
  const isPart = (names: NamesTile, entry: number) => {
    if (names.kinds[entry] !== 0) return false;
    const own = names.nameIn(entry, language) ?? names.name(entry);
    if (own.charCodeAt(0) !== name.charCodeAt(0) || !isSameStreet(own, name)) return false;
    const { city, countryCode } = names.context(entry);
    return countryCode === context.countryCode && (city === context.city || city === "" || context.city === "");
  };
  for (const index of indexes) {
    for (const { tile } of await index.near(location, REACH, TILES)) {
      const names = await index.names(tile);
      if (!names) continue;
      await pace?.spend(ENTRY_COST * names.count);
      for (let entry = 0; entry < names.count; entry++) {
        if (!isPart(names, entry)) continue;
        isKnown = true;
        await pace?.spend(BYTE_COST * (names.details[entry + 1] - names.details[entry]));
        const part = await index.details(tile, names, entry);
        for (const house of part.houses) houses.push(house);
        for (const { latitude, longitude } of [...part.houses.map((house) => house.location), ...part.lines.flat()])
          reach = Math.max(reach, haversine(location.latitude, location.longitude, latitude, longitude));
      }
    }
  }
  return isKnown ? { houses, reach } : undefined;
}
