import { type Pace, unpaced } from "../geo/pace.ts";
import { drawBands } from "./bands.ts";
import { TILE_SIZE, unproject, type View } from "./base/view.ts";
import { PngEncoder } from "./image/png.ts";
import { ColorCounts } from "./image/quantise.ts";
import { AROUND, placeInBlock } from "./labels/block-labels.ts";
import { collectCandidates } from "./labels/candidates.ts";
import { areGlyphsMissing } from "./labels/place-labels.ts";
import { hanFormOfView, isDark, type MapRequest, type Scene } from "./scene.ts";
import { type PlacedTile, prepareShapes } from "./shapes/shapes.ts";
import type { FontSet } from "./text/font-set.ts";

/** A raster tile's side [pixels at scale 1]: the size that Leaflet, OpenLayers and others assume. */
export const RASTER_SIZE = 256;

/** Costs of a pixel: counting its color and cutting it out; finding and compressing its index [µs]. */
const CUT_COST = 0.01;
const ENCODE_COST = 0.03;

/**
 * Tiles that are drawn together: labels can then cross tile borders, and a screen of tiles needs a few drawings instead
 * of thirty. At twice the scale it is four tiles, with as many pixels.
 */
export interface RasterBlock {
  z: number;
  /** Its first tile. */
  x: number;
  y: number;
  /** Tiles along each side. */
  side: number;
  scale: number;
}

/** The metatile of a tile. */
export function blockOf(z: number, x: number, y: number, scale: number): RasterBlock {
  const side = Math.min(2 ** z, scale === 1 ? 4 : 2);
  return { z, x: x - (x % side), y: y - (y % side), side, scale };
}

export function viewOfBlock({ z, x, y, side }: RasterBlock): View {
  const tiles = 2 ** z;
  const pixels = side * RASTER_SIZE;
  return {
    center: unproject((x + side / 2) / tiles, (y + side / 2) / tiles),
    zoom: z + Math.log2(RASTER_SIZE / TILE_SIZE),
    width: pixels,
    height: pixels,
  };
}

/** Input for the layout of a metatile; `tiles` are those of `viewAround`. */
type BlockRequest = Pick<MapRequest, "scale" | "style" | "icons" | "tiles" | "form">;

/** Area of the data that is needed to place the labels of a metatile. */
export function viewAround(block: RasterBlock): View {
  const view = viewOfBlock(block);
  return { ...view, width: view.width + 2 * AROUND, height: view.height + 2 * AROUND };
}

/** A block ready to draw. */
export async function layOutBlock(
  block: RasterBlock,
  { scale, style, icons, tiles, form }: BlockRequest,
  fonts: FontSet,
  pace: Pace = unpaced(),
): Promise<Scene> {
  const view = viewOfBlock(block);
  const { width, height, zoom } = view;
  const around = { left: 0, top: 0, right: width + 2 * AROUND, bottom: height + 2 * AROUND };
  const candidates = await collectCandidates(style, tiles, zoom, around, pace, form ?? hanFormOfView(view));
  await fonts.prepare([...candidates, ...candidates.map(({ font, fallback }) => ({ font, text: fallback }))]);
  const labels = await placeInBlock(candidates, view, { fonts, icons, pace });
  const lacksGlyphs = areGlyphsMissing(candidates, fonts);
  const dark = isDark(style, zoom);
  const image = { left: 0, top: 0, right: width, bottom: height };
  const own = tiles
    .map((tile): PlacedTile => ({ ...tile, left: tile.left - AROUND, top: tile.top - AROUND }))
    .filter(({ left, top, size }) => left < width && top < height && left + size > 0 && top + size > 0);
  const shapes = await prepareShapes(style, own, { image, zoom, scale }, pace);
  const drawn = { paths: [], markers: [] };
  return {
    view,
    scale,
    icons,
    shapes,
    labels,
    corners: [],
    drawn,
    pathsBefore: Number.POSITIVE_INFINITY,
    dark,
    lacksGlyphs,
  };
}

/** The tiles of a metatile as PNG, row by row, drawn as one image. */
export async function renderTiles(
  scene: Scene,
  { side, scale }: RasterBlock,
  fonts: FontSet,
  pace: Pace = unpaced(),
): Promise<Uint8Array[]> {
  const size = RASTER_SIZE * scale;
  const tiles = Array.from({ length: side * side }, () => new Uint8Array(4 * size * size));
  const counts = new ColorCounts();
  for await (const band of drawBands(scene, fonts, scale, pace)) {
    counts.add(band.pixels);
    for (let row = 0; row < band.height; row++) {
      const y = band.top + row;
      for (let column = 0; column < side; column++) {
        const from = 4 * (row * band.width + column * size);
        tiles[Math.floor(y / size) * side + column].set(
          band.pixels.subarray(from, from + 4 * size),
          4 * (y % size) * size,
        );
      }
    }
    const turn = pace.spend(band.width * band.height * CUT_COST);
    if (turn) await turn;
  }
  // One palette for all, so that colors are the same in all tiles.
  const palette = counts.palette();
  const images: Uint8Array[] = [];
  for (const pixels of tiles) {
    const encoder = new PngEncoder(size, size, palette);
    encoder.write(pixels, size);
    images.push(encoder.finish());
    const turn = pace.spend(size * size * ENCODE_COST);
    if (turn) await turn;
  }
  return images;
}
