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

/** A dot with an edge. */
export function dotLayer(id: string, [radius, edgeWidth]: [number, number], color: unknown, edge: string, more = {}) {
  const paint = { "circle-radius": radius, "circle-color": color, "circle-stroke-color": edge };
  return { id, type: "circle", paint: { ...paint, "circle-stroke-width": edgeWidth }, ...more } as OwnLayer;
}

/** A line over a wider one, so that it stands out from roads. */
export function casedLine(
  ids: [casing: string, line: string],
  widths: [number, number],
  casing: string,
  color: unknown,
) {
  const layout = { "line-cap": "round", "line-join": "round" };
  return [
    { color: casing, opacity: 0.9 },
    { color, opacity: 1 },
  ].map(({ color, opacity }, i) => {
    const paint = { "line-color": color, "line-width": widths[i], "line-opacity": opacity };
    return { id: ids[i], type: "line", layout, paint } as OwnLayer;
  });
}
