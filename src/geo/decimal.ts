/**
 * A decimal number: digits, one point at most, a sign. Each part begins with a character that the part before cannot
 * hold, so that the time is linear.
 */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/**
 * "-12.5" → -12.5, with spaces around it. NaN for anything else: hexadecimal numbers, exponents, spaces inside, no
 * digits, Infinity.
 */
export function parseDecimal(text: string): number {
  const digits = text.trim();
  return DECIMAL.test(digits) ? Number(digits) : Number.NaN;
}

/** "1, 2.5" → [1, 2.5]; NaN for each part that is not a decimal number. At most `max` parts are read. */
export function parseDecimals(text: string, max: number): number[] {
  return text.split(",", max + 1).map(parseDecimal);
}
