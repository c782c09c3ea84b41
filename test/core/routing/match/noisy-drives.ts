import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../../src/core/geo/distance.ts";
import type { TracePoint } from "../../../../src/core/routing/match/trace.ts";
import type { Leg } from "../../../../src/core/routing/route/router.ts";
import { edgeGeometry } from "../../../../src/core/routing/search/path.ts";

/** A point every `interval` seconds of a drive, with normal noise of `sigma` meters each way; and the length from the first to the last [m]. */
export function noisyTrace(
  { edges }: Leg,
  interval: number,
  sigma: number,
  random: () => number,
): { trace: TracePoint[]; length: number } {
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) * sigma;
  const trace: TracePoint[] = [];
  const driven: number[] = [];
  let [next, clock, metres] = [0, 0, 0];
  for (const { view, edge, from, to, duration, distance: own } of edges) {
    while (next <= clock + duration) {
      const share = duration > 0 ? (next - clock) / duration : 0;
      const place = placeAt(edgeGeometry(view.tile, edge, from, to), share);
      trace.push({ ...destination(destination(place, 0, noise()), 90, noise()), time: next });
      driven.push(metres + own * share);
      next += interval;
    }
    clock += duration;
    metres += own;
  }
  return { trace, length: driven[driven.length - 1] - driven[0] };
}

/** The place at a share of a line's length. */
export function placeAt(line: readonly Coordinate[], share: number): Coordinate {
  const lengths = line.slice(1).map((point, i) => distance(line[i], point));
  let left = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length > 0) {
      const at = left / length;
      return {
        latitude: line[i].latitude + (line[i + 1].latitude - line[i].latitude) * at,
        longitude: line[i].longitude + (line[i + 1].longitude - line[i].longitude) * at,
      };
    }
    left -= length;
  }
  return line[line.length - 1];
}
