/**
 * CSV as RFC 4180 writes it: commas, CRLF after every row, quotes around what needs them. `csv.ts` reads it.
 */

/** For files that Excel should open as UTF-8; others read it as a sign in the first name, so it is asked for. */
export const BYTE_ORDER_MARK = "\uFEFF";

/*
 * Characters with which a spreadsheet takes a text for a formula and runs it, the full-width ones that a Chinese or Japanese Excel takes for them
 * included (OWASP, "CSV Injection"). What is in a file about users was written by their devices: an app's user named `=HYPERLINK(…)` must
 * not reach the operator's Excel as a link. Where a spreadsheet separates cells by semicolons or tabs, quotes within a line mean nothing to it: so what comes after
 * one of these, or after a line break, could be run as well.
 */
const BEFORE_FORMULA = /(?<=^|[;\t\r\n])(?='*[=+\-@\t\r\n＝＋－＠])/g;
const HARMLESS_FORMULA = /(?<=^|[;\t\r\n])'(?='*[=+\-@\t\r\n＝＋－＠])/g;
/** The same in JSON, which can write a semicolon as an escape. */
const SEMICOLON_IN_JSON = /;(?=[=+\-@＝＋－＠])/g;

/** A text that no spreadsheet runs: with an apostrophe wherever it would. `fromHarmless` takes them away again. */
export function harmless(text: string): string {
  return text.replace(BEFORE_FORMULA, "'");
}

/** The text that `harmless` was given. */
export function fromHarmless(text: string): string {
  return text.replace(HARMLESS_FORMULA, "");
}

/**
 * A cell: numbers and flags as they are, lists and dictionaries as JSON, absent ones empty. A number is no formula,
 * whatever its sign.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text =
    typeof value === "string" ? harmless(value) : JSON.stringify(value).replace(SEMICOLON_IN_JSON, "\\u003b");
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvRow(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}
