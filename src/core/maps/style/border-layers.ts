import { byZoom, isKind, LINE } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import type { Palette } from "./palettes.ts";
import type { StyleLayer } from "./style.ts";

export function borderLayers(palette: Palette): StyleLayer[] {
  const border = (
    id: string,
    kind: string,
    color: string,
    width: Json,
    dash: number[],
    minzoom: number,
  ): StyleLayer => ({
    id: `border-${id}`,
    type: "line",
    "source-layer": "boundaries",
    minzoom,
    filter: ["all", LINE, isKind(kind)],
    layout: { "line-cap": "butt", "line-join": "round" },
    paint: { "line-color": color, "line-width": width, "line-dasharray": dash },
  });
  return [
    border("region", "region", palette.region, byZoom(3, 0.5, 8, 1, 14, 1.6), [3, 2], 3),
    {
      id: "border-country",
      type: "line",
      "source-layer": "boundaries",
      filter: ["all", LINE, isKind("country"), ["!=", ["get", "disputed"], true]],
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": palette.country, "line-width": byZoom(0, 0.6, 5, 1.1, 10, 1.6, 15, 2) },
    },
    {
      ...border("disputed", "country", palette.country, byZoom(0, 0.6, 5, 1.1, 10, 1.8), [3, 2], 0),
      filter: ["all", LINE, isKind("country"), ["==", ["get", "disputed"], true]],
    },
  ];
}
