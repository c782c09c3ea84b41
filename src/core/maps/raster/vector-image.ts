import { type Color, parseColor } from "../base/color.ts";
import type { FillRule } from "./coverage.ts";
import type { Painter } from "./painter.ts";
import type { Cap, Join } from "./stroke.ts";
import { readSvgPath, type Subpath } from "./svg-path.ts";

/** An image as shapes in its own units, painted in order. */
export type VectorImage = readonly ImageShape[];

interface ImageShape {
  parts: Subpath[];
  fill: Color | undefined;
  rule: FillRule;
  stroke: { color: Color; width: number; cap: Cap; join: Join } | undefined;
}

/** Placement of an image: its point (0, 0) [pixels at scale 1], its size, and the direction of its x axis. */
interface ImagePlace {
  x: number;
  y: number;
  size: number;
  cos: number;
  sin: number;
}

const ELEMENTS = /<(\/?)(\w+)([^>]*?)(\/?)>/g;
const ATTRIBUTES = /([\w-]+)="([^"]*)"/g;
/** Corners of circles and of a rectangle's rounded corner. */
const CIRCLE_CORNERS = 32;
const ROUND_CORNERS = 6;

type Attributes = Readonly<Record<string, string>>;

interface Group {
  attributes: Attributes;
  left: number;
  top: number;
  size: number;
}

/**
 * Parses built-in images, icons of styles and pins: `path`, `circle`, `ellipse`, `rect` and `g` with colors, strokes,
 * translations and scales. Uploaded images are drawn by resvg.
 * @throws Error for an unsupported element
 */
export function parseVectorImage(svg: string): VectorImage {
  const shapes: ImageShape[] = [];
  const groups: Group[] = [{ attributes: {}, left: 0, top: 0, size: 1 }];
  for (const [, closing, name, text, ended] of svg.matchAll(ELEMENTS)) {
    if (closing) {
      groups.pop();
      continue;
    }
    const own = Object.fromEntries([...text.matchAll(ATTRIBUTES)].map(([, key, value]) => [key, value]));
    const group = inner(groups[groups.length - 1], own);
    if (name !== "g") shapes.push(shapeOf(partsOf(name, own), group));
    if (!ended) groups.push(group);
  }
  return shapes;
}

function inner(outer: Group, { transform = "", ...own }: Attributes): Group {
  let { left, top, size } = outer;
  for (const [, call, list] of transform.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x, y = call === "translate" ? 0 : x] = list.split(/[\s,]+/).map(Number);
    if (call === "translate") [left, top] = [left + x * size, top + y * size];
    else if (call === "scale" && x === y) size *= x;
    else throw new Error(`Unsupported transform in an image: ${call}(${list}).`);
  }
  return { attributes: { ...outer.attributes, ...own }, left, top, size };
}

function partsOf(name: string, attributes: Attributes): Subpath[] {
  const number = (key: string, otherwise = 0) => Number(attributes[key] ?? otherwise);
  if (name === "path") return readSvgPath(attributes.d);
  if (name === "circle") return [ellipse(number("cx"), number("cy"), number("r"), number("r"))];
  if (name === "ellipse") return [ellipse(number("cx"), number("cy"), number("rx"), number("ry"))];
  if (name === "rect") {
    const size = [number("width"), number("height")] as const;
    return [rectangle(number("x"), number("y"), ...size, number("rx"))];
  }
  throw new Error(`Unsupported element in an image: <${name}>.`);
}

function ellipse(x: number, y: number, rx: number, ry: number): Subpath {
  const points: number[] = [];
  for (let i = 0; i < CIRCLE_CORNERS; i++) {
    const angle = (2 * Math.PI * i) / CIRCLE_CORNERS;
    points.push(x + rx * Math.cos(angle), y + ry * Math.sin(angle));
  }
  return { points, closed: true };
}

function rectangle(x: number, y: number, width: number, height: number, radius: number): Subpath {
  const points: number[] = [];
  const r = Math.min(radius, width / 2, height / 2);
  const corners = [
    [x + width - r, y + r],
    [x + width - r, y + height - r],
    [x + r, y + height - r],
    [x + r, y + r],
  ];
  corners.forEach(([cx, cy], corner) => {
    for (let i = 0; i <= ROUND_CORNERS; i++) {
      const angle = ((corner - 1 + i / ROUND_CORNERS) * Math.PI) / 2;
      points.push(cx + r * Math.cos(angle), cy + r * Math.sin(angle));
    }
  });
  return { points, closed: true };
}

function shapeOf(parts: Subpath[], { attributes, left, top, size }: Group): ImageShape {
  const color = (key: "fill" | "stroke", otherwise: string): Color | undefined => {
    const word = attributes[key] ?? otherwise;
    const read = word === "none" ? undefined : parseColor(word);
    return read && [read[0], read[1], read[2], read[3] * Number(attributes[`${key}-opacity`] ?? 1)];
  };
  const stroke = color("stroke", "none");
  return {
    parts: parts.map(({ points, closed }) => ({
      points: points.map((value, i) => value * size + (i % 2 === 0 ? left : top)),
      closed,
    })),
    fill: color("fill", "#000000"),
    rule: attributes["fill-rule"] === "evenodd" ? "evenodd" : "nonzero",
    stroke: stroke && {
      color: stroke,
      width: Number(attributes["stroke-width"] ?? 1) * size,
      cap: (attributes["stroke-linecap"] ?? "butt") as Cap,
      join: (attributes["stroke-linejoin"] ?? "miter") as Join,
    },
  };
}

/** Draws an image at its place. */
export function paintVectorImage(painter: Painter, image: VectorImage, place: ImagePlace): void {
  for (const { parts, fill, rule, stroke } of image) {
    const placed = parts.map(({ points }) => placedPoints(points, place));
    if (fill) {
      for (const points of placed) painter.ring(points, 0, points.length / 2);
      painter.lay(fill, rule);
    }
    if (!stroke) continue;
    const stroker = painter.stroker({ ...stroke, width: stroke.width * place.size });
    placed.forEach((points, i) => {
      painter.line(stroker, points, 0, points.length / 2, parts[i].closed);
    });
    painter.lay(stroke.color);
  }
}

function placedPoints(points: readonly number[], { x, y, size, cos, sin }: ImagePlace): Float64Array {
  const placed = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const across = points[i] * size;
    const down = points[i + 1] * size;
    placed[i] = x + across * cos - down * sin;
    placed[i + 1] = y + across * sin + down * cos;
  }
  return placed;
}
