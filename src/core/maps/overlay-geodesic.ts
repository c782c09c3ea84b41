import type { Coordinate } from "../geo/coordinate.ts";
import { project, TILE_SIZE, type View } from "./base/view.ts";

/** Maximum distance between two points of the line [degrees]. */
const STEP = 1;
/** A long line has larger steps, so that no line gets more points than this. */
const MAX_ADDED = 10_000;
/** Maximum distance of a chord from the arc where it is visible [pixels at scale 1]. */
const SEEN = 0.2;
const MAX_DEPTH = 12;

const RAD = Math.PI / 180;

type Vector = readonly [x: number, y: number, z: number];

/**
 * The line with points added so that it follows great circles of the sphere: the shortest path, which web Mercator
 * bends towards the poles. Antipodal points have no unique shortest path and stay as they are.
 * @param view the visible part; there it gets as many points as can be distinguished
 */
export function alongGreatCircles(points: readonly Coordinate[], view?: View): Coordinate[] {
  if (points.length < 2) return [...points];
  const vectors = points.map(vectorOf);
  const angles = vectors.slice(1).map((to, i) => angleBetween(vectors[i], to));
  const step = Math.max(STEP * RAD, angles.reduce((sum, angle) => sum + angle, 0) / MAX_ADDED);
  const out: Coordinate[] = [points[0]];
  const isBent = view && bentInView(view);
  const add = (to: Coordinate, depth: number) => {
    const from = out[out.length - 1];
    const middle = isBent && depth < MAX_DEPTH ? between(vectorOf(from), vectorOf(to), 0.5) : undefined;
    if (middle && isBent?.(from, middle, to)) {
      add(middle, depth + 1);
      add(to, depth + 1);
    } else out.push(to);
  };
  angles.forEach((angle, i) => {
    const pieces = Math.PI - angle < 1e-9 ? 1 : Math.max(1, Math.ceil(angle / step));
    for (let k = 1; k < pieces; k++) add(between(vectors[i], vectors[i + 1], k / pieces), 0);
    if (pieces === 1 && angle > step) out.push(points[i + 1]);
    else add(points[i + 1], 0);
  });
  return out;
}

/** Returns whether the arc through a midpoint differs visibly from its chord, near enough to the image. */
function bentInView({ center, zoom, width, height }: View) {
  const world = TILE_SIZE * 2 ** zoom;
  const [cx, cy] = project(center);
  return (from: Coordinate, middle: Coordinate, to: Coordinate): boolean => {
    const [x0, y0] = project(from);
    const near = ([x, y]: readonly [number, number]) => [x - Math.round(x - x0), y] as const;
    const [[mx, my], [x1, y1]] = [near(project(middle)), near(project(to))];
    const off = Math.hypot(mx - (x0 + x1) / 2, my - (y0 + y1) / 2) * world;
    if (off < SEEN) return false;
    const shift = Math.round(mx - cx);
    const across = [x0, mx, x1].map((x) => (x - shift - cx) * world);
    const down = [y0, my, y1].map((y) => (y - cy) * world);
    return (
      Math.max(...across) + off >= -width / 2 &&
      Math.min(...across) - off <= width / 2 &&
      Math.max(...down) + off >= -height / 2 &&
      Math.min(...down) - off <= height / 2
    );
  };
}

/** The point at a share of the way (spherical linear interpolation; Shoemake 1985). */
function between(from: Vector, to: Vector, share: number): Coordinate {
  const angle = angleBetween(from, to);
  const [a, b] = angle < 1e-12 ? [1 - share, share] : [Math.sin(angle * (1 - share)), Math.sin(angle * share)];
  return coordinateOf([a * from[0] + b * to[0], a * from[1] + b * to[1], a * from[2] + b * to[2]]);
}

function vectorOf({ latitude, longitude }: Coordinate): Vector {
  const [phi, lambda] = [latitude * RAD, longitude * RAD];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** Of a vector of any length. */
function coordinateOf([x, y, z]: Vector): Coordinate {
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / RAD, longitude: Math.atan2(y, x) / RAD };
}

/** By sine and cosine, because the cosine alone is too imprecise for small angles. */
function angleBetween(a: Vector, b: Vector): number {
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return Math.atan2(Math.hypot(...cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}
