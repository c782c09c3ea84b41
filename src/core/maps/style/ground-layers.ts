import { byZoom, kindIn, LINE, linear, POLYGON } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import { isShown } from "./label-parts.ts";
import type { Palette } from "./palettes.ts";
import { pedestrianLayers } from "./pedestrian-layers.ts";
import { tunnelLayers } from "./road-layers.ts";
import type { StyleLayer } from "./style.ts";

/** Land, water, buildings. */
export function groundLayers(palette: Palette): StyleLayer[] {
  return [
    ...landLayers(palette),
    ...landuseLayers(palette),
    ...waterLayers(palette),
    landuse("pier", palette.pedestrian, ["pier"], { minzoom: 11 }),
    landuse("runway", palette.runway, ["runway", "taxiway", "apron"], { minzoom: 11 }),
    ...pedestrianLayers(palette),
    ...tunnelLayers(palette),
    ...buildingLayers(palette),
  ];
}

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

const landLayers = (palette: Palette): StyleLayer[] => [
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
      // That of the world base data fades over six zooms, so that no zoom changes the color of the land, to a tint that does not
      // show its pixels.
      "fill-opacity": linear(3, 0.7, 6, 0.4, 9, 0.2),
      // Its edges would be drawn twice where it is cut around an import.
      "fill-antialias": false,
    },
  },
  landuse("urban-far", palette.urban, ["urban_area"], { minzoom: 5, paint: fade(palette.urban, 5, 6.5) }),
];

const landuseLayers = (palette: Palette): StyleLayer[] => [
  landuse("urban", palette.urban, ["residential", "commercial", "retail", "neighbourhood"], {
    paint: fade(palette.urban, 7, 9),
  }),
  landuse("industrial", palette.industrial, ["industrial", "railway", "other", "quarry", "landfill", "brownfield"]),
  landuse("farmland", palette.farmland, ["farmland", "farm", "meadow", "orchard", "vineyard", "farmyard"], {
    paint: fade(palette.farmland, 8, 10),
  }),
  landuse("wood", palette.wood, ["forest", "wood", "scrub"], { paint: fade(palette.wood, 6, 9) }),
  landuse("park-far", palette.park, ["national_park", "nature_reserve", "protected_area"], {
    maxzoom: 10,
    paint: fade(palette.park, 7, 10),
  }),
  landuse("park", palette.park, [
    "park",
    "national_park",
    "nature_reserve",
    "protected_area",
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
  landuse("garden", palette.garden, ["garden"], { minzoom: 12 }),
  landuse("sand", palette.sand, ["beach", "sand", "bare_rock"]),
  landuse("glacier", palette.glacier, ["glacier"]),
  landuse("military", palette.military, ["military", "naval_base", "airfield"]),
  landuse("airport", palette.airport, ["aerodrome"]),
  landuse("school", palette.school, ["school", "university", "college", "kindergarten", "library"]),
  landuse("hospital", palette.hospital, ["hospital", "clinic"]),
  landuse("parking", palette.parking, ["parking"], { minzoom: 14.5 }),
  landuse("pitch", palette.pitch, ["pitch", "playground", "stadium"], { minzoom: 13 }),
];

const waterLayers = (palette: Palette): StyleLayer[] => [
  {
    id: "water",
    type: "fill",
    "source-layer": "water",
    filter: POLYGON,
    paint: { "fill-color": palette.water },
  },
  waterway(palette, "river-far", ["all", RIVER, isShown(0, 1.5)], RIVER_WIDTH, { minzoom: 3, maxzoom: 8 }),
  waterway(palette, "river", RIVER, RIVER_WIDTH, { minzoom: 8 }),
  waterway(palette, "stream", ["!", kindIn("river", "canal")], byZoom(13, 0.5, 15, 1.2, 18, 3.5), { minzoom: 13 }),
];

const RIVER = kindIn("river", "canal");
const RIVER_WIDTH = byZoom(3, 0.4, 8, 0.9, 12, 1.6, 15, 3.5, 18, 10);

const waterway = (palette: Palette, id: string, which: Json, width: Json, zooms: Partial<StyleLayer>): StyleLayer => ({
  id,
  type: "line",
  "source-layer": "water",
  filter: ["all", LINE, which],
  layout: { "line-cap": "round", "line-join": "round" },
  paint: { "line-color": palette.water, "line-width": width },
  ...zooms,
});

const buildingLayers = (palette: Palette): StyleLayer[] => [
  {
    id: "buildings",
    type: "fill",
    "source-layer": "buildings",
    minzoom: 13.7,
    filter: ["all", POLYGON, kindIn("building")],
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
  {
    id: "building-parts",
    type: "fill",
    "source-layer": "buildings",
    minzoom: 15.5,
    filter: ["all", POLYGON, kindIn("building_part")],
    // The higher a part is, the more it stands out.
    paint: {
      "fill-color": [
        "step",
        ["coalesce", ["get", "height"], 0],
        palette.building,
        15,
        palette.buildingHigh,
        45,
        palette.buildingEdge,
      ],
    },
  },
  {
    id: "building-part-edges",
    type: "line",
    "source-layer": "buildings",
    minzoom: 16,
    filter: ["all", POLYGON, kindIn("building_part")],
    layout: { "line-join": "bevel" },
    paint: { "line-color": palette.buildingEdge, "line-width": byZoom(16, 0.3, 18, 0.7) },
  },
];
