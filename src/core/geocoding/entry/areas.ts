/** The importance of a state without known borders begins here, and increases with the logarithm of its width. */
const MIN_IMPORTANCE = 130;
const MAX_IMPORTANCE = 150;
const STEPS_PER_DOUBLING = 3;
/** [m] */
const MIN_WIDTH_METERS = 16_000;

/**
 * States with more people than these have an importance for each of 14 widths, each half a doubling wider, from these numbers on: about 32
 * times the decimal logarithm of people, as of towns. 215 is left to states with borders.
 */
const PEOPLED: readonly (readonly [people: number, from: number])[] = [
  [100_000, 151],
  [316_000, 165],
  [1_000_000, 179],
  [3_160_000, 193],
  [10_000_000, 216],
  [31_600_000, 230],
];
const WIDTHS = 14;

/** The importance of a state as wide as this [m], with so many people. */
export function importanceOfArea(width: number, people = 0): number {
  const doublings = Math.max(0, Math.log2(width / MIN_WIDTH_METERS));
  const [, from] = PEOPLED.findLast(([least]) => people >= least) ?? [];
  return from === undefined
    ? Math.min(MAX_IMPORTANCE, MIN_IMPORTANCE + Math.round(STEPS_PER_DOUBLING * doublings))
    : from + Math.min(WIDTHS - 1, Math.round(2 * doublings));
}

/** The width of a state of this importance [m]; undefined for one with another importance, which has borders. */
export function widthOfArea(importance: number): number | undefined {
  if (importance >= MIN_IMPORTANCE && importance <= MAX_IMPORTANCE)
    return MIN_WIDTH_METERS * 2 ** ((importance - MIN_IMPORTANCE) / STEPS_PER_DOUBLING);
  const found = PEOPLED.find(([, from]) => importance >= from && importance < from + WIDTHS);
  return found && MIN_WIDTH_METERS * 2 ** ((importance - found[1]) / 2);
}
