import type { Json } from "./expression.ts";
import type { Palette } from "./palettes.ts";

export const REGULAR: Json = ["literal", ["Noto Sans Regular"]];
export const MEDIUM: Json = ["literal", ["Noto Sans Medium"]];
export const ITALIC: Json = ["literal", ["Noto Sans Italic"]];

export const haloOf = ({ halo }: Palette) => ({ "text-halo-color": halo, "text-halo-width": 1.4 });

/** From the minimum zoom in the tile on, or so much earlier; a feature without one from the given zoom on. */
export const isShown = (otherwise: number, earlier = 0): Json => [
  "<=",
  ["coalesce", ["get", "min_zoom"], otherwise],
  earlier === 0 ? ["zoom"] : ["+", ["zoom"], earlier],
];
