import { byZoom, kindIn, linear, POINT } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import { haloOf, ITALIC, isShown, MEDIUM, REGULAR } from "./label-parts.ts";
import type { Palette } from "./palettes.ts";
import type { StyleLayer } from "./style.ts";

const IS_CAPITAL: Json = [
  "match",
  ["to-string", ["coalesce", ["get", "capital"], ""]],
  ["yes", "2", "true"],
  true,
  false,
];
const POPULATION_RANK: Json = ["coalesce", ["get", "population_rank"], 0];
/**
 * Prominence of a place, 0 to 17; a country's capital has a higher value than its population implies, and a small one (Valletta) that of a
 * town.
 */
const PROMINENCE: Json = [
  "case",
  IS_CAPITAL,
  ["case", ["<", POPULATION_RANK, 9], 9, ["+", POPULATION_RANK, 3]],
  POPULATION_RANK,
];

/** Order of places, larger first: in our tiles by people, urban area and capital; four steps for each doubling. */
const RANK: Json = ["coalesce", ["get", "rank"], ["*", 4, ["log2", ["+", 1, ["coalesce", ["get", "population"], 0]]]]];

/** Sorts larger places first. */
const SORT_KEY: Json = ["-", 0, RANK];

const CORNERS = ["top-left", "top-right", "bottom-left", "bottom-right"];

type MakePlace = (id: string, filter: Json, layout: Record<string, Json>, more: Partial<StyleLayer>) => StyleLayer;

/** Names of islands and places, least important first. */
export function placeLabels(palette: Palette, placeName: Json): StyleLayer[] {
  const place = placeOf(palette, placeName);
  const cities = localities(palette, place);
  return [
    island(place),
    ...quarters(place),
    region(palette, place),
    ...cities.others,
    country(palette, place),
    cities.capitals,
  ];
}

const placeOf =
  (palette: Palette, placeName: Json): MakePlace =>
  (id: string, filter: Json, layout: Record<string, Json>, more: Partial<StyleLayer>): StyleLayer => ({
    id: `place-${id}`,
    type: "symbol",
    "source-layer": "places",
    filter: ["all", POINT, ["has", "name"], filter],
    layout: { "text-field": placeName, "text-font": REGULAR, "text-max-width": 8, ...layout },
    paint: { "text-color": palette.quarter, ...haloOf(palette) },
    ...more,
  });

const island = (place: MakePlace): StyleLayer => ({
  ...place(
    "island",
    ["all", kindIn("island", "islet"), isShown(6)],
    {
      "text-font": ITALIC,
      "text-size": linear(4, 9.5, 6, 10, 12, 13),
      "symbol-sort-key": ["coalesce", ["get", "min_zoom"], 15],
    },
    { minzoom: 4, maxzoom: 17 },
  ),
  "source-layer": "earth",
});

const quarters = (place: MakePlace): StyleLayer[] => [
  place(
    "neighbourhood",
    kindIn("neighbourhood"),
    {
      "text-size": byZoom(12, 10, 16, 12.5),
      "text-transform": "uppercase",
      "text-letter-spacing": 0.09,
      "symbol-sort-key": SORT_KEY,
    },
    { minzoom: 12.5, maxzoom: 17 },
  ),
  place(
    "macrohood",
    kindIn("macrohood", "borough"),
    {
      "text-size": byZoom(11, 10.5, 15, 13),
      "text-transform": "uppercase",
      "text-letter-spacing": 0.09,
      "symbol-sort-key": SORT_KEY,
    },
    { minzoom: 10.5, maxzoom: 16 },
  ),
];

const region = (palette: Palette, place: MakePlace): StyleLayer =>
  place(
    "region",
    kindIn("region"),
    {
      "text-size": linear(3, 9.5, 7, 13),
      "text-transform": "uppercase",
      "text-letter-spacing": 0.12,
      "symbol-sort-key": SORT_KEY,
    },
    { minzoom: 3.5, maxzoom: 8, paint: { "text-color": palette.state, ...haloOf(palette) } },
  );

const country = (palette: Palette, place: MakePlace): StyleLayer =>
  place(
    "country",
    kindIn("country"),
    {
      "text-font": MEDIUM,
      "text-size": linear(1, 9.5, 3, 12, 6, 17),
      "text-max-width": 6,
      "text-letter-spacing": 0.03,
      "text-variable-anchor": ["center", "top", "bottom", "left", "right", ...CORNERS],
      "text-radial-offset": 1.4,
      "symbol-sort-key": SORT_KEY,
    },
    { maxzoom: 8, paint: { "text-color": palette.place, ...haloOf(palette), "text-halo-width": 1.6 } },
  );

/** A name moves a little before it gives way: it was there on the coarser map. */
const MOVING: Record<string, Json> = {
  "text-variable-anchor": ["center", "top", "bottom", "left", "right"],
  "text-radial-offset": 0.4,
};

/**
 * Towns and cities: larger with their rank; with a dot as long as the town itself is not visible. Capitals are placed
 * before the names of countries, which move aside, and a metropolis before all other towns.
 */
function localities(palette: Palette, place: MakePlace): { capitals: StyleLayer; others: StyleLayer[] } {
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
    "symbol-sort-key": SORT_KEY,
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
        "icon-image": ["case", IS_CAPITAL, "capital", "town"],
        "text-variable-anchor": ["left", "right", "top", "bottom"],
        "text-radial-offset": 0.45,
      },
      { minzoom: 2, maxzoom: 8, paint },
    );
  return {
    others: [
      place("locality", locality, { ...layout, ...MOVING }, { minzoom: 8, maxzoom: 16, paint }),
      dot("city-dot", ["all", ["!", IS_CAPITAL], ["!", isMajor]]),
      dot("metropolis-dot", ["all", ["!", IS_CAPITAL], isMajor]),
    ],
    capitals: dot("capital-dot", IS_CAPITAL),
  };
}
