import { ringArea } from "../../../../core/maps/tiles/mvt.ts";

/**
 * The label point of an area: the middle of the widest piece of a horizontal line through the centroid of its
 * largest ring, holes counted. It always is inside the area.
 */
export function labelPoint(parts: readonly (readonly number[])[]): { x: number; y: number; area: number } | undefined {
  let largest: readonly number[] | undefined;
  let area = 0;
  for (const part of parts) {
    const own = ringArea(part) / 2;
    if (own > area) {
      area = own;
      largest = part;
    }
  }
  if (!largest) return undefined;
  const y = centroidY(largest, area);
  const x = widestAt(parts, y)?.x;
  return x === undefined ? undefined : { x, y, area };
}

/** The middle of the widest piece of the horizontal line at `y` within an area, and how wide it is. */
export function widestAt(parts: readonly (readonly number[])[], y: number): { x: number; width: number } | undefined {
  const crossings: number[] = [];
  for (const part of parts) {
    for (let i = 0, before = part.length - 2; i < part.length; before = i, i += 2) {
      const y0 = part[before + 1];
      const y1 = part[i + 1];
      if (y0 < y !== y1 < y) crossings.push(part[before] + ((y - y0) / (y1 - y0)) * (part[i] - part[before]));
    }
  }
  crossings.sort((a, b) => a - b);
  let x = Number.NaN;
  let width = -1;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    if (crossings[i + 1] - crossings[i] <= width) continue;
    width = crossings[i + 1] - crossings[i];
    x = (crossings[i] + crossings[i + 1]) / 2;
  }
  return Number.isNaN(x) ? undefined : { x, width };
}

function centroidY(ring: readonly number[], area: number): number {
  // From the first corner, as coordinates are large and areas small.
  const [ox, oy] = ring;
  let sum = 0;
  for (let i = 0, before = ring.length - 2; i < ring.length; before = i, i += 2) {
    const x0 = ring[before] - ox;
    const y0 = ring[before + 1] - oy;
    const x1 = ring[i] - ox;
    const y1 = ring[i + 1] - oy;
    sum += (y0 + y1) * (x0 * y1 - x1 * y0);
  }
  return oy + sum / (6 * area);
}
