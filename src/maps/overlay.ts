import type { Coordinate } from "../geo/coordinate.ts";
import type { Color } from "./color.ts";
import { project, type Subject, TILE_SIZE, toPixels, type View } from "./view.ts";

/** What a caller draws on the map. */
export interface Overlay {
  paths: readonly OverlayPath[];
  markers: readonly Marker[];
}

export interface OverlayPath {
  points: readonly Coordinate[];
  stroke: Color;
  /** [pixels at scale 1] */
  width: number;
  border: Color;
  /** On each side of the stroke [pixels at scale 1]. */
  borderWidth: number;
}

export interface Marker {
  at: Coordinate;
  color: Color;
  small: boolean;
  /** A picture instead of the pin; undefined for the pin, or where the picture could not be fetched. */
  icon?: MarkerIcon;
}

/** A picture in the form resvg draws; at most 64 × 64 pixels at scale 1. */
export interface MarkerIcon {
  /** data: URL */
  href: string;
  /** [pixels at scale 1] */
  width: number;
  height: number;
}

/** The pin in a box of its own: 30 × 40, the tip at (15, 39). */
export const PIN = { width: 30, height: 40, tipX: 15, tipY: 39 };
export const SMALL = 0.62;

interface Extent {
  left: number;
  right: number;
  above: number;
  below: number;
}

/** How far a marker's picture reaches around its position [pixels at scale 1]. */
export function markerExtent({ icon, small }: Marker): Extent {
  const factor = small ? SMALL : 1;
  if (icon) {
    const [w, h] = [icon.width * factor, icon.height * factor];
    // An icon stands on its position, as the pin does.
    return { left: w / 2, right: w / 2, above: h, below: 0 };
  }
  return {
    left: PIN.tipX * factor,
    right: (PIN.width - PIN.tipX) * factor,
    above: PIN.tipY * factor,
    below: 3 * factor,
  };
}

/** What autofit must show: all markers with their pictures, and all paths with their width. */
export function subjectsOf({ paths, markers }: Overlay): Subject[] {
  const subjects: Subject[] = markers.map((marker) => ({ ...marker.at, ...markerExtent(marker) }));
  for (const { points, width, borderWidth } of paths) {
    const reach = width / 2 + borderWidth;
    for (const point of points) subjects.push({ ...point, left: reach, right: reach, above: reach, below: reach });
  }
  return subjects;
}

/** A path on the image, in every copy of the world that is visible [pixels at scale 1]. */
export interface DrawnPath {
  path: OverlayPath;
  /** Pieces x, y, x, y …: a part that the path covers more than once is in it once. */
  lines: number[][];
}

export interface DrawnMarker {
  marker: Marker;
  x: number;
  y: number;
}

/**
 * Paths from point to point the shorter way around, then markers from north to south, so that nearer pins lie over
 * farther ones. Both in every copy of the world that the image shows.
 */
export function layOut({ paths, markers }: Overlay, view: View): { paths: DrawnPath[]; markers: DrawnMarker[] } {
  const world = TILE_SIZE * 2 ** view.zoom;
  const copies = (left: number, right: number) => {
    const shifts: number[] = [];
    for (let k = Math.ceil(-right / world); k <= Math.floor((view.width - left) / world); k++) shifts.push(k * world);
    return shifts;
  };
  const drawnPaths = paths.map((path): DrawnPath => {
    const line = pathPixels(path.points, view);
    const [left, right] = bounds(line.filter((_, i) => i % 2 === 0));
    const reach = path.width / 2 + path.borderWidth;
    const pieces = distinctPieces(line);
    const lines = copies(left - reach, right + reach).flatMap((shift) =>
      pieces.map((piece) => piece.map((value, i) => (i % 2 === 0 ? value + shift : value))),
    );
    return { path, lines };
  });
  const drawnMarkers = distinctMarkers(markers)
    .flatMap((marker) => {
      const [x, y] = toPixels(view, marker.at);
      const { left, right, above, below } = markerExtent(marker);
      if (y - above > view.height || y + below < 0) return [];
      return copies(x - left, x + right).map((shift): DrawnMarker => ({ marker, x: x + shift, y }));
    })
    .sort((a, b) => a.y - b.y);
  return { paths: drawnPaths, markers: drawnMarkers };
}

function bounds(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function pathPixels(points: readonly Coordinate[], view: View): number[] {
  const world = TILE_SIZE * 2 ** view.zoom;
  const [cx, cy] = project(view.center);
  const line: number[] = [];
  let before: number | undefined;
  for (const point of points) {
    const [px, y] = project(point);
    let x = px;
    x -= Math.round(x - (before ?? cx));
    before = x;
    line.push((x - cx) * world + view.width / 2, (y - cy) * world + view.height / 2);
  }
  return line;
}

/** Markers that look the same and stand on the same spot are one. */
function distinctMarkers(markers: readonly Marker[]): Marker[] {
  const seen = new Map<string, Marker>();
  const icons = new Map<MarkerIcon | undefined, number>();
  for (const marker of markers) {
    const { at, color, small, icon } = marker;
    if (!icons.has(icon)) icons.set(icon, icons.size);
    const key = `${at.latitude},${at.longitude},${color},${small},${icons.get(icon)}`;
    if (!seen.has(key)) seen.set(key, marker);
  }
  return [...seen.values()];
}

/**
 * A point nearer than this to the last one cannot be seen, and routes have a point every few metres [pixels at scale
 * 1].
 */
const THIN = 0.25;

/**
 * A line in pieces, without the segments that it repeats in either direction: a road driven a thousand times is drawn
 * once.
 */
function distinctPieces(line: readonly number[]): number[][] {
  const pieces: number[][] = [];
  const seen = new Set<string>();
  let piece = line.slice(0, 2);
  let [x, y] = piece;
  for (let i = 2; i < line.length; i += 2) {
    const [nx, ny] = [line[i], line[i + 1]];
    const near = Math.abs(nx - x) + Math.abs(ny - y) < THIN;
    if (near && i < line.length - 2) continue;
    const ends = [`${Math.round(x * 100)},${Math.round(y * 100)}`, `${Math.round(nx * 100)},${Math.round(ny * 100)}`];
    const key = ends.sort().join(" ");
    if (!seen.has(key)) piece.push(nx, ny);
    else {
      if (piece.length > 2) pieces.push(piece);
      piece = [nx, ny];
    }
    seen.add(key);
    [x, y] = [nx, ny];
  }
  if (piece.length > 2 || pieces.length === 0) pieces.push(piece);
  return pieces;
}
