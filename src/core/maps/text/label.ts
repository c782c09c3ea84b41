import type { Box } from "../base/clip.ts";
import type { Color } from "../base/color.ts";

/**
 * One glyph on the image: the pen's position on the baseline [pixels at scale 1], and the direction of the baseline.
 */
export interface PlacedGlyph {
  code: number;
  x: number;
  y: number;
  cos: number;
  sin: number;
}

export interface PlacedText {
  text: string;
  font: string;
  size: number;
  color: Color;
  haloColor: Color | undefined;
  haloWidth: number;
  glyphs: PlacedGlyph[];
  /** Covered area, halo included; along a line, a box for each glyph. */
  boxes: Box[];
}

export interface PlacedIcon {
  name: string;
  /** Position of its center [pixels at scale 1]. */
  x: number;
  y: number;
  /** Clockwise [degrees]. */
  rotation: number;
  scale: number;
}

export interface Labels {
  texts: PlacedText[];
  icons: PlacedIcon[];
}
