import { type Box, clipLine, clipRing, grown } from "./base/clip.ts";
import { type Color, toHex } from "./base/color.ts";
import {
  type DrawnMarker,
  type DrawnPath,
  type MarkerIcon,
  type MarkerLook,
  markerExtent,
  SIZE_FACTORS,
} from "./overlay.ts";
import { inOneColor, PICTOGRAMS } from "./style/pictograms.ts";
import { textSvg } from "./text-svg.ts";

const PIN_SHAPE =
  "M15 1.500C8.100 1.500 2.500 7.100 2.500 14c0 4.100 1.900 7.600 4.900 11.500C10.500 29.600 13.600 33.500 15 38.500c1.400-5 4.500-8.900 7.600-13C25.600 21.600 27.500 18.100 27.500 14c0-6.900-5.600-12.500-12.500-12.500z";

const round = (value: number) => Math.round(value * 100) / 100;

/** SVG elements of the parts of paths that a window shows, in pixels at scale 1. */
export function pathsSvg(paths: readonly DrawnPath[], window: Box): string {
  return paths.map((path) => pathSvg(path, window)).join("");
}

/** SVG elements of the markers. */
export function markersSvg(markers: readonly DrawnMarker[]): string {
  // An image is written once, however many markers show it.
  const iconIds = new Map<MarkerIcon, string>();
  for (const { marker } of markers)
    if (marker.icon && !iconIds.has(marker.icon)) iconIds.set(marker.icon, `icon${iconIds.size}`);
  const defs = [...iconIds].map(
    ([{ href, width, height }, id]) =>
      `<image id="${id}" width="${round(width)}" height="${round(height)}" href="${href}"/>`,
  );
  return [
    ...(defs.length > 0 ? [`<defs>${defs.join("")}</defs>`] : []),
    ...markers.map((one) => markerSvg(one, iconIds)),
  ].join("");
}

function opacity(name: string, [, , , alpha]: Color): string {
  return alpha >= 1 ? "" : ` ${name}="${round(alpha)}"`;
}

/** The area first; over it the border, which is a wider line beneath the stroke: `width + 2 × borderWidth`. */
function pathSvg({ path, lines, areas }: DrawnPath, window: Box): string {
  const seen = grown(window, path.width / 2 + path.borderWidth + 2);
  const area = path.fill ? areas.map((rings) => rings.map((ring) => ringData(ring, seen)).join("")).join("") : "";
  const d = lines.map((line) => pathData(line, seen)).join("");
  const stroke = (color: Color, width: number) =>
    d === "" || width === 0
      ? ""
      : `<path d="${d}" fill="none" stroke="${toHex(color)}"${opacity("stroke-opacity", color)} stroke-width="${round(width)}" stroke-linecap="round" stroke-linejoin="round"/>`;
  return (
    (path.fill && area !== ""
      ? `<path d="${area}" fill="${toHex(path.fill)}"${opacity("fill-opacity", path.fill)} fill-rule="evenodd"/>`
      : "") +
    (path.borderWidth > 0 ? stroke(path.border, path.width + 2 * path.borderWidth) : "") +
    stroke(path.stroke, path.width)
  );
}

function ringData(ring: readonly number[], seen: Box): string {
  const { points, count } = clipRing(Float64Array.from(ring), ring.length / 2, seen);
  let d = "";
  for (let i = 0; i < count; i++) d += `${i === 0 ? "M" : "L"}${round(points[2 * i])} ${round(points[2 * i + 1])}`;
  return d === "" ? "" : `${d}Z`;
}

function pathData(line: readonly number[], seen: Box): string {
  const count = line.length / 2;
  if (count === 1) {
    const [x, y] = line;
    const outside = x < seen.left || x > seen.right || y < seen.top || y > seen.bottom;
    return outside ? "" : `M${round(x)} ${round(y)}h0`;
  }
  let d = "";
  clipLine(Float64Array.from(line), count, seen, (piece, n) => {
    for (let i = 0; i < n; i++) d += `${i === 0 ? "M" : "L"}${round(piece[2 * i])} ${round(piece[2 * i + 1])}`;
  });
  return d;
}

function markerSvg({ marker, x, y, label }: DrawnMarker, iconIds: ReadonlyMap<MarkerIcon, string>): string {
  const factor = SIZE_FACTORS[marker.size];
  const { left, above } = markerExtent(marker);
  const corner = `translate(${round(x - left)} ${round(y - above)})`;
  if (marker.icon) {
    const size = factor === 1 ? "" : ` scale(${factor})`;
    return `<use href="#${iconIds.get(marker.icon)}" transform="${corner}${size}"/>`;
  }
  const pin = pinSvg(toHex(marker.color), contrastOf(marker.color), headOf(marker), inkOf(marker.color));
  const letters = label ? `<g transform="${corner}"${opacity("opacity", marker.color)}>${textSvg(label)}</g>` : "";
  return `<g transform="${corner} scale(${factor})"${opacity("opacity", marker.color)}>${pin}</g>${letters}`;
}

/** Content of a pin's head: its eye, a pictogram, or nothing below letters. */
export type PinHead = "eye" | "bare" | keyof typeof PICTOGRAMS;

export const headOf = ({ label, symbol }: MarkerLook): PinHead => (label !== undefined ? "bare" : (symbol ?? "eye"));

/** Of a pin's head, around (15, 14). */
const SYMBOL_SCALE = 1.25;

/** The pin in its box of 30 × 40; its shadow reaches one further down. */
export function pinSvg(fill: string, contrast: string, head: PinHead = "eye", ink = contrast): string {
  return (
    '<ellipse cx="15" cy="38.600" rx="6.500" ry="2.400" fill="#000000" fill-opacity=".22"/>' +
    `<path d="${PIN_SHAPE}" fill="${fill}" stroke="${contrast}" stroke-width="1.500" stroke-linejoin="round"/>` +
    headSvg(head === "eye" ? contrast : ink, head)
  );
}

function headSvg(ink: string, head: PinHead): string {
  if (head === "bare") return "";
  if (head === "eye") return `<circle cx="15" cy="14" r="4.600" fill="${ink}"/>`;
  const move = `translate(${15 - 7.5 * SYMBOL_SCALE} ${14 - 7.5 * SYMBOL_SCALE}) scale(${SYMBOL_SCALE})`;
  return `<g transform="${move}" fill="${ink}">${inOneColor(PICTOGRAMS[head], ink)}</g>`;
}

/** Color of a pin's edge and eye: white, except on a white pin. */
export function contrastOf(color: Color): string {
  return luminance(color) > 0.85 ? "#5a5f6a" : "#ffffff";
}

/** Color of the content of a pin's head: white if legible. */
export function inkOf(color: Color): string {
  return luminance(color) > 0.6 ? "#30343c" : "#ffffff";
}

/** Relative luminance without gamma: enough to distinguish light from dark. */
function luminance([red, green, blue]: Color): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
