import { type DrawnIcon, ICON_SCALES } from "./marker-icon.ts";

/**
 * An uploaded icon as it is stored (docs/formats/uploaded-icon.md):
 *
 *     0   "GICN"
 *     4   u8  version 2
 *     5   u8  number of images n: for scale 1, 2, 3
 *     6   u16 0
 *     8   f32 width, f32 height [pixels at scale 1]
 *     16  n × u32 length
 *     …   n PNG files
 *
 * Numbers are little-endian. Version 1 held a file as it was sent, PNG or SVG, after six bytes.
 */
const MAGIC = "GICN";
export const ICON_VERSION = 2;
const HEAD = 16;
const FORMER_HEAD = 6;

export function encodeIcon({ width, height, pngs }: DrawnIcon): Uint8Array {
  const start = HEAD + 4 * pngs.length;
  const bytes = new Uint8Array(start + pngs.reduce((sum, png) => sum + png.length, 0));
  const view = new DataView(bytes.buffer);
  bytes.set([...new TextEncoder().encode(MAGIC), ICON_VERSION, pngs.length]);
  view.setFloat32(8, width, true);
  view.setFloat32(12, height, true);
  let at = start;
  pngs.forEach((png, i) => {
    view.setUint32(HEAD + 4 * i, png.length, true);
    bytes.set(png, at);
    at += png.length;
  });
  return bytes;
}

/** @throws Error when it is no icon of this version */
export function decodeIcon(bytes: Uint8Array): DrawnIcon {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isIcon(bytes) || bytes[4] !== ICON_VERSION || bytes[5] !== ICON_SCALES.length)
    throw new Error(`this is no icon of version ${ICON_VERSION}`);
  let at = HEAD + 4 * ICON_SCALES.length;
  const pngs = ICON_SCALES.map((_, i) => {
    const end = at + view.getUint32(HEAD + 4 * i, true);
    if (end > bytes.length) throw new Error("this icon is cut off");
    const png = bytes.subarray(at, end);
    at = end;
    return png;
  });
  return { width: view.getFloat32(8, true), height: view.getFloat32(12, true), pngs };
}

/** The file in an icon of version 1; undefined for another version. */
export function formerIcon(bytes: Uint8Array): Uint8Array | undefined {
  return isIcon(bytes) && bytes[4] === 1 ? bytes.subarray(FORMER_HEAD) : undefined;
}

function isIcon(bytes: Uint8Array): boolean {
  return bytes.length >= FORMER_HEAD && String.fromCharCode(...bytes.subarray(0, 4)) === MAGIC;
}
