/** The route that the user of a trip was to take, and where it is on it: only if the project watches routes. */
export interface PlannedRoute {
  /** The trip's _id and those of its legs: a trip with other legs has another route. */
  trip: string;
  /** Encoded polyline with 5 decimals. */
  line: string;
  /** It came with the trip. */
  isGiven?: true;
  /** How far along the line the user is [m]. */
  along: number;
  /** The distance from the rest of the line at the last update [m], and how many updates in a row it grew beyond the tolerance. */
  far: number;
  growing: number;
  /** Since when the user has left it [ms]; absent = it is on it. */
  off?: number;
  /** The route from where it left. */
  detour?: string;
}

/** A route that was computed for an update. */
export interface RouteAround {
  trip: string;
  /** Absent: there is none. */
  line?: string;
  /** It begins where the user left the planned one. */
  isDetour?: true;
}
