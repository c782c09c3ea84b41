import type { Coordinate } from "../geo/coordinate.ts";
import type { Color } from "./base/color.ts";
import { project, type Subject, TILE_SIZE, toPixels, type View } from "./base/view.ts";
import { alongGreatCircles } from "./overlay-geodesic.ts";
import type { Pictogram } from "./style/pictograms.ts";
import type { PlacedText } from "./text/label.ts";

/** A caller's overlay on the map. */
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
  /** Of the area inside, whose outline is closed then; absent: a line. */
  fill?: Color;
  /** From point to point along great circles, not straight on the map. */
  geodesic?: boolean;
  /** Parts of the area that are not filled. */
  holes?: readonly (readonly Coordinate[])[];
}

export const MARKER_SIZES = ["small", "normal", "large"] as const;
export type MarkerSize = (typeof MARKER_SIZES)[number];

/** The part of a marker's image that is at its position. */
export const ANCHORS = [
  ...["bottom", "center", "top", "left", "right"],
  ...["topleft", "topright", "bottomleft", "bottomright"],
] as const as readonly Anchor[];
export type Anchor = "center" | `${"top" | "bottom"}${"" | "left" | "right"}` | "left" | "right";

/** Style of markers without images. */
export interface MarkerLook {
  color: Color;
  size: MarkerSize;
  /** Letters or digits in the pin's head. */
  label?: string;
  /** The name of a pictogram in the pin's head (style/pictograms.ts). */
  symbol?: Pictogram;
  /** Absent: bottom, where the pin's tip is. */
  anchor?: Anchor;
  /** Caption next to the marker. */
  text?: string;
}

export interface Marker extends MarkerLook {
  at: Coordinate;
  /** An image instead of the pin; undefined for the pin, or if the image could not be fetched. */
  icon?: MarkerIcon;
}

/** An image in the form that resvg draws; at most 64 × 64 pixels at scale 1. */
export interface MarkerIcon {
  /** data: URL */
  href: string;
  /** [pixels at scale 1] */
  width: number;
  height: number;
}

/** The pin in its own box: 30 × 40, the tip at (15, 39). */
export const PIN = { width: 30, height: 40, tipX: 15, tipY: 39 };
/** The pin's shadow reaches below its box. */
export const SHADOW = 2;
export const SIZE_FACTORS: Readonly<Record<MarkerSize, number>> = { small: 0.62, normal: 1, large: 1.4 };

interface Extent {
  left: number;
  right: number;
  above: number;
  below: number;
}

/** How far a marker's image extends around its position [pixels at scale 1]. */
export function markerExtent({ icon, size, anchor = "bottom" }: Marker): Extent {
  const factor = SIZE_FACTORS[size];
  // By default the bottom of an icon is at its position, as for the pin.
  const box = icon
    ? { width: icon.width, height: icon.height, tipX: icon.width / 2, tipY: icon.height, shadow: 0 }
    : { ...PIN, shadow: SHADOW };
  const x = anchor.endsWith("left") ? 0 : anchor.endsWith("right") ? box.width : box.tipX;
  const y = anchor.startsWith("top") ? 0 : anchor.startsWith("bottom") ? box.tipY : box.height / 2;
  return {
    left: x * factor,
    right: (box.width - x) * factor,
    above: y * factor,
    below: (box.height + box.shadow - y) * factor,
  };
}

/** The content that autofit must show: all markers with their images, and all paths with their width. */
export function subjectsOf({ paths, markers }: Overlay): Subject[] {
  const subjects: Subject[] = markers.map((marker) => ({ ...marker.at, ...markerExtent(marker) }));
  for (const path of paths) {
    const reach = path.width / 2 + path.borderWidth;
    for (const point of courseOf(path.points, path))
      subjects.push({ ...point, left: reach, right: reach, above: reach, below: reach });
  }
  return subjects;
}

/** A path on the image, in every copy of the world that is visible [pixels at scale 1]. */
export interface DrawnPath {
  path: OverlayPath;
  /** Pieces x, y, x, y …: a part that the path covers more than once is in it once. */
  lines: number[][];
  /** Of an area: the rings of each copy, the outer one first and then its holes. */
  areas: number[][][];
}

export interface DrawnMarker {
  marker: Marker;
  x: number;
  y: number;
  /** Text in the pin's head, in pixels at scale 1 from the corner of the pin's box. */
  label?: PlacedText;
}

/**
 * Paths from point to point in the shorter direction around the Earth, then markers from north to south, so that nearer
 * pins cover farther ones. Both in every copy of the world that the image shows.
 */
export function layOut({ paths, markers }: Overlay, view: View): { paths: DrawnPath[]; markers: DrawnMarker[] } {
  const world = TILE_SIZE * 2 ** view.zoom;
  const copies = (left: number, right: number) => {
    const shifts: number[] = [];
    for (let k = Math.ceil(-right / world); k <= Math.floor((view.width - left) / world); k++) shifts.push(k * world);
    return shifts;
  };
  const drawnPaths = paths.map((path): DrawnPath => {
    const rings = ringsOf(path, view);
    const [left, right] = bounds(rings[0].filter((_, i) => i % 2 === 0));
    const reach = path.width / 2 + path.borderWidth;
    const pieces = rings.flatMap((ring) => distinctPieces(ring, path.fill ? world : undefined));
    const shifts = copies(left - reach, right + reach);
    const lines = shifts.flatMap((shift) => pieces.map((piece) => moved(piece, shift)));
    return {
      path,
      lines: joinCopies(lines, pieces, world),
      areas: path.fill ? shifts.map((shift) => rings.map((ring) => moved(ring, shift))) : [],
    };
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

/** A line around the whole Earth is one through all its copies: where the round ends of two overlap, a mark would show. */
function joinCopies(lines: number[][], pieces: readonly number[][], world: number): number[][] {
  const [piece] = pieces;
  const east = piece[piece.length - 2] - piece[0];
  const isAround = Math.abs(Math.abs(east) - world) < THIN && Math.abs(piece[piece.length - 1] - piece[1]) < THIN;
  if (pieces.length > 1 || !isAround) return lines;
  return [(east > 0 ? lines : lines.reverse()).flat()];
}

const moved = (line: readonly number[], shift: number): number[] =>
  line.map((value, i) => (i % 2 === 0 ? value + shift : value));

/** The line of a path, or the closed rings of an area. */
function ringsOf(path: OverlayPath, view: View): number[][] {
  const { points, holes = [], fill } = path;
  if (!fill) return [pathPixels(courseOf(points, path, view), view)];
  const outer = closedRing(pathPixels(courseOf(points, path, view), view));
  // A hole is in the same copy of the world as its area.
  const [west, east] = bounds(outer.filter((_, i) => i % 2 === 0));
  return [outer, ...holes.map((hole) => closedRing(pathPixels(courseOf(hole, path, view), view, (west + east) / 2)))];
}

/** The points that a line or ring of a path goes through on the map. */
function courseOf(points: readonly Coordinate[], { geodesic, fill }: OverlayPath, view?: View): readonly Coordinate[] {
  if (!geodesic) return points;
  return alongGreatCircles(fill ? [...points, points[0]] : points, view);
}

function closedRing(ring: number[]): number[] {
  const [x, y] = ring;
  const isClosed = Math.abs(ring[ring.length - 2] - x) < 1e-6 && Math.abs(ring[ring.length - 1] - y) < 1e-6;
  return isClosed ? ring : [...ring, x, y];
}

function bounds(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** @param near the first point is the copy that is nearest to this [pixels]; absent: to the image's center */
function pathPixels(points: readonly Coordinate[], view: View, near = view.width / 2): number[] {
  const world = TILE_SIZE * 2 ** view.zoom;
  const [cx, cy] = project(view.center);
  const line: number[] = [];
  let before = cx + (near - view.width / 2) / world;
  for (const point of points) {
    const [px, y] = project(point);
    let x = px;
    x -= Math.round(x - before);
    before = x;
    line.push((x - cx) * world + view.width / 2, (y - cy) * world + view.height / 2);
  }
  return line;
}

/** Markers with the same style and position are drawn once. */
function distinctMarkers(markers: readonly Marker[]): Marker[] {
  const seen = new Map<string, Marker>();
  const icons = new Map<MarkerIcon | undefined, number>();
  for (const marker of markers) {
    const { at, color, size, icon, label, symbol, anchor, text } = marker;
    if (!icons.has(icon)) icons.set(icon, icons.size);
    const key = [at.latitude, at.longitude, color, size, icons.get(icon), label, symbol, anchor, text].join();
    if (!seen.has(key)) seen.set(key, marker);
  }
  return [...seen.values()];
}

/**
 * A point nearer than this to the last one is not visible, and routes have a point every few meters [pixels at scale
 * 1].
 */
const THIN = 0.25;

/**
 * A line in pieces, without the segments that it repeats in either direction: a road driven a thousand times is drawn
 * once. Of the outline of an area, which has the `world`'s width, both are left out where it meets itself in the next
 * copy of the world: there the area continues.
 */
function distinctPieces(line: readonly number[], world?: number): number[][] {
  const corners = withoutNear(line);
  const copyOf = (x: number) => (world === undefined ? 0 : Math.floor(x / world + 1e-9));
  /** The segment's ends, as they are in the first copy of the world, and the copy that it is in. */
  const segments = corners.slice(1).map((to, i) => {
    const from = corners[i];
    const copy = copyOf(Math.min(from[0], to[0]));
    const ends = [from, to].map(([x, y]) => `${Math.round((x - copy * (world ?? 0)) * 100)},${Math.round(y * 100)}`);
    return { to, key: ends.sort().join(" "), copy };
  });
  const copies = new Map<string, Set<number>>();
  for (const { key, copy } of segments) copies.set(key, (copies.get(key) ?? new Set()).add(copy));
  const seen = new Set<string>();
  const pieces: number[][] = [];
  let piece = [...corners[0]];
  for (const { to, key } of segments) {
    if (seen.has(key) || (copies.get(key)?.size ?? 0) > 1) {
      if (piece.length > 2) pieces.push(piece);
      piece = [...to];
    } else piece.push(...to);
    seen.add(key);
  }
  if (piece.length > 2 || pieces.length === 0) pieces.push(piece);
  return pieces;
}

/** The corners of a line without those that are not visible; the last one stays. */
function withoutNear(line: readonly number[]): [x: number, y: number][] {
  const corners: [number, number][] = [[line[0], line[1]]];
  for (let i = 2; i < line.length; i += 2) {
    const [x, y] = corners[corners.length - 1];
    const near = Math.abs(line[i] - x) + Math.abs(line[i + 1] - y) < THIN;
    if (!near || i === line.length - 2) corners.push([line[i], line[i + 1]]);
  }
  return corners;
}
