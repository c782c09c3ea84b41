import type { Coordinate } from "../geo/coordinate.ts";
import type { Box } from "./clip.ts";
import { type Color, toHex } from "./color.ts";
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
  /** A picture instead of the pin; undefined for the pin, or where it could not be had. */
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
const PIN = { width: 30, height: 40, tipX: 15, tipY: 39 };
const PIN_SHAPE =
  "M15 1.500C8.100 1.500 2.500 7.100 2.500 14c0 4.100 1.900 7.600 4.900 11.500C10.500 29.600 13.600 33.500 15 38.500c1.400-5 4.500-8.900 7.600-13C25.600 21.600 27.500 18.100 27.500 14c0-6.900-5.600-12.500-12.500-12.500z";
const SMALL = 0.62;

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

/** A path on the image, every copy of the world that is seen [pixels at scale 1]. */
export interface DrawnPath {
  path: OverlayPath;
  lines: number[][];
}

export interface DrawnMarker {
  marker: Marker;
  x: number;
  y: number;
}

/**
 * Paths from point to point the shorter way around, then markers from north to south, so that nearer pins lie over farther ones.
 * Both in every copy of the world that the image shows.
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
    const xs = line.filter((_, i) => i % 2 === 0);
    const reach = path.width / 2 + path.borderWidth;
    const lines = copies(Math.min(...bounds(xs)) - reach, Math.max(...bounds(xs)) + reach).map((shift) =>
      line.map((value, i) => (i % 2 === 0 ? value + shift : value)),
    );
    return { path, lines };
  });
  const drawnMarkers = markers
    .flatMap((marker) => {
      const [x, y] = toPixels(view, marker.at);
      const { left, right } = markerExtent(marker);
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

const round = (value: number) => Math.round(value * 100) / 100;

/** SVG elements of the paths and markers, in pixels at scale 1. */
export function overlaySvg(drawn: ReturnType<typeof layOut>): string {
  // A picture is written once, however many markers show it.
  const pictures = new Map<MarkerIcon, string>();
  for (const { marker } of drawn.markers)
    if (marker.icon && !pictures.has(marker.icon)) pictures.set(marker.icon, `icon${pictures.size}`);
  const defs = [...pictures].map(
    ([{ href, width, height }, id]) =>
      `<image id="${id}" width="${round(width)}" height="${round(height)}" href="${href}"/>`,
  );
  return [
    ...(defs.length > 0 ? [`<defs>${defs.join("")}</defs>`] : []),
    ...drawn.paths.map(pathSvg),
    ...drawn.markers.map((one) => markerSvg(one, pictures)),
  ].join("");
}

function opacity(name: string, [, , , alpha]: Color): string {
  return alpha >= 1 ? "" : ` ${name}="${round(alpha)}"`;
}

/** The border is a wider line beneath: `width + 2 × borderWidth`. */
function pathSvg({ path, lines }: DrawnPath): string {
  const d = lines.map((line) => pathData(line)).join("");
  if (d === "") return "";
  const stroke = (color: Color, width: number) =>
    `<path d="${d}" fill="none" stroke="${toHex(color)}"${opacity("stroke-opacity", color)} stroke-width="${round(width)}" stroke-linecap="round" stroke-linejoin="round"/>`;
  return (
    (path.borderWidth > 0 ? stroke(path.border, path.width + 2 * path.borderWidth) : "") +
    (path.width > 0 ? stroke(path.stroke, path.width) : "")
  );
}

function pathData(line: readonly number[]): string {
  let d = "";
  let [x, y] = [Infinity, Infinity];
  for (let i = 0; i < line.length; i += 2) {
    const [nx, ny] = [round(line[i]), round(line[i + 1])];
    // A quarter of a pixel is not seen, and routes have a point every few metres.
    if (i > 0 && i < line.length - 2 && Math.abs(nx - x) + Math.abs(ny - y) < 0.25) continue;
    d += `${i === 0 ? "M" : "L"}${nx} ${ny}`;
    [x, y] = [nx, ny];
  }
  return line.length === 2 ? `${d}h0` : d;
}

function markerSvg({ marker, x, y }: DrawnMarker, pictures: ReadonlyMap<MarkerIcon, string>): string {
  const factor = marker.small ? SMALL : 1;
  if (marker.icon) {
    const { left, above } = markerExtent(marker);
    const size = factor === 1 ? "" : ` scale(${factor})`;
    return `<use href="#${pictures.get(marker.icon)}" transform="translate(${round(x - left)} ${round(y - above)})${size}"/>`;
  }
  const fill = toHex(marker.color);
  const edge = luminance(marker.color) > 0.85 ? "#5a5f6a" : "#ffffff";
  const hole = luminance(marker.color) > 0.85 ? "#5a5f6a" : "#ffffff";
  return (
    `<g transform="translate(${round(x - PIN.tipX * factor)} ${round(y - PIN.tipY * factor)}) scale(${factor})"${opacity("opacity", marker.color)}>` +
    '<ellipse cx="15" cy="38.600" rx="6.500" ry="2.400" fill="#000000" fill-opacity=".22"/>' +
    `<path d="${PIN_SHAPE}" fill="${fill}" stroke="${edge}" stroke-width="1.500" stroke-linejoin="round"/>` +
    `<circle cx="15" cy="14" r="4.600" fill="${hole}"/></g>`
  );
}

/** Relative luminance without its gamma: enough to tell white from the rest. */
function luminance([red, green, blue]: Color): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** The room that paths and markers take before any label does. */
export function overlayBoxes(drawn: ReturnType<typeof layOut>, view: View): Box[] {
  const boxes: Box[] = [];
  for (const { path, lines } of drawn.paths) {
    const reach = path.width / 2 + path.borderWidth + 1;
    for (const line of lines) followLine(line, reach, view, boxes);
  }
  for (const { marker, x, y } of drawn.markers) {
    const { left, right, above, below } = markerExtent(marker);
    boxes.push({ left: x - left - 1, top: y - above - 1, right: x + right + 1, bottom: y + below });
  }
  return boxes;
}

/** Squares along a line, as close as they are wide: a long segment's own box would take half the map. */
function followLine(line: readonly number[], reach: number, view: View, boxes: Box[]): void {
  const put = (x: number, y: number) => {
    if (x < -reach || y < -reach || x > view.width + reach || y > view.height + reach) return;
    boxes.push({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach });
  };
  let since = Infinity;
  for (let i = 0; i < line.length; i += 2) {
    if (i > 0) {
      const [x0, y0, x1, y1] = line.slice(i - 2, i + 2);
      const length = Math.hypot(x1 - x0, y1 - y0);
      // Far outside nothing needs to be followed, however far it goes.
      const seen =
        Math.min(x0, x1) <= view.width + reach &&
        Math.max(x0, x1) >= -reach &&
        Math.min(y0, y1) <= view.height + reach &&
        Math.max(y0, y1) >= -reach;
      if (seen && length > 0) {
        const [from, to] = visiblePart(x0, y0, x1, y1, reach, view);
        for (let at = Math.max(from * length, reach - since); at <= to * length; at += reach)
          put(x0 + ((x1 - x0) * at) / length, y0 + ((y1 - y0) * at) / length);
      }
      since = 0;
    }
    put(line[i], line[i + 1]);
  }
}

/** The part of a segment, as shares of its length, that lies within `reach` of the image. */
function visiblePart(x0: number, y0: number, x1: number, y1: number, reach: number, view: View): [number, number] {
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of [
    [x0, x1 - x0, -reach, view.width + reach],
    [y0, y1 - y0, -reach, view.height + reach],
  ]) {
    if (delta === 0) continue;
    const [a, b] = [(low - start) / delta, (high - start) / delta];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return [from, to];
}
