import { CHUNK_PIXELS, PngEncoder } from "../../src/core/maps/image/png.ts";
import { ColorCounts, type Palette } from "../../src/core/maps/image/quantise.ts";

export const PNG_SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/** Width and height from a PNG's header. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** The whole image from RGBA pixels. */
export function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const encoder = new PngEncoder(width, height, buildPalette(pixels));
  const rows = Math.max(1, Math.floor(CHUNK_PIXELS / width));
  for (let y = 0; y < height; y += rows) {
    const count = Math.min(rows, height - y);
    encoder.write(pixels.subarray(4 * y * width, 4 * (y + count) * width), count);
  }
  return encoder.finish();
}

/** The palette of one image. */
export function buildPalette(pixels: Uint8Array): Palette {
  const counts = new ColorCounts();
  counts.add(pixels);
  return counts.palette();
}
