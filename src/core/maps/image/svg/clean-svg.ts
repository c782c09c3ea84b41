import { ImageError } from "../../base/examined-image.ts";
import type { SvgElement } from "./read-svg.ts";
import { isNumbers, MAX_NUMBER } from "./svg-numbers.ts";
import { readReference } from "./svg-reference.ts";

/**
 * Allowlist for SVG: elements and attributes listed here, with values of the listed forms. Everything else is rejected
 * if it would be visible or refer to an external resource, and omitted if it has no effect.
 */
const SHAPES = ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"];
const ALLOWED = new Set([
  ...SHAPES,
  ...["svg", "g", "a", "defs", "symbol", "use", "clipPath", "mask", "linearGradient", "radialGradient", "stop"],
]);
/** Elements that draw nothing. */
const SILENT = new Set(["title", "desc", "metadata", "view", "cursor"]);

/** "12", "-1.5e3px", "50%": a length in the units that resvg supports. */
const LENGTH = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?(px|pt|pc|mm|cm|in|em|ex|%)?\s*$/i;
const WORD = /^\s*[a-zA-Z][a-zA-Z-]*\s*$/;
const COLOR = /^[#a-zA-Z0-9.,%\s()+-]*$/;

type Rule = (value: string) => boolean;
const length: Rule = (value) => LENGTH.test(value) && Math.abs(Number.parseFloat(value)) <= MAX_NUMBER;
const word: Rule = (value) => WORD.test(value);
/** A reference to an element of the same document, a color, or both: url(#a) red */
const paint: Rule = (value) => {
  const color = readReference(value)?.rest ?? value;
  return COLOR.test(color) && !/url\(/i.test(color);
};
const reference: Rule = (value) => value.trim() === "none" || readReference(value)?.rest.trim() === "";
const numbers: Rule = (value) => isNumbers(value, "");
const transform: Rule = (value) =>
  isNumbers(value.replace(/\b(matrix|translate|scale|rotate|skewX|skewY)\b/g, " "), "()");

/** Attributes that may also be written in `style`. */
const PRESENTATION: Record<string, Rule> = {
  fill: paint,
  stroke: paint,
  color: paint,
  "stop-color": paint,
  "fill-opacity": length,
  "stroke-opacity": length,
  "stop-opacity": length,
  opacity: length,
  "stroke-width": length,
  "stroke-miterlimit": length,
  "stroke-dashoffset": length,
  "stroke-dasharray": (value) => value.trim() === "none" || isNumbers(value, ""),
  "stroke-linecap": word,
  "stroke-linejoin": word,
  "fill-rule": word,
  "clip-rule": word,
  "clip-path": reference,
  mask: reference,
  display: word,
  visibility: word,
  overflow: word,
  "shape-rendering": word,
  "paint-order": (value) => /^[a-z\s]+$/.test(value),
  "mask-type": word,
};

const ATTRIBUTES: Record<string, Rule> = {
  ...PRESENTATION,
  id: (value) => value.length <= 256,
  href: (value) => /^\s*#/.test(value),
  d: (value) => isNumbers(value, "MmLlHhVvCcSsQqTtAaZz"),
  points: numbers,
  viewBox: numbers,
  transform,
  gradientTransform: transform,
  preserveAspectRatio: (value) => /^[a-zA-Z\s]+$/.test(value),
  gradientUnits: word,
  spreadMethod: word,
  clipPathUnits: word,
  maskUnits: word,
  maskContentUnits: word,
  offset: length,
};
for (const name of ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "width", "height"])
  ATTRIBUTES[name] = length;

/** Attributes that would change the image and are rejected: omitting them would draw something other than the file. */
const REFUSED = new Set(["filter", "marker", "marker-start", "marker-mid", "marker-end"]);

/**
 * Returns the tree with only allowed content, values checked, `style` resolved into attributes. @throws ImageError with
 * the rejected content
 */
export function cleanSvg(element: SvgElement): SvgElement {
  const children: SvgElement[] = [];
  for (const child of element.children) {
    if (SILENT.has(child.name)) continue;
    if (!ALLOWED.has(child.name))
      throw new ImageError(
        `An SVG may have no <${child.name}>: shapes, groups, gradients, uses, clips and masks are drawn, but no scripts, ` +
          "style sheets, texts, images, animations, filters, patterns, markers or foreign objects.",
      );
    children.push(cleanSvg(child));
  }
  const attributes = new Map<string, string>();
  for (const [name, value] of [...element.attributes, ...declarations(element.attributes.get("style"))]) {
    const rule = ATTRIBUTES[name];
    if (REFUSED.has(name) && value.trim() !== "none")
      throw new ImageError(`An SVG may have no ${name}: filters and markers are not drawn.`);
    if (!rule) continue;
    if (value.trim() === "" || value.trim() === "inherit") continue;
    if ((name === "href" || /url\(/i.test(value)) && !rule(value))
      throw new ImageError("An SVG may refer to nothing outside itself.");
    if (!rule(value)) throw new ImageError(`The SVG's ${name} cannot be read: ${JSON.stringify(value.slice(0, 40))}.`);
    attributes.set(name, value.trim());
  }
  return { name: element.name === "a" ? "g" : element.name, attributes, children };
}

/** `fill: red; stroke: none` → pairs; properties that are not presentation attributes have no effect. */
function declarations(style: string | undefined): [name: string, value: string][] {
  if (style === undefined) return [];
  if (/@|\/\*|\\/.test(style)) throw new ImageError("The SVG's style may have no comments, escapes and @ rules.");
  return style.split(";").flatMap((part): [string, string][] => {
    const colon = part.indexOf(":");
    if (colon < 0) return [];
    const name = part.slice(0, colon).trim().toLowerCase();
    const value = part.slice(colon + 1).replace(/!important\s*$/i, "");
    return PRESENTATION[name] || REFUSED.has(name) ? [[name, value]] : [];
  });
}
