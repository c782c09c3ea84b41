/** Places of the graph are whole numbers: this many to a degree, about 11 cm apart. */
export const MICRO = 1e6;
