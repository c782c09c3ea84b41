/** What a tracker hands to the database. */

/** A trip as a tracker hands it to the database: its state now, and its locations since the last write. */
export interface TripWrite {
  /** JSON Trip. */
  doc: string;
  /** [at (ms), latitude, longitude, accuracy (m)], one per location update. */
  points: readonly (readonly [number, number, number, number])[];
}

/** Resolution of the cell by which users are found: edges of about 200 m. */
export const USER_CELL_RESOLUTION = 9;

/** A user as its tracker hands it to the database. */
export interface UserWrite {
  scope: number;
  id: string;
  /** Packed H3 cell of its location, at USER_CELL_RESOLUTION. */
  cell: number;
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
