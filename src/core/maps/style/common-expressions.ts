import type { Json } from "./expression.ts";

/** Expressions that the built-in layers use. */

/** Values between zooms grow exponentially, as sizes on the screen do. */
export function byZoom(...stops: (number | string)[]): Json {
  return ["interpolate", ["exponential", 1.6], ["zoom"], ...stops];
}

export function linear(...stops: Json[]): Json {
  return ["interpolate", ["linear"], ["zoom"], ...stops];
}

export const kindIn = (...kinds: string[]): Json => ["match", ["get", "kind"], kinds, true, false];
export const POLYGON: Json = ["==", ["geometry-type"], "Polygon"];
export const LINE: Json = ["==", ["geometry-type"], "LineString"];
export const POINT: Json = ["==", ["geometry-type"], "Point"];
export const isKind = (kind: string): Json => ["==", ["get", "kind"], kind];
