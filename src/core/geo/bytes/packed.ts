import { deflateSync, inflateSync } from "fflate";
import { ByteReader, beginObject, openVersions } from "./bytes.ts";

/**
 * An object within another one, as raw deflate (RFC 1951):
 *
 *     magic, u32 version, bytes of the object, the object packed
 *
 * Unpacking 40 kB takes half a millisecond. A higher level takes as long, and saves one part in 2,000 of names.
 */
const LEVEL = 4;
const MAX_RATIO = 1032;

export function packObject(magic: string, version: number, object: Uint8Array): Uint8Array {
  const out = beginObject(magic, version);
  out.unsigned(object.length);
  out.bytes(deflateSync(object, { level: LEVEL }));
  return out.finish();
}

/** The object itself; bytes that begin otherwise stay as they are. */
export function unpackObject(
  bytes: Uint8Array,
  magic: string,
  versions: readonly [oldest: number, newest: number],
  what: string,
): Uint8Array {
  for (let i = 0; i < magic.length; i++) if (bytes[i] !== magic.charCodeAt(i)) return bytes;
  const { reader } = openVersions(bytes, magic, versions, what);
  const length = reader.unsigned();
  // A damaged length would take all memory: deflate packs 1,032 bytes into one at most.
  if (length > MAX_RATIO * bytes.length) throw new Error(`${what} is damaged`);
  const out = new Uint8Array(length);
  const object = inflateSync(new ByteReader(bytes, reader.at).copy(bytes.length - reader.at), { out });
  if (object.length !== out.length) throw new Error(`${what} is cut short`);
  return object;
}
