import { type ExaminedImage, ImageError } from "../base/examined-image.ts";
import { toBase64 } from "./base64.ts";

/**
 * Raster images that resvg decodes, by the first bytes of their files; none of these formats can contain or request
 * anything else.
 */
type RasterKind = "png" | "jpeg";

/** A decoded pixel takes four bytes, however small the file is [pixels]. */
const MAX_RASTER_SIDE = 1024;

const PNG_SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
/** PNG chunks with image data. The others hold metadata, in some cases compressed a thousand times. */
const PNG_CHUNKS = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
/** A progressive JPEG has about ten scans; each covers the entire image, and may take a dozen bytes. */
const MAX_SCANS = 40;

/** Undefined if it is not a raster image. @throws ImageError */
export function examineRaster(bytes: Uint8Array): ExaminedImage | undefined {
  if (PNG_SIGNATURE.every((byte, i) => bytes[i] === byte)) return asImage("png", bytes, examinePng(bytes));
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return asImage("jpeg", bytes, examineJpeg(bytes));
  return undefined;
}

interface Examined {
  width: number;
  height: number;
  /** The part of the file to use, if less than the entire file. */
  kept?: Uint8Array;
}

function asImage(kind: RasterKind, file: Uint8Array, { width, height, kept = file }: Examined): ExaminedImage {
  checkPixels(width, height);
  const href = `data:image/${kind};base64,${toBase64(kept)}`;
  return { kind, width, height, element: `<image width="${width}" height="${height}" href="${href}"/>` };
}

/** @throws ImageError for too many pixels, or none */
export function checkPixels(width: number, height: number): void {
  if (!(width >= 1 && height >= 1 && width <= MAX_RASTER_SIDE && height <= MAX_RASTER_SIDE))
    throw new ImageError(`An image may have up to ${MAX_RASTER_SIDE} × ${MAX_RASTER_SIDE} pixels.`);
}

/** Returns the size of a PNG, and its chunks with image data (ISO/IEC 15948, section 5). */
function examinePng(bytes: Uint8Array): Examined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = new Uint8Array(bytes.length);
  kept.set(PNG_SIGNATURE);
  let length = 8;
  let at = 8;
  let type = "";
  while (type !== "IEND") {
    if (at + 12 > bytes.length) throw new ImageError("The PNG is cut off.");
    const end = at + 12 + view.getUint32(at);
    type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (end > bytes.length || (at === 8 && type !== "IHDR")) throw new ImageError("The PNG is cut off.");
    if (PNG_CHUNKS.has(type)) {
      kept.set(bytes.subarray(at, end), length);
      length += end - at;
    }
    at = end;
  }
  return { width: view.getUint32(16), height: view.getUint32(20), kept: kept.subarray(0, length) };
}

/**
 * Returns the size of a JPEG (ITU T.81, annex B), and checks that it does not repeat scans of its image excessively.
 */
function examineJpeg(bytes: Uint8Array): Examined {
  const size = { width: 0, height: 0 };
  let scans = 0;
  let at = 2;
  for (;;) {
    if (at + 4 > bytes.length) {
      if (scans > 0) return size;
      throw new ImageError("The JPEG is cut off.");
    }
    const marker = bytes[at + 1];
    // Within a scan: its data, restart markers, and padding.
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)) {
      at++;
      continue;
    }
    if (marker === 0xd9) return size;
    const length = (bytes[at + 2] << 8) | bytes[at + 3];
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      size.height = (bytes[at + 5] << 8) | bytes[at + 6];
      size.width = (bytes[at + 7] << 8) | bytes[at + 8];
    }
    if (marker === 0xda && ++scans > MAX_SCANS) throw new ImageError(`A JPEG may have up to ${MAX_SCANS} scans.`);
    at += 2 + length;
  }
}
