import type { Icon } from "./icons.ts";

/** Position of an icon in the sheet [pixels of the sheet], as in MapLibre's sprite index. */
interface SpriteEntry {
  x: number;
  y: number;
  width: number;
  height: number;
  pixelRatio: number;
}

interface Sprite {
  index: Record<string, SpriteEntry>;
  /** The entire sheet, to be rasterized at its own size. */
  svg: string;
}

/** The sheet is about this wide [pixels at scale 1]. */
const WIDTH = 128;
/** Between icons, so that none bleeds into its neighbor. */
const GAP = 1;

/** All icons of a style on one sheet, in rows, highest first. */
export function spriteOf(icons: Readonly<Record<string, Icon>>, pixelRatio: 1 | 2): Sprite {
  const names = Object.keys(icons).sort((a, b) => icons[b].height - icons[a].height || (a < b ? -1 : 1));
  const index: Record<string, SpriteEntry> = {};
  const parts: string[] = [];
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  for (const name of names) {
    const { width, height, svg } = icons[name];
    if (x > 0 && x + width > WIDTH) {
      x = 0;
      y += rowHeight + GAP;
      rowHeight = 0;
    }
    index[name] = {
      x: x * pixelRatio,
      y: y * pixelRatio,
      width: width * pixelRatio,
      height: height * pixelRatio,
      pixelRatio,
    };
    parts.push(`<svg x="${x}" y="${y}" width="${width}" height="${height}">${svg}</svg>`);
    x += width + GAP;
    rowHeight = Math.max(rowHeight, height);
  }
  const height = y + rowHeight;
  const size = `width="${WIDTH * pixelRatio}" height="${height * pixelRatio}" viewBox="0 0 ${WIDTH} ${height}"`;
  return { index, svg: `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join("")}</svg>` };
}
