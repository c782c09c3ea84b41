import type { Coordinate } from "../../geo/coordinate.ts";
import type { IdSet } from "./id-set.ts";

/** Stands for "not seen": no latitude or longitude in 1e-7 degrees reaches it. */
export const NO_LOCATION = 0x7fffffff;

/** Degrees × 1e7 by rank in the set of needed nodes, in memory that threads share. */
export interface SharedLocations {
  latitudes: Int32Array;
  longitudes: Int32Array;
}

/** Where nodes are: 8 bytes per needed node, beside the set that ranks them. */
export class NodeLocations {
  readonly needed: IdSet;
  readonly arrays: SharedLocations;

  constructor(needed: IdSet, arrays?: SharedLocations) {
    this.needed = needed;
    this.arrays = arrays ?? {
      latitudes: new Int32Array(new SharedArrayBuffer(needed.size * 4)).fill(NO_LOCATION),
      longitudes: new Int32Array(new SharedArrayBuffer(needed.size * 4)).fill(NO_LOCATION),
    };
  }

  /** Position of the node in `latitudes` and `longitudes` [1e-7 degrees]; −1 when the extract lacks it. */
  indexOf(id: number): number {
    const rank = this.needed.rank(id);
    return rank >= 0 && this.arrays.latitudes[rank] !== NO_LOCATION ? rank : -1;
  }

  get(id: number): Coordinate | undefined {
    const index = this.indexOf(id);
    if (index < 0) return undefined;
    return { latitude: this.arrays.latitudes[index] / 1e7, longitude: this.arrays.longitudes[index] / 1e7 };
  }

  /** How many needed nodes no extract had. */
  get missing(): number {
    let missing = 0;
    for (const latitude of this.arrays.latitudes) if (latitude === NO_LOCATION) missing++;
    return missing;
  }
}
