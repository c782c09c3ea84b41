/** Colors of map overlays. MapLibre reads no CSS variables, so both themes are here. */
export interface MapColours {
  accent: string;
  /** Under lines and around dots, so that they stand out from any road. */
  casing: string;
  text: string;
  halo: string;
  faint: string;
  good: string;
  warn: string;
  bad: string;
  place: string;
}

export type MapTheme = "light" | "dark";

export const MAP_COLOURS: Record<MapTheme, MapColours> = {
  light: {
    accent: "#4250d0",
    casing: "#ffffff",
    text: "#171a21",
    halo: "#ffffff",
    faint: "#6b7280",
    good: "#13703c",
    warn: "#8a5000",
    bad: "#b3261e",
    place: "#0f766e",
  },
  dark: {
    accent: "#a3acff",
    casing: "#0f1115",
    text: "#f0f2f6",
    halo: "#0f1115",
    faint: "#9aa4b5",
    good: "#5fd08c",
    warn: "#f0b657",
    bad: "#ff938a",
    place: "#4fd1c5",
  },
};

/** The Worker's own styles: the quiet ones, over which data is read. */
export const MAP_STYLES: Record<MapTheme, string> = { light: "radar-light-v1", dark: "radar-dark-v1" };
