import { LINE, POINT, ringArea, type TileFeature } from "./mvt.ts";
import { EXTENT } from "./plane.ts";

/**
 * Snaps parts to the grid of the tile whose corner is at (left, top): coordinates become integers, coincident corners
 * become one, and parts without extent are dropped. A hole is dropped with its outer ring; an area whose holes cover it
 * completely is dropped, too, such as the sea in a tile far inland.
 * @param fineness steps of the grid per unit
 */
export function snapParts(
  type: TileFeature["type"],
  parts: readonly (readonly number[])[],
  left: number,
  top: number,
  fineness = 1,
): number[][] {
  const result: number[][] = [];
  // The last outer ring: its position in the result (−1: it was dropped) and its remaining area.
  let outerAt = -1;
  let rest = 0;
  const closeArea = () => {
    if (outerAt >= 0 && rest <= 0) result.length = outerAt;
  };
  for (const part of parts) {
    const whole = snap(type, part, left, top, fineness);
    if (type === POINT) result.push(whole);
    else if (type === LINE) {
      if (whole.length >= 4) result.push(whole);
    } else {
      const area = whole.length >= 6 ? ringArea(whole) : 0;
      if (ringArea(part) > 0) {
        closeArea();
        outerAt = area > 0 ? result.length : -1;
        rest = area;
        if (area > 0) result.push(whole);
      } else if (outerAt >= 0 && area < 0) {
        rest += area;
        result.push(whole);
      }
    }
  }
  closeArea();
  return result;
}

function snap(
  type: TileFeature["type"],
  part: readonly number[],
  left: number,
  top: number,
  fineness: number,
): number[] {
  const whole: number[] = [];
  for (let i = 0; i < part.length; i += 2) {
    const x = Math.round((part[i] - left) * fineness);
    const y = Math.round((part[i + 1] - top) * fineness);
    const n = whole.length;
    if (n >= 2 && whole[n - 2] === x && whole[n - 1] === y && type !== POINT) continue;
    whole.push(x, y);
  }
  // Rounding must not move a point out of its tile.
  if (type === POINT) return whole.map((value) => Math.max(0, Math.min(EXTENT * fineness - 1, value)));
  const n = whole.length;
  if (type !== LINE && n >= 4 && whole[0] === whole[n - 2] && whole[1] === whole[n - 1]) whole.length -= 2;
  return whole;
}
