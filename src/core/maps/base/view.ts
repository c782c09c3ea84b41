import type { Coordinate } from "../../geo/coordinate.ts";

/**
 * The view of a map: the position of the world plane in the image. The world is 512 × 2^zoom pixels wide and high (web
 * Mercator; MapLibre's zoom), x to the east and y to the south; an image may show it beyond the 180th meridian.
 */
export interface View {
  /**
   * Position of the image's center; the longitude may be outside [-180, 180] if the view crosses the 180th meridian.
   */
  center: Coordinate;
  zoom: number;
  /** [pixels at scale 1] */
  width: number;
  height: number;
}

/** Beyond this latitude web Mercator's square ends. */
const MAX_LATITUDE = 85.0511287798066;
export const TILE_SIZE = 512;

/** Position → world plane in 0..1; latitudes beyond the square stay at its edge. */
export function project({ latitude, longitude }: Coordinate): [x: number, y: number] {
  const held = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const sine = Math.sin((held * Math.PI) / 180);
  return [(longitude + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** World plane in 0..1 → position; x may be outside. */
export function unproject(x: number, y: number): Coordinate {
  return {
    latitude: (360 / Math.PI) * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - 90,
    longitude: x * 360 - 180,
  };
}

/**
 * Pixels at scale 1 from the image's top left corner, of the copy of the world that is nearest to the view's center.
 */
export function toPixels(view: View, point: Coordinate): [x: number, y: number] {
  const size = TILE_SIZE * 2 ** view.zoom;
  const [cx, cy] = project(view.center);
  const [x, y] = project(point);
  return [(x - cx - Math.round(x - cx)) * size + view.width / 2, (y - cy) * size + view.height / 2];
}

/** Content that must be visible: a point, and the extent of its image around it [pixels at scale 1]. */
export interface Subject extends Coordinate {
  left?: number;
  right?: number;
  above?: number;
  below?: number;
}

export interface Padding {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export const evenPadding = (side: number): Padding => ({ top: side, right: side, bottom: side, left: side });

interface Fit {
  width: number;
  height: number;
  /** Kept free along the edges [pixels at scale 1]. */
  padding: Padding;
  /** The largest zoom, used for a single point. */
  maxZoom: number;
  /** Kept when given; only the other one is fitted. */
  center?: Coordinate;
  zoom?: number;
}

/** At zoom -3 the world is 64 pixels wide: everything fits on the smallest image. */
export const MIN_ZOOM = -3;

/** The view that shows all subjects as large as possible. */
export function fitView(subjects: readonly Subject[], fit: Fit): View {
  const { width, height, zoom, center } = fit;
  if (center && zoom !== undefined) return { center, zoom, width, height };
  if (subjects.length === 0) return { center: center ?? { latitude: 0, longitude: 0 }, zoom: zoom ?? 0, width, height };
  return fitPlaced(unwrap(subjects, center?.longitude), fit);
}

/**
 * The view that shows a whole box, as large as it can be; a box whose west is greater than its east crosses the 180th
 * meridian.
 */
export function fitBounds(bounds: { south: number; west: number; north: number; east: number }, fit: Fit): View {
  const { south, west, north, east } = bounds;
  const [left, top] = project({ latitude: north, longitude: west });
  const [right, bottom] = project({ latitude: south, longitude: east < west ? east + 360 : east });
  const bare = { left: 0, right: 0, above: 0, below: 0 };
  return fitPlaced(
    [
      { x: left, y: top, ...bare },
      { x: right, y: bottom, ...bare },
    ],
    fit,
  );
}

function fitPlaced(points: readonly Placed[], fit: Fit): View {
  const { width, height, center } = fit;
  const zoom = fit.zoom ?? zoomFor(points, fit);
  return { center: center ?? centerAt(points, zoom, fit), zoom, width, height };
}

interface Placed extends Required<Omit<Subject, keyof Coordinate>> {
  x: number;
  y: number;
}

/**
 * World positions with continuous x: the widest gap between longitudes stays outside, so that Fiji does not extend
 * around the world. With a fixed center each point uses the copy nearest to it instead.
 */
function unwrap(subjects: readonly Subject[], longitude: number | undefined): Placed[] {
  const points = subjects.map((subject): Placed => {
    const [x, y] = project(subject);
    return {
      x,
      y,
      left: subject.left ?? 0,
      right: subject.right ?? 0,
      above: subject.above ?? 0,
      below: subject.below ?? 0,
    };
  });
  if (longitude !== undefined) {
    const cx = (longitude + 180) / 360;
    for (const point of points) point.x -= Math.round(point.x - cx);
    return points;
  }
  const order = points.map(({ x }) => x - Math.floor(x)).sort((a, b) => a - b);
  let start = order[0];
  let widest = order[0] + 1 - order[order.length - 1];
  for (let i = 1; i < order.length; i++) {
    if (order[i] - order[i - 1] > widest + 1e-12) {
      widest = order[i] - order[i - 1];
      start = order[i];
    }
  }
  for (const point of points) {
    const x = point.x - Math.floor(point.x);
    point.x = x < start ? x + 1 : x;
  }
  return points;
}

/** The largest zoom at which the content fits; found by bisection, because every pin extends by its own pixels. */
function zoomFor(points: readonly Placed[], fit: Fit): number {
  let low = MIN_ZOOM;
  let high = fit.maxZoom;
  if (fits(points, high, fit)) return high;
  for (let i = 0; i < 30; i++) {
    const middle = (low + high) / 2;
    if (fits(points, middle, fit)) low = middle;
    else high = middle;
  }
  // Integer hundredths, so that points that differ only slightly give the same map.
  return Math.max(MIN_ZOOM, Math.floor(low * 100) / 100);
}

function fits(points: readonly Placed[], zoom: number, { width, height, padding, center }: Fit): boolean {
  const box = boxAt(points, zoom);
  const { top, right, bottom, left } = padding;
  if (!center) return box.right - box.left <= width - left - right && box.bottom - box.top <= height - top - bottom;
  const [cx, cy] = project(center).map((value) => value * TILE_SIZE * 2 ** zoom);
  return (
    cx - box.left <= width / 2 - left &&
    box.right - cx <= width / 2 - right &&
    cy - box.top <= height / 2 - top &&
    box.bottom - cy <= height / 2 - bottom
  );
}

/** The box around everything to be seen, in pixels of the world at a zoom. */
function boxAt(points: readonly Placed[], zoom: number) {
  const size = TILE_SIZE * 2 ** zoom;
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const { x, y, left, right, above, below } of points) {
    box.left = Math.min(box.left, x * size - left);
    box.right = Math.max(box.right, x * size + right);
    box.top = Math.min(box.top, y * size - above);
    box.bottom = Math.max(box.bottom, y * size + below);
  }
  return box;
}

function centerAt(points: readonly Placed[], zoom: number, { height, padding }: Fit): Coordinate {
  const box = boxAt(points, zoom);
  const size = TILE_SIZE * 2 ** zoom;
  // A world at least as high as the image fills it: near the poles the view stays on the world, if the subjects allow
  // it.
  let y = (box.top + box.bottom + padding.bottom - padding.top) / 2;
  if (size > height) y = Math.max(height / 2, Math.min(size - height / 2, y));
  const [lowest, highest] = [box.bottom - height / 2 + padding.bottom, box.top + height / 2 - padding.top];
  y = lowest > highest ? (lowest + highest) / 2 : Math.max(lowest, Math.min(highest, y));
  y = Math.max(0, Math.min(size, y));
  const { latitude, longitude } = unproject((box.left + box.right + padding.right - padding.left) / 2 / size, y / size);
  return { latitude, longitude: longitude >= 180 ? longitude - 360 : longitude };
}

/** A map tile in the image. */
export interface TilePlace {
  z: number;
  x: number;
  y: number;
  /** Its top left corner and side in the image [pixels at scale 1]. */
  left: number;
  top: number;
  size: number;
}

/** The tiles of whole zoom `floor(zoom)`, at most `maxZoom`, that the image shows; columns wrap around the world. */
export function tilesBehind(view: View, maxZoom: number): TilePlace[] {
  // Tile geometry exists for integer zooms; between them it is scaled.
  const z = Math.max(0, Math.min(maxZoom, Math.floor(view.zoom + 1e-9)));
  const count = 2 ** z;
  const size = TILE_SIZE * 2 ** (view.zoom - z);
  const [cx, cy] = project(view.center);
  const left = cx * count * size - view.width / 2;
  const top = cy * count * size - view.height / 2;
  const tiles: TilePlace[] = [];
  for (let y = Math.max(0, Math.floor(top / size)); y < count && y * size < top + view.height; y++) {
    for (let x = Math.floor(left / size); x * size < left + view.width; x++) {
      tiles.push({ z, x: ((x % count) + count) % count, y, left: x * size - left, top: y * size - top, size });
    }
  }
  return tiles;
}
