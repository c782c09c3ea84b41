/** A small picture that is laid on an image, more than once: RGBA, colours multiplied by alpha. */
export interface Sprite {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** Rows of an image that is being drawn: RGBA, colours multiplied by alpha. */
export interface Raster extends Sprite {
  /** The image's row that is row 0 here, for images made in bands. */
  top: number;
}

/** Lays a sprite over an image, its corner at whole pixels of the image (Porter and Duff 1984, "over"). */
export function lay(raster: Raster, sprite: Sprite, left: number, top: number): void {
  const { pixels, width, height } = raster;
  const above = top - raster.top;
  const fromX = Math.max(0, -left);
  const toX = Math.min(sprite.width, width - left);
  const fromY = Math.max(0, -above);
  const toY = Math.min(sprite.height, height - above);
  for (let y = fromY; y < toY; y++) {
    let from = 4 * (y * sprite.width + fromX);
    let to = 4 * ((above + y) * width + left + fromX);
    for (let x = fromX; x < toX; x++, from += 4, to += 4) {
      const alpha = sprite.pixels[from + 3];
      if (alpha === 0) continue;
      const rest = 255 - alpha;
      for (let c = 0; c < 4; c++) pixels[to + c] = sprite.pixels[from + c] + Math.round((pixels[to + c] * rest) / 255);
    }
  }
}

/** Copies the rows of a picture into an image, its corner at whole pixels of the image. */
export function put(raster: Raster, { pixels, width, height }: Sprite, left: number): void {
  const columns = Math.min(width, raster.width - left);
  const rows = Math.min(height, raster.height);
  for (let y = 0; y < rows; y++) {
    const row = pixels.subarray(4 * y * width, 4 * (y * width + columns));
    raster.pixels.set(row, 4 * (y * raster.width + left));
  }
}
