import { byZoom } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import type { Palette, PoiGroup } from "./palettes.ts";
import { KINDS_WITH_IMAGE } from "./pictograms.ts";
import TABLE from "./poi-groups.json" with { type: "json" };
import type { StyleLayer } from "./style.ts";

/** Kinds of the pois layer, by group. A kind in no group is drawn as a service, at a late zoom. */
const POI_GROUPS = Object.entries(TABLE).map(([group, kinds]) => [group as PoiGroup, kinds.split(" ")] as const);

/** Icons and names of points of interest, colored by group. */
export function poiLayer(palette: Palette, text: Json, halo: Record<string, Json>): StyleLayer {
  const byGroup = (value: (group: PoiGroup) => Json): Json => [
    "match",
    ["get", "kind"],
    ...POI_GROUPS.flatMap(([group, kinds]): Json[] => (group === "service" ? [] : [kinds, value(group)])),
    value("service"),
  ];
  return {
    id: "poi",
    type: "symbol",
    "source-layer": "pois",
    minzoom: 13,
    filter: [
      "all",
      ["any", ["has", "name"], ["match", ["get", "kind"], ["parking", "toilets", "drinking_water"], true, false]],
      ["<=", ["coalesce", ["get", "min_zoom"], 17], ["+", ["zoom"], 1]],
      ["match", ["get", "kind"], POI_GROUPS.flatMap(([, kinds]) => kinds), true, false],
    ],
    layout: {
      "icon-image": [
        "match",
        ["get", "kind"],
        ...Object.entries(KINDS_WITH_IMAGE).flatMap(([name, [, kinds]]): Json[] => [[...kinds], `poi-${name}`]),
        byGroup((group) => `poi-${group}`),
      ],
      "text-field": text,
      "text-font": ["literal", ["Noto Sans Regular"]],
      "text-size": byZoom(14, 9.5, 17, 11.5),
      "text-max-width": 8,
      "text-variable-anchor": ["top", "right", "left", "bottom"],
      "text-radial-offset": 0.9,
      "text-optional": true,
      "icon-padding": 7,
      "symbol-sort-key": ["coalesce", ["get", "min_zoom"], 17],
    },
    paint: { "text-color": byGroup((group) => palette.poi[group]), ...halo },
  };
}
