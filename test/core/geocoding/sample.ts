import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";

/** A house that an index knows. */
export interface SampledHouse {
  number: string;
  street: string;
  city: string;
  stateCode: string;
  postalCode: string;
  countryCode: string;
  at: Coordinate;
}

/** 0 ≤ x < 1, the same for the same seed (xorshift32, Marsaglia 2003). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** Houses drawn evenly from all that an index knows for sure. */
export async function sampleHouses(index: AddressIndex, count: number, seed: number): Promise<SampledHouse[]> {
  const all: SampledHouse[] = [];
  for (let tile = 0; ; tile++) {
    // Behind the last tile there is none.
    const names = await index.names(tile).catch(() => undefined);
    if (!names) break;
    for (let entry = 0; entry < names.count; entry++) {
      if (names.kinds[entry] !== 0) continue;
      const { city, stateCode, countryCode } = names.context(entry);
      const street = names.name(entry);
      const postalCode = names.postalCode(entry);
      for (const { number, computed, location } of (await index.details(tile, names, entry)).houses) {
        if (!computed)
          all.push({ number: number.text, street, city, stateCode, postalCode, countryCode, at: location });
      }
    }
  }
  const draw = randomFrom(seed);
  // Each at most once (Fisher, Yates 1938).
  for (let i = 0; i < Math.min(count, all.length); i++) {
    const other = i + Math.floor(draw() * (all.length - i));
    [all[i], all[other]] = [all[other], all[i]];
  }
  return all.slice(0, count);
}

/**
 * One mistake in the longest word without digits, not in its first letter: a letter left out, changed, added, or two
 * swapped. Words below 4 letters stay as they are; with `any` the longest word has it, whatever it is.
 */
export function mistyped(text: string, draw: () => number, { any = false } = {}): string {
  const words = text.split(" ");
  let longest = -1;
  words.forEach((word, i) => {
    if ((any || !/\d/.test(word)) && (longest < 0 || word.length > words[longest].length)) longest = i;
  });
  const word = words[longest] ?? "";
  if (word.length < (any ? 2 : 4)) return text;
  const at = 1 + Math.floor(draw() * (word.length - 1));
  const letter = "abcdefghijklmnopqrstuvwxyz"[Math.floor(draw() * 26)];
  const [before, after] = [word.slice(0, at), word.slice(at)];
  const kind = Math.floor(draw() * 4);
  if (kind === 0) words[longest] = before + after.slice(1);
  else if (kind === 1) words[longest] = before + letter + after.slice(1);
  else if (kind === 2 || after.length < 2) words[longest] = before + letter + after;
  else words[longest] = before + after[1] + after[0] + after.slice(2);
  return words.join(" ");
}
