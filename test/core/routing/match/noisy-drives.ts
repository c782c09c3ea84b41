import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { destination, distance, METRES_PER_DEGREE } from "../../../../src/core/geo/distance.ts";
import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import type { TracePoint } from "../../../../src/core/routing/match/trace.ts";
import type { Leg, Router } from "../../../../src/core/routing/route/router.ts";
import { edgeGeometry } from "../../../../src/core/routing/search/path.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { seeded } from "../graph/random-town.ts";

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

const SIDE = 32;
/** Between two crossings [m]. */
const BLOCK = 220;

/** Streets between crossings that are not quite a grid, some of them missing, some one-way. */
export function blocks(seed: number): OsmElement[] {
  const random = seeded(seed);
  const step = BLOCK / METRES_PER_DEGREE;
  const elements: OsmElement[] = [];
  const id = (row: number, column: number) => row * SIDE + column + 1;
  const street = (from: number, to: number, isMain: boolean) => {
    if (random() < 0.1) return;
    const tags = isMain
      ? { highway: "secondary" }
      : { highway: "residential", ...(random() < 0.1 && { oneway: "yes" }) };
    elements.push({ type: "way", id: elements.length + 1, refs: [from, to], tags });
  };
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      elements.push({
        type: "node",
        id: id(row, column),
        latitude: 1 + (row + random() * 0.4) * step,
        longitude: 1 + (column + random() * 0.4) * step,
        tags: {},
      });
    }
  }
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      if (column + 1 < SIDE) street(id(row, column), id(row, column + 1), row % 4 === 0);
      if (row + 1 < SIDE) street(id(row, column), id(row + 1, column), column % 4 === 0);
    }
  }
  return elements;
}

/** Twenty routes of more than ten minutes. */
export async function drivesIn(router: Router, point: () => Coordinate, mode: Mode = "car"): Promise<Leg[]> {
  const drives: Leg[] = [];
  for (let i = 0; i < 400 && drives.length < 20; i++) {
    const route = await router.route([point(), point()], { mode });
    if (route && route.duration > 600) drives.push(route.legs[0]);
  }
  return drives;
}
