import { byZoom, isKind, kindIn, LINE, POLYGON } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import type { Palette } from "./palettes.ts";
import { cased, type RoadClass } from "./road-classes.ts";
import type { StyleLayer } from "./style.ts";

/** Ways of the kind `path`, by their detail. */
const isDetail = (...details: string[]): Json => ["match", ["get", "kind_detail"], details, true, false];
const isCovered: Json = ["==", ["get", "is_covered"], true];

/** Arcades and passages have `is_covered`; anything else in a tunnel is below the ground. */
export const isBelowGround: Json = ["all", ["==", ["get", "is_tunnel"], true], ["!", isCovered]];
const isBridge: Json = ["==", ["get", "is_bridge"], true];
const isTunnel: Json = ["==", ["get", "is_tunnel"], true];

/** Named footways with a paved surface: alleys of an old town. */
const isAlley: Json = ["all", ["==", ["get", "is_paved"], true], isDetail("footway", "path")];

/** Streets on foot that are surfaces with an edge, with names as other streets. */
export const isStreetOnFoot: Json = ["all", isKind("path"), ["any", isDetail("pedestrian"), isAlley]];

/** Lines with dashes: trails, cycle paths, footways without a name. */
const isTrail: Json = [
  "all",
  isKind("path"),
  ["!", isDetail("pedestrian", "sidewalk", "crossing", "steps", "pier")],
  ["!", isAlley],
];

/** Streets on foot as classes of roads, for tunnels, bridges and the ground. About 5 m and 2.5 m wide. */
export function streetsOnFoot(palette: Palette): RoadClass[] {
  const look = { color: palette.pedestrian, casing: palette.pedestrianCase };
  return [
    {
      id: "alley",
      filter: ["all", isKind("path"), isAlley],
      ...look,
      minzoom: 14,
      casedFrom: 14.5,
      width: [14, 0.7, 15, 1.6, 16, 3.2, 18, 11, 20, 35],
      edge: 0.6,
    },
    {
      id: "pedestrian",
      filter: ["all", isKind("path"), isDetail("pedestrian")],
      ...look,
      minzoom: 13,
      casedFrom: 13.5,
      width: [13, 0.8, 14, 2, 15, 3.6, 16, 6.5, 18, 17, 20, 54],
      edge: 0.7,
    },
  ];
}

/** Dashes; on the ground they end at squares and buildings, which are drawn above them. */
export function trailLayer(palette: Palette, storey: string, where: Json): StyleLayer {
  return {
    id: `road-path-${storey}`,
    type: "line",
    "source-layer": "roads",
    minzoom: 14,
    filter: ["all", LINE, isTrail, where],
    layout: { "line-cap": "butt", "line-join": "round" },
    paint: {
      "line-color": palette.path,
      "line-width": byZoom(13.5, 0.5, 15, 0.9, 17, 1.6, 20, 4),
      "line-dasharray": [3, 1.8],
    },
  };
}

const SURFACES = ["pedestrian", "footway"];

/**
 * Squares and streets on foot, below the buildings: where these are closer than the street is drawn, their walls are its edge. All edges
 * come before all surfaces, so that streets open into squares.
 */
export function pedestrianLayers(palette: Palette): StyleLayer[] {
  const open: Json = ["all", ["!", isTunnel], ["!", isBridge]];
  const round = { "line-cap": "round", "line-join": "round" };
  const street = (id: string, filter: Json, paint: StyleLayer["paint"], minzoom: number): StyleLayer => ({
    id: `road-${id}`,
    type: "line",
    "source-layer": "roads",
    minzoom,
    filter: ["all", LINE, filter, open],
    layout: round,
    paint,
  });
  const square = { "source-layer": "landuse", filter: ["all", POLYGON, kindIn(...SURFACES)] as Json };
  const classes = streetsOnFoot(palette);
  return [
    trailLayer(palette, "ground", open),
    {
      id: "landuse-pedestrian-casing",
      type: "line",
      ...square,
      minzoom: 14,
      layout: { "line-join": "round" },
      paint: { "line-color": palette.pedestrianCase, "line-width": byZoom(14, 0.8, 16, 1.6, 18, 2.4) },
    },
    ...classes.map((one) =>
      street(
        `${one.id}-ground-casing`,
        one.filter,
        { "line-color": one.casing, "line-width": cased(one) },
        one.casedFrom,
      ),
    ),
    { id: "landuse-pedestrian", type: "fill", ...square, minzoom: 12, paint: { "fill-color": palette.pedestrian } },
    ...classes.map((one) =>
      street(
        `${one.id}-ground`,
        one.filter,
        { "line-color": one.color, "line-width": byZoom(...one.width) },
        one.minzoom,
      ),
    ),
    {
      ...street(
        "sidewalk",
        ["all", isKind("path"), isDetail("sidewalk")],
        { "line-color": palette.pedestrian, "line-width": byZoom(17, 1.2, 19, 5, 20, 9) },
        17,
      ),
    },
  ];
}

/** Steps: treads across the way. A ramp of two colors from a zoom on at which they are visible, a trail before. */
export function stepLayers(palette: Palette): StyleLayer[] {
  const steps = (id: string, minzoom: number, more: Record<string, Json>, maxzoom?: number): StyleLayer => ({
    id: `road-steps${id}`,
    type: "line",
    "source-layer": "roads",
    minzoom,
    ...(maxzoom !== undefined && { maxzoom }),
    filter: ["all", LINE, isKind("path"), isDetail("steps"), ["!", isBelowGround]],
    layout: { "line-cap": "butt", "line-join": "round" },
    paint: { "line-width": byZoom(16, 2.6, 18, 8, 20, 26), ...more },
  });
  return [
    steps(
      "-far",
      15,
      { "line-color": palette.path, "line-width": byZoom(15, 0.9, 17, 1.6), "line-dasharray": [1.2, 1] },
      16,
    ),
    steps("", 16, { "line-color": palette.pedestrian }),
    steps("-treads", 16, { "line-color": palette.path, "line-dasharray": [0.16, 0.22] }),
  ];
}

/** Stripes over the road at marked crossings. */
export function crossingLayer(palette: Palette): StyleLayer {
  return {
    id: "road-crossing",
    type: "line",
    "source-layer": "roads",
    minzoom: 18,
    filter: ["all", LINE, isKind("path"), isDetail("crossing"), ["!", isBelowGround]],
    layout: { "line-cap": "butt", "line-join": "round" },
    paint: { "line-color": palette.crossing, "line-width": byZoom(18, 10, 20, 32), "line-dasharray": [0.16, 0.16] },
  };
}
