import {
  type ArchiveOptions,
  type Packing,
  TileArchiveWriter,
} from "../../../../src/core/maps/tiles/archive-writer.ts";
import { NODE_PACKING } from "../../../../src/importer/layers/basemap/tiles/packing.ts";

/** An archive in memory, of tiles that are not packed yet. */
export class WholeArchive {
  readonly #packing: Packing;
  readonly #blobs: Uint8Array[] = [];
  readonly #writer: TileArchiveWriter;

  constructor(packing: Packing = NODE_PACKING) {
    this.#packing = packing;
    this.#writer = new TileArchiveWriter(packing.gzip, async (bytes) => void this.#blobs.push(bytes));
  }

  async add(tileId: number, bytes: Uint8Array): Promise<void> {
    const { gzip, digest } = this.#packing;
    await this.#writer.add({ tileId, digest: digest(bytes), packed: await gzip(bytes) });
  }

  async finish(options: ArchiveOptions): Promise<{ bytes: Uint8Array; addressed: number; contents: number }> {
    const bytes = new Uint8Array(Buffer.concat([await this.#writer.head(options), ...this.#blobs]));
    const { addressed, contents } = this.#writer.tiles;
    return { bytes, addressed, contents };
  }
}
