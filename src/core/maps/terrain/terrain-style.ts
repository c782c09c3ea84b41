import { byZoom, kindIn, linear } from "../style/common-expressions.ts";
import type { Json } from "../style/expression.ts";
import type { StyleLayer } from "../style/style.ts";
import { HIGHLIGHTS, MIN_TERRAIN_ZOOM, SHADOWS } from "./terrain-tile.ts";

/** Layers of the ground are below this one: water has no slopes. */
const ABOVE = "water";

/** Colors of hills. */
interface TerrainColors {
  shadow: string;
  shadowOpacity: number;
  highlight: string;
  highlightOpacity: number;
  contour: string;
  contourOpacity: number;
  text: string;
  halo: string;
}

const LIGHT: TerrainColors = {
  shadow: "#2d3142",
  shadowOpacity: 0.075,
  highlight: "#fffef8",
  highlightOpacity: 0.26,
  contour: "#a87d4c",
  contourOpacity: 0.42,
  text: "#8a6237",
  halo: "rgba(255, 253, 247, 0.85)",
};
const DARK: TerrainColors = {
  shadow: "#000000",
  shadowOpacity: 0.13,
  highlight: "#dfe6f2",
  highlightOpacity: 0.045,
  contour: "#c9a878",
  contourOpacity: 0.26,
  text: "#c9b08a",
  halo: "rgba(20, 22, 26, 0.85)",
};

/** A built-in style with hills: shading and contours below water, roads and buildings, elevations below all other labels. */
export function withTerrain(layers: readonly StyleLayer[], dark: boolean): StyleLayer[] {
  const colors = dark ? DARK : LIGHT;
  const ground = [...shading(colors), ...contourLines(colors)];
  const above = layers.findIndex(({ id }) => id === ABOVE);
  const at = above < 0 ? layers.length : above;
  const labels = layers.findIndex(({ type }) => type === "symbol");
  const end = labels < 0 ? layers.length : Math.max(at, labels);
  return [...layers.slice(0, at), ...ground, ...layers.slice(at, end), contourLabels(colors), ...layers.slice(end)];
}

function shading({ shadow, shadowOpacity, highlight, highlightOpacity }: TerrainColors): StyleLayer[] {
  const level = (kind: string, number: number, color: string, opacity: number): StyleLayer => ({
    id: `hillshade-${kind}-${number}`,
    type: "fill",
    "source-layer": "hillshade",
    minzoom: MIN_TERRAIN_ZOOM,
    filter: ["all", kindIn(kind), ["==", ["get", "level"], number]],
    // Near by, buildings and streets matter more than slopes.
    paint: { "fill-color": color, "fill-opacity": linear(13, opacity, 17, opacity * 0.45), "fill-antialias": false },
  });
  return [
    ...HIGHLIGHTS.map((_, i) => level("highlight", i + 1, highlight, highlightOpacity)),
    ...SHADOWS.map((_, i) => level("shadow", i + 1, shadow, shadowOpacity)),
  ];
}

function contourLines({ contour, contourOpacity }: TerrainColors): StyleLayer[] {
  const line = (id: string, kinds: string[], minzoom: number, opacity: number, width: Json): StyleLayer => ({
    id,
    type: "line",
    "source-layer": "contour",
    minzoom,
    filter: kindIn(...kinds),
    layout: { "line-join": "round" },
    paint: { "line-color": contour, "line-opacity": opacity, "line-width": width },
  });
  return [
    line("contour", ["normal"], 9, contourOpacity, byZoom(9, 0.4, 13, 0.6, 18, 0.9)),
    line("contour-index", ["index"], 9, Math.min(1, contourOpacity * 1.35), byZoom(9, 0.6, 13, 1, 18, 1.5)),
  ];
}

function contourLabels({ text, halo }: TerrainColors): StyleLayer {
  return {
    id: "contour-label",
    type: "symbol",
    "source-layer": "contour",
    minzoom: 11,
    filter: kindIn("index"),
    layout: {
      "symbol-placement": "line",
      "symbol-spacing": 320,
      "text-field": ["to-string", ["get", "ele"]],
      "text-font": ["Noto Sans Regular"],
      "text-size": byZoom(11, 8.5, 16, 10.5),
      "text-padding": 6,
    },
    paint: { "text-color": text, "text-halo-color": halo, "text-halo-width": 1.2 },
  };
}
