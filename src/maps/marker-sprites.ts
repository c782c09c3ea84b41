import type { Color } from "./color.ts";
import { rasterise } from "./image/rasterise.ts";
import { lay, type Raster, type Sprite } from "./image/sprite.ts";
import { type DrawnMarker, type Marker, type MarkerIcon, markerExtent, PIN, SMALL } from "./overlay.ts";
import { contrastOf, pinSvg } from "./overlay-svg.ts";

/** The pin's shadow reaches below its box [pixels at scale 1]. */
const SHADOW = 2;

/** A marker's sprite, and how far its corner lies from the marker's position [pixels of the image]. */
interface MarkerSprite extends Sprite {
  left: number;
  above: number;
}

/** A pin without its colour: a black one, and for each pixel the share that takes the colour. */
interface PinSprite extends MarkerSprite {
  share: Uint8Array;
}

/**
 * Markers as sprites. Each picture is drawn once, however many markers show it; a pin once for each size, as its colour
 * is applied when it is laid on the image: 500 pins of 500 colours are two drawings.
 */
export class MarkerSprites {
  readonly #scale: number;
  readonly #pins = new Map<string, PinSprite>();
  readonly #icons = new Map<MarkerIcon, Map<boolean, MarkerSprite>>();
  #last: { pin: PinSprite; color: Color; sprite: MarkerSprite } | undefined;

  constructor(scale: number) {
    this.#scale = scale;
  }

  /** Lays the markers over some rows of the image → number of pixels drawn. */
  draw(markers: readonly DrawnMarker[], raster: Raster): number {
    const scale = this.#scale;
    let pixels = 0;
    for (const { marker, x, y } of markers) {
      const { above, below } = markerExtent(marker);
      if ((y - above - 1) * scale > raster.top + raster.height || (y + below + 1) * scale < raster.top) continue;
      const sprite = marker.icon ? this.#icon(marker, marker.icon) : this.#pin(marker);
      lay(raster, sprite, Math.round(x * scale - sprite.left), Math.round(y * scale - sprite.above));
      pixels += sprite.width * sprite.height;
    }
    return pixels;
  }

  #pin({ color, small }: Marker): MarkerSprite {
    const contrast = contrastOf(color);
    const key = `${contrast}/${small}`;
    let pin = this.#pins.get(key);
    if (!pin) {
      pin = this.#openPin(small, contrast);
      this.#pins.set(key, pin);
    }
    if (this.#last?.pin === pin && this.#last.color === color) return this.#last.sprite;
    const sprite = { ...pin, pixels: tinted(pin, color) };
    this.#last = { pin, color, sprite };
    return sprite;
  }

  #openPin(small: boolean, contrast: string): PinSprite {
    const factor = (small ? SMALL : 1) * this.#scale;
    const [width, height] = [Math.ceil(PIN.width * factor), Math.ceil((PIN.height + SHADOW) * factor)];
    const of = (fill: string) => drawn(width, height, `<g transform="scale(${factor})">${pinSvg(fill, contrast)}</g>`);
    const [black, white] = [of("#000000"), of("#ffffff")];
    const share = new Uint8Array(width * height);
    for (let i = 0; i < share.length; i++) share[i] = white.pixels[4 * i] - black.pixels[4 * i];
    return { ...black, share, left: PIN.tipX * factor, above: PIN.tipY * factor };
  }

  #icon(marker: Marker, icon: MarkerIcon): MarkerSprite {
    let sizes = this.#icons.get(icon);
    if (!sizes) {
      sizes = new Map();
      this.#icons.set(icon, sizes);
    }
    let sprite = sizes.get(marker.small);
    if (!sprite) {
      const { left, right, above } = markerExtent(marker);
      const [width, height] = [left + right, above].map((side) => Math.max(1, Math.round(side * this.#scale)));
      const image = `<image width="${width}" height="${height}" preserveAspectRatio="none" href="${icon.href}"/>`;
      sprite = { ...drawn(width, height, image), left: width / 2, above: height };
      sizes.set(marker.small, sprite);
    }
    return sprite;
  }
}

/** A pin's pixels in a colour. */
function tinted({ pixels, share }: PinSprite, [red, green, blue, alpha]: Color): Uint8Array {
  const out = new Uint8Array(pixels.length);
  const color = [red, green, blue];
  for (let i = 0; i < share.length; i++) {
    for (let c = 0; c < 3; c++) out[4 * i + c] = Math.round((pixels[4 * i + c] + (share[i] * color[c]) / 255) * alpha);
    out[4 * i + 3] = Math.round(pixels[4 * i + 3] * alpha);
  }
  return out;
}

function drawn(width: number, height: number, inner: string): Sprite {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`;
  return rasterise(new TextEncoder().encode(svg));
}
