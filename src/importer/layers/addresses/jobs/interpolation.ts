import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { haversine } from "../../../../core/geo/distance.ts";

/** A line with more numbers than this between two known ones is ignored. */
const MAX_NUMBERS = 500;

/**
 * The houses between two numbered nodes of an `addr:interpolation` way, evenly along its line, without the ends.
 * `kind` is the tag's value: odd, even, all, or a step; letters are skipped. Undefined where the numbers do not fit it.
 */
export function between(
  kind: string,
  from: number,
  to: number,
  line: readonly Coordinate[],
): { number: number; at: Coordinate }[] | undefined {
  const step = kind === "odd" || kind === "even" ? 2 : kind === "all" ? 1 : Number(kind);
  if (from === to || line.length < 2) return [];
  const count = Math.abs(to - from) / step;
  if (!Number.isInteger(step) || step < 1 || !Number.isInteger(count) || count > MAX_NUMBERS) return undefined;
  const lengths = [0];
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    lengths.push(lengths[i - 1] + haversine(a.latitude, a.longitude, b.latitude, b.longitude));
  }
  const all = lengths[lengths.length - 1];
  const out: { number: number; at: Coordinate }[] = [];
  for (let k = 1, i = 1; k < count; k++) {
    const along = (all * k) / count;
    while (i < line.length - 1 && lengths[i] < along) i++;
    const share = lengths[i] === lengths[i - 1] ? 0 : (along - lengths[i - 1]) / (lengths[i] - lengths[i - 1]);
    const [a, b] = [line[i - 1], line[i]];
    out.push({
      number: from + Math.sign(to - from) * step * k,
      at: {
        latitude: a.latitude + share * (b.latitude - a.latitude),
        longitude: a.longitude + share * (b.longitude - a.longitude),
      },
    });
  }
  return out;
}
