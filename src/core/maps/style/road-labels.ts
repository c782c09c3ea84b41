import { byZoom, kindIn, LINE } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import { MAX_SHIELD_TEXT } from "./icons.ts";
import { haloOf, MEDIUM, REGULAR } from "./label-parts.ts";
import type { Palette } from "./palettes.ts";
import { isBelowGround, isStreetOnFoot } from "./pedestrian-layers.ts";
import type { StyleLayer } from "./style.ts";

const NOT_TUNNEL: Json = ["!", isBelowGround];
const ONEWAY: Json = ["to-string", ["coalesce", ["get", "oneway"], ""]];

/** Arrows along one-way streets. */
export function onewayLayer(): StyleLayer {
  return {
    id: "oneway",
    type: "symbol",
    "source-layer": "roads",
    minzoom: 18,
    filter: [
      "all",
      LINE,
      kindIn("minor_road", "major_road", "highway"),
      NOT_TUNNEL,
      ["match", ONEWAY, ["yes", "true", "1", "-1", "reverse"], true, false],
    ],
    layout: {
      "symbol-placement": "line",
      "symbol-spacing": 160,
      "icon-image": "arrow",
      "icon-rotate": ["match", ONEWAY, ["-1", "reverse"], 180, 0],
      "icon-rotation-alignment": "map",
      "icon-keep-upright": false,
    },
  };
}

/** Names of ferries, paths and minor roads. */
export function minorRoadNames(palette: Palette, name: Json): StyleLayer[] {
  const roadName = roadNameOf(palette, name);
  return [
    {
      ...roadName("ferry", kindIn("ferry"), byZoom(11, 9.5, 16, 11.5), 11, palette.waterText),
      paint: { "text-color": palette.waterText, "text-halo-color": palette.water, "text-halo-width": 1 },
    },
    roadName("path", ["all", kindIn("path"), ["!", isStreetOnFoot]], byZoom(15, 9.5, 18, 11.5), 15.5, palette.quarter),
    roadName("pedestrian", isStreetOnFoot, byZoom(15, 9.5, 16, 11, 18, 12.5), 15),
    roadName("minor", ["all", kindIn("minor_road"), NOT_TUNNEL], byZoom(14, 9.5, 16, 11.5, 18, 13), 14),
  ];
}

/** Names of major roads and highways. */
export function majorRoadNames(palette: Palette, name: Json): StyleLayer[] {
  const roadName = roadNameOf(palette, name);
  return [
    roadName("major", ["all", kindIn("major_road"), NOT_TUNNEL], byZoom(12, 9.5, 15, 11.5, 18, 14), 12),
    roadName("highway", ["all", kindIn("highway"), NOT_TUNNEL], byZoom(11, 9.5, 15, 11.5, 18, 14), 11.5),
  ];
}

/** Shields of the US differ by road network; elsewhere by road class. */
export function shieldLayers(palette: Palette): StyleLayer[] {
  const network: Json = ["coalesce", ["get", "network"], ""];
  const american: Json = ["==", ["slice", network, 0, 3], "US:"];
  const european: Json = ["==", network, "e-road"];
  const interstate: Json = ["==", network, "US:I"];
  const federal: Json = ["==", network, "US:US"];
  return [
    shield("major", "shield-", ["all", kindIn("major_road"), ["!", american], ["!", european]], palette.shieldText, 9),
    shield(
      "highway",
      "motorway-",
      ["all", kindIn("highway"), ["!", american], ["!", european]],
      palette.motorwayShieldText,
      7.5,
    ),
    shield("european", "e-road-", european, palette.motorwayShieldText, 8),
    shield("us-state", "us-state-", ["all", american, ["!", interstate], ["!", federal]], palette.shieldText, 9),
    shield("us-highway", "us-highway-", federal, palette.shieldText, 8),
    shield("us-interstate", "us-interstate-", interstate, palette.motorwayShieldText, 7.5),
  ];
}

const roadNameOf =
  (palette: Palette, name: Json) =>
  (id: string, filter: Json, size: Json, minzoom: number, color = palette.road): StyleLayer => ({
    id: `label-${id}`,
    type: "symbol",
    "source-layer": "roads",
    minzoom,
    filter: ["all", LINE, ["has", "name"], filter],
    layout: {
      "symbol-placement": "line",
      "symbol-spacing": 320,
      "text-field": name,
      "text-font": REGULAR,
      "text-size": size,
    },
    paint: { "text-color": color, ...haloOf(palette) },
  });

const SHIELD_TEXT: Json = ["get", "shield_text"];
const shield = (id: string, icon: string, filter: Json, color: string, minzoom: number): StyleLayer => ({
  id: `shield-${id}`,
  type: "symbol",
  "source-layer": "roads",
  minzoom,
  filter: ["all", LINE, ["has", "shield_text"], ["<=", ["length", SHIELD_TEXT], MAX_SHIELD_TEXT], filter],
  layout: {
    "symbol-placement": "line",
    "symbol-spacing": 380,
    "icon-image": ["concat", icon, ["length", SHIELD_TEXT]],
    "icon-rotation-alignment": "viewport",
    "text-rotation-alignment": "viewport",
    "text-field": SHIELD_TEXT,
    "text-font": MEDIUM,
    "text-size": 9,
    "text-letter-spacing": 0.02,
  },
  paint: { "text-color": color },
});
