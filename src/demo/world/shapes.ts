import { type PlanPoint, smooth } from "./plane.ts";
import type { Cell, Site } from "./site.ts";

/** Simple shapes of the plan. Rings do not repeat their first point. */

/** The cell's rectangle, drawn in by some metres; long edges have points to bend with the land. */
export function inset({ u0, u1, v0, v1 }: Cell, by: number): PlanPoint[] {
  const points: PlanPoint[] = [];
  const corners: PlanPoint[] = [
    [u0 + by, v0 + by],
    [u1 - by, v0 + by],
    [u1 - by, v1 - by],
    [u0 + by, v1 - by],
  ];
  corners.forEach((corner, i) => {
    const next = corners[(i + 1) % 4];
    for (let k = 0; k < 6; k++) {
      points.push([corner[0] + ((next[0] - corner[0]) * k) / 6, corner[1] + ((next[1] - corner[1]) * k) / 6]);
    }
  });
  return points;
}

/** A rectangle around a point. */
export function box([u, v]: PlanPoint, width: number, height: number): PlanPoint[] {
  return [
    [u - width / 2, v - height / 2],
    [u + width / 2, v - height / 2],
    [u + width / 2, v + height / 2],
    [u - width / 2, v + height / 2],
  ];
}

/** Points on a circle, from the east, counter-clockwise. */
export function ringPoints(u: number, v: number, radius: number, count: number): PlanPoint[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [u + radius * Math.cos(angle), v + radius * Math.sin(angle)] as const;
  });
}

/** A round shape with an uneven edge, without the closing point. */
export function blob(site: Site, u: number, v: number, radius: number, count: number): PlanPoint[] {
  const points = ringPoints(u, v, radius, count).map(
    ([x, y]): PlanPoint => [u + (x - u) * site.draw.between(0.8, 1.1), v + (y - v) * site.draw.between(0.8, 1.1)],
  );
  return smooth(points, 3, true).slice(0, -1);
}

export function middle({ u0, u1, v0, v1 }: Cell): PlanPoint {
  return [Math.round((u0 + u1) / 2), Math.round((v0 + v1) / 2)];
}
