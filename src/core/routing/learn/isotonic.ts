/**
 * The nondecreasing values nearest to the given ones, by least squares: the pool-adjacent-violators algorithm (Ayer et al.
 * 1955). Linear.
 */
export function nondecreasing(values: ArrayLike<number>): Float64Array {
  const sums: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < values.length; i++) {
    let sum = values[i];
    let count = 1;
    while (sums.length > 0 && sums[sums.length - 1] / counts[counts.length - 1] > sum / count) {
      sum += sums.pop()!;
      count += counts.pop()!;
    }
    sums.push(sum);
    counts.push(count);
  }
  const result = new Float64Array(values.length);
  let at = 0;
  sums.forEach((sum, block) => {
    result.fill(sum / counts[block], at, at + counts[block]);
    at += counts[block];
  });
  return result;
}
