import type { Box } from "./base/clip.ts";
import { type Color, parseColor } from "./base/color.ts";
import { type DrawnMarker, markerExtent, SIZE_FACTORS } from "./overlay.ts";
import { inkOf } from "./overlay-svg.ts";
import type { FontSet } from "./text/font-set.ts";
import type { PlacedText } from "./text/label.ts";
import { shapeText } from "./text/shape-text.ts";

/** Texts of markers: letters in the heads of pins, and captions next to them. */
const FONT = "Noto Sans Medium";
/** Of letters in a pin's head, by their number [pixels at scale 1, of a pin of the usual size]. */
const HEAD_SIZES = [0, 15, 12, 9.5];
const TEXT_SIZE = 12;
const TEXT_HALO = 1.6;
/** Between a marker and its words [pixels at scale 1]. */
const GAP = 3;
/** From the middle of a line of capitals and digits down to the baseline [em]. */
const MIDDLE = 0.357;

/** Glyphs to load before the texts of markers are placed. */
export function textsOfMarkers(markers: readonly DrawnMarker[]): { font: string; text: string }[] {
  return markers.flatMap(({ marker: { label = "", text = "", icon } }) => {
    const shown = (icon ? "" : label) + text;
    return shown === "" ? [] : [{ font: FONT, text: shapeText(shown) + shapeText(text) }];
  });
}

/** Adds letters to pins; icons have none. */
export function labelPins(markers: readonly DrawnMarker[], fonts: FontSet): DrawnMarker[] {
  return markers.map((drawn) => {
    const { label, icon, size, color } = drawn.marker;
    if (label === undefined || icon) return drawn;
    const factor = SIZE_FACTORS[size];
    const shaped = shapeText(label);
    const type = HEAD_SIZES[[...label].length] * factor;
    const ink = parseColor(inkOf(color)) as Color;
    const left = 15 * factor - (fonts.width(FONT, shaped) * type) / 2;
    return { ...drawn, label: placed(shaped, type, left, 14 * factor + MIDDLE * type, ink, undefined, fonts) };
  });
}

/**
 * The captions of markers. A caption is below its marker, or above or next to it if other markers or the image's edge
 * are in the way; if no position is free, it is below anyway, because the caller requested it.
 */
export function placeMarkerTexts(
  markers: readonly DrawnMarker[],
  { width, height }: { width: number; height: number },
  taken: readonly Box[],
  dark: boolean,
  fonts: FontSet,
): PlacedText[] {
  const color: Color = dark ? [238, 241, 245, 1] : [28, 33, 41, 1];
  const halo: Color = dark ? [16, 19, 24, 1] : [255, 255, 255, 1];
  const boxes = [...taken];
  return markers.flatMap((drawn) => {
    const { marker, x, y } = drawn;
    if (marker.text === undefined) return [];
    const shaped = shapeText(marker.text);
    const across = fonts.width(FONT, shaped) * TEXT_SIZE;
    const { left, right, above, below } = markerExtent(marker);
    const centre = x + (right - left) / 2;
    const level = y + (below - above) / 2;
    const places = [
      [centre - across / 2, y + below + GAP - 2],
      [centre - across / 2, y - above - GAP - TEXT_SIZE],
      [x + right + GAP, level - TEXT_SIZE / 2],
      [x - left - GAP - across, level - TEXT_SIZE / 2],
    ].map(([at, top]): Box => ({ left: at, top, right: at + across, bottom: top + TEXT_SIZE }));
    const isFree = (box: Box) =>
      box.left >= 0 &&
      box.top >= 0 &&
      box.right <= width &&
      box.bottom <= height &&
      !boxes.some((b) => b.left < box.right && b.right > box.left && b.top < box.bottom && b.bottom > box.top);
    const box = places.find(isFree) ?? places[0];
    boxes.push(box);
    return [placed(shaped, TEXT_SIZE, box.left, box.top + TEXT_SIZE / 2 + MIDDLE * TEXT_SIZE, color, halo, fonts)];
  });
}

function placed(
  text: string,
  size: number,
  left: number,
  baseline: number,
  color: Color,
  haloColor: Color | undefined,
  fonts: FontSet,
): PlacedText {
  const haloWidth = haloColor ? TEXT_HALO : 0;
  const glyphs: PlacedText["glyphs"] = [];
  let pen = left;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    glyphs.push({ code, x: pen, y: baseline, cos: 1, sin: 0 });
    pen += fonts.advance(FONT, code) * size;
  }
  const box = { left, top: baseline - size, right: pen, bottom: baseline + size * 0.3 };
  const boxes = [
    {
      left: box.left - haloWidth,
      top: box.top - haloWidth,
      right: box.right + haloWidth,
      bottom: box.bottom + haloWidth,
    },
  ];
  return { text, font: FONT, size, color, haloColor, haloWidth, glyphs, boxes };
}
