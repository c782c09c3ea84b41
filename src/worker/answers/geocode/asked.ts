import type { SearchOptions } from "../../../core/geocoding/search/search.ts";

/** Options of one geocoding query. */
export interface Asked extends SearchOptions {
  /** When the request arrived [ms]. */
  now: number;
}
