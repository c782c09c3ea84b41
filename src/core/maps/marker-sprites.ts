import type { Color } from "./base/color.ts";
import { rasterise } from "./image/rasterise.ts";
import { lay, type Raster, type Sprite } from "./image/sprite.ts";
import {
  type DrawnMarker,
  type MarkerIcon,
  type MarkerSize,
  markerExtent,
  PIN,
  SHADOW,
  SIZE_FACTORS,
} from "./overlay.ts";
import { contrastOf, headOf, inkOf, type PinHead, pinSvg } from "./overlay-svg.ts";
import { Painter } from "./raster/painter.ts";
import { paintVectorImage, parseVectorImage } from "./raster/vector-image.ts";
import { drawTexts } from "./text/draw-text.ts";
import type { FontSet } from "./text/font-set.ts";

/** A pin without its color: a black one, and for each pixel the share of the color. */
interface PinSprite extends Sprite {
  share: Uint8Array;
}

const BLACK: Color = [0, 0, 0, 1];
const WHITE: Color = [255, 255, 255, 1];

interface LastPin {
  pin: PinSprite;
  color: Color;
  label: string | undefined;
  sprite: Sprite;
}

/**
 * Markers as sprites. Each image is drawn once, however many markers show it; a pin once for each size and pictogram,
 * as its color and letters are applied when it is drawn on the map: 500 pins of 500 colors are two drawings.
 */
export class MarkerSprites {
  readonly #scale: number;
  readonly #fonts: FontSet;
  readonly #pins = new Map<string, PinSprite>();
  readonly #icons = new Map<MarkerIcon, Map<MarkerSize, Sprite>>();
  #last: LastPin | undefined;

  constructor(scale: number, fonts: FontSet) {
    this.#scale = scale;
    this.#fonts = fonts;
  }

  /** Draws the markers on some rows of the image → number of pixels drawn. */
  draw(markers: readonly DrawnMarker[], raster: Raster): number {
    const scale = this.#scale;
    let pixels = 0;
    for (const drawn of markers) {
      const { marker, x, y } = drawn;
      const { left, above, below } = markerExtent(marker);
      if ((y - above - 1) * scale > raster.top + raster.height || (y + below + 1) * scale < raster.top) continue;
      const sprite = marker.icon ? this.#icon(marker.icon, marker.size) : this.#pin(drawn);
      // Images are aligned to whole pixels.
      const [dx, dy] = marker.icon
        ? [(left / (left + markerExtent(marker).right)) * sprite.width, (above / (above + below)) * sprite.height]
        : [left * scale, above * scale];
      lay(raster, sprite, Math.round(x * scale - dx), Math.round(y * scale - dy));
      pixels += sprite.width * sprite.height;
    }
    return pixels;
  }

  #pin({ marker, label }: DrawnMarker): Sprite {
    const { color, size } = marker;
    const contrast = contrastOf(color);
    const head = headOf(marker);
    const ink = inkOf(color);
    const key = `${contrast}/${ink}/${size}/${head}`;
    let pin = this.#pins.get(key);
    if (!pin) {
      pin = this.#openPin(size, contrast, head, ink);
      this.#pins.set(key, pin);
    }
    const last = this.#last;
    if (last?.pin === pin && last.color === color && last.label === label?.text) return last.sprite;
    const { width, height } = pin;
    const pixels = tinted(pin, color);
    if (label) drawTexts({ pixels, width, height, top: 0 }, [label], this.#fonts, this.#scale);
    // All of it shines through, its letters, too.
    if (color[3] < 1) for (let i = 0; i < pixels.length; i++) pixels[i] = pixels[i] * color[3] + 0.5;
    const sprite = { width, height, pixels };
    this.#last = { pin, color, label: label?.text, sprite };
    return sprite;
  }

  #openPin(size: MarkerSize, contrast: string, head: PinHead, ink: string): PinSprite {
    const factor = SIZE_FACTORS[size] * this.#scale;
    const [width, height] = [Math.ceil(PIN.width * factor), Math.ceil((PIN.height + SHADOW) * factor)];
    const on = (ground: Color, fill: string) => {
      const raster = { pixels: new Uint8Array(4 * width * height), width, height, top: 0 };
      const painter = new Painter(raster, factor);
      painter.wash(ground);
      paintVectorImage(painter, parseVectorImage(pinSvg(fill, contrast, head, ink)), {
        x: 0,
        y: 0,
        size: 1,
        cos: 1,
        sin: 0,
      });
      return raster.pixels;
    };
    const pixels = on(BLACK, "#000000");
    const [onWhite, filled] = [on(WHITE, "#000000"), on(BLACK, "#ffffff")];
    const share = new Uint8Array(width * height);
    for (let i = 0; i < share.length; i++) {
      share[i] = Math.max(0, filled[4 * i] - pixels[4 * i]);
      // Transparency: the difference between drawing on white and on black.
      pixels[4 * i + 3] = 255 - Math.max(0, onWhite[4 * i] - pixels[4 * i]);
    }
    return { pixels, width, height, share };
  }

  #icon(icon: MarkerIcon, size: MarkerSize): Sprite {
    let sizes = this.#icons.get(icon);
    if (!sizes) {
      sizes = new Map();
      this.#icons.set(icon, sizes);
    }
    let sprite = sizes.get(size);
    if (!sprite) {
      const factor = SIZE_FACTORS[size] * this.#scale;
      const [width, height] = [icon.width, icon.height].map((side) => Math.max(1, Math.round(side * factor)));
      const image = `<image width="${width}" height="${height}" preserveAspectRatio="none" href="${icon.href}"/>`;
      sprite = drawn(width, height, image);
      sizes.set(size, sprite);
    }
    return sprite;
  }
}

/** A pin's pixels in a color, without its alpha. */
function tinted({ pixels, share }: PinSprite, [red, green, blue]: Color): Uint8Array {
  const out = new Uint8Array(pixels.length);
  const [ofRed, ofGreen, ofBlue] = [red / 255, green / 255, blue / 255];
  for (let i = 0, at = 0; i < share.length; i++, at += 4) {
    const below = pixels[at + 3];
    if (below === 0) continue;
    const own = share[i];
    out[at] = pixels[at] + own * ofRed + 0.5;
    out[at + 1] = pixels[at + 1] + own * ofGreen + 0.5;
    out[at + 2] = pixels[at + 2] + own * ofBlue + 0.5;
    out[at + 3] = below;
  }
  return out;
}

function drawn(width: number, height: number, inner: string): Sprite {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`;
  return rasterise(new TextEncoder().encode(svg));
}
