/** Stands for "not seen": no latitude or longitude in 1e-7 degrees reaches it. */
export const NO_LOCATION = 0x7fffffff;

/** Degrees × 1e7 by rank in a set of nodes, in memory that threads share: 8 bytes a node. */
export interface SharedLocations {
  latitudes: Int32Array;
  longitudes: Int32Array;
}

/** So many places, none of them seen yet. */
export function noLocations(count: number): SharedLocations {
  const column = () => new Int32Array(new SharedArrayBuffer(4 * count)).fill(NO_LOCATION);
  return { latitudes: column(), longitudes: column() };
}
