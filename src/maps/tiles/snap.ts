import { LINE, POINT, ringArea, type TileFeature } from "./mvt.ts";
import { EXTENT } from "./plane.ts";

/** Whole numbers from the tile's corner; corners that fall together are one, what has no extent left is gone. */
export function snapParts(
  type: TileFeature["type"],
  parts: readonly (readonly number[])[],
  left: number,
  top: number,
): number[][] {
  const result: number[][] = [];
  let outerKept = false;
  for (const part of parts) {
    const whole: number[] = [];
    for (let i = 0; i < part.length; i += 2) {
      const x = Math.round(part[i] - left);
      const y = Math.round(part[i + 1] - top);
      const n = whole.length;
      if (n >= 2 && whole[n - 2] === x && whole[n - 1] === y && type !== POINT) continue;
      whole.push(x, y);
    }
    if (type === POINT) {
      // Rounding must not carry a point out of its tile.
      result.push(whole.map((value) => Math.max(0, Math.min(EXTENT - 1, value))));
      continue;
    }
    if (type === LINE) {
      if (whole.length >= 4) result.push(whole);
      continue;
    }
    const n = whole.length;
    if (n >= 4 && whole[0] === whole[n - 2] && whole[1] === whole[n - 1]) whole.length -= 2;
    const outer = ringArea(part) > 0;
    const area = whole.length >= 6 ? ringArea(whole) : 0;
    if (outer) outerKept = area > 0;
    if (outer ? area > 0 : area < 0 && outerKept) result.push(whole);
  }
  return result;
}
