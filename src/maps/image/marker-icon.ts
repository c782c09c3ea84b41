import { Resvg } from "@resvg/resvg-wasm";
import type { MarkerIcon } from "../overlay.ts";
import { examinePicture, PictureError, pngSize } from "./picture.ts";

/** The largest side of a marker's picture [pixels at scale 1]. */
export const MAX_ICON_SIDE = 64;

/**
 * A caller's picture as markers draw it: at most 64 × 64, in proportion, drawn once at the map's scale. What comes out is always a
 * PNG of our own making, so that nothing of a stranger's file ends in an answer.
 * @throws PictureError when it cannot be drawn
 */
export function makeMarkerIcon(bytes: Uint8Array, scale: number): MarkerIcon {
  const kind = examinePicture(bytes);
  let svg: Uint8Array | string = bytes;
  if (kind === "png") {
    const [width, height] = pngSize(bytes);
    svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<image width="${width}" height="${height}" href="data:image/png;base64,${toBase64(bytes)}"/></svg>`;
  }
  try {
    const { width, height } = sizeOf(svg);
    const shrink = Math.min(1, MAX_ICON_SIDE / width, MAX_ICON_SIDE / height);
    const png = draw(svg, Math.max(1, Math.round(width * shrink * scale)));
    return { href: `data:image/png;base64,${toBase64(png)}`, width: width * shrink, height: height * shrink };
  } catch (error) {
    throw new PictureError(`The picture cannot be drawn: ${error instanceof Error ? error.message : error}`);
  }
}

function sizeOf(svg: Uint8Array | string): { width: number; height: number } {
  const resvg = new Resvg(svg);
  try {
    const { width, height } = resvg;
    if (!(width > 0 && height > 0)) throw new Error("it has no size");
    return { width, height };
  } finally {
    resvg.free();
  }
}

function draw(svg: Uint8Array | string, width: number): Uint8Array {
  const resvg = new Resvg(svg, { fitTo: { mode: "width", value: width } });
  try {
    const image = resvg.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // Arguments of a call are limited, and one character at a time is slow.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}
