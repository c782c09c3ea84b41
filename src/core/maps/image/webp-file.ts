import { ImageError } from "../base/examined-image.ts";

/** A chunk's name and length, before its content [bytes]. */
const CHUNK_HEAD = 8;
/** Of the flags in a VP8X chunk. */
const ANIMATED = 0x02;

export interface ImageSize {
  /** [pixels] */
  width: number;
  height: number;
}

/**
 * Returns the size of a WebP (RFC 9649) from its pixel data; undefined if it is not a WebP. It decodes nothing.
 *
 *     "RIFF" u32 length "WEBP"    then chunks: name, u32 length, content, padded to even bytes
 *     "VP8 "                      lossy pixels        either of the two alone,
 *     "VP8L"                      lossless pixels     or after a VP8X
 *     "VP8X" flags, canvas        "ICCP", "ANIM", "ALPH" … between it and the pixels
 *
 * @throws ImageError for an animated one, and for an inconsistent one
 */
export function examineWebp(file: Uint8Array): ImageSize | undefined {
  if (nameAt(file, 0) !== "RIFF" || nameAt(file, 8) !== "WEBP") return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = 8 + view.getUint32(4, true);
  if (end > file.length) throw cutOff();
  let canvas: ImageSize | undefined;
  for (let at = 12; at + CHUNK_HEAD <= end; ) {
    const name = nameAt(file, at);
    const length = view.getUint32(at + 4, true);
    const content = at + CHUNK_HEAD;
    if (content + length > end) throw cutOff();
    if (name === "VP8X" && !canvas) canvas = canvasSize(view, content, length);
    else if (name === "VP8 " || name === "VP8L") {
      const size = name === "VP8 " ? lossySize(view, content, length) : losslessSize(view, content, length);
      if (canvas && (canvas.width !== size.width || canvas.height !== size.height))
        throw new ImageError("The WebP has a canvas of another size than its image.");
      return size;
    } else if (!canvas) throw damaged();
    at = content + length + (length % 2);
  }
  throw cutOff();
}

function canvasSize(view: DataView, at: number, length: number): ImageSize {
  if (length < 10) throw damaged();
  if (view.getUint8(at) & ANIMATED) throw new ImageError("Animated WebP is not supported. Send a single frame.");
  const uint24 = (from: number) => view.getUint16(from, true) | (view.getUint8(from + 2) << 16);
  return { width: uint24(at + 4) + 1, height: uint24(at + 7) + 1 };
}

/** A key frame of VP8 (RFC 6386, section 9.1): three bytes, a start code, 14 bits of each side and 2 of scaling. */
function lossySize(view: DataView, at: number, length: number): ImageSize {
  if (length < 10 || view.getUint8(at) & 1 || view.getUint16(at + 3) !== 0x9d01 || view.getUint8(at + 5) !== 0x2a)
    throw damaged();
  return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
}

/** RFC 9649, section 3.4: a signature, and 14 bits of each side less one. */
function losslessSize(view: DataView, at: number, length: number): ImageSize {
  if (length < 5 || view.getUint8(at) !== 0x2f) throw damaged();
  const bits = view.getUint32(at + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

const nameAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
const cutOff = () => new ImageError("The WebP is cut off.");
const damaged = () => new ImageError("The WebP is damaged.");
