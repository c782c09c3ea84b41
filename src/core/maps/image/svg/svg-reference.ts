/** A reference to an element of the same document, and the rest of the value. */
interface SvgReference {
  id: string;
  rest: string;
}

/**
 * Reads `url(#id)`, with or without quotes, from the start of an attribute's value. The time is proportional to the value's length.
 * @returns undefined where the value does not begin with a reference into its own document
 */
export function readReference(value: string): SvgReference | undefined {
  const text = value.trimStart();
  if (text.slice(0, 4).toLowerCase() !== "url(") return undefined;
  const end = text.indexOf(")");
  if (end < 0) return undefined;
  const target = withoutQuotes(text.slice(4, end).trim());
  if (target.length < 2 || target[0] !== "#" || target.includes('"') || target.includes("'")) return undefined;
  return { id: target.slice(1).trimEnd(), rest: text.slice(end + 1) };
}

const isQuote = (character: string | undefined) => character === '"' || character === "'";

function withoutQuotes(text: string): string {
  const from = isQuote(text[0]) ? 1 : 0;
  return text.slice(from, text.length > from && isQuote(text.at(-1)) ? -1 : undefined);
}
