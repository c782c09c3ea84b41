/** Later than any time; finite, so that differences are numbers. */
export const NEVER = 1e15;
/** In place of Infinity, for the same reason: far more than NEVER. */
export const NO_WAY = 1e18;
