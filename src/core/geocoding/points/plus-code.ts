import type { Coordinate } from "../../geo/coordinate.ts";

/**
 * Open Location Code ("plus code"), after Google's specification (2014): ten digits of base 20 identify a cell of
 * 1/8000 degree, each further digit a fourth of it in longitude and a fifth in latitude. The cell's center is the
 * position.
 */
const DIGITS = "23456789CFGHJMPQRVWX";
/** Digits before the "+". */
const BEFORE_PLUS = 8;
/** Pairs of digits by base 20, then digits of the 5 × 4 grid, at most. */
const PAIR_DIGITS = 10;
const MAX_DIGITS = 15;
const ROWS = 5;
const COLUMNS = 4;

const PATTERN = /^([23456789CFGHJMPQRVWX]{0,8})(0{0,6})\+([23456789CFGHJMPQRVWX]{0,7})$/;

/** Returns the kind of code of a text; undefined if it is not a code. */
export function plusCodeKind(text: string): "full" | "short" | undefined {
  const parts = PATTERN.exec(text.toUpperCase());
  if (!parts) return undefined;
  const [, digits, zeros, rest] = parts;
  const length = digits.length + zeros.length;
  if (length % 2 !== 0 || length === 0 || zeros.length % 2 !== 0 || rest.length === 1) return undefined;
  if (zeros !== "" && (rest !== "" || length !== BEFORE_PLUS || digits === "")) return undefined;
  if (length < BEFORE_PLUS) return rest.length >= 2 ? "short" : undefined;
  // The first pair counts 20 degrees from (-90, -180): 9 rows and 18 columns are on Earth.
  return DIGITS.indexOf(digits[0]) < 9 && DIGITS.indexOf(digits[1]) < 18 ? "full" : undefined;
}

/** The middle of a full code's cell, and its size [degrees]. */
export function decodePlusCode(code: string): { center: Coordinate; height: number; width: number } {
  const digits = code.toUpperCase().replace("+", "").replace(/0+$/, "");
  let [south, west, height, width] = [-90, -180, 400, 400];
  for (let i = 0; i < Math.min(digits.length, PAIR_DIGITS); i += 2) {
    height /= 20;
    width /= 20;
    south += DIGITS.indexOf(digits[i]) * height;
    west += DIGITS.indexOf(digits[i + 1]) * width;
  }
  for (const digit of digits.slice(PAIR_DIGITS, MAX_DIGITS)) {
    height /= ROWS;
    width /= COLUMNS;
    south += Math.floor(DIGITS.indexOf(digit) / COLUMNS) * height;
    west += (DIGITS.indexOf(digit) % COLUMNS) * width;
  }
  const center = { latitude: Math.min(90, south + height / 2), longitude: west + width / 2 };
  return { center: { latitude: round(center.latitude), longitude: round(center.longitude) }, height, width };
}

/** Without the noise of adding twentieths. */
const round = (degrees: number) => Math.round(degrees * 1e9) / 1e9;

/** The code of `length` digits (8, 10 to 15) whose cell contains a point. */
export function encodePlusCode({ latitude, longitude }: Coordinate, length = 10): string {
  // Whole numbers of the finest cell, as sums of fractions would put points at an edge into the wrong cell.
  const rows = 8000 * ROWS ** 5;
  const columns = 8000 * COLUMNS ** 5;
  let row = Math.floor(Math.round((latitude + 90) * rows * 1e6) / 1e6);
  let column = Math.floor(Math.round(((((longitude + 180) % 360) + 360) % 360) * columns * 1e6) / 1e6);
  row = Math.max(0, Math.min(180 * rows - 1, row));
  column = Math.min(360 * columns - 1, column);
  let digits = "";
  for (let i = 0; i < MAX_DIGITS - PAIR_DIGITS; i++) {
    digits = DIGITS[(row % ROWS) * COLUMNS + (column % COLUMNS)] + digits;
    row = Math.floor(row / ROWS);
    column = Math.floor(column / COLUMNS);
  }
  for (let i = 0; i < PAIR_DIGITS; i += 2) {
    digits = DIGITS[row % 20] + DIGITS[column % 20] + digits;
    row = Math.floor(row / 20);
    column = Math.floor(column / 20);
  }
  const kept = digits.slice(0, length);
  return `${kept.slice(0, BEFORE_PLUS)}+${kept.slice(BEFORE_PLUS)}`;
}

/** The full code that a short one means nearest to a point: "9G8F+6W" near Zürich → "8FVC9G8F+6W". */
export function recoverPlusCode(short: string, near: Coordinate): string {
  const code = short.toUpperCase();
  const missing = BEFORE_PLUS - code.indexOf("+");
  const step = 20 ** (2 - missing / 2);
  const guess = encodePlusCode(near).slice(0, missing) + code;
  const { center } = decodePlusCode(guess);
  let { latitude, longitude } = center;
  if (latitude - near.latitude > step / 2 && latitude - step >= -90) latitude -= step;
  else if (near.latitude - latitude > step / 2 && latitude + step <= 90) latitude += step;
  if (longitude - near.longitude > step / 2) longitude -= step;
  else if (near.longitude - longitude > step / 2) longitude += step;
  return encodePlusCode({ latitude, longitude }, code.length - 1 + missing);
}
