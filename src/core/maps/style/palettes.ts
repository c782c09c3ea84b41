import COLORED from "./palettes.json" with { type: "json" };
import { toned } from "./toned-palettes.ts";

/** The colors of a built-in style, by their use. */
export interface Palette {
  dark: boolean;
  land: string;
  water: string;
  urban: string;
  industrial: string;
  farmland: string;
  wood: string;
  park: string;
  pitch: string;
  sand: string;
  glacier: string;
  school: string;
  hospital: string;
  military: string;
  airport: string;
  runway: string;
  /** Squares and streets on foot, and their edge. */
  pedestrian: string;
  pedestrianCase: string;
  /** Stripes of pedestrian crossings. */
  crossing: string;
  garden: string;
  parking: string;
  building: string;
  /** Parts of a building of more than 15 m; those of more than 45 m have the color of the edge. */
  buildingHigh: string;
  buildingEdge: string;
  path: string;
  rail: string;
  minor: string;
  minorCase: string;
  major: string;
  majorCase: string;
  highway: string;
  highwayCase: string;
  tunnel: string;
  tunnelCase: string;
  /** Arcades and passages through buildings. */
  passage: string;
  ferry: string;
  country: string;
  region: string;
  /** Texts: place names, smaller places, roads, water, parks. */
  place: string;
  quarter: string;
  state: string;
  road: string;
  waterText: string;
  parkText: string;
  halo: string;
  arrow: string;
  shield: string;
  shieldText: string;
  /** European roads, which are green on every sign. */
  europeanShield: string;
  motorwayShield: string;
  motorwayShieldText: string;
  /** Interstates, and the band above their number; numbered highways of the US and their states. */
  interstate: string;
  crown: string;
  /** Lines of undergrounds, trams and light rail. */
  transitLine: string;
  /** Use the known colors of transit lines. */
  lineColours: boolean;
  /** Points of interest, by group. */
  poi: Record<PoiGroup, string>;
  poiGlyph: string;
}

export type PoiGroup = "food" | "shop" | "culture" | "park" | "transit" | "health" | "school" | "lodging" | "service";

/** Labels and lines that need more contrast, darker or lighter than their tone would be. */
const DARK_WORDS = { place: "#2a2a2a", quarter: "#5c5c5c", state: "#636363", road: "#565656" };
const LIGHT_WORDS = { place: "#e6e6e6", quarter: "#a8a8a8", state: "#9a9a9a", road: "#b4b4b4" };
const WHITE_ON_GREY = {
  motorwayShield: "#666666",
  motorwayShieldText: "#ffffff",
  interstate: "#555555",
  crown: "#7a7a7a",
  europeanShield: "#606060",
  lineColours: false,
};
const poiOf = (color: string): Palette["poi"] => {
  const groups = Object.keys(COLORED["radar-default-v1"].poi) as PoiGroup[];
  return Object.fromEntries(groups.map((group) => [group, color])) as Record<PoiGroup, string>;
};

export const PALETTES = {
  ...COLORED,
  /** The default style without its colors. */
  grayscale: toned<Palette>(COLORED["radar-default-v1"], (tone) => 255 - (255 - tone) * 1.05, {
    water: "#c4c9cc",
    waterText: "#45494c",
    wood: "#dadada",
    park: "#dedede",
    parkText: "#565656",
    // By their tone they would be as light as the land.
    major: "#e2e2e2",
    majorCase: "#b8b8b8",
    ...DARK_WORDS,
    ...WHITE_ON_GREY,
    transitLine: "#9d9d9d",
    shieldText: "#4c4c4c",
    poi: poiOf("#666666"),
  }),
  /** Almost entirely white, as a background for data. */
  white: toned<Palette>(COLORED["radar-light-v1"], (tone) => 255 - (255 - tone) * 0.7, {
    ...{
      land: "#ffffff",
      urban: "#fcfcfc",
      water: "#e4e7e9",
      waterText: "#5b6266",
      park: "#e8eee5",
      wood: "#e4ebe1",
      garden: "#eaf0e6",
      pitch: "#dfe8dc",
      parkText: "#5f665c",
    },
    minor: "#f1f1f1",
    minorCase: "#e2e2e2",
    major: "#ececec",
    majorCase: "#d6d6d6",
    highway: "#e2e2e2",
    highwayCase: "#c6c6c6",
    building: "#f2f2f2",
    buildingEdge: "#e3e3e3",
    country: "#b5b5b5",
    region: "#cccccc",
    ...DARK_WORDS,
    quarter: "#6a6a6a",
    state: "#6d6d6d",
    road: "#6a6a6a",
    ...WHITE_ON_GREY,
    transitLine: "#cfcfcf",
    shieldText: "#666666",
    poi: poiOf("#717171"),
  }),
  /** Almost entirely black. */
  black: toned<Palette>(COLORED["radar-dark-v1"], (tone) => tone * 0.62, {
    ...{
      land: "#000000",
      urban: "#070707",
      water: "#20252a",
      waterText: "#9aa5ad",
      park: "#0d120e",
      parkText: "#8f968f",
    },
    building: "#161616",
    buildingEdge: "#242424",
    minor: "#2b2b2b",
    minorCase: "#000000",
    major: "#3a3a3a",
    majorCase: "#000000",
    highway: "#4c4c4c",
    highwayCase: "#000000",
    country: "#6a6a6a",
    region: "#474747",
    ...LIGHT_WORDS,
    halo: "#000000",
    transitLine: "#444444",
    shield: "#262626",
    shieldText: "#c2c2c2",
    europeanShield: "#4a4a4a",
    lineColours: false,
    motorwayShield: "#444444",
    motorwayShieldText: "#efefef",
    interstate: "#3f3f3f",
    crown: "#5e5e5e",
    poi: poiOf("#8e8e8e"),
    poiGlyph: "#000000",
  }),
} as const satisfies Record<string, Palette>;

export type StyleName = keyof typeof PALETTES;
export const STYLE_NAMES = Object.keys(PALETTES) as [StyleName, ...StyleName[]];
export const DEFAULT_STYLE: StyleName = "radar-default-v1";
