import { MAX_NAME_LENGTH, MAX_PARAMETERS, tooManyParameters } from "../../wire/input/input-limits.ts";

/** One name and value of a query string or a form, decoded. */
export type Parameter = readonly [name: string, value: string];

/**
 * The parameters of a URL's query in their order.
 * @throws ApiError 400 for too many parameters, or a name that is too long
 */
export function queryOf(url: string): Parameter[] {
  const from = url.indexOf("?");
  if (from < 0) return [];
  const hash = url.indexOf("#", from);
  return readParameters(url.slice(from + 1, hash < 0 ? undefined : hash));
}

/**
 * Reads a query string or the body of a form as `URLSearchParams` does. Those are platform objects, and each step from one
 * name to the next leaves JavaScript: for short queries, that costs more than the parsing.
 * @throws ApiError 400 for too many parameters, or a name that is too long
 */
export function readParameters(text: string): Parameter[] {
  const parameters: Parameter[] = [];
  let valid = true;
  // The next "=", searched again only after it is passed: names without one must not restart the search.
  let equals = text.indexOf("=");
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf("&", at);
    const end = found < 0 ? text.length : found;
    if (end > at) {
      if (equals >= 0 && equals < at) equals = text.indexOf("=", at);
      const nameEnd = equals < 0 || equals > end ? end : equals;
      if (nameEnd - at > MAX_NAME_LENGTH || parameters.length === MAX_PARAMETERS) throw tooManyParameters();
      try {
        parameters.push([decoded(text.slice(at, nameEnd)), decoded(text.slice(nameEnd + 1, end))]);
      } catch {
        parameters.push(["", ""]);
        valid = false;
      }
    }
    at = end + 1;
  }
  // Invalid UTF-8 is decoded as in the standard, which never fails. Exactly one "?" is removed.
  return valid ? parameters : [...new URLSearchParams(`?${text}`)];
}

/** @throws URIError if a "%" does not start a valid UTF-8 character */
function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}
