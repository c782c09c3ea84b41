/** The data that a tracker hands to the database. */

/** A trip as a tracker hands it to the database: its current state, and its locations since the last write. */
export interface TripWrite {
  /** JSON Trip. */
  doc: string;
  /** [at (ms), latitude, longitude, accuracy (m)], one per location update. */
  points: readonly (readonly [number, number, number, number])[];
}

/** Resolution of the cell by which users are found: edges of about 1.2 km. */
export const USER_CELL_RESOLUTION = 7;

/**
 * Maximum distance of a user from its cell's center [m]: within it the cell is kept, although the user may be in
 * another one.
 */
export const USER_CELL_REACH = 3_000;

/**
 * Maximum number of cells by which a user is found: after a few days they contain home, work and the route between
 * them, and moving among them writes no index rows. Each is one more row for a search around it to read.
 */
export const MAX_AREAS = 6;

/** A user as its tracker hands it to the database. */
export interface UserWrite {
  scope: number;
  id: string;
  /** Packed H3 cell at USER_CELL_RESOLUTION with a center within USER_CELL_REACH of the user. */
  cell: number;
  /** The cells by which it is found: the current one and earlier ones, up to MAX_AREAS in total. */
  areas: readonly number[];
  /** Counts the writes of this user: an older one never overwrites a newer one. */
  version: number;
  /**
   * The version since which areas, day, userId and geofences are unchanged: a database with that version, or a newer
   * one, needs only the user's row.
   */
  since: number;
  /** JSON UserState. */
  doc: string;
  /** The hour of its last update [hours since 1970], if it may not have been counted yet. */
  active?: number;
  /** It has, or had, computed segments. */
  segments?: true;
  /** Its trips that have changed since the last write; absent = none. */
  trips?: readonly TripWrite[];
}

/** An event as its tracker hands it to the database. */
export interface EventWrite {
  scope: number;
  /** JSON TrackEvent. */
  doc: string;
}
