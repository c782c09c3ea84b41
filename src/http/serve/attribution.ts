import { BoundedMap } from "../../geo/bounded-map.ts";
import type { DataSource } from "../../geo/builds/manifest.ts";

const MAX_KNOWN = 200;
/** Headers by the words they were made of: an isolate's answers have a few. */
const written = new BoundedMap<string, string>(MAX_KNOWN);

/** Headers stay below this, whatever is imported [characters]. */
const MAX_CHARACTERS = 1000;

/**
 * The words that the licences of an answer's data ask for, as the value of `x-graticule-attribution`:
 * "(c) OpenStreetMap contributors; GeoNames". Headers are ASCII: © becomes (c), other letters are percent-encoded as in an
 * address. Undefined where no licence asks for any.
 */
export function attributionHeader(sources: Iterable<DataSource>): string | undefined {
  let asked = "";
  for (const { attribution } of sources) if (attribution) asked += `${attribution}\0`;
  if (asked === "") return undefined;
  const known = written.get(asked);
  if (known !== undefined) return known;
  const header = write(new Set(asked.split("\0").slice(0, -1).map(asciiOf)));
  written.set(asked, header);
  return header;
}

function write(words: ReadonlySet<string>): string {
  let text = "";
  for (const one of [...words].sort()) {
    if (text.length + one.length + 2 > MAX_CHARACTERS) return `${text}; ...`;
    text += text ? `; ${one}` : one;
  }
  return text;
}

function asciiOf(text: string): string {
  return text.replaceAll("©", "(c)").replace(/[^\x20-\x7e]+/gu, (rest) => encodeURIComponent(rest.toWellFormed()));
}
