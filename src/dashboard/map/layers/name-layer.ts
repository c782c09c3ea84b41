import type { MapColours } from "../marks/palette.ts";
import type { OwnLayer } from "./use-layers.ts";

/** The face of the map's texts, of which the Worker has the glyphs. */
export const FONT = ["Noto Sans Medium"];

/** Where a name stands under a sign. */
export const BELOW = { "text-offset": [0, 1], "text-anchor": "top" } as const;

/** A name under or over a sign, readable on every ground by its halo. */
export function nameLayer(id: string, { text, halo }: MapColours, minzoom: number, more: object = {}): OwnLayer {
  return {
    id,
    type: "symbol",
    minzoom,
    layout: {
      "text-field": ["get", "name"],
      "text-font": FONT,
      "text-size": 12,
      "text-max-width": 12,
      "text-optional": true,
      ...more,
    },
    paint: { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.5 },
  } as OwnLayer;
}
