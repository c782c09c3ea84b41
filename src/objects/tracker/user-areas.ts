import { MAX_AREAS, USER_CELL_REACH, USER_CELL_RESOLUTION } from "../../db/customers/writes.ts";
import { cellAt, cellCircle } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { UserState } from "../../tracking/types/state.ts";

/** The cells by which a user is found, the one it is in first, then by when it was in them last. */
export interface UserAreas {
  cells: readonly number[];
  /** Centre of the first. */
  center: Coordinate;
}

/**
 * Where a user is found after an update: by the cell it has, while that is near enough; else by one it had before, else by the one it
 * is in, in place of the cell it was in longest ago.
 */
export function areasAt(known: UserAreas | readonly number[] | undefined, location: Coordinate): UserAreas {
  const had = known === undefined ? [] : "center" in known ? known.cells : known;
  const current = known !== undefined && "center" in known ? known : undefined;
  if (current && distance(current.center, location) <= USER_CELL_REACH) return current;
  for (const cell of had) {
    const { center } = cellCircle(cell);
    if (distance(center, location) > USER_CELL_REACH) continue;
    return { cells: [cell, ...had.filter((other) => other !== cell)], center };
  }
  const cell = cellAt(location, USER_CELL_RESOLUTION);
  return { cells: [cell, ...had].slice(0, MAX_AREAS), center: cellCircle(cell).center };
}

const DAY_MS = 24 * 3600_000;

/**
 * All that the database keeps of a user beside its row, as one text: where it is found, its day, its userId, and what it is inside.
 * While that stays, an update writes the row alone.
 */
export function besideRow({ cells }: UserAreas, { updatedAt, userId, geofences }: UserState): string {
  const areas = cells.length === 1 ? cells : [...cells].sort((a, b) => a - b);
  return JSON.stringify([areas, Math.floor(updatedAt / DAY_MS), userId ?? null, Object.keys(geofences)]);
}
