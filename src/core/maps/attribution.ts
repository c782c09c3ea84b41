import type { DataSource } from "../geo/builds/manifest.ts";
import type { Box } from "./base/clip.ts";
import { type Color, toHex } from "./base/color.ts";
import { DEFAULT_FONT } from "./fonts/fonts.ts";
import type { Raster } from "./image/sprite.ts";
import type { FontSet } from "./text/font-set.ts";
import type { PlacedText } from "./text/label.ts";

/** Minimum width for the long form [pixels at scale 1]. */
const LONG_FROM = 300;
const SIZE = 10;
const PADDING = 5;
const HEIGHT = 16;

export interface CornerText {
  text: PlacedText;
  /** The box it covers; a translucent background is drawn there so that it is legible on any map. */
  box: Box;
}

/** `none`: the map's publisher shows the attribution elsewhere. */
export type AttributionForm = "auto" | "long" | "short" | "none";

/**
 * Attribution of a map: everything that licenses require, and in the long form also the acknowledgments of
 * public-domain data. If the long form does not fit, the short one is used.
 * @param fits whether a text fits
 */
export function attributionText(
  sources: readonly DataSource[],
  width: number,
  form: AttributionForm,
  fits: (text: string) => boolean,
): string {
  if (form === "none") return "";
  const long = joined(sources);
  if (form === "long") return long;
  if (form === "auto" && width >= LONG_FROM && fits(long)) return long;
  return joined(sources.filter(({ licence }) => licence !== PUBLIC_DOMAIN)).replaceAll(" contributors", "");
}

const PUBLIC_DOMAIN = "Public domain";

function joined(sources: readonly DataSource[]): string {
  const words = sources.flatMap(({ attribution }) => attribution ?? []);
  // OpenStreetMap first, the most prominent attribution.
  const osm = words.filter((text) => text.includes("OpenStreetMap"));
  return [...new Set([...osm, ...words])].join(" · ");
}

const attributionWidth = (fonts: FontSet, text: string) => fonts.width(DEFAULT_FONT, text) * SIZE;

/** Returns whether a text fits at the bottom of an image, in its usual size. */
export function attributionFits(fonts: FontSet, text: string, width: number): boolean {
  return attributionWidth(fonts, text) + 2 * PADDING <= width;
}

/** Where streets are not imported, maps can say so at the bottom left: in languages all of whose letters every map has. */
const NO_STREETS: Readonly<Record<string, string>> = {
  de: "Hier sind keine Straßen importiert",
  en: "No streets imported here",
  es: "Aquí no hay calles importadas",
  fr: "Aucune rue importée ici",
  pt: "Nenhuma rua importada aqui",
  ru: "Улицы здесь не импортированы",
};

/** @param language such as "de" or "pt-BR"; of others, English */
export const streetsNote = (language = "en"): string =>
  NO_STREETS[language.split("-")[0].toLowerCase()] ?? NO_STREETS.en;

/** If the license of the data requires an attribution, it is always at the bottom right; a note is at the bottom left, above it if both do not fit. */
export function placeCorners(
  fonts: FontSet,
  credit: string,
  note: string,
  view: { width: number; height: number },
  dark: boolean,
): CornerText[] {
  const attribution = placeCorner(fonts, credit, view, dark);
  if (note === "") return [attribution];
  const beside = placeCorner(fonts, note, view, dark, true);
  if (beside.box.right <= attribution.box.left) return [attribution, beside];
  return [attribution, placeCorner(fonts, note, { ...view, height: attribution.box.top }, dark, true)];
}

function placeCorner(
  fonts: FontSet,
  text: string,
  { width, height }: { width: number; height: number },
  dark: boolean,
  isLeft = false,
): CornerText {
  const length = attributionWidth(fonts, text);
  // If the image is narrower than the text, the font is smaller.
  const size = Math.min(SIZE, ((width - 2 * PADDING) / Math.max(1, length)) * SIZE);
  const across = (length * size) / SIZE;
  const from = text === "" ? width : Math.max(0, width - across - 2 * PADDING);
  const [left, right] = isLeft ? [0, width - from] : [from, width];
  const box = { left, top: text === "" ? height : height - HEIGHT, right, bottom: height };
  const glyphs: PlacedText["glyphs"] = [];
  let pen = box.left + PADDING;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    glyphs.push({ code, x: pen, y: height - HEIGHT / 2 + 0.36 * size, cos: 1, sin: 0 });
    pen += fonts.advance(DEFAULT_FONT, code) * size;
  }
  const color: Color = dark ? [186, 194, 205, 1] : [70, 70, 70, 1];
  return {
    text: { text, font: DEFAULT_FONT, size, color, haloColor: undefined, haloWidth: 0, glyphs, boxes: [box] },
    box,
  };
}

const VEIL = 0.72;
const veilColor = (dark: boolean): Color => (dark ? [16, 19, 24, VEIL] : [255, 255, 255, VEIL]);

export function cornerSvg({ box }: CornerText, dark: boolean): string {
  const { left, top, right, bottom } = box;
  return `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="${toHex(veilColor(dark))}" fill-opacity="${VEIL}"/>`;
}

/** The veil laid over some rows of the image, over whole pixels. */
export function layVeil(
  { pixels, width, height, top }: Raster,
  { box }: CornerText,
  dark: boolean,
  scale: number,
): void {
  const color = veilColor(dark);
  const left = Math.max(0, Math.round(box.left * scale));
  const right = Math.min(width, Math.round(box.right * scale));
  for (let y = Math.max(0, Math.round(box.top * scale) - top); y < Math.min(height, box.bottom * scale - top); y++) {
    for (let at = 4 * (y * width + left); at < 4 * (y * width + right); at += 4)
      for (let c = 0; c < 3; c++) pixels[at + c] = Math.round(pixels[at + c] + (color[c] - pixels[at + c]) * VEIL);
  }
}
