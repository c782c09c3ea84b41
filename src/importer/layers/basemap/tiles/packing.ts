import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { Packing } from "../../../../core/maps/tiles/archive-writer.ts";

const LEVEL = { level: 9 };
const compress = promisify(gzip) as (bytes: Uint8Array, options: typeof LEVEL) => Promise<Uint8Array>;

/** Byte 9 of a gzip header names the operating system; "unknown" gives the same bytes everywhere. */
function anywhere(packed: Uint8Array): Uint8Array {
  packed[9] = 255;
  return packed;
}

/** Node's gzip at its best. */
export const NODE_PACKING: Packing = {
  gzip: async (bytes) => anywhere(await compress(bytes, LEVEL)),
  digest: (bytes) => hash("sha256", bytes, "buffer"),
};

/** The same on the thread that asks. */
export const gzipHere = (bytes: Uint8Array): Uint8Array => anywhere(gzipSync(bytes, LEVEL));
