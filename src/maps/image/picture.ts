import { type Picture, PictureError } from "./examined-picture.ts";
import { checkPixels, examineRaster } from "./raster-picture.ts";
import { examineSvg } from "./svg/svg-picture.ts";
import { examineWebp, type PictureSize } from "./webp-file.ts";
import { webpPicture } from "./webp-picture.ts";

/** [bytes] */
export const MAX_PICTURE_BYTES = 256 * 1024;
/** An image twenty times as long as it is wide is a mistake; one a billion times as long is an attack. */
const MAX_RATIO = 20;

/**
 * Validates a caller's image before it is used: PNG, JPEG, WebP or SVG. A WebP is decoded once its size is known and
 * accepted; call this when its decoder is ready. @throws PictureError with a message for the caller
 */
export function examinePicture(bytes: Uint8Array): Picture {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureError(`An image may have up to ${MAX_PICTURE_BYTES} bytes.`);
  const webp = examineWebp(bytes);
  if (webp) {
    checkPixels(webp.width, webp.height);
    checkRatio(webp);
    return webpPicture(bytes, webp);
  }
  const picture = examineRaster(bytes) ?? drawing(bytes);
  checkRatio(picture);
  return picture;
}

function checkRatio({ width, height }: PictureSize): void {
  if (Math.max(width, height) > MAX_RATIO * Math.min(width, height))
    throw new PictureError(`An image's longer side may be up to ${MAX_RATIO} times the shorter one.`);
}

function drawing(bytes: Uint8Array): Picture {
  const { width, height, inner } = examineSvg(bytes);
  return { kind: "svg", width, height, element: inner };
}
