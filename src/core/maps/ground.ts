import type { Pace } from "../geo/pace.ts";
import type { Raster } from "./image/sprite.ts";
import { paintPath } from "./overlay-paint.ts";
import { Painter } from "./raster/painter.ts";
import { paintVectorImage, parseVectorImage, type VectorImage } from "./raster/vector-image.ts";
import type { Scene } from "./scene.ts";
import type { Icon } from "./style/icons.ts";
import type { PlacedIcon } from "./text/label.ts";

/**
 * Everything below texts and markers: shapes, the icons of labels, paths. Drawn on rows of the image, one band after
 * the other.
 */
export class Ground {
  readonly #scene: Scene;
  readonly #scale: number;
  #painter: Painter | undefined;

  /** `scale`: pixels of the image per pixel at scale 1. */
  constructor(scene: Scene, scale: number) {
    this.#scene = scene;
    this.#scale = scale;
  }

  async draw(raster: Raster, pace: Pace): Promise<void> {
    if (this.#painter) this.#painter.moveTo(raster);
    else this.#painter = new Painter(raster, this.#scale);
    const { shapes, pathsBefore, labels, icons } = this.#scene;
    const painter = this.#painter;
    const [first] = shapes;
    // Areas that no style covers are black.
    if (!first || !("background" in first) || first.background[3] < 1) painter.wash([0, 0, 0, 1]);
    let pathsAreDrawn = false;
    for (const layer of shapes) {
      if (!pathsAreDrawn && layer.order >= pathsBefore) {
        pathsAreDrawn = true;
        await this.#paths(painter, pace);
      }
      if ("background" in layer) painter.wash(layer.background);
      else
        for (const group of layer.groups) {
          group.draw(painter);
          const turn = pace.spend(painter.takeWork());
          if (turn) await turn;
        }
    }
    // Below the icons of labels, because texts are also drawn over the areas of paths; labels keep clear of the lines
    // of paths.
    if (!pathsAreDrawn) await this.#paths(painter, pace);
    for (const icon of labels.icons) drawIcon(painter, icon, icons[icon.name]);
    const turn = pace.spend(painter.takeWork());
    if (turn) await turn;
  }

  async #paths(painter: Painter, pace: Pace): Promise<void> {
    for (const path of this.#scene.drawn.paths) {
      for (const _ of paintPath(painter, path)) {
        const turn = pace.spend(painter.takeWork());
        if (turn) await turn;
      }
      const turn = pace.spend(painter.takeWork());
      if (turn) await turn;
    }
  }
}

/** Parsed images of icons, cached as long as their style. */
const images = new WeakMap<Icon, VectorImage>();

function drawIcon(painter: Painter, { x, y, scale: size, rotation }: PlacedIcon, icon: Icon): void {
  const { width, height, svg } = icon;
  const reach = (width + height) * size;
  if (y + reach < painter.top || y - reach > painter.bottom) return;
  let image = images.get(icon);
  if (!image) {
    image = parseVectorImage(svg);
    images.set(icon, image);
  }
  const cos = Math.cos((rotation * Math.PI) / 180);
  const sin = Math.sin((rotation * Math.PI) / 180);
  const [halfX, halfY] = [(size * width) / 2, (size * height) / 2];
  const place = { x: x - halfX * cos + halfY * sin, y: y - halfX * sin - halfY * cos, size, cos, sin };
  paintVectorImage(painter, image, place);
}
