/** How much CPU the last doubling of a text may cost, as a share of what half of it costs. */
export const MAX_GROWTH = 2.3;
/** CPU of one request that is too much, however it grows [s]. */
export const MAX_CPU = 1;
/** Below this a request says nothing of growth: the clock counts in steps of 10 ms [s]. */
const MIN_CPU = 0.06;
const ATTEMPTS = 3;
/** Requests of each length whose sums decide in the end: one step of the clock is a sixth of 60 ms, and a sixtieth of ten times that. */
const SUMMED = 10;

export interface Measured {
  /** CPU of the full length, and of half of it where that was measured [s]. */
  full: number;
  half?: number;
  problem?: string;
}

/**
 * Measures what a text costs at its full length and at half of it, the least of several attempts.
 * @param cost runs once with so many characters, and returns its CPU [s]
 * @param maxCpu of one request [s]
 */
export async function measure(
  cost: (length: number) => Promise<number>,
  length: number,
  maxCpu = MAX_CPU,
): Promise<Measured> {
  let full = await cost(length);
  if (full < MIN_CPU) return { full };
  let half = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ATTEMPTS; i++) {
    half = Math.min(half, await cost(length / 2));
    if (i > 0) full = Math.min(full, await cost(length));
    if (full < MIN_CPU) return { full };
    if (full <= maxCpu && full <= MAX_GROWTH * half) return { full, half };
  }
  if (full > maxCpu) return { full, half, problem: `costs ${full.toFixed(2)} s of CPU` };
  full = 0;
  half = 0;
  for (let i = 0; i < SUMMED; i++) {
    half += (await cost(length / 2)) / SUMMED;
    full += (await cost(length)) / SUMMED;
  }
  if (full <= MAX_GROWTH * half) return { full, half };
  return { full, half, problem: `costs ${(full / half).toFixed(1)} times as much for twice the length` };
}
