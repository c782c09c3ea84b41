/** What a tracker hands to the database. */

/** A trip as a tracker hands it to the database: its state now, and its locations since the last write. */
export interface TripWrite {
  /** JSON Trip. */
  doc: string;
  /** [at (ms), latitude, longitude, accuracy (m)], one per location update. */
  points: readonly (readonly [number, number, number, number])[];
}

/** Resolution of the cell by which users are found: edges of about 1.2 km. */
export const USER_CELL_RESOLUTION = 7;

/** How far a user may be from the centre of its cell [m]: within that the cell is kept, although it may be in another by now. */
export const USER_CELL_REACH = 3_000;

/**
 * By how many cells a user is found: home, work and what lies between are known after a few days, and who moves among them
 * writes no index any more. Each is one more row that a search around it reads.
 */
export const MAX_AREAS = 6;

/** A user as its tracker hands it to the database. */
export interface UserWrite {
  scope: number;
  id: string;
  /** Packed H3 cell at USER_CELL_RESOLUTION, whose centre lies within USER_CELL_REACH of the user. */
  cell: number;
  /** The cells by which it is found: that one, and up to MAX_AREAS in all where it has been before. */
  areas: readonly number[];
  /** Counts the writes of this user: an older one never overwrites a newer one. */
  version: number;
  /**
   * The version since which areas, day, userId and geofences are as they are now: a database that has that version, or a newer one,
   * needs the user's row only.
   */
  since: number;
  /** JSON UserState. */
  doc: string;
  /** The hour of its last update [hours since 1970], if it may not have been counted yet. */
  active?: number;
  /** Its trips that have changed since the last write; absent = none. */
  trips?: readonly TripWrite[];
}

/** An event as its tracker hands it to the database. */
export interface EventWrite {
  scope: number;
  /** JSON TrackEvent. */
  doc: string;
}
