import type { Json } from "./expression.ts";

/** A map style: the subset of the MapLibre style specification that both renderers draw. */
export interface MapStyle {
  version: 8;
  name?: string;
  metadata?: { readonly [key: string]: Json };
  layers: StyleLayer[];
}

export interface StyleLayer {
  id: string;
  type: "background" | "fill" | "line" | "circle" | "symbol";
  /** Layer of the vector tiles; none for the background. */
  "source-layer"?: string;
  source?: string;
  minzoom?: number;
  maxzoom?: number;
  filter?: Json;
  layout?: { readonly [key: string]: Json };
  paint?: { readonly [key: string]: Json };
}
