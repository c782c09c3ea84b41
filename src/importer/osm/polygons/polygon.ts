/** Longitude and latitude pairs as in GeoJSON; the first and the last pair of a ring are equal. */
export type Line = [longitude: number, latitude: number][];

export interface Polygon {
  /** Counterclockwise. */
  readonly outer: Line;
  /** Clockwise. */
  readonly inner: readonly Line[];
}
