import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Packing, TileArchiveWriter } from "../../maps/tiles/archive-writer.ts";

const compress = promisify(gzip) as (bytes: Uint8Array, options: { level: number }) => Promise<Uint8Array>;

const NODE: Packing = {
  async gzip(bytes) {
    const packed = await compress(bytes, { level: 9 });
    // Byte 9 of a gzip header names the operating system; "unknown" gives the same bytes everywhere.
    packed[9] = 255;
    return packed;
  },
  digest: (bytes) => createHash("sha256").update(bytes).digest("base64"),
};

/** Writes an archive (maps/tiles/archive-writer.ts) with Node's gzip at its best. */
export class ArchiveWriter extends TileArchiveWriter {
  constructor() {
    super(NODE);
  }
}
