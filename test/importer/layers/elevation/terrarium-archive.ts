import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { project } from "../../../../src/core/maps/base/view.ts";
import { tileId } from "../../../../src/core/maps/tiles/tile-id.ts";
import { WholeArchive } from "../../../core/maps/tiles/whole-archive.ts";

const mercatorRow = (latitude: number) => project({ latitude, longitude: 0 })[1];

/** The ground of a test [m]; NaN where the archive has no tile. */
export type Ground = (latitude: number, longitude: number) => number;

interface ArchiveOptions {
  bounds: [west: number, south: number, east: number, north: number];
  zoom: number;
  ground: Ground;
  side?: number;
  format?: "png" | "webp";
  metadata?: Record<string, unknown>;
  /** Leaves out a tile. */
  lacks?: (x: number, y: number) => boolean;
}

/** A PMTiles archive of elevations in the terrarium encoding, as Mapterhorn writes them. */
export async function writeTerrarium(path: string, options: ArchiveOptions): Promise<void> {
  const { bounds, zoom, ground, side = 256, format = "webp", metadata = {}, lacks } = options;
  const [west, south, east, north] = bounds;
  const count = 2 ** zoom;
  const archive = new WholeArchive({ gzip: async (bytes) => bytes as Uint8Array<ArrayBuffer>, digest: digestOf });
  const tiles: [id: number, x: number, y: number][] = [];
  for (let y = Math.floor(mercatorRow(north) * count); y <= Math.floor(mercatorRow(south) * count); y++)
    for (let x = Math.floor(((west + 180) / 360) * count); x <= Math.floor(((east + 180) / 360) * count); x++)
      if (!lacks?.(x, y)) tiles.push([tileId(zoom, x, y), x, y]);
  for (const [id, x, y] of tiles.sort((a, b) => a[0] - b[0])) {
    const pixels = Buffer.alloc(3 * side * side);
    for (let i = 0; i < side * side; i++) {
      const longitude = ((x * side + (i % side) + 0.5) / (count * side)) * 360 - 180;
      const row = (y * side + Math.floor(i / side) + 0.5) / (count * side);
      const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * row))) * 180) / Math.PI;
      const value = Math.round((ground(latitude, longitude) + 32_768) * 256);
      pixels[3 * i] = value >> 16;
      pixels[3 * i + 1] = (value >> 8) & 255;
      pixels[3 * i + 2] = value & 255;
    }
    const image = sharp(pixels, { raw: { width: side, height: side, channels: 3 } });
    await archive.add(
      id,
      await (format === "png" ? image.png() : image.webp({ lossless: true, effort: 0 })).toBuffer(),
    );
  }
  const { bytes } = await archive.finish({ bounds, minZoom: 0, maxZoom: zoom, metadata });
  // Nothing is packed; tiles are PNG or WebP (PMTiles 3, "Header").
  [bytes[97], bytes[98], bytes[99]] = [1, 1, format === "png" ? 2 : 4];
  await writeFile(path, bytes);
}

let tiles = 0;
/** No two tiles are taken for equal. */
function digestOf(): Uint8Array {
  const digest = new Uint8Array(12);
  new DataView(digest.buffer).setUint32(0, ++tiles);
  return digest;
}
