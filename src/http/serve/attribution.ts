import type { DataSource } from "../../geo/manifest.ts";

/** Headers stay below this, whatever is imported [characters]. */
const MOST_CHARACTERS = 1000;

/**
 * The words that the licences of an answer's data ask for, as the value of `x-graticule-attribution`:
 * "(c) OpenStreetMap contributors; GeoNames". Headers are ASCII: © becomes (c), other letters are percent-encoded as in an
 * address. Undefined where no licence asks for any.
 */
export function attributionHeader(sources: Iterable<DataSource>): string | undefined {
  const words = new Set<string>();
  for (const { attribution } of sources) if (attribution) words.add(asciiOf(attribution));
  if (words.size === 0) return undefined;
  let text = "";
  for (const one of [...words].sort()) {
    if (text.length + one.length + 2 > MOST_CHARACTERS) return `${text}; ...`;
    text += text ? `; ${one}` : one;
  }
  return text;
}

function asciiOf(text: string): string {
  return text.replaceAll("©", "(c)").replace(/[^\x20-\x7e]+/gu, (rest) => encodeURIComponent(rest.toWellFormed()));
}
