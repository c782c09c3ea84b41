/**
 * A decimal number: digits, at most one point, a sign, and an exponent, because Java and JavaScript write small numbers with one (the
 * longitude of Greenwich is "-5.0E-4" in Java). Each part begins with a character that the part before cannot contain, so the time is linear.
 */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/**
 * "-12.5" → -12.5, with spaces around it. NaN for anything else: hexadecimal numbers, spaces inside, no digits,
 * Infinity.
 */
export function parseDecimal(text: string): number {
  const digits = text.trim();
  return DECIMAL.test(digits) ? Number(digits) : Number.NaN;
}

/** "1, 2.5" → [1, 2.5]; NaN for each part that is not a decimal number. At most `max` parts are read. */
export function parseDecimals(text: string, max: number): number[] {
  return text.split(",", max + 1).map(parseDecimal);
}
