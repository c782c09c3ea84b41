/**
 * Upper bounds of the buckets [s], each including all below it. Clocks of a Worker have a resolution of one
 * millisecond, and a local ping takes less; a large fleet or an import takes half a minute.
 */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** One more for durations above the last bound. */
export const BUCKET_COUNT = BUCKETS.length + 1;

const BOUNDS_MS = Float64Array.from(BUCKETS, (seconds) => seconds * 1000);

/** The bucket of a duration [ms]; most are short, so the search starts with the first. */
export function bucketOf(ms: number): number {
  let i = 0;
  while (i < BOUNDS_MS.length && ms > BOUNDS_MS[i]) i++;
  return i;
}

/** Number of durations in each bucket, and their sum. */
export class Histogram {
  readonly counts = new Float64Array(BUCKET_COUNT);
  /** [s] */
  sum = 0;

  observe(ms: number, bucket = bucketOf(ms)): void {
    this.counts[bucket]++;
    this.sum += ms / 1000;
  }
}

/**
 * The quantile of the durations for a share [s], interpolated linearly within its bucket (as in Prometheus'
 * histogram_quantile); above the last bound, that bound. Undefined if nothing was counted.
 */
export function quantile(counts: ArrayLike<number>, share: number): number | undefined {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i];
  if (total === 0) return undefined;
  const rank = share * total;
  let before = 0;
  for (let i = 0; i < BUCKETS.length; i++) {
    if (before + counts[i] >= rank && counts[i] > 0) {
      const low = i === 0 ? 0 : BUCKETS[i - 1];
      return low + (BUCKETS[i] - low) * ((rank - before) / counts[i]);
    }
    before += counts[i];
  }
  return BUCKETS[BUCKETS.length - 1];
}
