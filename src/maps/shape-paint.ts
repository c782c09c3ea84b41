import { parseColor, toHex } from "./color.ts";
import type { CompiledLayer } from "./style/compile-style.ts";
import type { Subject, Value } from "./style/expression.ts";

/** Coordinates are written as whole numbers of 1/Q pixel. */
export const Q = 16;

export function opacityAttribute(of: "fill" | "stroke", opacity: number): string {
  return opacity >= 1 ? "" : ` ${of}-opacity="${Math.round(Math.max(0, opacity) * 1000) / 1000}"`;
}

export function numberOr(value: Value, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** Only these words of a style go into the SVG. */
const CAPS = ["butt", "round", "square"];
const JOINS = ["miter", "round", "bevel"];
const oneOf = (words: readonly string[], value: Value) => words.find((word) => word === value) ?? words[0];

/** What the paint of a layer's features depends on. */
export const PAINT = {
  fill: ["fill-color", "fill-opacity", "fill-outline-color"],
  line: ["line-color", "line-opacity", "line-width", "line-gap-width", "line-dasharray", "line-cap", "line-join"],
  circle: ["circle-color", "circle-opacity", "circle-radius", "circle-stroke-color", "circle-stroke-width"],
} as const;

/** undefined: nothing would be visible. */
export function fillAttributes(layer: CompiledLayer, subject: Subject): string | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const opacity = numberOr(value("fill-opacity"), 1);
  const color = colorOf(value("fill-color"));
  const outline = layer.property("fill-outline-color").given ? colorOf(value("fill-outline-color")) : undefined;
  if ((!color || color[3] * opacity <= 0) && !outline) return undefined;
  const fill = color ? `fill="${toHex(color)}"${opacityAttribute("fill", color[3] * opacity)}` : 'fill="none"';
  return outline
    ? `${fill} stroke="${toHex(outline)}" stroke-width="${Q / 2}"${opacityAttribute("stroke", outline[3] * opacity)}`
    : fill;
}

/** `scale`: pixels of the image per pixel at scale 1. */
export function lineAttributes(layer: CompiledLayer, subject: Subject, scale: number): string | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const color = colorOf(value("line-color") ?? "#000000");
  let width = numberOr(value("line-width"), 1);
  const gap = numberOr(value("line-gap-width"), 0);
  // A line on both sides of a gap is a wider line; what fills the gap is drawn above it.
  if (gap > 0) width = gap + 2 * width;
  let opacity = numberOr(value("line-opacity"), 1) * (color?.[3] ?? 0);
  if (!color || width <= 0 || opacity <= 0) return undefined;
  // A line thinner than half a pixel of the image is drawn fainter instead.
  const thinnest = 0.5 / scale;
  if (width < thinnest) {
    opacity *= width / thinnest;
    width = thinnest;
    if (opacity < 0.02) return undefined;
  }
  const dash = value("line-dasharray");
  const dashes =
    Array.isArray(dash) && dash.length > 0 ? dash.map((part) => round(numberOr(part, 1) * width * Q)) : undefined;
  return (
    `stroke="${toHex(color)}" stroke-width="${round(width * Q)}"${opacityAttribute("stroke", opacity)}` +
    ` stroke-linecap="${oneOf(CAPS, value("line-cap"))}" stroke-linejoin="${oneOf(JOINS, value("line-join"))}"` +
    // Dashes finer than half a pixel look like a line, and there would be millions of them.
    (dashes?.every((part) => part >= 0) && dashes.reduce((a, b) => a + b, 0) > Q / 2
      ? ` stroke-dasharray="${dashes.join(" ")}"`
      : "")
  );
}

export function circleAttributes(layer: CompiledLayer, subject: Subject): string | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const color = colorOf(value("circle-color") ?? "#000000");
  const opacity = numberOr(value("circle-opacity"), 1) * (color?.[3] ?? 0);
  if (!color || opacity <= 0) return undefined;
  const stroke = numberOr(value("circle-stroke-width"), 0);
  const edge = colorOf(value("circle-stroke-color") ?? "#000000");
  return (
    `r="${round(numberOr(value("circle-radius"), 5) * Q)}" fill="${toHex(color)}"${opacityAttribute("fill", opacity)}` +
    (stroke > 0 && edge ? ` stroke="${toHex(edge)}" stroke-width="${round(stroke * Q)}"` : "")
  );
}

const round = (value: number) => Math.round(value * 100) / 100;
const colorOf = (value: Value) => (typeof value === "string" ? parseColor(value) : undefined);
