/** Writes CSV by RFC 4180: commas, CRLF after every row, quotes where needed. `csv.ts` reads it. */

/**
 * For files that Excel should open as UTF-8. Other programs read it as a character of the first name, so it is
 * optional.
 */
export const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Characters that make a spreadsheet run a text as a formula, including the full-width ones that a Chinese or Japanese
 * Excel accepts (OWASP, "CSV Injection"). The data in a file about users comes from their devices: an app's user named
 * `=HYPERLINK(…)` must not reach the operator's Excel as a link. If a spreadsheet separates cells by semicolons or
 * tabs, it ignores quotes within a line, so text after one of these, or after a line break, could be run as well. Some
 * programs trim cells before they read them: spaces of Unicode and a byte order mark before a formula count as none. Before a tab or
 * line break at the start, none is needed if a formula with its own follows.
 */
const BEFORE_FORMULA =
  /(?<=^|[;\t\r\n])(?='*[^\S\t\r\n]*(?:[=+\-@＝＋－＠]|[\t\r\n](?!\s{0,8}(?:'+[^\S\t\r\n]*)?[=+\-@＝＋－＠])))/g;
const HARMLESS_FORMULA =
  /(?<=^|[;\t\r\n])'(?='*[^\S\t\r\n]*(?:[=+\-@＝＋－＠]|[\t\r\n](?!\s{0,8}(?:'+[^\S\t\r\n]*)?[=+\-@＝＋－＠])))/g;
/** A number is no formula, whatever its sign, its decimal separator and the spaces around it. */
const NUMBER = /^ *[+-]?[.,]?\d[\d.,]*(?:e[+-]?\d+)? *$/i;
/** The same in JSON, which can escape a semicolon. */
const SEMICOLON_IN_JSON = /;(?=\s*[=+\-@＝＋－＠])/g;

/**
 * A text that no spreadsheet runs: with an apostrophe wherever it otherwise would. `fromHarmless` removes them again.
 */
export function harmless(text: string): string {
  return NUMBER.test(text) ? text : text.replace(BEFORE_FORMULA, "'");
}

/** Reverses `harmless`. */
export function fromHarmless(text: string): string {
  return text.replace(HARMLESS_FORMULA, "");
}

/**
 * A cell: numbers and flags unchanged, lists and dictionaries as JSON, absent ones empty.
 */
function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text =
    typeof value === "string" ? harmless(value) : JSON.stringify(value).replace(SEMICOLON_IN_JSON, "\\u003b");
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvRow(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}
