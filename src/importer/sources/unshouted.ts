/** Names of streets and cities come again and again. */
const MAX_CACHED_NAMES = 100_000;

/**
 * Many sources of addresses shout: "MERIDIAN AVE" → "Meridian Ave", "NE 5TH ST" → "NE 5th St", "MCDONALD" stays one word.
 *
 * @param cache results of earlier calls
 */
export function unshouted(text: string, cache: Map<string, string>): string {
  let known = cache.get(text);
  if (known === undefined) {
    if (cache.size >= MAX_CACHED_NAMES) cache.clear();
    known = written(text);
    cache.set(text, known);
  }
  return known;
}

function written(text: string): string {
  if (text === "" || text !== text.toUpperCase()) return text;
  return text.toLowerCase().replace(/[\p{L}\p{N}'’]+/gu, (word) => {
    if (/^(n|s|e|w|ne|nw|se|sw)$/.test(word)) return word.toUpperCase();
    return word.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
  });
}
