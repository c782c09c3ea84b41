import { cellAt, cellCircle } from "../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import { MAX_AREAS, USER_CELL_REACH, USER_CELL_RESOLUTION } from "../../db/customers/writes.ts";

/** The cells by which a user is found: the current one first, then by most recent use. */
export interface UserAreas {
  cells: readonly number[];
  /** Center of the first. */
  center: Coordinate;
}

/**
 * The cells by which a user is found after an update. Keeps the current cell while it is near enough; otherwise uses an
 * earlier one, or the one of the location, which replaces the least recently used cell.
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
 * All data that the database stores outside a user's row, as one string: its cells, day, userId, the geofences it
 * is inside, and its computed segments. While it is unchanged, an update writes only the row.
 */
export function outsideRow({ cells }: UserAreas, { updatedAt, userId, geofences, computed }: UserState): string {
  const areas = cells.length === 1 ? cells : [...cells].sort((a, b) => a - b);
  const row = JSON.stringify([areas, Math.floor(updatedAt / DAY_MS), userId ?? null, Object.keys(geofences)]);
  return computed ? row + JSON.stringify(computed) : row;
}
