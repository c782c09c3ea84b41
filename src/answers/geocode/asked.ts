import type { SearchOptions } from "../../geocoding/search/search.ts";

/** Options of one geocoding query. */
export interface Asked extends SearchOptions {
  /** A kind of place in a town returns places, although the query requests no layers: "hospital krems". */
  kinds?: boolean;
  /** When the request arrived [ms]. */
  now: number;
}
