/** The importance of a state without known borders begins here, and increases with the logarithm of its width. */
const LEAST = 130;
const MOST = 150;
const STEPS_PER_DOUBLING = 3;
/** [m] */
const LEAST_WIDTH = 16_000;

/** The importance of a state as wide as this [m]. */
export const importanceOfArea = (width: number): number =>
  Math.min(MOST, Math.max(LEAST, Math.round(LEAST + STEPS_PER_DOUBLING * Math.log2(width / LEAST_WIDTH))));

/** The width of a state of this importance [m]; undefined for one with another importance, which has borders. */
export const widthOfArea = (importance: number): number | undefined =>
  importance < LEAST || importance > MOST ? undefined : LEAST_WIDTH * 2 ** ((importance - LEAST) / STEPS_PER_DOUBLING);
