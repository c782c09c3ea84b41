const DIGIT_BITS = 16;
const DIGITS = 1 << DIGIT_BITS;

/**
 * The order of `count` keys (each high × 2^32 + low), equal ones in their order: positions by ascending key. Least significant
 * digit first (Knuth, The Art of Computer Programming 3, 5.2.5), digits of 16 bits, those that are alike in all keys
 * skipped. `order` and `scratch` hold at least `count` numbers; the result is one of the two.
 */
export function radixOrder(
  high: Uint32Array,
  low: Uint32Array,
  count: number,
  order: Uint32Array,
  scratch: Uint32Array,
): Uint32Array {
  let from = order;
  let to = scratch;
  for (let i = 0; i < count; i++) from[i] = i;
  const counts = new Uint32Array(DIGITS);
  for (const [half, shift] of [[low, 0] as const, [low, 16] as const, [high, 0] as const, [high, 16] as const]) {
    counts.fill(0);
    for (let i = 0; i < count; i++) counts[(half[i] >>> shift) & (DIGITS - 1)]++;
    if (count === 0 || counts[(half[0] >>> shift) & (DIGITS - 1)] === count) continue;
    let sum = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const here = counts[digit];
      counts[digit] = sum;
      sum += here;
    }
    for (let i = 0; i < count; i++) {
      const at = from[i];
      to[counts[(half[at] >>> shift) & (DIGITS - 1)]++] = at;
    }
    [from, to] = [to, from];
  }
  return from;
}
