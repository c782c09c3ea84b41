import { byZoom, isKind, kindIn, LINE } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import type { Palette } from "./palettes.ts";
import {
  crossingLayer,
  isBelowGround,
  isStreetOnFoot,
  stepLayers,
  streetsOnFoot,
  trailLayer,
} from "./pedestrian-layers.ts";
import { cased, fading, roadClasses } from "./road-classes.ts";
import type { StyleLayer } from "./style.ts";

const isTransit: Json = [
  "any",
  ["has", "colour"],
  ["match", ["get", "kind_detail"], ["subway", "tram", "light_rail", "monorail"], true, false],
];

/** Zooms at which lines of transit and railways begin: below, roads that they cross would be as thin. `transit` shows them earlier. */
const TRANSIT_FROM = 12;
const REQUESTED_FROM = 9;
/** [zoom, width] pairs: at every zoom thinner than the streets that they cross. */
const RAIL_WIDTH = [9, 0.35, 11, 0.5, 12, 0.55, 13, 0.8, 15, 1.2, 18, 2];
const TRANSIT_WIDTH = [9, 0.4, 11, 0.5, 12, 0.55, 13, 1.1, 14, 1.5, 18, 2.6];

const road = (id: string, filter: Json, paint: StyleLayer["paint"], more: Partial<StyleLayer> = {}): StyleLayer => ({
  id: `road-${id}`,
  type: "line",
  "source-layer": "roads",
  filter: ["all", LINE, ...(filter as Json[])],
  layout: { "line-cap": "round", "line-join": "round" },
  paint,
  ...more,
});
/** A line that ends where it ends: dashes and bridges. */
const flat = { layout: { "line-cap": "butt", "line-join": "round" } };

const TUNNEL: Json = ["==", ["get", "is_tunnel"], true];

/** Tunnels with dashed edges, below the buildings that are above them. */
export function tunnelLayers(palette: Palette): StyleLayer[] {
  const classes = [...streetsOnFoot(palette), ...roadClasses(palette)];
  return [
    ...classes.map((one) =>
      road(
        `${one.id}-tunnel-casing`,
        [one.filter, isBelowGround],
        {
          "line-color": palette.tunnelCase,
          "line-width": cased(one),
          "line-dasharray": [0.9, 0.5],
          "line-opacity": 0.6,
        },
        { minzoom: Math.max(12, one.casedFrom), ...flat },
      ),
    ),
    ...classes.map((one) =>
      road(
        `${one.id}-tunnel`,
        [one.filter, isBelowGround],
        { "line-color": palette.tunnel, "line-width": byZoom(...one.width) },
        { minzoom: Math.max(one.minzoom, 10), ...flat },
      ),
    ),
  ];
}

/** Passages through buildings and arcades, above the buildings; as wide as streets are, whatever their class. */
function passages(palette: Palette): StyleLayer[] {
  const filter: Json = [
    ["==", ["get", "is_covered"], true],
    ["any", kindIn("minor_road", "major_road"), isStreetOnFoot],
  ];
  const width = (edge: number): Json =>
    byZoom(...[14, 2, 15, 3.2, 16, 5.4, 18, 15, 20, 48].map((value, i) => (i % 2 === 0 ? value : value + edge)));
  const more = { minzoom: 14, ...flat };
  return [
    road(
      "passage-casing",
      filter,
      { "line-color": palette.tunnelCase, "line-width": width(1.6), "line-dasharray": [0.5, 0.3] },
      more,
    ),
    road("passage", filter, { "line-color": palette.passage, "line-width": width(0) }, more),
  ];
}

/**
 * Roads in two levels, the ground and bridges. Within a level all
 * casings come before all fills, so that crossings of one level are open, and higher classes are above lower ones.
 */
export function roadLayers(palette: Palette, withTransit = false): StyleLayer[] {
  const transitFrom = withTransit ? REQUESTED_FROM : TRANSIT_FROM;
  const bridge: Json = ["==", ["get", "is_bridge"], true];
  const ground: Json = ["all", ["!", TUNNEL], ["!", bridge]];
  const classes = roadClasses(palette);
  // Streets on foot on the ground are below the buildings.
  const all = [...streetsOnFoot(palette), ...classes];
  const casings = (storey: string, where: Json): StyleLayer[] =>
    (storey === "ground" ? classes : all).map((one) =>
      road(
        `${one.id}-${storey}-casing`,
        [one.filter, where],
        { "line-color": one.casing, "line-width": cased(one), ...fading(one) },
        { minzoom: one.casedFrom, ...(storey === "bridge" ? flat : {}) },
      ),
    );
  const fills = (storey: string, where: Json): StyleLayer[] =>
    (storey === "ground" ? classes : all).map((one) =>
      road(
        `${one.id}-${storey}`,
        [one.filter, where],
        // Before the casing appears its color is used for the fill, otherwise white roads would be invisible on light
        // land.
        {
          "line-color":
            palette.dark || one.casedFrom <= one.minzoom
              ? one.color
              : ["step", ["zoom"], one.casing, one.casedFrom, one.color],
          "line-width": byZoom(...one.width),
          ...fading(one),
        },
        { minzoom: one.minzoom },
      ),
    );
  const rail = (storey: string, where: Json) => railLayers(palette, storey, where, transitFrom);
  const transit = transitOf(palette, transitFrom);
  const path = (storey: string, where: Json) => trailLayer(palette, storey, where);
  return [
    ...passages(palette),
    ...paved(palette),
    path("passage", ["==", ["get", "is_covered"], true]),
    ...stepLayers(palette),
    ...casings("ground", ground),
    ...fills("ground", ground),
    ...rail("ground", ground),
    // Pale and without dashes: ferries are dashed.
    transit("tunnel", TUNNEL, { "line-opacity": 0.4 }),
    transit("ground", ground),
    ...casings("bridge", bridge),
    path("bridge", bridge),
    ...fills("bridge", bridge),
    ...rail("bridge", bridge),
    transit("bridge", bridge),
    crossingLayer(palette),
    ...overhead(palette),
  ];
}

/** Tracks of one level from a zoom on. */
function railLayers(palette: Palette, storey: string, where: Json, minzoom: number): StyleLayer[] {
  const track: Json = [isKind("rail"), ["!", isTransit], where];
  const isYard: Json = ["has", "service"];
  const filter: Json = [...(track as Json[]), ["!", isYard]];
  return [
    road(
      `rail-yard-${storey}`,
      [...(track as Json[]), isYard],
      { "line-color": palette.rail, "line-width": byZoom(14, 0.5, 16, 0.9, 18, 1.5) },
      { minzoom: 14, ...flat },
    ),
    road(
      `rail-${storey}`,
      filter,
      { "line-color": palette.rail, "line-width": byZoom(...RAIL_WIDTH) },
      { minzoom, ...flat },
    ),
    road(
      `rail-${storey}-sleepers`,
      filter,
      {
        "line-color": palette.rail,
        "line-width": byZoom(14.5, 2, 16, 3.4, 18, 5.5),
        "line-dasharray": [0.2, 2.2],
      },
      { minzoom: 14.5, ...flat },
    ),
  ];
}

/** Lines of transit by level. Undergrounds are seen through the ground, as it is their lines that people look for. */
function transitOf(palette: Palette, minzoom: number) {
  const transitColor: Json = palette.lineColours
    ? ["case", ["has", "colour"], ["to-color", ["get", "colour"]], palette.transitLine]
    : palette.transitLine;
  return (storey: string, where: Json, more: Record<string, Json> = {}): StyleLayer =>
    road(
      `transit-${storey}`,
      [isKind("rail"), isTransit, where],
      { "line-color": transitColor, "line-width": byZoom(...TRANSIT_WIDTH), "line-opacity": 0.75, ...more },
      { minzoom, ...flat },
    );
}

/** Piers and runways. */
const paved = (palette: Palette): StyleLayer[] => [
  {
    ...road("pier", [isKind("pier")], {
      "line-color": palette.pedestrian,
      "line-width": byZoom(13, 1, 16, 3, 18, 7),
    }),
    minzoom: 13,
  },
  road(
    "aeroway",
    [isKind("aeroway")],
    {
      "line-color": palette.runway,
      "line-width": [
        "interpolate",
        ["exponential", 1.6],
        ["zoom"],
        10,
        ["match", ["get", "kind_detail"], "runway", 1, 0.4],
        15,
        ["match", ["get", "kind_detail"], "runway", 14, 5],
        18,
        ["match", ["get", "kind_detail"], "runway", 60, 20],
      ],
    },
    { minzoom: 10, ...flat },
  ),
];

/** Cable cars and ferries, above all roads. */
const overhead = (palette: Palette): StyleLayer[] => [
  road("aerialway", [isKind("aerialway")], { "line-color": palette.rail, "line-width": 1 }, { minzoom: 12, ...flat }),
  road(
    "ferry",
    [isKind("ferry")],
    { "line-color": palette.ferry, "line-width": byZoom(8, 0.6, 11, 1, 14, 1.5), "line-dasharray": [4, 3] },
    { minzoom: 8, ...flat },
  ),
];
