type Json = Record<string, unknown>;

/**
 * Two requests that differ in one parameter alone, and the difference between their responses that the specification promises.
 * `id` is the row of docs/conformance.md.
 */
export interface Difference {
  id: `parameter.${string}.${string}`;
  /** The difference, in a few words. */
  effect: string;
  /** For docs/conformance.md, where several cases of a row show the same for several values. */
  changes?: string;
  /** Added to the required parameters in both requests. */
  both?: Json;
  /** Added in the first request, and in the second; `undefined` removes a required parameter. */
  a?: Json;
  b: Json;
  /** The second request is rejected. */
  isRejected?: true;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
  expects(a: any, b: any): void;
}

export interface Point {
  latitude: number;
  longitude: number;
}

/** "latitude,longitude" as a point. */
export function pointOf(text: string): Point {
  const [latitude, longitude] = text.split(",").map(Number);
  return { latitude, longitude };
}

/** Metres between two points, by a formula of the tests. */
export function metresBetween(a: Point, b: Point): number {
  const radians = Math.PI / 180;
  const half = (from: number, to: number) => Math.sin(((to - from) * radians) / 2) ** 2;
  const shrink = Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
  const chord = half(a.latitude, b.latitude) + shrink * half(a.longitude, b.longitude);
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(chord));
}
