import type { Coordinate } from "../../geo/coordinate.ts";
import type { Tile } from "../graph/tile.ts";
import { seenDirection } from "../guidance/direction.ts";
import { edgeGeometry } from "../search/path.ts";

/** The direction of a road does not depend on points farther along it than this [0.1 m]. */
const REACH = 1000;

/**
 * The direction in which a piece seems to leave its start or its end, an inside node of the tile: [degrees]. A piece
 * ends at every light; the road is looked at up to the next junction.
 */
export function directionAt(
  tile: Tile,
  piece: number,
  start: boolean,
  piecesAt: (tile: Tile, node: number) => ArrayLike<number>,
): number {
  const node = start ? tile.startOf(piece) : tile.endOf(piece);
  const line = lineFrom(tile, piece, start);
  const road = tile.recordOf(piece);
  let last = piece;
  let end = start ? tile.endOf(piece) : tile.startOf(piece);
  for (let far = tile.pieceLength[piece]; far < REACH && end < tile.insideCount && end !== node; ) {
    const pieces = piecesAt(tile, end);
    const next = pieces[0] === last ? pieces[1] : pieces[0];
    if (pieces.length !== 2 || tile.recordOf(next).name !== road.name) break;
    const onward = tile.startOf(next) === end;
    const more = lineFrom(tile, next, onward);
    far += tile.pieceLength[next];
    for (let i = 1; i < more.length; i++) line.push(more[i]);
    last = next;
    end = onward ? tile.endOf(next) : tile.startOf(next);
  }
  return seenDirection(line, road, mostLanes(tile, piecesAt(tile, node)));
}

function lineFrom(tile: Tile, piece: number, start: boolean): Coordinate[] {
  const forward = tile.forwardEdge(piece);
  const line = edgeGeometry(tile, forward >= 0 ? forward : tile.backwardEdge(piece));
  return start === forward >= 0 ? line : line.reverse();
}

function mostLanes(tile: Tile, pieces: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < pieces.length; i++) {
    const { forward, backward } = tile.recordOf(pieces[i]);
    most = Math.max(most, (forward?.lanes ?? 0) + (backward?.lanes ?? 0));
  }
  return most;
}
