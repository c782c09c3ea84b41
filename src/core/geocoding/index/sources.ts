import { beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import { ADDRESSES_VERSION, ADDRESSES_VERSIONS } from "../entry/entry.ts";

/**
 * The sources of the houses of a build, which numbers in tiles of details refer to (details-tile.ts):
 *
 *     addresses/sources    "GADS", u32 version, number of sources, names: "OpenStreetMap", "Overture: NAD"
 */
export const SOURCES_KEY = "addresses/sources";
const MAGIC = "GADS";

export function encodeSources(names: readonly string[]): Uint8Array {
  const out = beginObject(MAGIC, ADDRESSES_VERSION);
  out.unsigned(names.length);
  for (const name of names) out.text(name);
  return out.finish();
}

/** @throws Error on bytes that are no such list */
export function decodeSources(bytes: Uint8Array): string[] {
  const { reader } = openVersions(bytes, MAGIC, ADDRESSES_VERSIONS, "a list of sources of addresses");
  return Array.from({ length: reader.unsigned() }, () => reader.text());
}
