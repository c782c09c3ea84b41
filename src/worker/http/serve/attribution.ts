import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import type { DataSource } from "../../../core/geo/builds/manifest.ts";

const MAX_KNOWN = 200;
/** Cached header values by their attributions: an isolate has only a few. */
const written = new BoundedMap<string, string>(MAX_KNOWN);

/** Maximum length of the header, independent of the imports [characters]. */
const MAX_CHARACTERS = 1000;

/**
 * The attribution that the licenses of a response's data require, as the value of `x-graticule-attribution`:
 * "(c) OpenStreetMap contributors; GeoNames". Headers are ASCII: © becomes (c), other characters are percent-encoded as in a
 * URL. Undefined if no license requires any.
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
