/** The index of the first number that is at least `number`; the length if there is none. `ascending` must be sorted. */
export function firstAtLeast(ascending: Float64Array, number: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last index of a number in sorted numbers; −1 if it is not among them. */
export function lastIndexOf(ascending: Float64Array, number: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= number) low = middle + 1;
    else high = middle;
  }
  return ascending[low - 1] === number ? low - 1 : -1;
}
