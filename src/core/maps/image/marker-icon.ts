import { type ExaminedImage, ImageError } from "../base/examined-image.ts";
import { draw } from "./rasterise.ts";
import { ResvgError } from "./resvg.ts";

/** Maximum side length of a marker's image [pixels at scale 1]. */
export const MAX_ICON_SIDE = 64;
/** The scales that maps have. */
export const ICON_SCALES = [1, 2, 3] as const;

/** An image as markers draw it: at most 64 × 64 pixels at scale 1, drawn once for each scale of maps. */
export interface DrawnIcon {
  /** [pixels at scale 1] */
  width: number;
  height: number;
  /** A generated PNG for each of ICON_SCALES: no byte of an uploaded file reaches a response. */
  pngs: Uint8Array[];
}

/** @throws ImageError if the image cannot be drawn */
export function drawIcon({ width, height, element }: ExaminedImage): DrawnIcon {
  const shrink = Math.min(1, MAX_ICON_SIDE / width, MAX_ICON_SIDE / height);
  const pngs = ICON_SCALES.map((scale) => {
    const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * shrink * scale)));
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${width} ${height}" ` +
      `preserveAspectRatio="none">${element}</svg>`;
    try {
      return draw(new TextEncoder().encode(svg), ({ png }) => png());
    } catch (error) {
      const why = error instanceof ResvgError ? error.message : "the rasteriser gave up on it";
      throw new ImageError(`The image cannot be drawn: ${why}.`);
    }
  });
  return { width: width * shrink, height: height * shrink, pngs };
}
