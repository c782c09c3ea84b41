import { crc32c } from "../bytes/crc32c.ts";

/**
 * Objects of a build get a checksum when they are written, whatever their format. The bytes are followed by
 *
 *     u32  CRC-32C of the bytes, little endian
 *     u32  "GSUM"
 *
 * so that flipped, truncated or mixed-up bytes are detected before they are parsed. A reader of ranges of an object (a
 * PMTiles archive) never sees the seal; there, every piece is gzip, which has a checksum of its own.
 */
export const SEAL = "crc32c";
const SEAL_BYTES = 8;
const MAGIC = 0x4d555347;

export function seal(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const sealed = new Uint8Array(bytes.length + SEAL_BYTES);
  sealed.set(bytes);
  sealed.set(sealOf(crc32c(bytes)), bytes.length);
  return sealed;
}

/** Checksum trailer for objects that are written piece by piece. */
export function sealOf(checksum: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SEAL_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, checksum, true);
  view.setUint32(4, MAGIC, true);
  return bytes;
}

/** Returns the bytes without their checksum, as a view; undefined if the checksum does not match. */
export function unseal(sealed: Uint8Array): Uint8Array | undefined {
  const length = sealed.length - SEAL_BYTES;
  if (length < 0) return undefined;
  const view = new DataView(sealed.buffer, sealed.byteOffset + length, SEAL_BYTES);
  const bytes = sealed.subarray(0, length);
  return view.getUint32(4, true) === MAGIC && view.getUint32(0, true) === crc32c(bytes) ? bytes : undefined;
}
