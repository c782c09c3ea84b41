import type { StreetParts } from "../geocoding/north-america/street-name.ts";
import {
  type Country,
  DIRECTION_WORDS,
  directionalOf,
  SUFFIXES,
  spelledOut,
} from "../geocoding/north-america/words.ts";
import { mistakes } from "../geocoding/words/typo.ts";
import { beginsWrong } from "./compare-street.ts";

/**
 * Possible readings of a written street, the likeliest first: exactly as written; a name that ends with what looked
 * like a suffix ("Lake Forest" for Lake Forest Dr); a street with a typo in its suffix or direction ("Main Stret",
 * "Nroth Main St").
 */
export function readingsOf(street: StreetParts, country: Country): StreetParts[] {
  const readings = [street];
  const { name, suffix, predirectional } = street;
  if (suffix !== "" && !street.french) readings.push({ ...street, name: `${name} ${spelledOut(suffix)}`, suffix: "" });
  const words = name.split(" ");
  const last = words[words.length - 1];
  if (suffix === "" && words.length > 1) {
    const name = words.slice(0, -1).join(" ");
    for (const meant of similar(last, SUFFIXES[country])) readings.push({ ...street, name, suffix: meant });
  }
  // "West Boulveard": the direction is the name.
  if (suffix === "" && words.length === 1 && predirectional !== "") {
    for (const meant of similar(last, SUFFIXES[country]))
      readings.push({
        ...street,
        predirectional: "",
        name: DIRECTION_WORDS[predirectional] ?? predirectional,
        suffix: meant,
      });
  }
  if (predirectional === "" && words.length > 1) {
    const meant = ["NORTH", "SOUTH", "EAST", "WEST"].find(
      (word) => words[0].length >= 4 && words[0] !== word && mistakes(words[0], word, 1) <= 1,
    );
    if (meant) readings.push({ ...street, predirectional: directionalOf(meant)!, name: words.slice(1).join(" ") });
  }
  return readings;
}

/** Suffixes that the word may be with a mistake. */
function similar(word: string, suffixes: ReadonlyMap<string, string>): Set<string> {
  const found = new Set<string>();
  if (word.length < 3) return found;
  for (const [form, standard] of suffixes) {
    if (form.length < 4) continue;
    // Two mistakes in a long one: "Boulavrad"; and a wrong first letter, where the rest is right: "Btreet".
    const most = form.length > 7 ? 2 : 1;
    if (form[0] === word[0] ? mistakes(word, form, most) <= most : form.length > 4 && beginsWrong(word, form))
      found.add(standard);
  }
  return found;
}
