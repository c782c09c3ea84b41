import type { Coordinate } from "../../geo/coordinate.ts";
import type { Confidence } from "./event.ts";

/** What is learned of a user from its stays, if the project has enabled insights. Bounded: 8 spots of 14 days. */

/** A stay, or what may become one. */
export interface Stay {
  /** The first fix, until it is a stay. */
  first?: Coordinate;
  /** Mean of the fixes, of which the latest have more weight. */
  location: Coordinate;
  /** Fixes in the mean, up to a bound. */
  fixes: number;
  since: number;
  /** The last fix there [ms]. */
  last: number;
  /** The device reported that it had stopped at the last fix. */
  stopped?: boolean;
  /** It was long enough. */
  isVisit: boolean;
  /** Time is credited to the spot up to here [ms]. */
  credited: number;
}

/** Minutes of the current night or workday at a spot. */
interface Minutes {
  /** Local days since 1970. */
  day: number;
  minutes: number;
}

/** A place where the user stays again and again. */
export interface Spot {
  /** Mean of the stays. */
  location: Coordinate;
  /** How often time was credited, up to a bound. */
  credits: number;
  lastAt: number;
  /** Days of the last 14 on which it spent the night, and the working hours, here. */
  nights: readonly number[];
  workdays: readonly number[];
  night?: Minutes;
  work?: Minutes;
}

/** A user of a project that watches idling. */
export interface Idling {
  stay?: Stay;
  /** Since when it idles, if the event was generated [ms]. */
  since?: number;
  /** The last position was elsewhere. If the next one is not, it was an error. */
  away?: true;
}

export type Base = "home" | "work";

export interface FoundBase {
  location: Coordinate;
  confidence: Confidence;
  updatedAt: number;
}

export interface Commute {
  from: Base;
  /** When the user left [ms]. */
  since: number;
  /** It is on its way, and not only outside. */
  begun: boolean;
}

export interface Insights {
  stay?: Stay;
  spots: readonly Spot[];
  home?: FoundBase;
  work?: FoundBase;
  /** The base at which the user is. */
  at?: Base;
  /** When the user came to it [ms]. */
  since?: number;
  /** The base near which the last fix was, without stopping. */
  near?: Base;
  traveling?: boolean;
  commute?: Commute;
}
