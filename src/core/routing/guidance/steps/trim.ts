import type { LegPath, PathPiece } from "../types.ts";

/** A first or last piece this short is not a step [m]: the start or destination is on the junction itself. */
const NEGLIGIBLE = 1;

/** Joins such pieces with their neighbors, so that no leg begins or ends with a turn on the spot. */
export function trimEnds(path: LegPath): LegPath {
  let { pieces, junctions } = path;
  while (pieces.length > 1 && pieces[0].distance <= NEGLIGIBLE && pieces[0].road.mode === pieces[1].road.mode) {
    pieces = [joined(pieces[0], pieces[1], pieces[1]), ...pieces.slice(2)];
    junctions = junctions.slice(1);
  }
  for (;;) {
    const [last, before] = [pieces[pieces.length - 1], pieces[pieces.length - 2]];
    if (!before || last.distance > NEGLIGIBLE) break;
    pieces = [...pieces.slice(0, -2), joined(before, last, before)];
    junctions = junctions.slice(0, -1);
  }
  return pieces === path.pieces ? path : { ...path, pieces, junctions };
}

function joined(first: PathPiece, second: PathPiece, named: PathPiece): PathPiece {
  return {
    road: named.road,
    distance: first.distance + second.distance,
    duration: first.duration + second.duration,
    geometry: [...first.geometry, ...second.geometry.slice(1)],
  };
}
