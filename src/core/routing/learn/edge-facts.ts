import type { Coordinate } from "../../geo/coordinate.ts";
import { CAR, TRAVEL } from "../graph/modes.ts";
import { speedClass } from "../graph/road-record.ts";
import type { Tile } from "../graph/tile.ts";
import { OBSTACLE, obstacleMet } from "../graph/turn-cost.ts";
import { edgeGeometry } from "../search/path.ts";
import { type EdgeKey, segmentKey } from "./edge-key.ts";
import type { EdgeFacts } from "./estimate.ts";

/** An edge of a tile that cars use. */
export interface KnownEdge extends EdgeFacts {
  edge: number;
  line: Coordinate[];
}

/** Squares in which roads of one class are expected to be alike: 1/16 degree, some kilometers. */
const TOWNS_PER_DEGREE = 16;

/** Are there traffic lights at the end of an edge? */
export const hasSignal = (tile: Tile, edge: number): boolean =>
  obstacleMet(tile.pieceMarks[tile.pieceOf(edge)], tile.isAlong(edge)) === OBSTACLE.signal;

/** The edges of a tile that learned speeds can apply to, by key. Those across its border are in both tiles. */
export function* edgesOfTile(tile: Tile): Generator<[EdgeKey, KnownEdge]> {
  for (let edge = 0; edge < tile.firstCopy; edge++) {
    const passage = tile.passage(edge, CAR);
    if (passage.speed === 0 || passage.travel !== TRAVEL.normal) continue;
    const meters = tile.lengthOf(edge) / 10;
    if (meters === 0) continue;
    const record = tile.recordOf(tile.pieceOf(edge));
    const signs = tile.isAlong(edge) ? record.forward : record.backward;
    const kmh = passage.speed / 10;
    const line = edgeGeometry(tile, edge);
    const [{ latitude, longitude }] = line;
    const square = (degrees: number) => Math.floor(degrees * TOWNS_PER_DEGREE);
    yield [
      segmentKey(line[0], line[1]),
      {
        edge,
        line,
        meters,
        hasSignal: hasSignal(tile, edge),
        roadClass: speedClass(record),
        town: `${square(latitude)},${square(longitude)}`,
        // As the engine counts: tenths of a second, at least one.
        pace: Math.max(1, Math.round((meters * 36) / kmh)) / 10 / meters,
        limitKmh: Math.max(kmh, signs?.speedLimit ?? 0),
      },
    ];
  }
}
