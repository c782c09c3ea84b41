import { type Box, clipLine, grown } from "./clip.ts";
import { type Color, toHex } from "./color.ts";
import { type DrawnMarker, type DrawnPath, type MarkerIcon, markerExtent, PIN, SMALL } from "./overlay.ts";

const PIN_SHAPE =
  "M15 1.500C8.100 1.500 2.500 7.100 2.500 14c0 4.100 1.900 7.600 4.900 11.500C10.500 29.600 13.600 33.500 15 38.500c1.400-5 4.500-8.900 7.600-13C25.600 21.600 27.500 18.100 27.500 14c0-6.900-5.600-12.500-12.500-12.500z";

const round = (value: number) => Math.round(value * 100) / 100;

/** SVG elements of the parts of paths that a window shows, in pixels at scale 1. */
export function pathsSvg(paths: readonly DrawnPath[], window: Box): string {
  return paths.map((path) => pathSvg(path, window)).join("");
}

/** SVG elements of the markers. */
export function markersSvg(markers: readonly DrawnMarker[]): string {
  // A picture is written once, however many markers show it.
  const pictures = new Map<MarkerIcon, string>();
  for (const { marker } of markers)
    if (marker.icon && !pictures.has(marker.icon)) pictures.set(marker.icon, `icon${pictures.size}`);
  const defs = [...pictures].map(
    ([{ href, width, height }, id]) =>
      `<image id="${id}" width="${round(width)}" height="${round(height)}" href="${href}"/>`,
  );
  return [
    ...(defs.length > 0 ? [`<defs>${defs.join("")}</defs>`] : []),
    ...markers.map((one) => markerSvg(one, pictures)),
  ].join("");
}

function opacity(name: string, [, , , alpha]: Color): string {
  return alpha >= 1 ? "" : ` ${name}="${round(alpha)}"`;
}

/** The border is a wider line beneath: `width + 2 × borderWidth`. */
function pathSvg({ path, lines }: DrawnPath, window: Box): string {
  const seen = grown(window, path.width / 2 + path.borderWidth + 2);
  const d = lines.map((line) => pathData(line, seen)).join("");
  if (d === "") return "";
  const stroke = (color: Color, width: number) =>
    `<path d="${d}" fill="none" stroke="${toHex(color)}"${opacity("stroke-opacity", color)} stroke-width="${round(width)}" stroke-linecap="round" stroke-linejoin="round"/>`;
  return (
    (path.borderWidth > 0 ? stroke(path.border, path.width + 2 * path.borderWidth) : "") +
    (path.width > 0 ? stroke(path.stroke, path.width) : "")
  );
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

function markerSvg({ marker, x, y }: DrawnMarker, pictures: ReadonlyMap<MarkerIcon, string>): string {
  const factor = marker.small ? SMALL : 1;
  if (marker.icon) {
    const { left, above } = markerExtent(marker);
    const size = factor === 1 ? "" : ` scale(${factor})`;
    return `<use href="#${pictures.get(marker.icon)}" transform="translate(${round(x - left)} ${round(y - above)})${size}"/>`;
  }
  return `<g transform="translate(${round(x - PIN.tipX * factor)} ${round(y - PIN.tipY * factor)}) scale(${factor})"${opacity("opacity", marker.color)}>${pinSvg(toHex(marker.color), contrastOf(marker.color))}</g>`;
}

/** The pin in its box of 30 × 40; its shadow reaches one further down. */
export function pinSvg(fill: string, contrast: string): string {
  return (
    '<ellipse cx="15" cy="38.600" rx="6.500" ry="2.400" fill="#000000" fill-opacity=".22"/>' +
    `<path d="${PIN_SHAPE}" fill="${fill}" stroke="${contrast}" stroke-width="1.500" stroke-linejoin="round"/>` +
    `<circle cx="15" cy="14" r="4.600" fill="${contrast}"/>`
  );
}

/** Colour of a pin's edge and eye: white, except on a white pin. */
export function contrastOf(color: Color): string {
  return luminance(color) > 0.85 ? "#5a5f6a" : "#ffffff";
}

/** Relative luminance without its gamma: enough to tell white from the rest. */
function luminance([red, green, blue]: Color): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
