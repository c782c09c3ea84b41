import { type ExaminedImage, ImageError } from "../base/examined-image.ts";
import { checkPixels, examineRaster } from "./raster-image.ts";
import { examineSvg } from "./svg/svg-image.ts";
import { examineWebp, type ImageSize } from "./webp-file.ts";
import { webpImage } from "./webp-image.ts";

/** [bytes] */
export const MAX_IMAGE_BYTES = 256 * 1024;
/** An image twenty times as long as it is wide is a mistake; one a billion times as long is an attack. */
const MAX_RATIO = 20;

/**
 * Validates a caller's image before it is used: PNG, JPEG, WebP or SVG. A WebP is decoded once its size is known and
 * accepted; call this when its decoder is ready. @throws ImageError with a message for the caller
 */
export function examineImage(bytes: Uint8Array): ExaminedImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw new ImageError(`An image may have up to ${MAX_IMAGE_BYTES} bytes.`);
  const webp = examineWebp(bytes);
  if (webp) {
    checkPixels(webp.width, webp.height);
    checkRatio(webp);
    return webpImage(bytes, webp);
  }
  const image = examineRaster(bytes) ?? drawing(bytes);
  checkRatio(image);
  return image;
}

function checkRatio({ width, height }: ImageSize): void {
  if (Math.max(width, height) > MAX_RATIO * Math.min(width, height))
    throw new ImageError(`An image's longer side may be up to ${MAX_RATIO} times the shorter one.`);
}

function drawing(bytes: Uint8Array): ExaminedImage {
  const { width, height, inner } = examineSvg(bytes);
  return { kind: "svg", width, height, element: inner };
}
