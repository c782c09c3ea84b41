/** A position of the last half minute: time [ms], accuracy [m], speed as reported [m/s]. */
export interface WindowPoint {
  at: number;
  latitude: number;
  longitude: number;
  accuracy: number;
  speed?: number;
}

/** An excess of the limit: since when [ms], by how many updates, and the highest speed [km/h]. */
export interface Excess {
  since: number;
  /** The last update that was too fast. */
  last: number;
  updates: number;
  topKmh: number;
  limitKmh: number;
  road?: string;
  /** _id of the geofence whose limit it is. */
  geofence?: string;
}

/** What is stored of a driving user, if the project watches speed limits. */
export interface Driving {
  window: readonly WindowPoint[];
  /** It is too fast, but not for long enough. */
  pending?: Excess;
  /** The event was generated. */
  excess?: Excess;
  /** Since when it keeps to the limit again [ms]. */
  keeps?: number;
}

/** The road under an update, as matched (src/core/routing/match/road-under.ts). */
export interface RoadAround {
  name?: string;
  limitKmh?: number;
  sureness?: number;
  /** Since when the points are on roads with such a limit [ms]. */
  since?: number;
  /** _id of the geofence whose limit it is. */
  geofence?: string;
}

/** The fields of a driving event. */
export interface DrivingReport {
  /** At the update [km/h]. */
  speedKmh?: number;
  /** Of events about routes: from the rest of the planned route [m]. */
  distanceFromRoute?: number;
  limitKmh?: number;
  /** Since the excess began. */
  topSpeedKmh?: number;
  road?: string;
  /** _id of the geofence whose limit it is. */
  geofence?: string;
}
