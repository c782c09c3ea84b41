/** One name and value of a query string, decoded. */
export type Parameter = readonly [name: string, value: string];

/**
 * The parameters of a URL in their order, as `URLSearchParams` reads them. Those are objects of the platform, and each step from one
 * name to the next leaves JavaScript: for the short queries of most requests that costs more than the reading.
 */
export function queryOf(url: string): Parameter[] {
  const from = url.indexOf("?");
  if (from < 0) return [];
  const hash = url.indexOf("#", from);
  const text = url.slice(from + 1, hash < 0 ? undefined : hash);
  const parameters: Parameter[] = [];
  try {
    for (const part of text.split("&")) {
      if (part === "") continue;
      const equals = part.indexOf("=");
      if (equals < 0) parameters.push([decoded(part), ""]);
      else parameters.push([decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))]);
    }
    return parameters;
  } catch {
    // What is no UTF-8 is read as the standard says, which never fails. One "?" is taken off, and only one.
    return [...new URLSearchParams(`?${text}`)];
  }
}

/** @throws URIError where a "%" begins no character of UTF-8 */
function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}
