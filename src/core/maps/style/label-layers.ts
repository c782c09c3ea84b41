import { byZoom, linear } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import { MAX_SHIELD_TEXT } from "./icons.ts";
import { lineName, pointName } from "./name-expressions.ts";
import type { Palette } from "./palettes.ts";
import { isBelowGround, isStreetOnFoot } from "./pedestrian-layers.ts";
import { poiLayer } from "./poi-layer.ts";
import type { StyleLayer } from "./style.ts";

const REGULAR: Json = ["literal", ["Noto Sans Regular"]];
const MEDIUM: Json = ["literal", ["Noto Sans Medium"]];
const ITALIC: Json = ["literal", ["Noto Sans Italic"]];

/** Fountains and pools are named as points of interest. */
const NOT_WATERS = ["fountain", "swimming_pool"];

/** From the minimum zoom in the tile on; a feature without one from the given zoom on. */
const isShown = (otherwise: number): Json => ["<=", ["coalesce", ["get", "min_zoom"], otherwise], ["zoom"]];

const POPULATION_RANK: Json = ["coalesce", ["get", "population_rank"], 0];
/**
 * Prominence of a place, 0 to 17; a country's capital has a higher value than its population implies, and a small one (Valletta) that of a
 * town.
 */
const PROMINENCE: Json = [
  "case",
  ["match", ["to-string", ["coalesce", ["get", "capital"], ""]], ["yes", "2", "true"], true, false],
  ["case", ["<", POPULATION_RANK, 9], 9, ["+", POPULATION_RANK, 3]],
  POPULATION_RANK,
];

/** Order of places, larger first: in our tiles by people, urban area and capital; four steps for each doubling. */
const RANK: Json = ["coalesce", ["get", "rank"], ["*", 4, ["log2", ["+", 1, ["coalesce", ["get", "population"], 0]]]]];

/** The layers with texts, least important first: labels of later layers are placed first. */
export function labelLayers(palette: Palette, language: string | undefined): StyleLayer[] {
  const name = lineName(language);
  const placeName = pointName(language);
  const halo = { "text-halo-color": palette.halo, "text-halo-width": 1.4 };
  const kind = (...kinds: string[]): Json => ["match", ["get", "kind"], kinds, true, false];
  const line: Json = ["==", ["geometry-type"], "LineString"];
  const point: Json = ["==", ["geometry-type"], "Point"];
  const notTunnel: Json = ["!", isBelowGround];
  const notFountain: Json = ["!=", ["get", "kind_detail"], "fountain"];
  // From zoom 11 on, rivers have their names along their lines.
  const notRiver: Json = ["case", kind("river", "canal"), ["<", ["zoom"], 11], true];
  const roadName = (id: string, filter: Json, size: Json, minzoom: number, color = palette.road): StyleLayer => ({
    id: `label-${id}`,
    type: "symbol",
    "source-layer": "roads",
    minzoom,
    filter: ["all", line, ["has", "name"], filter],
    layout: {
      "symbol-placement": "line",
      "symbol-spacing": 320,
      "text-field": name,
      "text-font": REGULAR,
      "text-size": size,
    },
    paint: { "text-color": color, ...halo },
  });
  const shieldText: Json = ["get", "shield_text"];
  const shield = (id: string, icon: string, filter: Json, color: string, minzoom: number): StyleLayer => ({
    id: `shield-${id}`,
    type: "symbol",
    "source-layer": "roads",
    minzoom,
    filter: ["all", line, ["has", "shield_text"], ["<=", ["length", shieldText], MAX_SHIELD_TEXT], filter],
    layout: {
      "symbol-placement": "line",
      "symbol-spacing": 380,
      "icon-image": ["concat", icon, ["length", shieldText]],
      "icon-rotation-alignment": "viewport",
      "text-rotation-alignment": "viewport",
      "text-field": shieldText,
      "text-font": MEDIUM,
      "text-size": 9,
      "text-letter-spacing": 0.02,
    },
    paint: { "text-color": color },
  });
  // Shields of the US differ by road network; elsewhere by road class.
  const network: Json = ["coalesce", ["get", "network"], ""];
  const american: Json = ["==", ["slice", network, 0, 3], "US:"];
  const european: Json = ["==", network, "e-road"];
  const interstate: Json = ["==", network, "US:I"];
  const federal: Json = ["==", network, "US:US"];
  const place = (id: string, filter: Json, layout: Record<string, Json>, more: Partial<StyleLayer>): StyleLayer => ({
    id: `place-${id}`,
    type: "symbol",
    "source-layer": "places",
    filter: ["all", point, ["has", "name"], filter],
    layout: { "text-field": placeName, "text-font": REGULAR, "text-max-width": 8, ...layout },
    paint: { "text-color": palette.quarter, ...halo },
    ...more,
  });
  const rank: Json = ["-", 0, RANK];
  const cities = localities(palette, place, rank);
  return [
    {
      id: "housenumber",
      type: "symbol",
      "source-layer": "buildings",
      minzoom: 17,
      filter: ["all", point, ["has", "addr_housenumber"]],
      layout: {
        "text-field": ["get", "addr_housenumber"],
        "text-font": REGULAR,
        "text-size": byZoom(17, 9.5, 20, 12),
        "text-padding": 4,
      },
      paint: { "text-color": palette.quarter, "text-halo-color": palette.halo, "text-halo-width": 1 },
    },
    {
      id: "oneway",
      type: "symbol",
      "source-layer": "roads",
      minzoom: 18,
      filter: [
        "all",
        line,
        kind("minor_road", "major_road", "highway"),
        notTunnel,
        [
          "match",
          ["to-string", ["coalesce", ["get", "oneway"], ""]],
          ["yes", "true", "1", "-1", "reverse"],
          true,
          false,
        ],
      ],
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 160,
        "icon-image": "arrow",
        "icon-rotate": ["match", ["to-string", ["coalesce", ["get", "oneway"], ""]], ["-1", "reverse"], 180, 0],
        "icon-rotation-alignment": "map",
        "icon-keep-upright": false,
      },
    },
    poiLayer(palette, name, halo),
    {
      ...roadName("ferry", kind("ferry"), byZoom(11, 9.5, 16, 11.5), 11, palette.waterText),
      paint: { "text-color": palette.waterText, "text-halo-color": palette.water, "text-halo-width": 1 },
    },
    roadName("path", ["all", kind("path"), ["!", isStreetOnFoot]], byZoom(15, 9.5, 18, 11.5), 15.5, palette.quarter),
    roadName("pedestrian", isStreetOnFoot, byZoom(15, 9.5, 16, 11, 18, 12.5), 15),
    roadName("minor", ["all", kind("minor_road"), notTunnel], byZoom(14, 9.5, 16, 11.5, 18, 13), 14),
    {
      id: "square-name",
      type: "symbol",
      "source-layer": "pois",
      minzoom: 14,
      filter: ["all", ["has", "name"], kind("square"), ["<=", ["coalesce", ["get", "min_zoom"], 17], ["zoom"]]],
      layout: {
        "text-field": name,
        "text-font": REGULAR,
        "text-size": byZoom(15, 10, 18, 13),
        "text-max-width": 7,
      },
      paint: { "text-color": palette.road, ...halo },
    },
    {
      id: "water-line-label",
      type: "symbol",
      "source-layer": "water",
      minzoom: 11,
      filter: ["all", line, ["has", "name"], kind("river", "canal", "stream")],
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 420,
        "text-field": name,
        "text-font": ITALIC,
        "text-size": byZoom(11, 10.5, 16, 13),
        "text-letter-spacing": 0.06,
      },
      paint: { "text-color": palette.waterText, "text-halo-color": palette.water, "text-halo-width": 1 },
    },
    roadName("major", ["all", kind("major_road"), notTunnel], byZoom(12, 9.5, 15, 11.5, 18, 14), 12),
    roadName("highway", ["all", kind("highway"), notTunnel], byZoom(11, 9.5, 15, 11.5, 18, 14), 11.5),
    shield("major", "shield-", ["all", kind("major_road"), ["!", american], ["!", european]], palette.shieldText, 9),
    shield(
      "highway",
      "motorway-",
      ["all", kind("highway"), ["!", american], ["!", european]],
      palette.motorwayShieldText,
      7.5,
    ),
    shield("european", "e-road-", european, palette.motorwayShieldText, 8),
    shield("us-state", "us-state-", ["all", american, ["!", interstate], ["!", federal]], palette.shieldText, 9),
    shield("us-highway", "us-highway-", federal, palette.shieldText, 8),
    shield("us-interstate", "us-interstate-", interstate, palette.motorwayShieldText, 7.5),
    {
      // Long rivers, as coarse maps have them.
      id: "river-label",
      type: "symbol",
      "source-layer": "water",
      minzoom: 3,
      maxzoom: 11,
      filter: ["all", line, ["has", "name"], ["has", "min_zoom"], isShown(11)],
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 420,
        "text-field": name,
        "text-font": ITALIC,
        "text-size": linear(3, 9.5, 7, 11),
        "text-letter-spacing": 0.08,
      },
      paint: { "text-color": palette.waterText, "text-halo-color": palette.halo, "text-halo-width": 1 },
    },
    {
      id: "water-label",
      type: "symbol",
      "source-layer": "water",
      filter: [
        "all",
        point,
        ["has", "name"],
        ["!", kind("ocean", "sea", ...NOT_WATERS)],
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
    },
    {
      id: "ocean-label",
      type: "symbol",
      "source-layer": "water",
      filter: ["all", point, ["has", "name"], kind("ocean", "sea")],
      layout: {
        "text-field": placeName,
        "text-font": ITALIC,
        "text-size": linear(1, 11, 5, 15),
        "text-max-width": 7,
        "text-letter-spacing": 0.12,
      },
      paint: { "text-color": palette.waterText, "text-halo-color": palette.water, "text-halo-width": 1 },
    },
    {
      ...place(
        "island",
        ["all", kind("island", "islet"), isShown(6)],
        {
          "text-font": ITALIC,
          "text-size": linear(4, 9.5, 6, 10, 12, 13),
          "symbol-sort-key": ["coalesce", ["get", "min_zoom"], 15],
        },
        { minzoom: 4, maxzoom: 17 },
      ),
      "source-layer": "earth",
    },
    place(
      "neighbourhood",
      kind("neighbourhood"),
      {
        "text-size": byZoom(12, 10, 16, 12.5),
        "text-transform": "uppercase",
        "text-letter-spacing": 0.09,
        "symbol-sort-key": rank,
      },
      { minzoom: 12.5, maxzoom: 17 },
    ),
    place(
      "macrohood",
      kind("macrohood", "borough"),
      {
        "text-size": byZoom(11, 10.5, 15, 13),
        "text-transform": "uppercase",
        "text-letter-spacing": 0.09,
        "symbol-sort-key": rank,
      },
      { minzoom: 10.5, maxzoom: 16 },
    ),
    place(
      "region",
      kind("region"),
      {
        "text-size": linear(3, 9.5, 7, 13),
        "text-transform": "uppercase",
        "text-letter-spacing": 0.12,
        "symbol-sort-key": rank,
      },
      { minzoom: 3.5, maxzoom: 8, paint: { "text-color": palette.state, ...halo } },
    ),
    ...cities.others,
    ...cities.major,
    place(
      "country",
      kind("country"),
      {
        "text-font": MEDIUM,
        "text-size": linear(1, 9.5, 3, 12, 6, 17),
        "text-max-width": 6,
        "text-letter-spacing": 0.03,
        "text-variable-anchor": ["center", "top", "bottom"],
        "text-radial-offset": 1.4,
        "symbol-sort-key": rank,
      },
      { maxzoom: 8, paint: { "text-color": palette.place, ...halo, "text-halo-width": 1.6 } },
    ),
  ];
}

/**
 * Towns and cities: larger with their rank; with a dot as long as the town itself is not visible. A metropolis is
 * placed before all others, and after the names of countries, which are next to their capitals.
 */
function localities(
  palette: Palette,
  place: (id: string, filter: Json, layout: Record<string, Json>, more: Partial<StyleLayer>) => StyleLayer,
  rank: Json,
): { major: StyleLayer[]; others: StyleLayer[] } {
  const size = (small: number, large: number): Json => ["interpolate", ["linear"], PROMINENCE, 4, small, 13, large];
  const layout = {
    "text-font": ["case", [">=", PROMINENCE, 6], MEDIUM, REGULAR],
    "text-size": [
      "interpolate",
      ["linear"],
      ["zoom"],
      3,
      size(9.5, 12),
      6,
      size(10, 14),
      10,
      size(10.5, 18),
      13,
      size(12, 22),
      16,
      size(15, 22),
    ],
    "symbol-sort-key": rank,
  } as Record<string, Json>;
  const shown: Json = ["<=", ["coalesce", ["get", "min_zoom"], 0], ["+", ["zoom"], 0.6]];
  const locality: Json = ["all", ["==", ["get", "kind"], "locality"], shown];
  const paint = { "text-color": palette.place, "text-halo-color": palette.halo, "text-halo-width": 1.6 };
  const isMajor: Json = [">=", PROMINENCE, 15];
  const dot = (id: string, which: Json) =>
    place(
      id,
      ["all", locality, which],
      {
        ...layout,
        "icon-image": [
          "match",
          ["to-string", ["coalesce", ["get", "capital"], ""]],
          ["yes", "2", "true"],
          "capital",
          "town",
        ],
        "text-variable-anchor": ["left", "right", "top", "bottom"],
        "text-radial-offset": 0.45,
      },
      { minzoom: 2, maxzoom: 8, paint },
    );
  return {
    others: [place("locality", locality, layout, { minzoom: 8, maxzoom: 16, paint }), dot("city-dot", ["!", isMajor])],
    major: [dot("metropolis-dot", isMajor)],
  };
}
