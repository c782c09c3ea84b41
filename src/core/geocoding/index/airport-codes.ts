import type { Coordinate } from "../../geo/coordinate.ts";
import { type Context, GRID } from "../entry/entry.ts";
import { isStreetType } from "../words/abbreviations.ts";
import type { NamesTile } from "./names-tile.ts";

/** An airport of the world base. */
export interface BaseAirport {
  name: string;
  context: Context;
  location: Coordinate;
  /** 0 … 1 */
  importance: number;
}

/**
 * The IATA code that a text represents, in capitals. A code is three letters in any case, but words of streets ("str",
 * "stn") and other words (`isWord`: "bar", "gym") are codes only in capitals. Longer forms of such words are never
 * codes: "street" is not STR (tile-names.ts).
 */
export function airportCodeOf(text: string, isWord: (word: string) => boolean): string | undefined {
  const code = text.trim();
  if (!/^[a-z]{3}$/i.test(code)) return undefined;
  const upper = code.toUpperCase();
  return code !== upper && (isStreetType(code.toLowerCase()) || isWord(code.toLowerCase())) ? undefined : upper;
}

/** The airports of a block of the world base that have a code among their names. */
export function airportsWithCode(names: NamesTile, code: string): BaseAirport[] {
  const found: BaseAirport[] = [];
  const at = names.words.indexOf(code.toLowerCase());
  if (at < 0) return found;
  names.words.each(at, (entry) => {
    if (names.kind(entry) !== "place" || !names.otherNames(entry).includes(code)) return;
    const location = { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
    const importance = names.importances[entry] / 255;
    found.push({ name: names.name(entry), context: names.context(entry), location, importance });
  });
  return found;
}
