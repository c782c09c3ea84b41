import type { Json } from "./expression.ts";
import { labelLayers } from "./label-layers.ts";
import type { Palette } from "./palettes.ts";
import type { StyleLayer } from "./style.ts";

/** The layers of a built-in style over tiles in the Protomaps basemap schema v4, from the ground up. */
export function styleLayers(palette: Palette, language: string | undefined): StyleLayer[] {
  return [
    ...groundLayers(palette),
    ...roadLayers(palette),
    ...borderLayers(palette),
    ...labelLayers(palette, language),
  ];
}

/** Values between zooms grow as areas on the screen do. */
export function byZoom(...stops: (number | string)[]): Json {
  return ["interpolate", ["exponential", 1.6], ["zoom"], ...stops];
}

export function linear(...stops: (number | string)[]): Json {
  return ["interpolate", ["linear"], ["zoom"], ...stops];
}

const kindIn = (...kinds: string[]): Json => ["match", ["get", "kind"], kinds, true, false];
const POLYGON: Json = ["==", ["geometry-type"], "Polygon"];
const LINE: Json = ["==", ["geometry-type"], "LineString"];

function groundLayers(palette: Palette): StyleLayer[] {
  const landuse = (id: string, color: string, kinds: string[], more: Partial<StyleLayer> = {}): StyleLayer => ({
    id: `landuse-${id}`,
    type: "fill",
    "source-layer": "landuse",
    filter: ["all", POLYGON, kindIn(...kinds)],
    paint: { "fill-color": color },
    ...more,
  });
  const fade = (color: string, from: number, to: number) => ({
    "fill-color": color,
    "fill-opacity": linear(from, 0, to, 1),
  });
  return [
    { id: "background", type: "background", paint: { "background-color": palette.water } },
    {
      id: "earth",
      type: "fill",
      "source-layer": "earth",
      filter: POLYGON,
      paint: { "fill-color": palette.land },
    },
    {
      id: "landcover",
      type: "fill",
      "source-layer": "landcover",
      maxzoom: 9,
      paint: {
        "fill-color": [
          "match",
          ["get", "kind"],
          "forest",
          palette.wood,
          ["grassland", "scrub"],
          palette.park,
          "farmland",
          palette.farmland,
          "glacier",
          palette.glacier,
          "barren",
          palette.sand,
          "urban_area",
          palette.urban,
          palette.land,
        ],
        "fill-opacity": linear(5, 0.7, 9, 0),
      },
    },
    landuse("urban", palette.urban, ["residential", "commercial", "retail", "neighbourhood"], {
      paint: fade(palette.urban, 7, 9),
    }),
    landuse("industrial", palette.industrial, ["industrial", "railway", "other", "quarry", "landfill", "brownfield"]),
    landuse("farmland", palette.farmland, ["farmland", "farm", "meadow", "orchard", "vineyard", "farmyard"], {
      paint: fade(palette.farmland, 8, 10),
    }),
    landuse("wood", palette.wood, ["forest", "wood", "scrub"], { paint: fade(palette.wood, 6, 9) }),
    landuse("park", palette.park, [
      "park",
      "national_park",
      "nature_reserve",
      "protected_area",
      "garden",
      "grass",
      "grassland",
      "cemetery",
      "golf_course",
      "village_green",
      "recreation_ground",
      "allotments",
      "dog_park",
      "zoo",
      "wetland",
    ]),
    landuse("sand", palette.sand, ["beach", "sand", "bare_rock"]),
    landuse("glacier", palette.glacier, ["glacier"]),
    landuse("military", palette.military, ["military", "naval_base", "airfield"]),
    landuse("airport", palette.airport, ["aerodrome"]),
    landuse("school", palette.school, ["school", "university", "college", "kindergarten", "library"]),
    landuse("hospital", palette.hospital, ["hospital", "clinic"]),
    landuse("pitch", palette.pitch, ["pitch", "playground", "stadium"], { minzoom: 13 }),
    {
      id: "water",
      type: "fill",
      "source-layer": "water",
      filter: POLYGON,
      paint: { "fill-color": palette.water },
    },
    {
      id: "river",
      type: "line",
      "source-layer": "water",
      minzoom: 8,
      filter: ["all", LINE, kindIn("river", "canal")],
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": palette.water, "line-width": byZoom(8, 0.6, 12, 1.6, 15, 3.5, 18, 10) },
    },
    {
      id: "stream",
      type: "line",
      "source-layer": "water",
      minzoom: 13,
      filter: ["all", LINE, ["!", kindIn("river", "canal")]],
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": palette.water, "line-width": byZoom(13, 0.5, 15, 1.2, 18, 3.5) },
    },
    landuse("pedestrian", palette.pedestrian, ["pedestrian", "footway"], { minzoom: 12 }),
    landuse("pier", palette.pedestrian, ["pier"], { minzoom: 11 }),
    landuse("runway", palette.runway, ["runway", "taxiway", "apron"], { minzoom: 11 }),
    {
      id: "buildings",
      type: "fill",
      "source-layer": "buildings",
      minzoom: 13.7,
      filter: ["all", POLYGON, kindIn("building", "building_part")],
      paint: { "fill-color": palette.building, "fill-opacity": linear(13.7, 0.3, 14.5, 1) },
    },
    {
      id: "building-edges",
      type: "line",
      "source-layer": "buildings",
      minzoom: 14.5,
      filter: ["all", POLYGON, kindIn("building")],
      layout: { "line-join": "bevel" },
      paint: { "line-color": palette.buildingEdge, "line-width": byZoom(14.5, 0.3, 16, 0.6, 18, 1) },
    },
  ];
}

interface RoadClass {
  id: string;
  filter: Json;
  color: string;
  casing: string;
  minzoom: number;
  /** Zooms at which the casing begins: below it would be all one sees. */
  casedFrom: number;
  /** [zoom, width] pairs, and what the casing adds on each side. */
  width: number[];
  edge: number;
}

const isKind = (kind: string): Json => ["==", ["get", "kind"], kind];
const isLink: Json = ["==", ["get", "is_link"], true];
const isService: Json = ["match", ["get", "kind_detail"], ["service"], true, false];
const isTertiary: Json = ["match", ["get", "kind_detail"], ["tertiary", "tertiary_link", "unclassified"], true, false];

function roadClasses(palette: Palette): RoadClass[] {
  const minor = { color: palette.minor, casing: palette.minorCase };
  const major = { color: palette.major, casing: palette.majorCase };
  const highway = { color: palette.highway, casing: palette.highwayCase };
  return [
    {
      id: "service",
      filter: ["all", isKind("minor_road"), isService],
      ...minor,
      ...{ minzoom: 13.5, casedFrom: 14.5, width: [13.5, 0.4, 15, 1.6, 16, 3, 18, 8], edge: 0.7 },
    },
    {
      id: "minor",
      filter: ["all", isKind("minor_road"), ["!", isService]],
      ...minor,
      ...{
        minzoom: 11,
        casedFrom: 12.5,
        width: [11, 0.35, 12, 0.6, 13, 1.5, 14, 2.8, 15, 4.6, 16, 8, 18, 18],
        edge: 0.8,
      },
    },
    {
      id: "link",
      filter: ["all", ["any", isKind("major_road"), isKind("highway")], isLink],
      ...major,
      ...{ minzoom: 10, casedFrom: 11.5, width: [10, 0.5, 12, 1, 14, 2.8, 15, 4.2, 16, 6.5, 18, 14], edge: 0.9 },
    },
    {
      id: "tertiary",
      filter: ["all", isKind("major_road"), ["!", isLink], isTertiary],
      ...{
        color: palette.dark ? palette.major : palette.minor,
        casing: palette.dark ? palette.majorCase : palette.minorCase,
      },
      ...{
        minzoom: 9,
        casedFrom: 11,
        width: [9, 0.4, 11, 1, 12, 1.6, 13, 2.6, 14, 4, 15, 6, 16, 10, 18, 22],
        edge: 0.9,
      },
    },
    {
      id: "major",
      filter: ["all", isKind("major_road"), ["!", isLink], ["!", isTertiary]],
      ...major,
      ...{
        minzoom: 6,
        casedFrom: 9,
        width: [6, 0.5, 8, 0.9, 10, 1.6, 12, 2.6, 13, 3.6, 14, 5, 15, 7.5, 16, 12, 18, 25],
        edge: 1,
      },
    },
    {
      id: "highway",
      filter: ["all", isKind("highway"), ["!", isLink]],
      ...highway,
      ...{
        minzoom: 3,
        casedFrom: 5.5,
        width: [3, 0.4, 5, 0.8, 7, 1.3, 9, 2, 11, 3, 13, 4.6, 14, 6, 15, 8.5, 16, 13, 18, 27],
        edge: 1,
      },
    },
  ];
}

/** Widths with the casing on both sides, which grows a little with the road. */
function cased({ width, edge }: RoadClass): Json {
  return byZoom(...width.map((value, i) => (i % 2 === 0 ? value : value + 2 * edge * Math.min(1.5, 0.6 + value / 10))));
}

/**
 * Roads in three storeys: tunnels below the buildings' shade with dashed edges, the ground, bridges. Within a storey all casings
 * come before all fills, so that crossings of one storey are open, and higher classes lie above lower ones.
 */
function roadLayers(palette: Palette): StyleLayer[] {
  const tunnel: Json = ["==", ["get", "is_tunnel"], true];
  const bridge: Json = ["==", ["get", "is_bridge"], true];
  const ground: Json = ["all", ["!", tunnel], ["!", bridge]];
  const classes = roadClasses(palette);
  const road = (id: string, filter: Json, paint: StyleLayer["paint"], more: Partial<StyleLayer> = {}): StyleLayer => ({
    id: `road-${id}`,
    type: "line",
    "source-layer": "roads",
    filter: ["all", LINE, ...(filter as Json[])],
    layout: { "line-cap": "round", "line-join": "round" },
    paint,
    ...more,
  });
  const flat = { layout: { "line-cap": "butt", "line-join": "round" } };
  const casings = (storey: string, where: Json): StyleLayer[] =>
    classes.map((one) =>
      road(
        `${one.id}-${storey}-casing`,
        [one.filter, where],
        { "line-color": one.casing, "line-width": cased(one) },
        { minzoom: one.casedFrom, ...(storey === "bridge" ? flat : {}) },
      ),
    );
  const fills = (storey: string, where: Json): StyleLayer[] =>
    classes.map((one) =>
      road(
        `${one.id}-${storey}`,
        [one.filter, where],
        // Where there is no casing yet its colour is what is seen, or white roads would be lost on light land.
        {
          "line-color":
            palette.dark || one.casedFrom <= one.minzoom
              ? one.color
              : ["step", ["zoom"], one.casing, one.casedFrom, one.color],
          "line-width": byZoom(...one.width),
        },
        { minzoom: one.minzoom },
      ),
    );
  const path = (storey: string, where: Json): StyleLayer =>
    road(
      `path-${storey}`,
      [isKind("path"), where],
      {
        "line-color": palette.path,
        "line-width": byZoom(13.5, 0.5, 15, 0.9, 17, 1.6, 20, 4),
        "line-dasharray": [3, 1.8],
      },
      { minzoom: 14, ...flat },
    );
  const rail = (storey: string, where: Json): StyleLayer[] => {
    const filter: Json = [isKind("rail"), ["!=", ["get", "kind_detail"], "subway"], where];
    return [
      road(
        `rail-${storey}`,
        filter,
        { "line-color": palette.rail, "line-width": byZoom(9, 0.5, 12, 0.8, 15, 1.3, 18, 2.2) },
        { minzoom: 9, ...flat },
      ),
      road(
        `rail-${storey}-sleepers`,
        filter,
        {
          "line-color": palette.rail,
          "line-width": byZoom(14.5, 2.2, 16, 4, 18, 7),
          "line-dasharray": [0.18, 2],
        },
        { minzoom: 14.5, ...flat },
      ),
    ];
  };
  return [
    ...classes.map((one) =>
      road(
        `${one.id}-tunnel-casing`,
        [one.filter, tunnel],
        { "line-color": palette.tunnelCase, "line-width": cased(one), "line-dasharray": [0.9, 0.5] },
        { minzoom: Math.max(12, one.casedFrom), ...flat },
      ),
    ),
    ...classes.map((one) =>
      road(
        `${one.id}-tunnel`,
        [one.filter, tunnel],
        { "line-color": palette.tunnel, "line-width": byZoom(...one.width) },
        { minzoom: Math.max(one.minzoom, 10), ...flat },
      ),
    ),
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
    path("ground", ground),
    ...casings("ground", ground),
    ...fills("ground", ground),
    ...rail("ground", ground),
    ...casings("bridge", bridge),
    path("bridge", bridge),
    ...fills("bridge", bridge),
    ...rail("bridge", bridge),
    road("aerialway", [isKind("aerialway")], { "line-color": palette.rail, "line-width": 1 }, { minzoom: 12, ...flat }),
    road(
      "ferry",
      [isKind("ferry")],
      { "line-color": palette.ferry, "line-width": byZoom(9, 0.6, 14, 1.1), "line-dasharray": [5, 3] },
      { minzoom: 9, ...flat },
    ),
  ];
}

function borderLayers(palette: Palette): StyleLayer[] {
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
