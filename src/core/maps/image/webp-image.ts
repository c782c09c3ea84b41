import { type ExaminedImage, ImageError } from "../base/examined-image.ts";
import { toBase64 } from "./base64.ts";
import { ICON_SCALES, MAX_ICON_SIDE } from "./marker-icon.ts";
import { plainPng } from "./png.ts";
import { decodeWebp, type WebpPixels } from "./webp-decoder.ts";
import type { ImageSize } from "./webp-file.ts";

/** The longest side at which an icon is ever drawn [pixels]. */
const MAX_LENGTH = MAX_ICON_SIDE * Math.max(...ICON_SCALES);

/**
 * Converts a validated WebP for resvg, which does not support WebP: decoded, and passed on as a PNG. Large ones are
 * downscaled first, because that PNG is not compressed: never below the resolution of an icon, and at most 600 KB.
 * @throws ImageError if it cannot be decoded
 */
export function webpImage(file: Uint8Array, { width, height }: ImageSize): ExaminedImage {
  const decoded = decodeWebp(file);
  if (decoded?.width !== width || decoded.height !== height) throw new ImageError("The WebP cannot be decoded.");
  const block = Math.max(1, Math.floor(Math.max(width, height) / MAX_LENGTH));
  const small = average(decoded, block);
  const href = `data:image/png;base64,${toBase64(plainPng(small.pixels, small.width, small.height))}`;
  // The last blocks may extend beyond the image, where nothing is drawn.
  const [w, h] = [small.width * block, small.height * block];
  return { kind: "webp", width, height, element: `<image width="${w}" height="${h}" href="${href}"/>` };
}

/** One pixel for each block × block of them, at the edges for the available ones: colors are weighted by alpha. */
function average(image: WebpPixels, block: number): WebpPixels {
  if (block === 1) return image;
  const width = Math.ceil(image.width / block);
  const height = Math.ceil(image.height / block);
  const pixels = new Uint8Array(4 * width * height);
  for (let y = 0, to = 0; y < height; y++) {
    const bottom = Math.min(image.height, (y + 1) * block);
    for (let x = 0; x < width; x++, to += 4) {
      const right = Math.min(image.width, (x + 1) * block);
      let [red, green, blue, alpha, count] = [0, 0, 0, 0, 0];
      for (let row = y * block; row < bottom; row++) {
        const end = 4 * (row * image.width + right);
        for (let at = 4 * (row * image.width + x * block); at < end; at += 4, count++) {
          const seen = image.pixels[at + 3];
          red += seen * image.pixels[at];
          green += seen * image.pixels[at + 1];
          blue += seen * image.pixels[at + 2];
          alpha += seen;
        }
      }
      if (alpha === 0) continue;
      pixels[to] = Math.round(red / alpha);
      pixels[to + 1] = Math.round(green / alpha);
      pixels[to + 2] = Math.round(blue / alpha);
      pixels[to + 3] = Math.round(alpha / count);
    }
  }
  return { pixels, width, height };
}
