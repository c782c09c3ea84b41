/**
 * JavaScript of the same meaning with characters of one byte only, as bytes. With one other character, V8 keeps two bytes for each of a
 * script: 7.5 MB for the Worker, 11.6 MB for Miniflare. Such characters must be in strings, regular expressions, comments or names, not in
 * a tagged template, which could read its source; esbuild has escaped those in plain strings.
 */
export function narrowText(script: string): Buffer {
  const escaped = script.replace(/(\\*)([^\0-\x7f])/g, (_, before: string, unit: string) => {
    // A backslash before such a character means nothing, but would before that of our escape.
    const kept = before.length % 2 === 1 ? before.slice(1) : before;
    return `${kept}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return Buffer.from(escaped, "latin1");
}
