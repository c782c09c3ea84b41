import { type Color, parseColor, toHex } from "../base/color.ts";
import type { Cap, Join } from "../raster/stroke.ts";
import type { CompiledLayer } from "../style/compile-style.ts";
import type { Subject, Value } from "../style/expression.ts";

/** Coordinates are integers in units of 1/Q pixel. */
export const Q = 16;

/** How shapes look. Those with the same attributes look the same. */
export interface ShapePaint {
  /** As SVG, lengths in 1/Q pixel. */
  attributes: string;
  /** Its alpha is the alpha of the style's color times its opacity. */
  fill?: Color | undefined;
  stroke?: ShapeStroke | undefined;
  /** Of circles [pixels at scale 1]. */
  radius?: number;
}

/** Lengths in pixels at scale 1. */
interface ShapeStroke {
  color: Color;
  width: number;
  cap: Cap;
  join: Join;
  dashes?: readonly number[] | undefined;
}

function opacityAttribute(of: "fill" | "stroke", opacity: number): string {
  return opacity >= 1 ? "" : ` ${of}-opacity="${Math.round(Math.max(0, opacity) * 1000) / 1000}"`;
}

export const fillAttribute = (color: Color): string => `fill="${toHex(color)}"${opacityAttribute("fill", color[3])}`;

export function numberOr(value: Value, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** Only these words of a style go into the SVG. */
const CAPS = ["butt", "round", "square"] as const;
const JOINS = ["miter", "round", "bevel"] as const;
const oneOf = <T>(words: readonly T[], value: Value): T => words.find((word) => word === value) ?? words[0];

/** Parameters that determine the paint of a layer's features. */
export const PAINT = {
  fill: ["fill-color", "fill-opacity", "fill-outline-color"],
  line: ["line-color", "line-opacity", "line-width", "line-gap-width", "line-dasharray", "line-cap", "line-join"],
  circle: ["circle-color", "circle-opacity", "circle-radius", "circle-stroke-color", "circle-stroke-width"],
} as const;

/** Of an area's outline [pixels at scale 1]. */
const OUTLINE = 0.5;

/** Undefined if nothing would be visible. */
export function fillPaint(layer: CompiledLayer, subject: Subject): ShapePaint | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const opacity = numberOr(value("fill-opacity"), 1);
  const color = colorOf(value("fill-color"));
  const outline = layer.property("fill-outline-color").given ? colorOf(value("fill-outline-color")) : undefined;
  if ((!color || color[3] * opacity <= 0) && !outline) return undefined;
  const fill = color && faded(color, opacity);
  const inside = fill ? fillAttribute(fill) : 'fill="none"';
  if (!outline) return { attributes: inside, fill };
  const edge = faded(outline, opacity);
  return {
    attributes: `${inside} stroke="${toHex(edge)}" stroke-width="${OUTLINE * Q}"${opacityAttribute("stroke", edge[3])}`,
    fill,
    stroke: { color: edge, width: OUTLINE, cap: "butt", join: "miter" },
  };
}

/** `scale`: pixels of the image per pixel at scale 1. */
export function linePaint(layer: CompiledLayer, subject: Subject, scale: number): ShapePaint | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const given = colorOf(value("line-color") ?? "#000000");
  let width = numberOr(value("line-width"), 1);
  const gap = numberOr(value("line-gap-width"), 0);
  // A line on both sides of a gap is a wider line; the content of the gap is drawn above it.
  if (gap > 0) width = gap + 2 * width;
  let opacity = numberOr(value("line-opacity"), 1);
  if (!given || width <= 0 || given[3] * opacity <= 0) return undefined;
  // A line thinner than half a pixel of the image is drawn fainter instead.
  const thinnest = 0.5 / scale;
  if (width < thinnest) {
    opacity *= width / thinnest;
    width = thinnest;
    if (given[3] * opacity < 0.02) return undefined;
  }
  const color = faded(given, opacity);
  const dashes = dashesOf(value("line-dasharray"), width);
  const cap = oneOf(CAPS, value("line-cap"));
  const join = oneOf(JOINS, value("line-join"));
  return {
    attributes:
      `stroke="${toHex(color)}" stroke-width="${round(width * Q)}"${opacityAttribute("stroke", color[3])}` +
      ` stroke-linecap="${cap}" stroke-linejoin="${join}"` +
      (dashes ? ` stroke-dasharray="${dashes.map((part) => round(part * Q)).join(" ")}"` : ""),
    stroke: { color, width, cap, join, dashes },
  };
}

/** Dashes finer than half a pixel look like a line, and there would be millions of them. */
function dashesOf(value: Value, width: number): number[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const dashes = value.map((part) => numberOr(part, 1) * width);
  return dashes.every((part) => part >= 0) && dashes.reduce((a, b) => a + b, 0) > 0.5 ? dashes : undefined;
}

export function circlePaint(layer: CompiledLayer, subject: Subject): ShapePaint | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const color = colorOf(value("circle-color") ?? "#000000");
  const opacity = numberOr(value("circle-opacity"), 1);
  if (!color || color[3] * opacity <= 0) return undefined;
  const fill = faded(color, opacity);
  const width = numberOr(value("circle-stroke-width"), 0);
  const edge = colorOf(value("circle-stroke-color") ?? "#000000");
  const radius = numberOr(value("circle-radius"), 5);
  const inside = `r="${round(radius * Q)}" ${fillAttribute(fill)}`;
  if (width <= 0 || !edge) return { attributes: inside, fill, radius };
  return {
    attributes: `${inside} stroke="${toHex(edge)}" stroke-width="${round(width * Q)}"`,
    fill,
    radius,
    stroke: { color: [edge[0], edge[1], edge[2], 1], width, cap: "butt", join: "miter" },
  };
}

const faded = ([red, green, blue, alpha]: Color, opacity: number): Color => [red, green, blue, alpha * opacity];
const round = (value: number) => Math.round(value * 100) / 100;
const colorOf = (value: Value) => (typeof value === "string" ? parseColor(value) : undefined);
