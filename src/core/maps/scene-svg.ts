import { cornerSvg } from "./attribution.ts";
import { ByteWriter } from "./base/byte-writer.ts";
import type { Box } from "./base/clip.ts";
import type { View } from "./base/view.ts";
import { markersSvg, pathsSvg } from "./overlay-svg.ts";
import type { Scene } from "./scene.ts";
import { fillAttribute, Q } from "./shapes/shape-paint.ts";
import type { Icon } from "./style/icons.ts";
import type { PlacedIcon } from "./text/label.ts";
import { textSvg } from "./text-svg.ts";

export const whole = ({ width, height }: View): Box => ({ left: 0, top: 0, right: width, bottom: height });

/** The scene as one SVG document, with texts as text. */
export function renderSvg(scene: Scene): Uint8Array {
  const { view, scale, drawn, corners, labels, dark } = scene;
  const svg = new ByteWriter(1 << 18);
  writeGround(scene, whole(view), Math.round(view.width * scale), Math.round(view.height * scale), svg);
  svg.text(markersSvg(drawn.markers));
  for (const corner of corners) svg.text(cornerSvg(corner, dark));
  for (const text of [...labels.texts, ...corners.map(({ text }) => text)]) svg.text(textSvg(text));
  svg.text("</svg>");
  return svg.bytes.slice();
}

/** Everything up to the closing tag. `width`, `height`: of the window [pixels of the image]. */
function writeGround(scene: Scene, window: Box, width: number, height: number, svg: ByteWriter): void {
  const { left, top, right, bottom } = window;
  const [w, h] = [right - left, bottom - top];
  svg.text(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${w} ${h}" preserveAspectRatio="none">`,
  );
  const ground = `<g transform="scale(${1 / Q})" fill="none">`;
  svg.text(ground);
  let pathsAreDrawn = false;
  for (const layer of scene.shapes) {
    if (!pathsAreDrawn && layer.order >= scene.pathsBefore) {
      pathsAreDrawn = true;
      svg.text(`</g>${pathsSvg(scene.drawn.paths, window)}${ground}`);
    }
    if ("background" in layer) {
      svg.text(
        `<rect x="${left * Q}" y="${top * Q}" width="${w * Q}" height="${h * Q}" ${fillAttribute(layer.background)}/>`,
      );
    } else for (const group of layer.groups) group.write(window, svg);
  }
  svg.text("</g>");
  // Below the icons of labels, because texts are also drawn over the areas of paths; labels keep clear of the lines of
  // paths.
  if (!pathsAreDrawn) svg.text(pathsSvg(scene.drawn.paths, window));
  for (const icon of scene.labels.icons)
    if (isSeen(icon, scene.icons[icon.name], window)) svg.text(iconSvg(icon, scene));
}

function isSeen({ x, y, scale }: PlacedIcon, { width, height }: Icon, window: Box): boolean {
  const reach = (width + height) * scale;
  return x + reach >= window.left && x - reach <= window.right && y + reach >= window.top && y - reach <= window.bottom;
}

function iconSvg({ name, x, y, rotation, scale }: PlacedIcon, { icons }: Scene): string {
  const { width, height, svg } = icons[name];
  const round = (value: number) => Math.round(value * 100) / 100;
  const turn = rotation === 0 ? "" : ` rotate(${round(rotation)})`;
  const size = scale === 1 ? "" : ` scale(${scale})`;
  return `<g transform="translate(${round(x)} ${round(y)})${turn}${size} translate(${-width / 2} ${-height / 2})">${svg}</g>`;
}
