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

const COLORED = {
  "radar-default-v1": {
    dark: false,
    land: "#f5f2ec",
    water: "#a5d5ec",
    urban: "#f0ede6",
    industrial: "#ebe8ea",
    farmland: "#eff0dd",
    wood: "#c6e2bd",
    park: "#cdeac3",
    pitch: "#b9e0b4",
    sand: "#f6ebc6",
    glacier: "#f4fafc",
    school: "#f3edd9",
    hospital: "#f8e5e3",
    military: "#efe5de",
    airport: "#e8e9ef",
    runway: "#d5d8e2",
    pedestrian: "#f3f0f7",
    pedestrianCase: "#cdc6d6",
    crossing: "#c9c2b6",
    garden: "#d5ecc4",
    parking: "#eae8ee",
    building: "#e5e0d7",
    buildingHigh: "#dcd6cb",
    buildingEdge: "#d3ccc0",
    path: "#cfc0a9",
    rail: "#bcb7b2",
    minor: "#ffffff",
    minorCase: "#d8d2c7",
    major: "#fff3c8",
    majorCase: "#dfc98c",
    highway: "#fbd07f",
    highwayCase: "#dd9f45",
    tunnel: "#f6f3ec",
    tunnelCase: "#d5cfc4",
    passage: "#f1ede9",
    ferry: "#6ba7c9",
    country: "#a48aa6",
    region: "#bfacc0",
    place: "#2e2a25",
    quarter: "#716a60",
    state: "#6a616c",
    road: "#5b544a",
    waterText: "#2d5b75",
    parkText: "#3f6f39",
    halo: "#ffffff",
    arrow: "#9b948a",
    shield: "#ffffff",
    shieldText: "#54493a",
    europeanShield: "#1f7a4d",
    motorwayShield: "#3d68b2",
    motorwayShieldText: "#ffffff",
    interstate: "#2c4f9c",
    crown: "#b8393a",
    transitLine: "#8a7fb5",
    lineColours: true,
    poi: {
      food: "#a55a21",
      shop: "#406db3",
      culture: "#835cad",
      park: "#3a7a36",
      transit: "#3270a8",
      health: "#bc4646",
      school: "#886638",
      lodging: "#ab4c88",
      service: "#716c66",
    },
    poiGlyph: "#ffffff",
  },
  "radar-light-v1": {
    dark: false,
    land: "#f5f5f3",
    water: "#cad8e0",
    urban: "#f1f1ef",
    industrial: "#ededec",
    farmland: "#f1f2ed",
    wood: "#e2e9de",
    park: "#e1eadc",
    pitch: "#d8e5d3",
    sand: "#f1eee2",
    glacier: "#fafbfb",
    school: "#efeeea",
    hospital: "#f1ebea",
    military: "#eeedea",
    airport: "#ebebed",
    runway: "#dedee2",
    pedestrian: "#fafafb",
    pedestrianCase: "#cdcdd2",
    crossing: "#d2d2cf",
    garden: "#e4ebda",
    parking: "#ececee",
    building: "#e7e7e4",
    buildingHigh: "#e0e0dc",
    buildingEdge: "#d9d9d5",
    path: "#d5d4cf",
    rail: "#cccbc8",
    minor: "#ffffff",
    minorCase: "#dddddb",
    major: "#ffffff",
    majorCase: "#cbcbc8",
    highway: "#ffffff",
    highwayCase: "#b4b4b0",
    tunnel: "#f6f6f5",
    tunnelCase: "#d8d8d5",
    passage: "#f3f3f2",
    ferry: "#9db3c0",
    country: "#a3a3a6",
    region: "#bdbdc0",
    place: "#3d4045",
    quarter: "#6a6c6f",
    state: "#68696b",
    road: "#6b6c70",
    waterText: "#4a5d68",
    parkText: "#5c6957",
    halo: "#ffffff",
    arrow: "#b3b3b0",
    shield: "#ffffff",
    shieldText: "#66686c",
    europeanShield: "#4a7a62",
    motorwayShield: "#6b6f76",
    motorwayShieldText: "#ffffff",
    interstate: "#5f6f8f",
    crown: "#8f6f72",
    transitLine: "#b3adc4",
    lineColours: false,
    poi: {
      food: "#7a6c60",
      shop: "#67707d",
      culture: "#726b7b",
      park: "#63745e",
      transit: "#61707d",
      health: "#826a6a",
      school: "#756f60",
      lodging: "#786972",
      service: "#70706d",
    },
    poiGlyph: "#ffffff",
  },
  "radar-dark-v1": {
    dark: true,
    land: "#1e2228",
    water: "#0f3350",
    urban: "#252b33",
    industrial: "#23272f",
    farmland: "#20262a",
    wood: "#1d3a30",
    park: "#1f4636",
    pitch: "#27553f",
    sand: "#3b382f",
    glacier: "#2b333c",
    school: "#33322c",
    hospital: "#3d2c34",
    military: "#25262a",
    airport: "#2a3040",
    runway: "#323946",
    pedestrian: "#3b4453",
    pedestrianCase: "#191c21",
    crossing: "#8b96a5",
    garden: "#24503c",
    parking: "#2a303a",
    building: "#323a46",
    buildingHigh: "#3b4452",
    buildingEdge: "#434d5b",
    path: "#5d6878",
    rail: "#5e6875",
    minor: "#4c5767",
    minorCase: "#181b20",
    major: "#677488",
    majorCase: "#16191e",
    highway: "#8a7550",
    highwayCase: "#2b241a",
    tunnel: "#2c333c",
    tunnelCase: "#454e5a",
    passage: "#363e4a",
    ferry: "#4f8fb8",
    country: "#7d7588",
    region: "#57545f",
    place: "#e8ecf2",
    quarter: "#9aa4b1",
    state: "#97a0ad",
    road: "#b3bcc8",
    waterText: "#6b9dc4",
    parkText: "#8bba92",
    halo: "#171a1f",
    arrow: "#b9c2ce",
    shield: "#343c47",
    shieldText: "#c6ced9",
    europeanShield: "#2c6b4c",
    motorwayShield: "#2f4f80",
    motorwayShieldText: "#e3ebf7",
    interstate: "#2d4a86",
    crown: "#8c3b3d",
    transitLine: "#6f6798",
    lineColours: true,
    poi: {
      food: "#c98a55",
      shop: "#6c93cc",
      culture: "#a488c8",
      park: "#6ba56b",
      transit: "#6b9cc9",
      health: "#cc7676",
      school: "#b39a70",
      lodging: "#c184ac",
      service: "#949ba5",
    },
    poiGlyph: "#1c2026",
  },
} as const satisfies Record<string, Palette>;

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
