import { USER_CELL_REACH, USER_CELL_RESOLUTION } from "../db/writes.ts";
import { cellAt, cellCircle } from "../geo/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { distance } from "../geo/distance.ts";
import type { UserState } from "../tracking/types/state.ts";

/** The cell by which a user is found, and its centre. */
export interface UserCell {
  cell: number;
  center: Coordinate;
}

/** The cell that a user has had, while its centre is near enough; else the one it is in. */
export function keptCell(known: UserCell | number | undefined, location: Coordinate): UserCell {
  if (known !== undefined) {
    const kept = typeof known === "number" ? withCenter(known) : known;
    if (distance(kept.center, location) <= USER_CELL_REACH) return kept;
  }
  return withCenter(cellAt(location, USER_CELL_RESOLUTION));
}

function withCenter(cell: number): UserCell {
  return { cell, center: cellCircle(cell).center };
}

const DAY_MS = 24 * 3600_000;

/** Is what the database finds users by, beside the cell, the same of both? */
export function sameIndexes(a: UserState, b: UserState): boolean {
  return a.userId === b.userId && Math.floor(a.updatedAt / DAY_MS) === Math.floor(b.updatedAt / DAY_MS);
}
