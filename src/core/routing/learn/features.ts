import type { Coordinate } from "../../geo/coordinate.ts";
import type { LocalTime } from "../graph/traffic.ts";
import { OBSTACLE, obstacleMet } from "../graph/turn-cost.ts";
import type { RoadClass } from "../guidance/types.ts";
import type { Path } from "../search/path.ts";
import { edgeGeometry } from "../search/path.ts";

/** What is known of a journey at its start, in the order of a model's features. */
export const FEATURES = [
  ...(["seconds", "meters", "fast", "main", "local", "signals", "left", "right", "hour", "weekend"] as const),
] as const;

export type Features = Float64Array;

const FAST: ReadonlySet<RoadClass> = new Set(["motorway", "trunk"]);
const MAIN: ReadonlySet<RoadClass> = new Set(["primary", "secondary"]);
/** A turn of at least so many degrees. */
const MIN_TURN_DEGREES = 45;
/** Turns that take less are bends of the road [0.1 s]. */
const MIN_TURN_TIME = 15;

/** Features of a route: its time and length (logarithms), shares of its length by class of road, and per kilometer its signals and turns. */
export function featuresOf(legs: readonly Path[], { day, minute }: LocalTime): Features {
  let [seconds, meters, fast, main, signals, left, right] = [0, 0, 0, 0, 0, 0, 0];
  for (const { edges, turns, duration, distance } of legs) {
    seconds += duration;
    meters += distance;
    edges.forEach(({ view, edge, distance: own, to }, i) => {
      const { tile } = view;
      const piece = tile.pieceOf(edge);
      const roadClass = tile.recordOf(piece).class;
      if (FAST.has(roadClass)) fast += own;
      else if (MAIN.has(roadClass)) main += own;
      if (to === 1 && obstacleMet(tile.pieceMarks[piece], tile.isAlong(edge)) === OBSTACLE.signal) signals++;
      const turn = turns[i];
      if (!turn || turn.view.arcs.turnDuration[turn.view.arcs.turn[turn.arc]] < MIN_TURN_TIME) return;
      const angle = angleOf(
        edgeGeometry(turn.view.tile, turn.from).slice(-2),
        edgeGeometry(turn.view.tile, turn.to).slice(0, 2),
      );
      if (angle >= MIN_TURN_DEGREES) right++;
      else if (angle <= -MIN_TURN_DEGREES) left++;
    });
  }
  const perKilometer = 1000 / Math.max(100, meters);
  const share = (length: number) => (meters > 0 ? length / meters : 0);
  return Float64Array.of(
    ...[Math.log(Math.max(1, seconds)), Math.log(Math.max(1, meters))],
    ...[share(fast), share(main), share(Math.max(0, meters - fast - main))],
    ...[signals * perKilometer, left * perKilometer, right * perKilometer],
    ...[minute / 60, day >= 5 ? 1 : 0],
  );
}

/** Change of direction, clockwise [degrees, −180 … 180]. */
function angleOf([a, b]: Coordinate[], [c, d]: Coordinate[]): number {
  const cos = Math.cos((b.latitude * Math.PI) / 180);
  const bearing = (p: Coordinate, q: Coordinate) =>
    (Math.atan2((q.longitude - p.longitude) * cos, q.latitude - p.latitude) * 180) / Math.PI;
  return ((((bearing(c, d) - bearing(a, b)) % 360) + 540) % 360) - 180;
}
