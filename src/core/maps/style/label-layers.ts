import { byZoom, kindIn, POINT } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import { haloOf, REGULAR } from "./label-parts.ts";
import { lineName, pointName } from "./name-expressions.ts";
import type { Palette } from "./palettes.ts";
import { placeLabels } from "./place-labels.ts";
import { poiLayer } from "./poi-layer.ts";
import { majorRoadNames, minorRoadNames, onewayLayer, shieldLayers } from "./road-labels.ts";
import type { StyleLayer } from "./style.ts";
import { waterLabels, waterLineLabel } from "./water-labels.ts";

/** The layers with texts, least important first: labels of later layers are placed first. */
export function labelLayers(palette: Palette, language: string | undefined): StyleLayer[] {
  const name = lineName(language);
  const placeName = pointName(language);
  return [
    houseNumbers(palette),
    onewayLayer(),
    poiLayer(palette, name, haloOf(palette)),
    ...minorRoadNames(palette, name),
    squareNames(palette, name),
    waterLineLabel(palette, name),
    ...majorRoadNames(palette, name),
    ...shieldLayers(palette),
    ...waterLabels(palette, name, placeName),
    ...placeLabels(palette, placeName),
  ];
}

const houseNumbers = (palette: Palette): StyleLayer => ({
  id: "housenumber",
  type: "symbol",
  "source-layer": "buildings",
  minzoom: 17,
  filter: ["all", POINT, ["has", "addr_housenumber"]],
  layout: {
    "text-field": ["get", "addr_housenumber"],
    "text-font": REGULAR,
    "text-size": byZoom(17, 9.5, 20, 12),
    "text-padding": 4,
  },
  paint: { "text-color": palette.quarter, "text-halo-color": palette.halo, "text-halo-width": 1 },
});

const squareNames = (palette: Palette, name: Json): StyleLayer => ({
  id: "square-name",
  type: "symbol",
  "source-layer": "pois",
  minzoom: 14,
  filter: ["all", ["has", "name"], kindIn("square"), ["<=", ["coalesce", ["get", "min_zoom"], 17], ["zoom"]]],
  layout: {
    "text-field": name,
    "text-font": REGULAR,
    "text-size": byZoom(15, 10, 18, 13),
    "text-max-width": 7,
  },
  paint: { "text-color": palette.road, ...haloOf(palette) },
});
