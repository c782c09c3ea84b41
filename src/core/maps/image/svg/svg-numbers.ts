/** Larger numbers are rejected: no icon has them, and arithmetic with them leaves the range of the rasterizer. */
export const MAX_NUMBER = 1e6;

const NUMBER = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi;

/** Returns whether this is a list of numbers of a reasonable size, with the letters of `letters` between them. */
export function isNumbers(text: string, letters: string): boolean {
  const rest = text.replace(NUMBER, " ");
  for (const character of rest)
    if (!(character <= " " || character === "," || letters.includes(character))) return false;
  return numbersOf(text).every((value) => Math.abs(value) <= MAX_NUMBER);
}

export function numbersOf(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}
