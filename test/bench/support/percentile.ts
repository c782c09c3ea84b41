/**
 * The value below which the share lies (nearest rank).
 * @param share 0.5 for the median, 0.99 for the hundredth worst
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error("no values, no percentile");
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}
