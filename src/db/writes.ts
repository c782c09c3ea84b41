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

/**
 * How far a user may be from the centre of its cell [m]. Within that the cell is kept, although the user may be in
 * another by now: each change of an indexed column is one more row to write.
 */
export const USER_CELL_REACH = 3_000;

/** A user as its tracker hands it to the database. */
export interface UserWrite {
  scope: number;
  id: string;
  /** Packed H3 cell at USER_CELL_RESOLUTION, whose centre lies within USER_CELL_REACH of the user. */
  cell: number;
  /** The cell, the day and the userId are known to be those that the database has: the indexes stay as they are. */
  settled?: boolean;
  /** Counts the writes of this user: an older one never overwrites a newer one. */
  version: number;
  /** The geofences it is inside may have changed since the last write. */
  moved: boolean;
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
