import { byZoom, kindIn, LINE, linear, POINT } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import { ITALIC, isShown } from "./label-parts.ts";
import type { Palette } from "./palettes.ts";
import type { StyleLayer } from "./style.ts";

/** Fountains and pools are named as points of interest. */
const NOT_WATERS = ["fountain", "swimming_pool"];

/** Names along rivers and streams. */
export function waterLineLabel(palette: Palette, name: Json): StyleLayer {
  return {
    id: "water-line-label",
    type: "symbol",
    "source-layer": "water",
    minzoom: 11,
    filter: ["all", LINE, ["has", "name"], kindIn("river", "canal", "stream")],
    layout: {
      "symbol-placement": "line",
      "symbol-spacing": 420,
      "text-field": name,
      "text-font": ITALIC,
      "text-size": byZoom(11, 10.5, 16, 13),
      "text-letter-spacing": 0.06,
    },
    paint: { "text-color": palette.waterText, "text-halo-color": palette.water, "text-halo-width": 1 },
  };
}

/** Names of rivers on coarse maps, lakes, and oceans. */
export function waterLabels(palette: Palette, name: Json, placeName: Json): StyleLayer[] {
  return [longRivers(palette, name), lakes(palette, placeName), oceans(palette, placeName)];
}

/** Long rivers, as coarse maps have them. */
function longRivers(palette: Palette, name: Json): StyleLayer {
  return {
    id: "river-label",
    type: "symbol",
    "source-layer": "water",
    minzoom: 3,
    maxzoom: 11,
    filter: ["all", LINE, ["has", "name"], ["has", "min_zoom"], isShown(11)],
    layout: {
      "symbol-placement": "line",
      "symbol-spacing": 420,
      "text-field": name,
      "text-font": ITALIC,
      "text-size": linear(3, 9.5, 7, 11),
      "text-letter-spacing": 0.08,
    },
    paint: { "text-color": palette.waterText, "text-halo-color": palette.halo, "text-halo-width": 1 },
  };
}

function lakes(palette: Palette, placeName: Json): StyleLayer {
  const notFountain: Json = ["!=", ["get", "kind_detail"], "fountain"];
  // From zoom 11 on, rivers have their names along their lines.
  const notRiver: Json = ["case", kindIn("river", "canal"), ["<", ["zoom"], 11], true];
  return {
    id: "water-label",
    type: "symbol",
    "source-layer": "water",
    filter: [
      "all",
      POINT,
      ["has", "name"],
      ["!", kindIn("ocean", "sea", ...NOT_WATERS)],
      notFountain,
      notRiver,
      isShown(8),
    ],
    minzoom: 3,
    layout: {
      "text-field": placeName,
      "text-font": ITALIC,
      "text-size": linear(3, 9.5, 8, 10.5, 15, 13),
      "text-max-width": 7,
      "text-letter-spacing": 0.05,
    },
    paint: { "text-color": palette.waterText, "text-halo-color": palette.water, "text-halo-width": 1 },
  };
}

function oceans(palette: Palette, placeName: Json): StyleLayer {
  return {
    id: "ocean-label",
    type: "symbol",
    "source-layer": "water",
    filter: ["all", POINT, ["has", "name"], kindIn("ocean", "sea")],
    layout: {
      "text-field": placeName,
      "text-font": ITALIC,
      "text-size": linear(1, 11, 5, 15),
      "text-max-width": 7,
      "text-letter-spacing": 0.12,
    },
    paint: { "text-color": palette.waterText, "text-halo-color": palette.water, "text-halo-width": 1 },
  };
}
