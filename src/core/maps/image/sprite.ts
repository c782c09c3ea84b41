/** A small image that is drawn several times: RGBA, colors premultiplied by alpha. */
export interface Sprite {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** Rows of an image that is being drawn: RGBA, colors premultiplied by alpha. */
export interface Raster extends Sprite {
  /** The image's row that is row 0 here, for images drawn in bands. */
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
  const source = wordsOf(sprite.pixels);
  const target = wordsOf(pixels);
  for (let y = fromY; y < toY; y++) {
    let from = y * sprite.width + fromX;
    let to = (above + y) * width + left + fromX;
    for (let x = fromX; x < toX; x++, from++, to++) {
      const word = source[from];
      const alpha = word >>> 24;
      if (alpha === 0) continue;
      if (alpha === 255) {
        target[to] = word;
        continue;
      }
      const rest = 255 - alpha;
      // Two channels together; divided by 255 with rounding (Blinn 1995, "Three wrongs make a right").
      let redBlue = Math.imul(target[to] & 0xff00ff, rest) + 0x800080;
      let greenAlpha = Math.imul((target[to] >>> 8) & 0xff00ff, rest) + 0x800080;
      redBlue = ((redBlue + ((redBlue >>> 8) & 0xff00ff)) >>> 8) & 0xff00ff;
      greenAlpha = (greenAlpha + ((greenAlpha >>> 8) & 0xff00ff)) & 0xff00ff00;
      target[to] = word + (redBlue | greenAlpha);
    }
  }
}

const wordsOf = (pixels: Uint8Array) => new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
