/** The importance of a state without known borders begins here, and increases with the logarithm of its width. */
const MIN_IMPORTANCE = 130;
const MAX_IMPORTANCE = 150;
const STEPS_PER_DOUBLING = 3;
/** [m] */
const MIN_WIDTH_METERS = 16_000;

/** The importance of a state as wide as this [m]. */
export const importanceOfArea = (width: number): number =>
  Math.min(
    MAX_IMPORTANCE,
    Math.max(MIN_IMPORTANCE, Math.round(MIN_IMPORTANCE + STEPS_PER_DOUBLING * Math.log2(width / MIN_WIDTH_METERS))),
  );

/** The width of a state of this importance [m]; undefined for one with another importance, which has borders. */
export const widthOfArea = (importance: number): number | undefined =>
  importance < MIN_IMPORTANCE || importance > MAX_IMPORTANCE
    ? undefined
    : MIN_WIDTH_METERS * 2 ** ((importance - MIN_IMPORTANCE) / STEPS_PER_DOUBLING);
