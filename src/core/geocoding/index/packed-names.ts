import { deflateSync, inflateSync } from "fflate";
import { ByteReader, beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import { ADDRESSES_VERSION } from "../entry/entry.ts";

/**
 * A block of regions repeats names of other blocks, in many scripts: packed it takes half of the space, and is read in half a millisecond.
 *
 *     "GADZ", u32 version, bytes of the tile of names, then the tile as raw deflate (RFC 1951)
 */
const MAGIC = "GADZ";
const LEVEL = 4;

export function packNames(tile: Uint8Array): Uint8Array {
  const out = beginObject(MAGIC, ADDRESSES_VERSION);
  out.unsigned(tile.length);
  out.bytes(deflateSync(tile, { level: LEVEL }));
  return out.finish();
}

/** The tile itself; bytes that are not packed stay as they are. */
export function unpackNames(bytes: Uint8Array): Uint8Array {
  if (bytes[3] !== MAGIC.charCodeAt(3)) return bytes;
  const { reader } = openVersions(bytes, MAGIC, [ADDRESSES_VERSION, ADDRESSES_VERSION], "a packed tile of names");
  const out = new Uint8Array(reader.unsigned());
  const tile = inflateSync(new ByteReader(bytes, reader.at).copy(bytes.length - reader.at), { out });
  if (tile.length !== out.length) throw new Error("a packed tile of names is cut short");
  return tile;
}
