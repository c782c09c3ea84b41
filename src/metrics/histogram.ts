/**
 * Upper bounds of the buckets [s], each with all below it. Clocks of a Worker tell whole milliseconds, and locally a ping
 * takes less than one; a large fleet or an import takes half a minute.
 */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** One more for what took longer than the last bound. */
export const BUCKET_COUNT = BUCKETS.length + 1;

const BOUNDS_MS = Float64Array.from(BUCKETS, (seconds) => seconds * 1000);

/** The bucket of a duration [ms]; most are short, so it is looked for from the first on. */
export function bucketOf(ms: number): number {
  let i = 0;
  while (i < BOUNDS_MS.length && ms > BOUNDS_MS[i]) i++;
  return i;
}

/** How many durations fell into which bucket, and their sum. */
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
 * The duration that a share of all stayed within [s], taken to lie evenly within its bucket (as Prometheus'
 * histogram_quantile does); of what is beyond the last bound, that bound. Undefined where nothing was counted.
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
