import { fold } from "../words/normalise.ts";
import PROVINCES from "./italian-provinces.json" with { type: "json" };

/**
 * The letters after an Italian town for its province, and the province's seat: ISO 3166-2:IT and Poste Italiane's rules
 * for writing addresses. They confirm only seats and the provinces that an entry itself lists.
 */
const BY_SEAT = new Map(Object.entries(PROVINCES).map(([letters, seat]) => [fold(seat), letters.toLowerCase()]));
const BEFORE = /^(?:citta metropolitana|provincia|libero consorzio comunale)(?: autonoma)?(?: (?:di|del|della|dell))? /;

/** "Milano", "Città Metropolitana di Milano" → "mi"; undefined if it is neither a seat nor a province. */
export function provinceOf(name: string): string | undefined {
  return BY_SEAT.get(fold(name).replace(BEFORE, ""));
}
