import type { House } from "../geocoding/entry/entry.ts";
import { findHouse, housesAround } from "../geocoding/search/find-house.ts";
import { houseNumberKey } from "../geocoding/words/house-number.ts";
import type { Candidate } from "./candidates.ts";

/** Streets whose house numbers are read, best first. */
const STREETS = 24;

/** A house number on a candidate's street. */
export interface AddressRecord {
  candidate: Candidate;
  number: "exact" | "interpolated" | "absent";
  /** As written in the data; "" if absent. */
  houseNumber: string;
  house?: House;
}

/** Returns what the data holds about the house number on each of the best candidates. */
export async function lookUpNumber(candidates: readonly Candidate[], asked: string): Promise<AddressRecord[]> {
  const wanted = housesAround(asked);
  const key = houseNumberKey(asked);
  const bare = key.replaceAll("-", "");
  return Promise.all(
    candidates.slice(0, STREETS).map(async (candidate): Promise<AddressRecord> => {
      const { index, tile, names, entry } = candidate;
      const near = await index.details(tile, names, entry, wanted);
      let house = near.houses.find((one) => one.number.key === key && !one.computed);
      // Queens: "21714" for "217-14".
      if (!house && /^\d{4,6}$/.test(bare)) {
        const all = await index.details(tile, names, entry, (first) => bare.startsWith(String(first)) && first > 9);
        house = all.houses.find(
          (one) => one.number.second !== undefined && one.number.key.replaceAll("-", "") === bare,
        );
      }
      if (house) return { candidate, number: "exact", houseNumber: house.number.text, house };
      const between = findHouse(near.houses, asked);
      return { candidate, number: between ? "interpolated" : "absent", houseNumber: "" };
    }),
  );
}
