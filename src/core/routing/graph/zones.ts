import type { ByteReader } from "../../geo/bytes/bytes.ts";
import { ByteWriter } from "../../geo/bytes/bytes.ts";
import { openObject } from "./object.ts";

export const ZONES_MAGIC = "GRDZ";
export const ZONES_VERSION = 1;
/** Key of the names of low-emission zones; a build without zones has no such object. */
export const ZONES_KEY = "roads/zones";

/** The names of the low-emission zones of a build: count u, then text each. Limits of kind `zone` have their numbers, from 1. */
export function writeZones(names: readonly string[]): ByteWriter {
  const out = new ByteWriter();
  out.unsigned(names.length);
  for (const name of names) out.text(name);
  return out;
}

export async function readZones(bytes: Uint8Array): Promise<string[]> {
  const reader: ByteReader = await openObject(bytes, ZONES_MAGIC, ZONES_VERSION);
  return Array.from({ length: reader.unsigned() }, () => reader.text());
}
