/** Places of the graph are complete numbers: this many to a degree, about 11 cm apart. */
export const MICRO = 1e6;
